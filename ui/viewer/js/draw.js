// One panel, drawn: image, labels over it, veil, cross-hair. A frame says where the tile lies on the panel, and whose
// pixels are drawn: the tile's own, or those of a part of it (crops.js).

const DARK = 0.64;   // of the veil over the faded image, as in the core's error picture
const SHARP_FROM = 3; // an image is shown in squares when its px are larger than this on the screen

function drawPhoto(viewer, context, frame, role, alpha = 1) {
  const { source } = frame;
  const photo = source.photos.find((p) => p.role === role);
  if (!photo) return;
  const cell = frame.scale * source.step;
  const left = frame.left + source.left * frame.scale, top = frame.top + source.top * frame.scale;
  context.globalAlpha = alpha;
  context.imageSmoothingEnabled = cell / frame.ratio <= SHARP_FROM;
  context.imageSmoothingQuality = "high";
  context.drawImage(photo.bitmap, left, top, photo.bitmap.width * cell, photo.bitmap.height * cell);
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
  for (const part of framesOf(viewer, frame)) {
    context.save();
    context.clip(part.region, "evenodd");
    if (viewer.settings.layout === "single") drawSingle(viewer, context, part, panel);
    else drawSide(viewer, context, part, panel);
    context.restore();
  }
  drawFramed(viewer, context, frame);
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
