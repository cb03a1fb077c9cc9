// A scale bar of a round length: in metres where the size of a px on the ground is known, in px elsewhere.

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
