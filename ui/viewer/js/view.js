// Zoom and pan, the same for all panels: the zoom is relative to the whole tile, the centre a share of its sides, so
// that both mean the same on a tile of another size.

const MOST_PX = 48; // px of the screen for a px of the tile, at the most

function startView() { return { zoom: 1, x: 0.5, y: 0.5 }; }

function fitScale(tile, width, height) { return Math.min(width / tile.width, height / tile.height); }

function clampView(view, tile, width, height) {
  const fit = fitScale(tile, width, height);
  view.zoom = Math.min(Math.max(1, view.zoom), Math.max(1, MOST_PX / fit));
  const half = (size, side) => Math.min(0.5, side / (2 * size * fit * view.zoom));
  const [halfX, halfY] = [half(tile.width, width), half(tile.height, height)];
  view.x = Math.min(1 - halfX, Math.max(halfX, view.x));
  view.y = Math.min(1 - halfY, Math.max(halfY, view.y));
}

// Where a tile lies on a panel of width x height CSS px; everything in px of the screen.
function frameOf(viewer, width, height) {
  const tile = viewer.shown, ratio = window.devicePixelRatio || 1;
  const { zoom, x, y } = viewer.view;
  const scale = fitScale(tile, width, height) * zoom * ratio; // px of the screen per px of the tile
  const left = (width * ratio) / 2 - x * tile.width * scale, top = (height * ratio) / 2 - y * tile.height * scale;
  const across = Math.round(width * ratio), down = Math.round(height * ratio);
  const visible = {
    x0: Math.max(0, Math.round(left)), x1: Math.min(across, Math.round(left + tile.width * scale)),
    y0: Math.max(0, Math.round(top)), y1: Math.min(down, Math.round(top + tile.height * scale)),
  };
  return { ratio, scale, left, top, across, down, visible };
}

function zoomAt(viewer, factor, panelX, panelY, width, height) {
  const { view, shown } = viewer;
  const before = fitScale(shown, width, height) * view.zoom;
  const pointX = view.x + (panelX - width / 2) / (shown.width * before);
  const pointY = view.y + (panelY - height / 2) / (shown.height * before);
  view.zoom *= factor;
  clampView(view, shown, width, height);
  const after = fitScale(shown, width, height) * view.zoom;
  view.x = pointX - (panelX - width / 2) / (shown.width * after);
  view.y = pointY - (panelY - height / 2) / (shown.height * after);
  clampView(view, shown, width, height);
}

function panBy(viewer, dx, dy, width, height) {
  const { view, shown } = viewer;
  const scale = fitScale(shown, width, height) * view.zoom;
  view.x -= dx / (shown.width * scale);
  view.y -= dy / (shown.height * scale);
  clampView(view, shown, width, height);
}

// Column and row of the tile in full under a point of a panel, or null outside it.
function pixelAt(viewer, panelX, panelY, width, height) {
  const frame = frameOf(viewer, width, height);
  const column = Math.floor((panelX * frame.ratio - frame.left) / frame.scale);
  const row = Math.floor((panelY * frame.ratio - frame.top) / frame.scale);
  const { shown } = viewer;
  return row >= 0 && column >= 0 && row < shown.height && column < shown.width ? { row, column } : null;
}

function labelsAt(viewer, { row, column }) {
  const tile = sourceAt(viewer, row, column);
  const at = Math.floor((row - tile.top) / tile.step) * tile.columns + Math.floor((column - tile.left) / tile.step);
  return { truth: tile.truth ? tile.truth.codes[at] : NO_LABEL, predicted: tile.prediction ? tile.prediction.codes[at] : NO_LABEL };
}
