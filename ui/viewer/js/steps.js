// Steps from tile to tile. A neighbour that is held is shown at once and the page is told; until its answer is here,
// further steps are counted, and go out together with the next one: none is lost, none waits for its own answer.

const PATIENCE = 8000; // ms; a page that failed gives no answer, and the keys must not die with it
const AGAIN = 1500;    // ms; a step that the page did not hear of is told again, which changes nothing if it did
const REST = 250;      // ms without a step

function show(viewer, tile) {
  viewer.shown = tile;
  if (viewer.pointer && (viewer.pointer.row >= tile.height || viewer.pointer.column >= tile.width)) viewer.pointer = null;
  viewer.part("title").textContent = tile.title;
  viewer.part("title").title = tile.title;
  viewer.part("note").textContent = tile.note;
  viewer.part("faults").replaceChildren(...tile.faults.map((fault) => element("li", "", fault)));
  const nothing = !kindsOf(tile).length;
  viewer.part("nothing").hidden = !nothing;
  viewer.root.classList.toggle("empty", nothing);
  // The answer to a step is about what is on the screen already: drawing it again would keep the next step waiting.
  const { classes, colors, focus, frame } = viewer.data;
  const stamp = JSON.stringify([tile.key, classes, colors, focus, viewer.ownFocus, frame]);
  if (stamp !== viewer.showStamp || frame) refresh(viewer);
  const numbers = JSON.stringify([stamp, tile.numbers, tile.notices]);
  if (numbers !== viewer.numbersStamp) showNumbers(viewer, tile);
  viewer.numbersStamp = numbers;
  viewer.showStamp = stamp;
  showPlace(viewer);
}

function showPlace(viewer) {
  const { place } = viewer.data, at = viewer.part("place");
  const [index, count] = place ? [place[0] + viewer.offset, place[1]] : [0, 0];
  at.textContent = place ? `${(index + 1).toLocaleString("en")} of ${count.toLocaleString("en")}` : "";
  const { previous, following } = viewer.data;
  const busy = viewer.waiting || !viewer.ready;
  viewer.part("back").disabled = place ? index <= 0 : !busy && !previous;
  viewer.part("forth").disabled = place ? index >= count - 1 : !busy && !following;
  viewer.root.dataset.state = busy ? "waiting" : "ready";
}

function step(viewer, delta) {
  if (!viewer.shown) return;
  if (viewer.waiting || !viewer.ready) {
    viewer.queued = withinOrder(viewer, viewer.queued + delta);
    showPlace(viewer);
  } else {
    go(viewer, delta, 0);
  }
}

// Counted steps that would leave the order are forgotten, so that the way back is not longer than the way there.
function withinOrder(viewer, queued) {
  const { place } = viewer.data;
  if (!place) return queued;
  const at = place[0] + viewer.offset + viewer.ahead; // where the page will be once it has answered
  return Math.min(place[1] - 1 - at, Math.max(-at, queued));
}

function go(viewer, delta, ahead) {
  const tile = delta > 0 ? viewer.following : viewer.previous;
  if (!tile) return;
  viewer.offset = delta;
  viewer.ahead = ahead;
  viewer.number += 1;
  viewer.waiting = viewer.stepped = true;
  clearTimeout(viewer.patience);
  clearTimeout(viewer.stayTimer);
  viewer.patience = setTimeout(() => {
    viewer.waiting = false;
    viewer.queued = viewer.offset = viewer.ahead = 0;
    clearInterval(viewer.sayAgain);
    show(viewer, viewer.held);
  }, PATIENCE);
  const said = { tile: tile.id, ahead, number: viewer.number };
  const say = () => { if (viewer.waiting && viewer.number === said.number) viewer.send("step", said); };
  say();
  clearInterval(viewer.sayAgain);
  viewer.sayAgain = setInterval(say, AGAIN);
  show(viewer, tile);
}

// New data of the page: an answer to a step, another tile, or the same again.
async function receive(viewer, data) {
  const isAnswer = data.answered >= viewer.number;
  if (viewer.waiting && !isAnswer && viewer.shown) return; // on its way before the page knew of the step
  if (!viewer.data || !sameFocus(viewer.data.focus, data.focus)) viewer.ownFocus = null;
  const round = (viewer.round += 1);
  const keep = viewer.shown;
  viewer.ready = false;
  const wanted = [data.current, data.previous, data.following];
  const found = wanted.map((tile) => viewer.store.get(tile));
  let current;
  try {
    current = await found[0];
  } catch (error) {
    viewer.fail(`The pictures of this tile cannot be shown: ${error.message}`);
    return;
  }
  if (round !== viewer.round || viewer.ended) return;
  viewer.number = Math.max(viewer.number, data.answered); // a page that outlives its component counts on
  viewer.data = data;
  viewer.offset = viewer.ahead = 0;
  fitClasses(viewer);
  viewer.held = current;
  show(viewer, current);
  const [, previous, following] = await Promise.all(found.map((tile) => tile.catch(() => null)));
  if (round !== viewer.round || viewer.ended) return;
  Object.assign(viewer, { previous, following, ready: true, waiting: false });
  clearTimeout(viewer.patience);
  clearInterval(viewer.sayAgain);
  viewer.store.keep(wanted, viewer.shown);
  if (keep !== viewer.shown) viewer.root.dataset.bitmaps = String(bitmaps.alive);
  const queued = withinOrder(viewer, viewer.queued);
  viewer.queued = 0;
  if (queued) go(viewer, Math.sign(queued), queued - Math.sign(queued));
  else if (viewer.stepped) viewer.stayTimer = setTimeout(() => rest(viewer), REST);
  showPlace(viewer);
}

// What else on the page is about the tile (its row in a table) follows once the user stays.
function rest(viewer) {
  viewer.stepped = false;
  viewer.send("rested", { tile: viewer.shown.id, number: viewer.number });
}
