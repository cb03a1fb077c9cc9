// One panel, drawn: image, labels over it, veil, cross-hair, scale bar.

const DARK = 0.64;   // of the veil over the faded image, as in the core's error picture
const SHARP_FROM = 3; // an image is shown in squares when its px are larger than this on the screen

function drawPhoto(viewer, context, frame, role, alpha = 1) {
  const tile = viewer.shown;
  const photo = tile.photos.find((p) => p.role === role);
  if (!photo) return;
  const cell = frame.scale * tile.step;
  context.globalAlpha = alpha;
  context.imageSmoothingEnabled = cell / frame.ratio <= SHARP_FROM;
  context.imageSmoothingQuality = "high";
  context.drawImage(photo.bitmap, frame.left, frame.top, photo.bitmap.width * cell, photo.bitmap.height * cell);
  context.globalAlpha = 1;
}

// Grey and dark, so that colours on it are seen.
function drawFaded(viewer, context, frame) {
  const { x0, x1, y0, y1 } = frame.visible;
  const role = viewer.shown.photos.at(-1)?.role;
  if (!role) {
    context.fillStyle = "#282828";
    context.fillRect(x0, y0, x1 - x0, y1 - y0);
    return;
  }
  drawPhoto(viewer, context, frame, role);
  context.globalCompositeOperation = "saturation";
  context.fillStyle = "#808080";
  context.fillRect(x0, y0, x1 - x0, y1 - y0);
  context.globalCompositeOperation = "source-over";
  context.fillStyle = `rgba(0, 0, 0, ${DARK})`;
  context.fillRect(x0, y0, x1 - x0, y1 - y0);
}

function drawSolid(viewer, context, frame, slot, kind) {
  if (isPhoto(viewer.shown, kind)) {
    drawPhoto(viewer, context, frame, kind);
  } else {
    drawFaded(viewer, context, frame);
    drawLabels(viewer, context, frame, `${slot}|${kind}`, kind, SOLID);
  }
  drawVeil(viewer, context, frame, slot, kind);
}

// Where one confusion is lit. The error picture has its own way: the lit ones in orange, the others grey.
function drawVeil(viewer, context, frame, slot, kind) {
  if (focusOf(viewer).kind !== "cell" || kind === ERRORS || !viewer.shown.truth || !viewer.shown.prediction) return;
  drawLabels(viewer, context, frame, `${slot}|veil`, "veil", isPhoto(viewer.shown, kind) ? 0.55 : 0.78);
}

function drawOver(viewer, context, frame, slot, kind) {
  const { opacity, outline } = viewer.settings;
  if (isPhoto(viewer.shown, kind)) drawPhoto(viewer, context, frame, kind, opacity);
  else drawLabels(viewer, context, frame, `${slot}|over`, kind, OVER, { alpha: outline ? 1 : opacity, outline });
}

function drawPanel(viewer, panel) {
  const { canvas, width, height } = panel;
  const context = canvas.getContext("2d");
  const frame = frameOf(viewer, width, height);
  if (canvas.width !== frame.across || canvas.height !== frame.down) {
    canvas.width = frame.across;
    canvas.height = frame.down;
  } else {
    context.clearRect(0, 0, frame.across, frame.down);
  }
  const { x0, x1, y0, y1 } = frame.visible;
  context.save();
  context.beginPath();
  context.rect(x0, y0, x1 - x0, y1 - y0);
  context.clip();
  if (viewer.settings.layout === "single") drawSingle(viewer, context, frame, panel);
  else drawSide(viewer, context, frame, panel);
  context.restore();
  drawCross(viewer, context, frame, panel);
  if (panel.scaleBar) drawScaleBar(viewer, context, frame);
}

function drawSide(viewer, context, frame, panel) {
  drawSolid(viewer, context, frame, panel.kind, panel.kind);
  const over = viewer.settings.over;
  if (!isPhoto(viewer.shown, panel.kind) || !kindsOf(viewer.shown).includes(over) || isPhoto(viewer.shown, over)) return;
  drawOver(viewer, context, frame, panel.kind, over);
}

