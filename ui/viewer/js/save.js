// The picture as shown, with captions and legend, as a PNG.

function fileName(viewer) {
  const { settings, shown } = viewer;
  const safe = (text) => text.normalize("NFC").replace(/[^\p{L}\p{N}._-]+/gu, "_").replace(/^[._]+/, "").slice(0, 120) || "tile";
  const layers = settings.layout === "single" ? [baseOf(viewer), overOf(viewer)].filter((k) => k !== NOTHING) : ["panels"];
  return `${safe(shown.id)}_${layers.join("_")}.png`;
}

function legendEntries(viewer) {
  const { classes, colors } = viewer.data, { present } = viewer.shown;
  const flat = (c) => [c, c];
  const entries = classes.flatMap((c, i) => (present.has(i) && !viewer.settings.hidden.includes(i) ? [[flat(c.color), c.name]] : []));
  const focus = focusOf(viewer);
  if (kindsOf(viewer.shown).includes(ERRORS) && focus.kind === "class") {
    entries.push([flat(colors.missed), "missed"], [[colors.falseAlarm, "#8a4b00"], "false"], [flat(colors.found), "found"]);
  } else if (focus.kind === "cell") {
    entries.push([flat(colors.falseAlarm), `${className(viewer, focus.truth)} predicted as ${className(viewer, focus.predicted)}`]);
  }
  if (present.has(IGNORED)) entries.push([colors.ignored, "ignored"]);
  if (present.has(classes.length)) entries.push([colors.outside, "outside the class list"]);
  return entries;
}

function picture(viewer) {
  const ratio = window.devicePixelRatio || 1;
  const area = viewer.area.getBoundingClientRect(), margin = 14;
  const style = getComputedStyle(viewer.root);
  const ink = style.color, ground = style.getPropertyValue("--ground");
  const canvas = document.createElement("canvas"), context = canvas.getContext("2d");
  const font = (weight, size) => { context.font = `${weight} ${size}px ${style.fontFamily || "sans-serif"}`; };
  font(400, 12);
  const rows = [[]];
  let at = 0;
  for (const [colors, label] of legendEntries(viewer)) {
    const wide = context.measureText(label).width + 34;
    if (at + wide > area.width && at) { rows.push([]); at = 0; }
    rows.at(-1).push({ colors, label, at });
    at += wide;
  }
  canvas.width = Math.round((area.width + 2 * margin) * ratio);
  canvas.height = Math.round((area.height + 2 * margin + 26 + rows.length * 20) * ratio);
  context.scale(ratio, ratio);
  context.fillStyle = ground;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = ink;
  context.textBaseline = "middle";
  font(600, 14);
  context.fillText(viewer.shown.title, margin, margin + 8);
  font(400, 12);
  for (const panel of viewer.panels) {
    const box = panel.stage.getBoundingClientRect();
    const x = box.left - area.left + margin, y = box.top - area.top + margin + 24;
    context.fillStyle = ink;
    context.fillText(panel.caption.textContent, x, y - CAPTION / 2 + 1);
    context.drawImage(panel.canvas, x, y, box.width, box.height);
  }
  rows.forEach((row, line) => {
    const y = area.height + margin + 38 + line * 20;
    for (const { colors, label, at: x } of row) {
      context.fillStyle = colors[0];
      context.fillRect(x + margin, y - 6, 12, 12);
      context.fillStyle = colors[1];
      if (colors[1] !== colors[0]) { context.fillRect(x + margin, y - 6, 6, 6); context.fillRect(x + margin + 6, y, 6, 6); }
      context.strokeStyle = "rgba(127, 140, 144, 0.75)";
      context.strokeRect(x + margin + 0.5, y - 5.5, 11, 11);
      context.fillStyle = ink;
      context.fillText(label, x + margin + 18, y);
    }
  });
  return canvas;
}

function savePicture(viewer) {
  viewer.saving = true; // without cross-hair
  drawAll(viewer);
  const canvas = picture(viewer);
  viewer.saving = false;
  requestDraw(viewer);
  canvas.toBlob((blob) => {
    if (!blob) return;
    const link = element("a"), url = URL.createObjectURL(blob);
    link.href = url;
    link.download = fileName(viewer);
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  }, "image/png");
}
