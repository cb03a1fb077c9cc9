// Panels on the page: how many, how large, and when they are drawn.

const GAP = 8, CAPTION = 22, LEAST_SIDE = 120; // CSS px

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text; // never as markup
  return made;
}

function panelKinds(viewer) {
  return viewer.settings.layout === "single" ? ["single"] : kindsOf(viewer.shown);
}

function panelTitle(viewer, kind) {
  const tile = viewer.shown, { settings } = viewer;
  if (kind !== "single") {
    const covered = isPhoto(tile, kind) && !isPhoto(tile, settings.over) && kindsOf(tile).includes(settings.over);
    return covered ? `${labelOf(tile, kind)} + ${labelOf(tile, settings.over).toLowerCase()}` : labelOf(tile, kind);
  }
  const base = labelOf(tile, baseOf(viewer)), over = overOf(viewer);
  if (over === NOTHING) return base;
  if (settings.mode === "swipe") return `${base} | ${labelOf(tile, over)}`;
  if (settings.mode === "blink") return viewer.blinkOver ? labelOf(tile, over) : base;
  return `${base} + ${labelOf(tile, over).toLowerCase()}`;
}

function makePanel(viewer, kind) {
  const figure = element("figure", "panel"), caption = element("figcaption"), stage = element("div", "stage");
  const canvas = element("canvas");
  canvas.setAttribute("role", "img");
  stage.append(canvas);
  figure.append(caption, stage);
  const panel = { kind, figure, caption, stage, canvas, width: 0, height: 0, scaleBar: false };
  if (kind === "single") addDivider(viewer, panel);
  bindPointer(viewer, panel);
  return panel;
}

function addDivider(viewer, panel) {
  panel.divider = element("div", "divider");
  panel.divider.append(element("span", "grip"));
  panel.divider.tabIndex = 0;
  panel.divider.setAttribute("role", "slider");
  panel.divider.setAttribute("aria-label", "Place of the divider between the two layers");
  panel.divider.setAttribute("aria-valuemin", "0");
  panel.divider.setAttribute("aria-valuemax", "100");
  panel.stage.append(panel.divider);
}

function placeDivider(viewer) {
  const panel = viewer.panels.find((p) => p.divider);
  if (!panel) return;
  const shown = viewer.settings.mode === "swipe" && overOf(viewer) !== NOTHING;
  panel.divider.hidden = !shown;
  panel.divider.style.left = `${viewer.split * 100}%`;
  panel.divider.setAttribute("aria-valuenow", String(Math.round(viewer.split * 100)));
}

// The number of columns at which the tiles come out largest.
function arrange(count, aspect, width, height) {
  let best = null;
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns);
    const across = Math.floor((width - (columns - 1) * GAP) / columns);
    const down = Math.floor((height - (rows - 1) * GAP) / rows) - CAPTION;
    const side = Math.min(across, down * aspect);
    if (!best || side > best.side + 1) best = { columns, across, down, side };
  }
  return best;
}

function layOut(viewer) {
  const { area, root, shown } = viewer;
  if (!shown) return;
  const kinds = panelKinds(viewer);
  if (kinds.join() !== viewer.panels.map((p) => p.kind).join()) {
    viewer.panels = kinds.map((kind) => viewer.panels.find((p) => p.kind === kind) ?? makePanel(viewer, kind));
    area.replaceChildren(...viewer.panels.map((p) => p.figure));
    viewer.pointer = viewer.pointerPanel = null;
    viewer.shaders = {};
  }
  const full = viewer.isFull();
  const width = Math.max(LEAST_SIDE, area.clientWidth);
  const height = full ? Math.max(LEAST_SIDE, viewer.roomFor()) : Math.max(360, Math.round(window.innerHeight * 0.7));
  const aspect = Math.min(2, Math.max(0.6, shown.width / shown.height));
  const found = arrange(kinds.length, aspect, width, height);
  if (!found) return;
  const down = Math.max(LEAST_SIDE, full ? found.down : Math.min(found.down, Math.round(found.across / aspect)));
  area.style.gridTemplateColumns = `repeat(${found.columns}, ${found.across}px)`;
  root.style.setProperty("--stage-height", `${down}px`);
  viewer.panels.forEach((panel, i) => {
    panel.width = found.across;
    panel.height = down;
    panel.scaleBar = i === 0;
  });
  followFrame(viewer, found.across, down);
  clampView(viewer.view, shown, found.across, down);
  requestDraw(viewer);
}

function requestDraw(viewer) {
  if (viewer.frame) return;
  viewer.frame = requestAnimationFrame(() => {
    viewer.frame = 0;
    if (viewer.shown) drawAll(viewer);
  });
}

function drawAll(viewer) {
  const { shown, root } = viewer;
  for (const panel of viewer.panels) {
    const title = panelTitle(viewer, panel.kind);
    if (panel.caption.textContent !== title) panel.caption.textContent = title;
    const spoken = `${title} of the tile ${shown.title}`;
    if (panel.canvas.getAttribute("aria-label") !== spoken) panel.canvas.setAttribute("aria-label", spoken);
    drawPanel(viewer, panel);
  }
  placeDivider(viewer);
  showZoom(viewer);
  syncFrame(viewer);
  root.dataset.tile = shown.id;
  root.dataset.bitmaps = String(bitmaps.alive);
  watchView(viewer);
}
