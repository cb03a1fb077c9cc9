// The toolbar: what its parts do, and what they look like after every change.

const KEYS = [
  ["← →", "previous, next tile"],
  ["1 … 9", "class on and off, with Shift that class alone; an error is drawn while one of its two classes is on"],
  ["A", "all classes on"],
  ["V", "side by side, or a single picture"],
  ["T  P  E", "ground truth, prediction, errors over the image"],
  ["O", "outlines instead of fills"],
  ["[  ]", "fainter, stronger"],
  ["S", "swipe between two layers"],
  ["B", "blink between two layers; by the space bar where motion is reduced"],
  ["L", "light up the confusion under the pointer"],
  ["+  −  0", "zoom in, zoom out, whole tile; also wheel, pinch, double click"],
  ["Z", "the framed object, or the whole tile"],
  ["F", "full screen"],
  ["D", "download the picture as shown"],
  ["Esc", "close, or back to all confusions"],
];

function change(viewer, settings) {
  Object.assign(viewer.settings, settings);
  saveSettings(viewer.data.name, viewer.settings);
  refresh(viewer);
}

// After a change of settings, focus or tile.
function refresh(viewer) {
  if (!viewer.shown) return;
  syncChips(viewer);
  viewer.tableStamp = JSON.stringify([viewer.settings.hidden, viewer.settings.errorColor, focusOf(viewer), viewer.chipStamp]);
  syncTools(viewer);
  syncLegend(viewer);
  setBlinking(viewer);
  showReadOut(viewer);
  layOut(viewer);
}

function setFocus(viewer, focus) {
  viewer.ownFocus = focus;
  refresh(viewer);
}

function press(viewer, name, pressed) { viewer.part(name).setAttribute("aria-pressed", String(pressed)); }

function syncTools(viewer) {
  const { settings, shown } = viewer;
  const single = settings.layout === "single";
  press(viewer, "side", !single);
  press(viewer, "single", single);
  press(viewer, "swipe", single && settings.mode === "swipe");
  press(viewer, "blink", single && settings.mode === "blink");
  press(viewer, "fill", !settings.outline);
  press(viewer, "outline", settings.outline);
  viewer.part("base-box").hidden = !single;
  const kinds = kindsOf(shown);
  setOptions(viewer.part("base"), kinds.map((k) => [k, labelOf(shown, k)]), baseOf(viewer));
  const above = single ? kinds.filter((k) => k !== baseOf(viewer)) : kinds.filter((k) => !isPhoto(shown, k));
  const over = above.includes(settings.over) ? settings.over : NOTHING;
  setOptions(viewer.part("over"), [[NOTHING, "nothing"], ...above.map((k) => [k, labelOf(shown, k)])], over);
  viewer.part("over-label").textContent = single ? "and" : "Over the image";
  const laidOver = over !== NOTHING && (!single || settings.mode === "over");
  viewer.part("style").hidden = !laidOver || isPhoto(shown, over);
  viewer.part("opacity-box").hidden = !laidOver || (settings.outline && !isPhoto(shown, over));
  viewer.part("opacity").value = String(Math.round(settings.opacity * 100));
  syncFocus(viewer, kinds.includes(ERRORS));
}

// Rebuilt only when they differ, so that an open list is not closed by a rerun.
function setOptions(select, options, value) {
  const stamp = JSON.stringify(options);
  if (select.stamp !== stamp) {
    select.stamp = stamp;
    select.replaceChildren(...options.map(([id, label, group]) => {
      const option = element("option", "", label);
      option.value = id;
      option.dataset.group = group ?? "";
      return option;
    }));
    groupOptions(select);
  }
  if (select.value !== value) select.value = value;
}

function groupOptions(select) {
  for (const option of [...select.children]) {
    const name = option.dataset.group;
    if (!name) continue;
    let group = [...select.querySelectorAll("optgroup")].find((g) => g.label === name);
    if (!group) {
      group = element("optgroup");
      group.label = name;
      select.append(group);
    }
    group.append(option);
  }
}

function focusId({ kind, truth, predicted }) {
  if (kind === "all") return "all";
  return kind === "class" ? `${truth}:${truth}` : `${truth}:${predicted}`;
}

function syncFocus(viewer, hasErrors) {
  if (!hasErrors) return;
  const { classes } = viewer.data, focus = focusOf(viewer);
  const name = (code) => className(viewer, code);
  const options = classes.length > 2 ? [["all", "all classes"]] : [];
  classes.forEach((c, i) => options.push([`${i}:${i}`, c.name, "One class: found, missed, false"]));
  const cells = viewer.shown.confused.slice(0, 15).map((c) => ({ truth: c.truth, predicted: c.predicted }));
  if (focus.kind === "cell" && !cells.some((c) => c.truth === focus.truth && c.predicted === focus.predicted)) cells.push(focus);
  for (const { truth, predicted } of cells) {
    options.push([`${truth}:${predicted}`, `${name(truth)} → ${name(predicted)}`, "One confusion: ground truth → prediction"]);
  }
  setOptions(viewer.part("focus"), options, focusId(focus));
  viewer.part("error-color").hidden = focus.kind !== "all";
  press(viewer, "color-truth", viewer.settings.errorColor === TRUTH);
  press(viewer, "color-prediction", viewer.settings.errorColor === PREDICTION);
}

