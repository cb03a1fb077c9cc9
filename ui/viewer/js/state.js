// State of a viewer: what the user has set, kept for the session, and what the page asks for.

const SOLID = "solid", OVER = "over";
const NOTHING = "none", TRUTH = "truth", PREDICTION = "prediction", ERRORS = "errors";
const LABELS = { [TRUTH]: "Ground truth", [PREDICTION]: "Prediction", [ERRORS]: "Errors" };
const IGNORED = 255;  // in the truth, as the core writes it
const NO_LABEL = 254; // where one of the two label maps is missing

const DEFAULTS = {
  layout: "side",      // or "single"
  mode: "over",        // of the single picture: "over", "swipe" or "blink"
  base: "",            // of the single picture; empty: the last image
  over: NOTHING,       // what lies over the image, or is compared with it
  outline: false,
  opacity: 0.55,
  errorColor: TRUTH,   // whose class colours a wrong pixel
  hidden: [],          // class indices that are switched off
  classes: "",         // the class names that `hidden` is about
};

function storageName(name) { return `orthoscope.viewer.${name}`; }

function loadSettings(name, layout) {
  let kept = {};
  try { kept = JSON.parse(sessionStorage.getItem(storageName(name))) ?? {}; } catch { /* private mode: start anew */ }
  const settings = { ...DEFAULTS, layout };
  for (const key of Object.keys(DEFAULTS)) {
    if (typeof kept[key] === typeof DEFAULTS[key]) settings[key] = kept[key];
  }
  return settings;
}

function saveSettings(name, settings) {
  try { sessionStorage.setItem(storageName(name), JSON.stringify(settings)); } catch { /* private mode */ }
}

// Switched-off classes belong to a class list; another dataset begins with all of them.
function fitClasses(viewer) {
  const { settings, data } = viewer;
  const names = JSON.stringify(data.classes.map((c) => c.name));
  if (settings.classes === names) return;
  settings.classes = names;
  settings.hidden = [];
}

// The errors that are lit: the user's choice in the viewer, or else what the page asks for.
function focusOf(viewer) {
  const chosen = viewer.ownFocus ?? viewer.data.focus;
  const { truth, predicted } = chosen;
  const binary = viewer.data.classes.length === 2;
  if (truth === null || predicted === null) return binary ? { kind: "class", truth: 1 } : { kind: "all" };
  return truth === predicted ? { kind: "class", truth } : { kind: "cell", truth, predicted };
}

function sameFocus(a, b) { return a?.truth === b?.truth && a?.predicted === b?.predicted; }

function className(viewer, code) {
  const { classes } = viewer.data;
  if (code === IGNORED) return "ignored";
  if (code === NO_LABEL) return "not there";
  return code < classes.length ? classes[code].name : "outside the class list";
}

// Kinds of layers that a tile has, in the order in which they are looked at.
function kindsOf(tile) {
  const kinds = tile.photos.map((p) => p.role);
  if (tile.truth) kinds.push(TRUTH);
  if (tile.prediction) kinds.push(PREDICTION);
  if (tile.truth && tile.prediction) kinds.push(ERRORS);
  return kinds;
}

function labelOf(tile, kind) { return LABELS[kind] ?? tile.photos.find((p) => p.role === kind)?.label ?? kind; }

function isPhoto(tile, kind) { return tile.photos.some((p) => p.role === kind); }

function baseOf(viewer) {
  const kinds = kindsOf(viewer.shown);
  if (kinds.includes(viewer.settings.base)) return viewer.settings.base;
  return viewer.shown.photos.at(-1)?.role ?? kinds[0];
}

function overOf(viewer) {
  const { over } = viewer.settings;
  return kindsOf(viewer.shown).includes(over) && over !== baseOf(viewer) ? over : NOTHING;
}
