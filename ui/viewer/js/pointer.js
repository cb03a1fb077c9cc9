// Pointer, fingers and wheel on the pictures.

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
    if (swiping) panel.divider.focus({ preventScroll: true }); // else the browser gives the focus to the viewer
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