function drawSingle(viewer, context, frame) {
  const base = baseOf(viewer), over = overOf(viewer), { mode } = viewer.settings;
  if (over === NOTHING) {
    drawSolid(viewer, context, frame, "base", base);
  } else if (mode === "blink") {
    drawSolid(viewer, context, frame, "base", viewer.blinkOver ? over : base);
  } else if (mode === "swipe") {
    const edge = Math.round(viewer.split * frame.across);
    const half = (from, to, slot, kind) => {
      context.save();
      context.beginPath();
      context.rect(from, 0, to - from, frame.down);
      context.clip();
      drawSolid(viewer, context, frame, slot, kind);
      context.restore();
    };
    half(0, edge, "base", base);
    half(edge, frame.across, "second", over);
  } else {
    drawSolid(viewer, context, frame, "base", base);
    drawOver(viewer, context, frame, "base", over);
  }
}

function drawCross(viewer, context, frame, panel) {
  const at = viewer.pointer;
  if (!at || viewer.saving) return;
  const x = Math.round(frame.left + (at.column + 0.5) * frame.scale), y = Math.round(frame.top + (at.row + 0.5) * frame.scale);
  const near = panel === viewer.pointerPanel;
  const unit = frame.ratio, gap = near ? 9 * unit : 5 * unit, arm = near ? 0 : 16 * unit;
  for (const [wide, ink] of [[3, "rgba(0, 0, 0, 0.55)"], [1, "#ffffff"]]) {
    context.lineWidth = wide * unit;
    context.strokeStyle = ink;
    context.beginPath();
    if (arm) {
      for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
        context.moveTo(x + dx * gap, y + dy * gap);
        context.lineTo(x + dx * arm, y + dy * arm);
      }
    }
    if (frame.scale >= 6) {
      const side = Math.round(frame.scale);
      context.rect(Math.round(frame.left + at.column * frame.scale), Math.round(frame.top + at.row * frame.scale), side, side);
    }
    context.stroke();
  }
}

function roundLength(most) {
  const power = 10 ** Math.floor(Math.log10(most));
  return [5, 2, 1].map((n) => n * power).find((n) => n <= most) ?? power;
}

function drawScaleBar(viewer, context, frame) {
  const { gsd } = viewer.shown;
  const perUnit = frame.scale / (gsd ?? 1); // px of the screen per metre, or per px of the tile
  const unit = frame.ratio;
  const most = Math.min(140 * unit, frame.across * 0.4) / perUnit;
  const length = gsd ? roundLength(most) : Math.max(1, roundLength(most));
  const wide = length * perUnit;
  const metres = length >= 1000 ? `${length / 1000} km` : `${Number(length.toPrecision(3))} m`;
  const text = gsd ? metres : `${length} px`;
  const x = 10 * unit + Math.max(0, frame.visible.x0), y = Math.min(frame.down, frame.visible.y1) - 12 * unit;
  context.font = `600 ${11.5 * unit}px system-ui, sans-serif`;
  context.textBaseline = "bottom";
  context.lineJoin = "round";
  const shape = () => {
    context.beginPath();
    context.moveTo(x, y - 5 * unit);
    context.lineTo(x, y);
    context.lineTo(x + wide, y);
    context.lineTo(x + wide, y - 5 * unit);
  };
  for (const [line, ink] of [[4.5, "rgba(0, 0, 0, 0.7)"], [2, "#ffffff"]]) {
    context.lineWidth = line * unit;
    context.strokeStyle = ink;
    shape();
    context.stroke();
  }
  context.lineWidth = 3.5 * unit;
  context.strokeStyle = "rgba(0, 0, 0, 0.7)";
  context.strokeText(text, x + 5 * unit, y - 3 * unit);
  context.fillStyle = "#ffffff";
  context.fillText(text, x + 5 * unit, y - 3 * unit);
}
