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
  const stream = new Blob(packed).stream().pipeThrough(new DecompressionStream("deflate"));
  const filtered = new Uint8Array(await new Response(stream).arrayBuffer());
  return { width, height, codes: unfilter(filtered, width, height) };
}

function unfilter(filtered, width, height) {
  const codes = new Uint8Array(width * height);
  for (let row = 0; row < height; row++) {
    const filter = filtered[row * (width + 1)];
    const from = row * (width + 1) + 1, to = row * width, above = to - width;
    for (let x = 0; x < width; x++) {
      const left = x ? codes[to + x - 1] : 0, up = row ? codes[above + x] : 0;
      const corner = x && row ? codes[above + x - 1] : 0;
      codes[to + x] = filtered[from + x] + predicted(filter, left, up, corner);
    }
  }
  return codes;
}

function predicted(filter, left, up, corner) {
  switch (filter) {
    case 1: return left;
    case 2: return up;
    case 3: return (left + up) >> 1;
    case 4: {
      const guess = left + up - corner;
      const toLeft = Math.abs(guess - left), toUp = Math.abs(guess - up), toCorner = Math.abs(guess - corner);
      if (toLeft <= toUp && toLeft <= toCorner) return left;
      return toUp <= toCorner ? up : corner;
    }
    default: return 0;
  }
}

async function decodeTile(data) {
  const [truth, prediction, ...photos] = await Promise.all([
    decodeLabels(data.truth), decodeLabels(data.prediction), ...data.photos.map(decodePhoto),
  ]);
  const { photos: _, truth: __, prediction: ___, ...about } = data;
  const some = truth ?? prediction;
  return {
    ...about, photos, truth, prediction,
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
    return this.tiles.get(key).then((tile) => Object.assign(tile, { title: data.title, note: data.note, gsd: data.gsd, faults: data.faults, key }));
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