// A layer over the image, or in the single picture beside it; the same again takes it away.
function putOver(viewer, kind) {
  if (!kindsOf(viewer.shown).includes(kind)) return;
  const patch = { over: viewer.settings.over === kind ? NOTHING : kind };
  if (viewer.settings.layout === "single" && baseOf(viewer) === kind) patch.base = "";
  change(viewer, patch);
}

function compare(viewer, mode) {
  const { settings, shown } = viewer;
  if (settings.layout === "single" && settings.mode === mode) {
    change(viewer, { mode: "over" });
    return;
  }
  const patch = { layout: "single", mode };
  const photos = shown.photos.map((p) => p.role);
  if (settings.layout !== "single" && photos.length > 1) Object.assign(patch, { base: photos[0], over: photos[1] });
  else if (overOf(viewer) === NOTHING) patch.over = kindsOf(shown).filter((k) => k !== baseOf(viewer)).at(-1) ?? NOTHING;
  viewer.blinkOver = false;
  change(viewer, patch);
}

function setLayout(viewer, layout) {
  const patch = { layout, mode: "over" };
  if (layout === "single" && overOf(viewer) === NOTHING && kindsOf(viewer.shown).includes(ERRORS)) patch.over = ERRORS;
  change(viewer, patch);
}

function setBlinking(viewer) {
  const on = viewer.settings.layout === "single" && viewer.settings.mode === "blink" && overOf(viewer) !== NOTHING;
  const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  clearInterval(viewer.blinkTimer);
  viewer.blinkTimer = 0;
  if (!on) return;
  if (still) return; // the user goes to and fro with the space bar
  viewer.blinkTimer = setInterval(() => flip(viewer), 333);
}

function flip(viewer) {
  viewer.blinkOver = !viewer.blinkOver;
  requestDraw(viewer);
}

function showZoom(viewer) {
  const { width, height } = viewer.panels[0];
  const text = `${Math.round(fitScale(viewer.shown, width, height) * viewer.view.zoom * 100)} %`;
  const zoom = viewer.part("zoom-fit");
  if (zoom.textContent !== text) zoom.textContent = text;
  viewer.part("zoom-out").disabled = viewer.view.zoom <= 1;
}

function zoomBy(viewer, factor) {
  const panel = viewer.pointerPanel ?? viewer.panels[0];
  const at = viewer.pointerPanel ? viewer.pointerAt : { x: panel.width / 2, y: panel.height / 2 };
  zoomAt(viewer, factor, at.x, at.y, panel.width, panel.height);
  requestDraw(viewer);
}

function zoomToFit(viewer) {
  viewer.view = startView();
  requestDraw(viewer);
}

function toggleFull(viewer) {
  if (viewer.isFull()) document.exitFullscreen();
  else viewer.root.requestFullscreen?.().catch(() => {});
}

function toggleHelp(viewer, open = viewer.part("help").hidden) {
  const help = viewer.part("help");
  if (help.hidden === !open) return;
  if (open) viewer.beforeHelp = viewer.root.getRootNode().activeElement;
  help.hidden = !open;
  press(viewer, "help-button", open);
  for (const other of viewer.root.children) if (other !== help) other.inert = open; // Tab stays in the dialog
  const back = viewer.beforeHelp?.isConnected ? viewer.beforeHelp : viewer.root;
  if (open) viewer.part("help-close").focus();
  else back.focus({ preventScroll: true });
}

function bindControls(viewer) {
  const on = (name, act) => { viewer.part(name).onclick = () => act(); };
  on("back", () => step(viewer, -1));
  on("forth", () => step(viewer, 1));
  on("side", () => setLayout(viewer, "side"));
  on("single", () => setLayout(viewer, "single"));
  on("swipe", () => compare(viewer, "swipe"));
  on("blink", () => compare(viewer, "blink"));
  on("fill", () => change(viewer, { outline: false }));
  on("outline", () => change(viewer, { outline: true }));
  on("color-truth", () => change(viewer, { errorColor: TRUTH }));
  on("color-prediction", () => change(viewer, { errorColor: PREDICTION }));
  on("zoom-in", () => zoomBy(viewer, 1.5));
  on("zoom-out", () => zoomBy(viewer, 1 / 1.5));
  on("zoom-fit", () => zoomToFit(viewer));
  on("frame", () => toggleFrame(viewer));
  on("full", () => toggleFull(viewer));
  on("save", () => savePicture(viewer));
  on("help-button", () => toggleHelp(viewer));
  on("help-close", () => toggleHelp(viewer, false));
  viewer.part("base").onchange = (event) => change(viewer, { base: event.target.value });
  viewer.part("over").onchange = (event) => change(viewer, { over: event.target.value });
  viewer.part("opacity").oninput = (event) => change(viewer, { opacity: Number(event.target.value) / 100 });
  viewer.part("focus").onchange = (event) => {
    const [truth, predicted] = event.target.value === "all" ? [null, null] : event.target.value.split(":").map(Number);
    setFocus(viewer, { truth, predicted });
  };
  viewer.part("help-keys").replaceChildren(...KEYS.flatMap(([keys, text]) => {
    const name = element("dt");
    name.append(...keys.split("  ").map((k) => element("kbd", "", k)));
    return [name, element("dd", "", text)];
  }));
}
