// An object that the page points at: the view goes to it when it is a new one, and it is outlined on every panel.

const AROUND = 0.6, AROUND_PX = 12; // margin on each side: of the object's longer side, and px of the tile at the least

function framedOf(viewer) {
  const { data, shown, offset } = viewer;
  return data?.frame && !offset && shown?.id === data.current.id ? data.frame : null;
}

function viewOn(viewer, [top, left, bottom, right], width, height) {
  const { shown } = viewer, fit = fitScale(shown, width, height);
  const margin = Math.max(AROUND_PX, AROUND * Math.max(bottom - top, right - left));
  const zoom = Math.min(width / ((right - left + 2 * margin) * fit), height / ((bottom - top + 2 * margin) * fit));
  const view = { zoom, x: (left + right) / 2 / shown.width, y: (top + bottom) / 2 / shown.height };
  clampView(view, shown, width, height);
  return view;
}

// Once the panels have their size. Without a new object the user's own zoom stays.
function followFrame(viewer, width, height) {
  const frame = framedOf(viewer);
  if (viewer.offset || viewer.shown !== viewer.held) return;
  const stamp = frame ? JSON.stringify([viewer.shown.id, frame]) : "";
  if (stamp === viewer.frameStamp) return;
  viewer.frameStamp = stamp;
  viewer.view = frame ? viewOn(viewer, frame, width, height) : startView();
}

function isOnFrame(viewer) {
  const frame = framedOf(viewer);
  if (!frame) return false;
  const { width, height } = viewer.panels[0], there = viewOn(viewer, frame, width, height), { view } = viewer;
  return Math.abs(there.zoom / view.zoom - 1) < 1e-3 && Math.abs(there.x - view.x) < 1e-3 && Math.abs(there.y - view.y) < 1e-3;
}

function toggleFrame(viewer) {
  const frame = framedOf(viewer);
  if (!frame) return;
  const { width, height } = viewer.panels[0];
  viewer.view = isOnFrame(viewer) ? startView() : viewOn(viewer, frame, width, height);
  requestDraw(viewer);
}

function syncFrame(viewer) {
  const button = viewer.part("frame");
  button.hidden = !framedOf(viewer);
  button.setAttribute("aria-pressed", String(isOnFrame(viewer)));
}

// A thin line, and strong corners a little outside it, which are seen where the object is small on the screen.
function drawFramed(viewer, context, frame) {
  const framed = framedOf(viewer);
  if (!framed) return;
  const unit = frame.ratio, [top, left, bottom, right] = framed;
  const x0 = frame.left + left * frame.scale, x1 = frame.left + right * frame.scale;
  const y0 = frame.top + top * frame.scale, y1 = frame.top + bottom * frame.scale;
  const out = 5 * unit, arm = Math.max(8 * unit, Math.min(20 * unit, Math.min(x1 - x0, y1 - y0) / 4));
  context.lineJoin = "miter";
  context.lineCap = "square";
  for (const [thin, strong, ink] of [[3, 5.5, "rgba(0, 0, 0, 0.75)"], [1, 2.5, "#ffffff"]]) {
    context.strokeStyle = ink;
    context.lineWidth = thin * unit;
    context.strokeRect(x0 - unit, y0 - unit, x1 - x0 + 2 * unit, y1 - y0 + 2 * unit);
    context.lineWidth = strong * unit;
    context.beginPath();
    for (const [x, y, dx, dy] of [[x0, y0, 1, 1], [x1, y0, -1, 1], [x0, y1, 1, -1], [x1, y1, -1, -1]]) {
      const [cx, cy] = [x - dx * out, y - dy * out];
      context.moveTo(cx + dx * arm, cy);
      context.lineTo(cx, cy);
      context.lineTo(cx, cy + dy * arm);
    }
    context.stroke();
  }
}
