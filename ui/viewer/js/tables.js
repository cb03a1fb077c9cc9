// What a pair (truth, prediction) looks like in a layer: tables of 65,536 colours, looked up pixel by pixel.
// `plain` is the colour, `striped` the colour of every other stripe.

const CLEAR = 0;

function color(hex, alpha = 1) {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  return ((Math.round(alpha * 255) << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

class Table {
  constructor() {
    this.plain = new Uint32Array(65536);
    this.striped = new Uint32Array(65536);
    this.stamp = "";
  }

  // paint(truth, prediction) gives a colour or a pair of them.
  fill(classCount, paint) {
    const truths = [...Array(classCount).keys(), IGNORED, NO_LABEL];
    const predictions = [...Array(classCount + 1).keys(), NO_LABEL];
    for (const t of truths) {
      for (const p of predictions) {
        const found = paint(t, p), at = (t << 8) | p;
        [this.plain[at], this.striped[at]] = Array.isArray(found) ? found : [found, found];
      }
    }
  }
}

// Layers are painted for a panel of their own ("solid") or to lie over an image ("over": no background class).
function paintOf(viewer, kind, variant) {
  const { classes, colors, background } = viewer.data;
  const count = classes.length;
  const hidden = new Set(viewer.settings.hidden);
  const drawn = classes.map((c, i) => (hidden.has(i) || (variant === OVER && i === background) ? CLEAR : color(c.color)));
  const ignored = colors.ignored.map((c) => color(c)), outside = colors.outside.map((c) => color(c));
  if (kind === TRUTH) return (t) => (t === IGNORED ? ignored : drawn[t] ?? CLEAR);
  if (kind === PREDICTION) return (_, p) => (p === count ? outside : drawn[p] ?? CLEAR);
  return errorPaint(viewer, hidden, ignored, outside, variant);
}

function errorPaint(viewer, hidden, ignored, outside, variant) {
  const { classes, colors } = viewer.data;
  const count = classes.length, focus = focusOf(viewer);
  const own = classes.map((c) => color(c.color));
  const missed = color(colors.missed), falseAlarm = [color(colors.falseAlarm), color("#8a4b00")];
  const found = color(colors.found, variant === OVER ? 0.4 : 0.62);
  const other = color(colors.other, 0.6);
  const off = (t, p) => hidden.has(t) && (p === count || hidden.has(p));
  return (t, p) => {
    if (t === IGNORED) return ignored;
    if (t === NO_LABEL || p === NO_LABEL) return CLEAR;
    if (focus.kind === "class") {
      if (t === focus.truth) return p === t ? found : missed;
      return p === focus.truth ? falseAlarm : CLEAR;
    }
    if (t === p) return CLEAR;
    if (focus.kind === "cell") {
      if (t === focus.truth && p === focus.predicted) return p === count ? outside : color(colors.falseAlarm);
      return off(t, p) ? CLEAR : other;
    }
    if (off(t, p)) return CLEAR;
    if (p === count) return outside;
    return own[viewer.settings.errorColor === TRUTH ? t : p];
  };
}

// Where one cell of the confusion matrix is lit, everything else is veiled.
function veilPaint(viewer, strength) {
  const focus = focusOf(viewer);
  const veil = color("#0b1013", strength);
  return (t, p) => (t === focus.truth && p === focus.predicted ? CLEAR : veil);
}

// Tables are made again when something that they show has changed.
function tableOf(viewer, kind, variant) {
  const name = `${kind}|${variant}`;
  const table = viewer.tables[name] ??= new Table();
  const stamp = `${viewer.tableStamp}`;
  if (table.stamp !== stamp) {
    table.stamp = stamp;
    const paint = kind === "veil" ? veilPaint(viewer, variant) : paintOf(viewer, kind, variant);
    table.fill(viewer.data.classes.length, paint);
  }
  return table;
}
