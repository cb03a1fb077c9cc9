// Class chips, the legend of the errors, and the read-out under the pointer.

function stripes([first, second]) {
  return `repeating-linear-gradient(135deg, ${first} 0 3px, ${second} 3px 6px)`;
}

function swatch(background) {
  const made = element("i", "swatch");
  made.style.background = background;
  return made;
}

function swatchOf(viewer, code) {
  const { classes, colors } = viewer.data;
  if (code === IGNORED) return swatch(stripes(colors.ignored));
  if (code === NO_LABEL) return swatch("transparent");
  return swatch(code < classes.length ? classes[code].color : stripes(colors.outside));
}

function makeChips(viewer) {
  const chips = viewer.data.classes.map(({ name }, index) => {
    const chip = element("button", "chip");
    chip.type = "button";
    chip.append(swatchOf(viewer, index), element("span", "name", name));
    if (index < 9) chip.append(element("kbd", "", String(index + 1)));
    chip.title = index < 9 ? `${name}: show or hide (${index + 1}; alone with Shift)` : `${name}: show or hide`;
    chip.onclick = (event) => toggleClass(viewer, index, event.shiftKey);
    return chip;
  });
  viewer.part("chips").replaceChildren(...chips);
  viewer.chips = chips;
}

function syncChips(viewer) {
  const stamp = JSON.stringify(viewer.data.classes);
  if (viewer.chipStamp !== stamp) {
    viewer.chipStamp = stamp;
    makeChips(viewer);
  }
  viewer.chips.forEach((chip, index) => {
    chip.setAttribute("aria-pressed", String(!viewer.settings.hidden.includes(index)));
    chip.classList.toggle("absent", !viewer.shown.present.has(index));
  });
}

function toggleClass(viewer, index, alone) {
  const { hidden } = viewer.settings, all = viewer.data.classes.map((_, i) => i);
  if (index >= all.length) return;
  const others = all.filter((i) => i !== index);
  const isAlone = hidden.length === others.length && !hidden.includes(index);
  if (alone) change(viewer, { hidden: isAlone ? [] : others });
  else change(viewer, { hidden: hidden.includes(index) ? hidden.filter((i) => i !== index) : [...hidden, index] });
}

function errorEntries(viewer) {
  const { colors, classes } = viewer.data, focus = focusOf(viewer), { shown, settings } = viewer;
  const name = (code) => className(viewer, code);
  const entries = [];
  if (focus.kind === "class") {
    entries.push([colors.found, `${name(focus.truth)}, found (TP)`]);
    entries.push([stripes([colors.falseAlarm, "#8a4b00"]), `not ${name(focus.truth)}, but predicted as it (FP)`]);
    entries.push([colors.missed, `${name(focus.truth)}, missed (FN)`]);
    entries.push([colors.right, "all else"]);
  } else if (focus.kind === "cell") {
    const lit = focus.predicted === classes.length ? stripes(colors.outside) : colors.falseAlarm;
    entries.push([lit, `${name(focus.truth)} predicted as ${name(focus.predicted)}`]);
    entries.push([colors.other, "other errors"], [colors.right, "right"]);
  } else {
    const many = `conic-gradient(${classes.slice(0, 6).map((c, i, all) => `${c.color} ${i / all.length}turn ${(i + 1) / all.length}turn`).join(", ")})`;
    entries.push([many, settings.errorColor === TRUTH ? "wrong, in the colour of the ground truth" : "wrong, in the colour of the prediction"]);
    entries.push([colors.right, "right"]);
  }
  if (shown.present.has(IGNORED)) entries.push([stripes(colors.ignored), "ignored in the ground truth"]);
  if (shown.present.has(classes.length) && focus.kind !== "class" && !(focus.predicted === classes.length)) {
    entries.push([stripes(colors.outside), "predicted outside the class list"]);
  }
  return entries;
}

function syncLegend(viewer) {
  const hasErrors = kindsOf(viewer.shown).includes(ERRORS);
  viewer.part("errors").hidden = !hasErrors;
  if (!hasErrors) return;
  viewer.part("error-legend").replaceChildren(...errorEntries(viewer).map(([background, label]) => {
    const item = element("li");
    item.append(swatch(background), element("span", "", label));
    return item;
  }));
}

function showReadOut(viewer) {
  const line = viewer.part("read-out"), { pointer, shown } = viewer;
  if (!pointer) {
    line.replaceChildren(element("span", "hint", viewer.isTouch ? "Touch a pixel to read it." : "Point at a pixel to read it; ? lists the keys."));
    return;
  }
  const { truth, predicted } = labelsAt(viewer, pointer);
  const said = (title, code) => {
    const item = element("span", "said");
    item.append(element("span", "what", title), swatchOf(viewer, code), element("b", "", className(viewer, code)));
    return item;
  };
  const parts = [element("span", "where", `row ${pointer.row}, column ${pointer.column}`)];
  if (shown.truth) parts.push(said("ground truth", truth));
  if (shown.prediction) parts.push(said("prediction", predicted));
  if (shown.truth && shown.prediction) {
    const verdict = truth === IGNORED ? "not counted" : truth === predicted ? "right" : "wrong";
    parts.push(element("span", `verdict ${verdict.replace(" ", "-")}`, verdict));
  }
  line.replaceChildren(...parts);
}
