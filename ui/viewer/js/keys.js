// Keys: what each does, and when a key belongs to someone else.


const ARROW_ROLES = new Set(["grid", "gridcell", "slider", "spinbutton", "tab", "radio", "listbox", "option", "combobox",
  "menu", "menuitem", "tree", "treeitem", "textbox", "searchbox", "application", "dialog"]);

// Whether a key belongs to what has the focus: a field, a grid, a list.
function isTaken(viewer, event) {
  const path = event.composedPath();
  const target = path[0];
  if (!(target instanceof Element)) return false;
  const own = path.includes(viewer.root);
  if (target.matches("input[type=range], select, [role=slider]") && own) {
    return /^(Arrow|Home|End|Page)/.test(event.key) || target.matches("select");
  }
  if (own) return false;
  if (target.matches("input, textarea, select, [contenteditable=''], [contenteditable=true]")) return true;
  return path.some((e) => e instanceof Element && (ARROW_ROLES.has(e.getAttribute("role")) || e.matches("[data-testid=stDataFrame]")));
}

const ACTIONS = {
  ArrowLeft: (v) => step(v, -1),
  ArrowRight: (v) => step(v, 1),
  a: (v) => change(v, { hidden: [] }),
  v: (v) => setLayout(v, v.settings.layout === "single" ? "side" : "single"),
  t: (v) => putOver(v, TRUTH),
  p: (v) => putOver(v, PREDICTION),
  e: (v) => putOver(v, ERRORS),
  o: (v) => change(v, { outline: !v.settings.outline }),
  "[": (v) => change(v, { opacity: Math.max(0, Math.round(v.settings.opacity * 10 - 1) / 10) }),
  "]": (v) => change(v, { opacity: Math.min(1, Math.round(v.settings.opacity * 10 + 1) / 10) }),
  s: (v) => compare(v, "swipe"),
  b: (v) => compare(v, "blink"),
  l: (v) => lightUp(v),
  "+": (v) => zoomBy(v, 1.5),
  "=": (v) => zoomBy(v, 1.5),
  "-": (v) => zoomBy(v, 1 / 1.5),
  "−": (v) => zoomBy(v, 1 / 1.5),
  0: (v) => zoomToFit(v),
  z: (v) => toggleFrame(v),
  f: (v) => toggleFull(v),
  d: (v) => savePicture(v),
  "?": (v) => toggleHelp(v),
};

function onKey(viewer, event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !viewer.shown) return;
  if (!viewer.root.isConnected || !viewer.root.getClientRects().length || isTaken(viewer, event)) return;
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(event.code);
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (digit && (event.shiftKey || /^[1-9]$/.test(key))) toggleClass(viewer, Number(digit[1]) - 1, event.shiftKey);
  else if (key === "Escape") { if (!escape(viewer)) return; }
  else if (key === " " && viewer.settings.mode === "blink" && !viewer.blinkTimer && event.composedPath()[0] === viewer.root) flip(viewer);
  else if (ACTIONS[key]) ACTIONS[key](viewer);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

// A table beside the viewer keeps the focus when a row was picked in it; the arrows that go along a row lead on to the
// next tile, and must do so before the table takes them for its own.
function onKeyInTable(viewer, event) {
  if (!/^Arrow(Left|Right)$/.test(event.key) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const inTable = event.composedPath().some((e) => e instanceof Element && e.matches("[data-testid=stDataFrame]"));
  if (!inTable || !viewer.shown || !viewer.root.isConnected || !viewer.root.getClientRects().length) return;
  ACTIONS[event.key](viewer);
  event.preventDefault();
  event.stopPropagation();
}

function escape(viewer) {
  if (!viewer.part("help").hidden) toggleHelp(viewer, false);
  else if (viewer.ownFocus) setFocus(viewer, null);
  else return false;
  return true;
}

// The confusion under the pointer; once more, and all are lit again.
function lightUp(viewer) {
  if (!viewer.pointer) return;
  const { truth, predicted } = labelsAt(viewer, viewer.pointer);
  if (truth >= NO_LABEL || predicted >= NO_LABEL) return;
  const focus = { truth, predicted };
  setFocus(viewer, sameFocus(focus, viewer.ownFocus) ? null : focus);
}
