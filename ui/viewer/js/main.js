// The way in: runs on every new data and every change of theme; one viewer lives as long as its root element.

const viewers = new WeakMap();

function makeViewer(root, component) {
  const parts = new Map([...root.querySelectorAll("[data-part]")].map((e) => [e.dataset.part, e]));
  const viewer = {
    root, part: (name) => parts.get(name), area: parts.get("panels"),
    data: null, shown: null, held: null, previous: null, following: null,
    store: new TileStore(), settings: loadSettings(component.data.name, component.data.layout),
    view: startView(), ownFocus: null, pointer: null, pointerPanel: null, pointerAt: null,
    panels: [], shaders: {}, tables: {}, chips: [], split: 0.5, blinkOver: false, blinkTimer: 0,
    near: null, refused: "", asking: false, askedOf: "", askedPart: 0, tries: 0, partRound: 0, viewStamp: "", frameStamp: "",
    waiting: false, stepped: false, ready: false, queued: 0, number: component.data.answered, round: 0, offset: 0, ahead: 0, patience: 0, ended: false,
  };
  viewer.isFull = () => (root.getRootNode().fullscreenElement ?? document.fullscreenElement) === root;
  viewer.roomFor = () => {
    const others = [...root.children].filter((e) => e !== viewer.area && !e.matches("[data-part=help]"));
    return root.clientHeight - others.reduce((sum, e) => sum + e.getBoundingClientRect().height, 0) - 60;
  };
  viewer.fail = (text) => {
    viewer.part("faults").replaceChildren(element("li", "", text));
    viewer.waiting = false;
    viewer.ready = true;
  };
  bindControls(viewer);
  const onkeydown = (event) => onKey(viewer, event);
  const onkeyintable = (event) => onKeyInTable(viewer, event);
  const onpart = (event) => receivePart(viewer, event.detail);
  const relayOut = () => layOut(viewer);
  const sizes = new ResizeObserver(settled(viewer.area, relayOut));
  sizes.observe(viewer.area);
  document.addEventListener("orthoscope-crop", onpart);
  document.addEventListener("keydown", onkeydown);
  document.addEventListener("keydown", onkeyintable, true);
  document.addEventListener("fullscreenchange", relayOut);
  window.addEventListener("resize", relayOut);
  viewer.end = () => {
    viewer.ended = true;
    document.removeEventListener("orthoscope-crop", onpart);
    document.removeEventListener("keydown", onkeydown);
    document.removeEventListener("keydown", onkeyintable, true);
    document.removeEventListener("fullscreenchange", relayOut);
    window.removeEventListener("resize", relayOut);
    sizes.disconnect();
    cancelAnimationFrame(viewer.frame);
    clearInterval(viewer.blinkTimer);
    clearInterval(viewer.sayAgain);
    for (const timer of [viewer.patience, viewer.stayTimer, viewer.restTimer, viewer.partTimer]) clearTimeout(timer);
    dropPart(viewer);
    viewer.store.clear();
    if (viewer.shown) release(viewer.shown);
    viewers.delete(root);
  };
  return viewer;
}

// Wider pictures are higher, and a higher page may get a scroll bar that makes them narrower: a width that comes back
// at once is not followed.
function settled(area, act) {
  let [before, last, at] = [0, 0, 0];
  return () => {
    const width = area.clientWidth, now = performance.now();
    if (width === last || (width === before && now - at < 300)) return;
    [before, last, at] = [last, width, now];
    act();
  };
}

export default function tileViewer(component) {
  const root = component.parentElement.querySelector(".viewer");
  let viewer = viewers.get(root);
  if (!viewer) {
    viewer = makeViewer(root, component);
    viewers.set(root, viewer);
  }
  viewer.send = component.setTriggerValue;
  receive(viewer, component.data); // on a change of theme alone, the style sheet does the rest
  // Also called for a run that a later one has overtaken: then the element is still there.
  return () => setTimeout(() => { if (!root.isConnected) viewer.end(); });
}
