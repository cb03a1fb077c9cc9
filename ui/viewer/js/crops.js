// Parts of a large tile in full resolution. Once a px of its reduced pictures is larger than one of the screen, and the
// picture has come to rest, the visible part is asked for, with a margin. One request is under way at a time; what has
// become of the view by then decides whether there is another. Meanwhile, and around the part, the reduced pictures
// are shown.

const PART_MOST = 2048, PART_MARGIN = 256; // px: a side at the most, as the core reduces them; around the view
const AT_REST = 160, PART_PATIENCE = 15000; // ms
const MOST_TRIES = 30;

function partOf(viewer) {
  return viewer.near && viewer.near.of === viewer.shown?.digest && viewer.near.id === viewer.shown.id ? viewer.near : null;
}

// Rows and columns of the tile that a panel shows.
function visibleOf(viewer, frame) {
  const { shown } = viewer, at = (px, start) => (px - start) / frame.scale;
  return {
    top: Math.max(0, Math.floor(at(0, frame.top))), bottom: Math.min(shown.height, Math.ceil(at(frame.down, frame.top))),
    left: Math.max(0, Math.floor(at(0, frame.left))), right: Math.min(shown.width, Math.ceil(at(frame.across, frame.left))),
  };
}

function holds(part, area) {
  return part.top <= area.top && part.left <= area.left && part.top + part.height >= area.bottom && part.left + part.width >= area.right;
}

// The part that would show more than what is here does, or null.
function partWanted(viewer) {
  const { shown, panels } = viewer;
  if (!shown || shown.step <= 1 || viewer.waiting || viewer.offset || viewer.held !== shown || viewer.refused === shown.key) return null;
  const frame = frameOf(viewer, panels[0].width, panels[0].height), area = visibleOf(viewer, frame);
  const high = area.bottom - area.top, wide = area.right - area.left;
  if (frame.scale * shown.step <= 1 || high <= 0 || wide <= 0) return null;
  const step = Math.ceil(Math.max(high, wide) / PART_MOST), here = partOf(viewer);
  if (step >= shown.step) return null;
  if (here && holds(here, area) && (here.step <= step || frame.scale * here.step <= 1)) return null;
  const margin = (length) => Math.floor(Math.min(Math.max(length / 2, PART_MARGIN), (PART_MOST * step - length) / 2));
  return [
    Math.max(0, area.top - margin(high)), Math.max(0, area.left - margin(wide)),
    Math.min(shown.height, area.bottom + margin(high)), Math.min(shown.width, area.right + margin(wide)),
  ];
}

// Called whenever panels are drawn: a view that has moved is looked at again when it is at rest.
function watchView(viewer) {
  const { view, shown, panels } = viewer;
  dropForeignPart(viewer);
  const stamp = [shown.key, viewer.offset, view.zoom, view.x, view.y, panels[0].width, panels[0].height].join();
  if (shown.step <= 1 || stamp === viewer.viewStamp) return;
  viewer.viewStamp = stamp;
  if (viewer.askedOf !== shown.key) viewer.asking = false; // the answer may be lost with the tile, or come to nothing
  viewer.tries = 0;
  clearTimeout(viewer.restTimer);
  viewer.restTimer = setTimeout(() => askForPart(viewer), AT_REST);
}

function askForPart(viewer) {
  const part = viewer.ended || viewer.asking ? null : partWanted(viewer);
  if (!part) return;
  viewer.asking = true;
  viewer.askedOf = viewer.shown.key;
  viewer.askedPart = viewer.askedPart + 1;
  clearTimeout(viewer.partTimer);
  viewer.partTimer = setTimeout(() => { viewer.asking = false; viewer.viewStamp = ""; }, PART_PATIENCE);
  const { id, digest } = viewer.shown;
  const request = { tile: id, digest, part, number: viewer.askedPart };
  const detail = { name: viewer.data.name, request, isTaken: false };
  document.dispatchEvent(new CustomEvent("orthoscope-crop-wanted", { detail }));
  if (detail.isTaken) return;
  viewer.asking = false; // the way to the server is not there yet
  viewer.tries += 1;
  if (viewer.tries < MOST_TRIES) viewer.restTimer = setTimeout(() => askForPart(viewer), AT_REST);
}

async function receivePart(viewer, { name, answered, crop, refused }) {
  if (name !== viewer.data?.name || viewer.ended) return;
  const isAnswer = viewer.asking && answered >= viewer.askedPart;
  viewer.askedPart = Math.max(viewer.askedPart, answered); // a page that outlives its component counts on
  if (crop && isAbout(crop, viewer.shown) && viewer.near?.digest !== crop.digest) {
    const round = (viewer.partRound = viewer.partRound + 1);
    const part = await decodeTile({ ...crop, isPart: true }).catch(() => null);
    const fits = part && round === viewer.partRound && !viewer.ended && isAbout(part, viewer.shown)
      && kindsOf(part).join() === kindsOf(viewer.shown).join();
    if (fits) takePart(viewer, part);
    else if (part) release(part);
    if (!fits && isAnswer) viewer.refused = viewer.shown?.key;
  } else if (refused) {
    viewer.refused = viewer.shown?.key;
  }
  if (!isAnswer) return;
  viewer.asking = false;
  clearTimeout(viewer.partTimer);
  askForPart(viewer);
}

function isAbout(part, tile) { return part.id === tile?.id && part.of === tile.digest; }

function takePart(viewer, part) {
  dropPart(viewer);
  viewer.near = part;
  for (const code of part.present) viewer.shown.present.add(code); // small things may be missing in reduced pictures
  viewer.root.dataset.near = `${part.top},${part.left},${part.height},${part.width},${part.step}`;
  refresh(viewer);
}

function dropPart(viewer) {
  if (viewer.near) release(viewer.near);
  viewer.near = null;
  for (const slot of Object.keys(viewer.shaders)) if (slot.endsWith("|part")) delete viewer.shaders[slot];
  delete viewer.root.dataset.near;
}

function dropForeignPart(viewer) { if (viewer.near && !partOf(viewer)) dropPart(viewer); }

// Whose label lies at a px of the tile.
function sourceAt(viewer, row, column) {
  const part = partOf(viewer);
  return part && holds(part, { top: row, left: column, bottom: row + 1, right: column + 1 }) ? part : viewer.shown;
}

// What a panel is made of: the tile where there is nothing better, and the part where it lies. Each with the region of
// the screen that it is drawn on, and `visible` no larger than need be.
function framesOf(viewer, frame) {
  const { x0, x1, y0, y1 } = frame.visible, { shown } = viewer, part = partOf(viewer);
  const region = new Path2D();
  region.rect(x0, y0, x1 - x0, y1 - y0);
  const whole = { ...frame, source: shown, region };
  if (!part || frame.scale * shown.step <= 1) return [whole];
  const edge = (start, px) => Math.round(start + px * frame.scale);
  const inner = {
    x0: Math.max(x0, edge(frame.left, part.left)), x1: Math.min(x1, edge(frame.left, part.left + part.width)),
    y0: Math.max(y0, edge(frame.top, part.top)), y1: Math.min(y1, edge(frame.top, part.top + part.height)),
  };
  if (inner.x0 >= inner.x1 || inner.y0 >= inner.y1) return [whole];
  const own = new Path2D();
  own.rect(inner.x0, inner.y0, inner.x1 - inner.x0, inner.y1 - inner.y0);
  const near = { ...frame, source: part, region: own, visible: inner };
  if (holds(part, visibleOf(viewer, frame))) return [near];
  region.addPath(own); // cut out of it: the rule is even-odd
  return [whole, near];
}
