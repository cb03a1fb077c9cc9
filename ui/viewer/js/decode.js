// Pictures from bytes. Label maps are read here and not by a canvas: a browser that guards against fingerprints
// changes what it hands back from one, and a class index must arrive as it was sent.

const bitmaps = { alive: 0 };

function bytesOf(url) {
  const text = atob(url.slice(url.indexOf(",") + 1));
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

async function decodePhoto({ role, label, url }) {
  const bitmap = await createImageBitmap(new Blob([bytesOf(url)], { type: "image/webp" }));
  bitmaps.alive += 1;
  return { role, label, bitmap };
}

// An 8-bit grey PNG, not interlaced.
async function decodeLabels(url) {
  if (!url) return null;
  const bytes = bytesOf(url);
  const view = new DataView(bytes.buffer);
  let width = 0, height = 0;
  const packed = [];
  for (let at = 8; at + 8 <= bytes.length;) {
    const length = view.getUint32(at), kind = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (kind === "IHDR") { width = view.getUint32(at + 8); height = view.getUint32(at + 12); }
    if (kind === "IDAT") packed.push(bytes.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const filtered = new Uint8Array(await new Response(inflated(packed)).arrayBuffer());
  return { width, height, codes: unfilter(filtered, width, height) };
}

// Straight from memory: a Blob would be read back through another process.
function inflated(chunks) {
  const stream = new DecompressionStream("deflate"), writer = stream.writable.getWriter();
  const failed = () => {}; // whoever reads is told
  for (const chunk of chunks) writer.write(chunk).catch(failed);
  writer.close().catch(failed);
  return stream.readable;
}

// Each row begins with the filter that was used on it. One loop a filter: half the time of one loop for all.
function unfilter(filtered, width, height) {
  const codes = new Uint8Array(width * height), none = new Uint8Array(width);
  for (let row = 0; row < height; row++) {
    const from = row * (width + 1) + 1, source = filtered.subarray(from, from + width);
    const to = codes.subarray(row * width, (row + 1) * width);
    const above = row ? codes.subarray((row - 1) * width, row * width) : none;
    unfilterRow(filtered[from - 1], source, above, to, width);
  }
  return codes;
}

function unfilterRow(filter, source, above, to, width) {
  let left = 0;
  switch (filter) {
    case 1: for (let x = 0; x < width; x++) to[x] = left = (source[x] + left) & 255; break;
    case 2: for (let x = 0; x < width; x++) to[x] = source[x] + above[x]; break;
    case 3: for (let x = 0; x < width; x++) to[x] = left = (source[x] + ((left + above[x]) >> 1)) & 255; break;
    case 4: for (let x = 0; x < width; x++) to[x] = left = (source[x] + nearest(left, above[x], x ? above[x - 1] : 0)) & 255; break;
    default: to.set(source);
  }
}

// Paeth's predictor, as in the PNG specification.
function nearest(left, up, corner) {
  const guess = left + up - corner;
  const toLeft = Math.abs(guess - left), toUp = Math.abs(guess - up), toCorner = Math.abs(guess - corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

// A tile, or a part of one with its top and left.
async function decodeTile(data) {
  const [truth, prediction, ...photos] = await Promise.all([
    decodeLabels(data.truth), decodeLabels(data.prediction), ...data.photos.map(decodePhoto),
  ]);
  const { photos: _, truth: __, prediction: ___, ...about } = data;
  const some = truth ?? prediction;
  return {
    top: 0, left: 0, isPart: false, ...about, photos, truth, prediction,
    columns: some?.width ?? Math.ceil(data.width / data.step),
    rows: some?.height ?? Math.ceil(data.height / data.step),
    ...census(truth, prediction),
  };
}

// Which codes occur, and which pairs of unequal ones, the most frequent first.
function census(truth, prediction) {
  const pairs = new Uint32Array(65536);
  const size = (truth ?? prediction)?.codes.length ?? 0;
  for (let i = 0; i < size; i++) pairs[((truth ? truth.codes[i] : NO_LABEL) << 8) | (prediction ? prediction.codes[i] : NO_LABEL)]++;
  const present = new Set(), outsideOf = [];
  for (let pair = 0; pair < 65536; pair++) {
    if (!pairs[pair]) continue;
    const t = pair >> 8, p = pair & 255;
    present.add(t).add(p);
    if (t !== p && t < NO_LABEL && p < NO_LABEL) outsideOf.push({ truth: t, predicted: p, count: pairs[pair] });
  }
  return { present, confused: outsideOf.sort((a, b) => b.count - a.count) };
}

function release(tile) {
  for (const { bitmap } of tile.photos) { bitmap.close(); bitmaps.alive -= 1; }
  tile.photos = [];
}

// Decoded tiles by digest: those of the last data, and the one on screen. Data that comes again costs nothing.
class TileStore {
  constructor() { this.tiles = new Map(); }

  get(data) {
    if (!data) return Promise.resolve(null);
    const key = `${data.id}|${data.digest}`;
    if (!this.tiles.has(key)) this.tiles.set(key, decodeTile(data));
    return this.tiles.get(key).then((tile) => Object.assign(tile, { title: data.title, note: data.note, gsd: data.gsd, faults: data.faults, numbers: data.numbers, notices: data.notices, key }));
  }

  keep(datas, shown) {
    const wanted = new Set(datas.filter(Boolean).map((d) => `${d.id}|${d.digest}`));
    if (shown) wanted.add(shown.key);
    for (const [key, tile] of this.tiles) {
      if (wanted.has(key)) continue;
      this.tiles.delete(key);
      tile.then(release, () => {});
    }
  }

  clear() { this.keep([], null); }
}
