// Keys, pointer and wheel.

const ARROW_ROLES = new Set(["grid", "gridcell", "slider", "spinbutton", "tab", "radio", "listbox", "option", "combobox",
  "menu", "menuitem", "tree", "treeitem", "textbox", "searchbox", "application", "dialog"]);

// Whether a key belongs to what has the focus: a field, a grid, a list.
function isTaken(viewer, event) {
  const path = event.composedPath();
  const target = path[0];
  if (!(target instanceof Element)) return false;
  const own = path.includes(viewer.root);
  if (target.matches("input[type=range], select, [role=slider]") && own) {
    return /^(Arrow|Home|End|Page)/.test(event.key) || target.matches("select");
  }
  if (own) return false;
  if (target.matches("input, textarea, select, [contenteditable=''], [contenteditable=true]")) return true;
  return path.some((e) => e instanceof Element && (ARROW_ROLES.has(e.getAttribute("role")) || e.matches("[data-testid=stDataFrame]")));
}

const ACTIONS = {
  ArrowLeft: (v) => step(v, -1),
  ArrowRight: (v) => step(v, 1),
  a: (v) => change(v, { hidden: [] }),
  v: (v) => setLayout(v, v.settings.layout === "single" ? "side" : "single"),
  t: (v) => putOver(v, TRUTH),
  p: (v) => putOver(v, PREDICTION),
  e: (v) => putOver(v, ERRORS),
  o: (v) => change(v, { outline: !v.settings.outline }),
  "[": (v) => change(v, { opacity: Math.max(0, Math.round(v.settings.opacity * 10 - 1) / 10) }),
  "]": (v) => change(v, { opacity: Math.min(1, Math.round(v.settings.opacity * 10 + 1) / 10) }),
  s: (v) => compare(v, "swipe"),
  b: (v) => compare(v, "blink"),
  l: (v) => lightUp(v),
  "+": (v) => zoomBy(v, 1.5),
  "=": (v) => zoomBy(v, 1.5),
  "-": (v) => zoomBy(v, 1 / 1.5),
  "−": (v) => zoomBy(v, 1 / 1.5),
  0: (v) => zoomToFit(v),
  f: (v) => toggleFull(v),
  d: (v) => savePicture(v),
  "?": (v) => toggleHelp(v),
};

function onKey(viewer, event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !viewer.shown) return;
  if (!viewer.root.isConnected || !viewer.root.getClientRects().length || isTaken(viewer, event)) return;
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(event.code);
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (digit && (event.shiftKey || /^[1-9]$/.test(key))) toggleClass(viewer, Number(digit[1]) - 1, event.shiftKey);
  else if (key === "Escape") { if (!escape(viewer)) return; }
  else if (key === " " && viewer.settings.mode === "blink" && !viewer.blinkTimer && event.composedPath()[0] === viewer.root) flip(viewer);
  else if (ACTIONS[key]) ACTIONS[key](viewer);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

