// A page of tiles. Pictures are kept by digest, so that none is sent twice; what is shown follows the page's data.

const MOST_KEPT = 800; // pictures; more than the page believes to have sent
const AGAIN = 80; // ms until the page is asked for pictures that were not ready
const TINY = 100; // px; smaller pictures are shown with sharp pixels
const pictures = new Map();
const galleries = new WeakMap();

function element(kind, name) {
  const made = document.createElement(kind);
  made.className = name;
  return made;
}

function makeTile(gallery) {
  const item = document.createElement("li"), button = element("button", "tile");
  const picture = element("span", "picture"), about = element("span", "about");
  const parts = {
    item, button, image: element("img", ""), fault: element("span", "fault"),
    number: element("span", "number"), value: element("span", "value"), name: element("span", "name"),
  };
  button.type = "button";
  button.tabIndex = -1;
  parts.image.draggable = false;
  parts.image.onload = () => parts.image.classList.toggle("tiny", Math.max(parts.image.naturalWidth, parts.image.naturalHeight) < TINY);
  picture.append(parts.image, parts.fault);
  about.append(parts.number, parts.value);
  button.append(picture, about, parts.name);
  button.onclick = () => pick(gallery, parts.tile.id);
  item.append(button);
  return parts;
}

function fill(parts, tile, chosen) {
  const url = tile.digest && pictures.get(tile.digest);
  parts.tile = tile;
  parts.button.dataset.tile = tile.id;
  parts.button.dataset.state = tile.fault ? "fault" : url ? "ready" : "waiting";
  parts.button.title = tile.fault ? `${tile.name}: ${tile.fault}` : tile.name;
  parts.button.setAttribute("aria-current", String(tile.id === chosen));
  parts.image.hidden = !url;
  if (url && parts.image.src !== url) parts.image.src = url;
  if (!url) parts.image.removeAttribute("src");
  parts.image.alt = tile.alt;
  parts.button.setAttribute("aria-label", parts.image.alt + (tile.fault ? `, ${tile.fault}` : ""));
  parts.fault.textContent = tile.fault ?? "";
  parts.number.textContent = tile.number;
  parts.value.textContent = tile.value;
  parts.name.textContent = tile.name;
}

function outline(gallery, chosen) {
  for (const { button, tile } of gallery.tiles) button.setAttribute("aria-current", String(tile.id === chosen));
}

function pick(gallery, id) {
  outline(gallery, id);
  gallery.number += 1;
  gallery.send("pick", { tile: id, number: gallery.number });
}

// One of the tiles takes part in the order of the Tab key: the chosen one, or the one that was reached by keys.
function stop(gallery, parts) {
  for (const other of gallery.tiles) other.button.tabIndex = other === parts ? 0 : -1;
}

function reveal(grid, item) {
  const top = item.offsetTop - grid.offsetTop, bottom = top + item.offsetHeight;
  if (top < grid.scrollTop + 4) grid.scrollTop = top - 4;
  else if (bottom > grid.scrollTop + grid.clientHeight - 4) grid.scrollTop = bottom - grid.clientHeight + 4;
}

