// From label maps and a table to pixels. Zoomed in, every pixel of the screen is looked up, so that squares, stripes
// and outlines are sharp; zoomed out, the label map is painted whole, once, and the browser averages it.

const STRIPE = 4, LINE = 2; // px of the screen
const HALO = color("#000000", 0.4);

class Shader {
  constructor() {
    this.canvas = document.createElement("canvas");
    this.context = this.canvas.getContext("2d", { willReadFrequently: true });
    this.stamp = "";
  }

  resize(width, height) {
    if (this.canvas.width === width && this.canvas.height === height && this.pixels) return;
    this.canvas.width = width;
    this.canvas.height = height;
    this.image = this.context.createImageData(width, height);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.flat = null;
  }

  // columns, rows: label column of each column of the picture, and first label of each row; unit: px of the picture
  // per px of the screen.
  paint(tile, table, columns, rows, { unit, outline, shift }) {
    this.resize(columns.length, rows.length);
    const target = outline ? (this.flat ??= new Uint32Array(this.pixels.length)) : this.pixels;
    const truth = tile.truth?.codes, prediction = tile.prediction?.codes;
    const stripe = Math.max(1, Math.round(STRIPE * unit));
    const { plain, striped } = table;
    const width = columns.length;
    for (let y = 0, at = 0; y < rows.length; y++) {
      const row = rows[y];
      for (let x = 0; x < width; x++, at++) {
        const label = row + columns[x];
        const pair = ((truth ? truth[label] : NO_LABEL) << 8) | (prediction ? prediction[label] : NO_LABEL);
        const second = !outline && Math.floor((x + y + shift) / stripe) & 1;
        target[at] = second ? striped[pair] : plain[pair];
      }
    }
    if (outline) this.edges(width, rows.length, Math.max(1, Math.round(LINE * unit)), Math.max(1, Math.round(unit)));
    this.context.putImageData(this.image, 0, 0);
  }

  // Keeps the rim of each patch of one colour, inside it, and darkens what lies next to it outside.
  edges(width, height, line, halo) {
    const { flat, pixels } = this;
    for (let y = 0, at = 0; y < height; y++) {
      for (let x = 0; x < width; x++, at++) {
        const own = flat[at], reach = own ? line : halo;
        const left = x >= reach ? flat[at - reach] : own, right = x + reach < width ? flat[at + reach] : own;
        const up = y >= reach ? flat[at - reach * width] : own, down = y + reach < height ? flat[at + reach * width] : own;
        const rim = left !== own || right !== own || up !== own || down !== own;
        pixels[at] = !rim ? CLEAR : own || HALO;
      }
    }
  }
}

// Draws a layer of labels onto a panel. frame: see view.js.
function drawLabels(viewer, context, frame, slot, kind, variant, { alpha = 1, outline = false } = {}) {
  const tile = frame.source;
  const table = tableOf(viewer, kind, variant);
  const shader = viewer.shaders[`${slot}|${tile.isPart ? "part" : "tile"}`] ??= new Shader();
  const cell = frame.scale * tile.step; // px of the screen per label
  const left = frame.left + tile.left * frame.scale, top = frame.top + tile.top * frame.scale;
  context.globalAlpha = alpha;
  if (cell < 1) {
    const stamp = [tile.key, kind, variant, table.stamp, outline, Math.round(STRIPE / cell)].join("|");
    if (shader.stamp !== stamp) {
      shader.stamp = stamp;
      const columns = Int32Array.from({ length: tile.columns }, (_, x) => x);
      const rows = Int32Array.from({ length: tile.rows }, (_, y) => y * tile.columns);
      shader.paint(tile, table, columns, rows, { unit: 1 / cell, outline, shift: 0 });
    }
    context.imageSmoothingEnabled = true;
    context.imageSmoothingQuality = "high";
    context.drawImage(shader.canvas, left, top, tile.columns * cell, tile.rows * cell);
  } else {
    shader.stamp = "";
    const { x0, x1, y0, y1 } = frame.visible;
    if (x1 <= x0 || y1 <= y0) return;
    const at = (pixel, start, most) => Math.min(most - 1, Math.max(0, Math.floor((pixel + 0.5 - start) / cell)));
    const columns = Int32Array.from({ length: x1 - x0 }, (_, x) => at(x0 + x, left, tile.columns));
    const rows = Int32Array.from({ length: y1 - y0 }, (_, y) => at(y0 + y, top, tile.rows) * tile.columns);
    const shift = x0 + y0 - Math.round(frame.left + frame.top) + (1 << 20); // stripes move with the picture
    shader.paint(tile, table, columns, rows, { unit: frame.ratio, outline, shift });
    context.imageSmoothingEnabled = false;
    context.drawImage(shader.canvas, x0, y0);
  }
  context.globalAlpha = 1;
}