// A table beside the viewer keeps the focus when a row was picked in it; the arrows that go along a row lead on to the
// next tile, and must do so before the table takes them for its own.
function onKeyInTable(viewer, event) {
  if (!/^Arrow(Left|Right)$/.test(event.key) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const inTable = event.composedPath().some((e) => e instanceof Element && e.matches("[data-testid=stDataFrame]"));
  if (!inTable || !viewer.shown || !viewer.root.isConnected || !viewer.root.getClientRects().length) return;
  ACTIONS[event.key](viewer);
  event.preventDefault();
  event.stopPropagation();
}

function escape(viewer) {
  if (!viewer.part("help").hidden) toggleHelp(viewer, false);
  else if (viewer.ownFocus) setFocus(viewer, null);
  else return false;
  return true;
}

// The confusion under the pointer; once more, and all are lit again.
function lightUp(viewer) {
  if (!viewer.pointer) return;
  const { truth, predicted } = labelsAt(viewer.shown, viewer.pointer);
  if (truth >= NO_LABEL || predicted >= NO_LABEL) return;
  const focus = { truth, predicted };
  setFocus(viewer, sameFocus(focus, viewer.ownFocus) ? null : focus);
}

function placeIn(panel, event) {
  const box = panel.stage.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

function point(viewer, panel, at) {
  const pixel = pixelAt(viewer, at.x, at.y, panel.width, panel.height);
  viewer.pointer = pixel;
  viewer.pointerAt = at;
  viewer.pointerPanel = pixel ? panel : null;
  showReadOut(viewer);
  requestDraw(viewer);
}

function bindPointer(viewer, panel) {
  const { stage } = panel, fingers = new Map();
  let swiping = false;
  stage.onpointerdown = (event) => {
    if (event.button !== 0) return;
    viewer.isTouch = event.pointerType === "touch";
    swiping = event.composedPath().includes(panel.divider);
    if (swiping) panel.divider.focus({ preventScroll: true });
    else viewer.root.focus({ preventScroll: true });
    stage.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, placeIn(panel, event));
    stage.classList.toggle("dragging", !swiping);
    if (viewer.isTouch && !swiping) point(viewer, panel, placeIn(panel, event));
  };
  stage.onpointermove = (event) => {
    const at = placeIn(panel, event), before = fingers.get(event.pointerId);
    if (before && swiping) setSplit(viewer, at.x / panel.width);
    else if (before) drag(viewer, panel, fingers, event.pointerId, at);
    if (event.pointerType !== "touch") point(viewer, panel, at);
  };
  stage.onpointerup = stage.onpointercancel = (event) => {
    fingers.delete(event.pointerId);
    swiping = false;
    stage.classList.remove("dragging");
  };
  stage.onpointerleave = (event) => {
    if (event.pointerType === "touch") return;
    viewer.pointer = viewer.pointerPanel = null;
    showReadOut(viewer);
    requestDraw(viewer);
  };
  stage.ondblclick = (event) => { if (!event.composedPath().includes(panel.divider)) zoomToFit(viewer); };
  stage.addEventListener("wheel", (event) => onWheel(viewer, panel, event), { passive: false });
  if (panel.divider) panel.divider.onkeydown = (event) => onDividerKey(viewer, event);
}

// One finger moves the picture, two also zoom it.
function drag(viewer, panel, fingers, id, at) {
  const before = fingers.get(id);
  const others = [...fingers].filter(([other]) => other !== id).map(([, place]) => place);
  if (others.length) {
    const other = others[0], span = (a) => Math.hypot(a.x - other.x, a.y - other.y);
    const middle = { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 };
    zoomAt(viewer, span(at) / Math.max(1, span(before)), middle.x, middle.y, panel.width, panel.height);
    panBy(viewer, (at.x - before.x) / 2, (at.y - before.y) / 2, panel.width, panel.height);
  } else {
    panBy(viewer, at.x - before.x, at.y - before.y, panel.width, panel.height);
  }
  fingers.set(id, at);
  requestDraw(viewer);
}

// At the whole tile, a wheel that would zoom out scrolls the page.
function onWheel(viewer, panel, event) {
  if (!viewer.shown || (event.deltaY > 0 && viewer.view.zoom <= 1.001 && !viewer.isFull())) return;
  event.preventDefault();
  const pixels = event.deltaMode === 1 ? event.deltaY * 32 : event.deltaY;
  const at = placeIn(panel, event);
  zoomAt(viewer, Math.exp(-Math.max(-240, Math.min(240, pixels)) / 400), at.x, at.y, panel.width, panel.height);
  point(viewer, panel, at);
}

function setSplit(viewer, share) {
  viewer.split = Math.min(1, Math.max(0, share));
  requestDraw(viewer);
}

function onDividerKey(viewer, event) {
  const by = { ArrowLeft: -0.02, ArrowRight: 0.02, Home: -1, End: 1 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  setSplit(viewer, viewer.split + by);
}