// Up and down go by rows; left and right are left to the viewer, for which they mean the next tile.
function onKey(gallery, event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const at = gallery.tiles.findIndex(({ button }) => button === event.target);
  const columns = getComputedStyle(gallery.grid).gridTemplateColumns.split(" ").length;
  const to = { ArrowUp: at - columns, ArrowDown: at + columns, Home: 0, End: gallery.tiles.length - 1 }[event.key];
  if (at < 0 || to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  const parts = gallery.tiles[to];
  if (!parts) return;
  stop(gallery, parts);
  parts.button.focus({ preventScroll: true });
  reveal(gallery.grid, parts.item);
}

function keepPictures(tiles) {
  for (const { digest, url } of tiles) if (url) pictures.set(digest, url);
  for (const digest of pictures.keys()) {
    if (pictures.size <= MOST_KEPT) break;
    if (!tiles.some((tile) => tile.digest === digest)) pictures.delete(digest);
  }
}

function askAgain(gallery, tiles) {
  clearTimeout(gallery.timer);
  const lost = tiles.some((tile) => tile.digest && !pictures.has(tile.digest));
  const waiting = tiles.some((tile) => !tile.digest && !tile.fault);
  if (!lost && !waiting) return;
  gallery.timer = setTimeout(() => {
    gallery.number += 1;
    if (gallery.root.isConnected) gallery.send(lost ? "lost" : "more", { number: gallery.number });
  }, AGAIN);
}

function showLegend(gallery, entries) {
  gallery.legend.replaceChildren(...entries.map(({ name, color }) => {
    const item = document.createElement("li"), swatch = element("span", "swatch");
    swatch.style.background = color;
    item.append(swatch, name);
    return item;
  }));
}

function turn(gallery, to) {
  if (!Number.isInteger(to) || to < 1 || to > gallery.pages || to === gallery.page) return;
  gallery.number += 1;
  gallery.send("turn", { page: to, number: gallery.number });
}

function showPages(gallery, page, pages) {
  Object.assign(gallery, { page, pages });
  const { turns, input } = gallery;
  gallery.nav.hidden = pages < 2;
  for (const button of turns) {
    const to = page + Number(button.dataset.turn);
    button.disabled = to < 1 || to > pages;
    button.onclick = () => turn(gallery, gallery.page + Number(button.dataset.turn));
  }
  input.max = pages;
  input.value = page;
  input.onchange = () => {
    turn(gallery, Number(input.value));
    input.value = gallery.page;
  };
  gallery.many.textContent = `of ${pages.toLocaleString("en")}`;
}

function answerCall(gallery, call) {
  if (!call || call === gallery.call) return;
  gallery.call = call;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  setTimeout(() => gallery.root.scrollIntoView({ behavior: calm ? "auto" : "smooth", block: "start" }), 60);
}

function receive(gallery, { tiles, chosen, label, legend, page, pages, flowing, call }) {
  keepPictures(tiles);
  gallery.root.classList.toggle("flowing", Boolean(flowing));
  const { grid } = gallery;
  while (gallery.tiles.length < tiles.length) gallery.tiles.push(makeTile(gallery));
  gallery.tiles.length = tiles.length;
  if (grid.children.length !== tiles.length) grid.replaceChildren(...gallery.tiles.map(({ item }) => item));
  tiles.forEach((tile, i) => fill(gallery.tiles[i], tile, chosen));
  grid.setAttribute("aria-label", label);
  showLegend(gallery, legend);
  showPages(gallery, page, pages);
  const isNew = gallery.label !== label;
  const moved = gallery.chosen !== chosen || isNew;
  gallery.chosen = chosen;
  gallery.label = label;
  const current = gallery.tiles.find(({ tile }) => tile.id === chosen);
  if (moved) {
    const hadFocus = grid.contains(grid.getRootNode().activeElement);
    stop(gallery, current ?? gallery.tiles[0]);
    if (isNew) grid.scrollTop = 0;
    if (current) reveal(grid, current.item);
    if (hadFocus && current) current.button.focus({ preventScroll: true });
  }
  answerCall(gallery, call);
  askAgain(gallery, tiles);
}

export default function show(component) {
  const root = component.parentElement.querySelector(".gallery");
  let gallery = galleries.get(root);
  if (!gallery) {
    const part = (name) => root.querySelector(`[data-part=${name}]`);
    gallery = {
      root, grid: part("grid"), legend: part("legend"), nav: part("pages"), input: part("page"), many: part("many"),
      turns: root.querySelectorAll("[data-turn]"), tiles: [], number: Date.now(), timer: 0, call: 0,
    };
    gallery.grid.onkeydown = (event) => onKey(gallery, event);
    galleries.set(root, gallery);
  }
  gallery.send = component.setTriggerValue;
  receive(gallery, component.data);
  return () => setTimeout(() => { if (!root.isConnected) clearTimeout(gallery.timer); });
}
