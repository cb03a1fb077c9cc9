// What stands below the pictures: the tile's numbers by class, the classes that it lacks, and what is to be known of it.
// Made of the text that came with the tile, so that a step shows them together with its pictures.

function showNumbers(viewer, tile) {
  const { classes, headings } = viewer.data, { rows, absent } = tile.numbers;
  const head = element("tr"), body = element("tbody");
  for (const heading of ["Class", ...headings]) {
    const cell = element("th", "", heading);
    cell.scope = "col";
    head.append(cell);
  }
  for (const [index, ...values] of rows) {
    const row = element("tr"), name = element("th"), swatch = element("span", "swatch");
    name.scope = "row";
    swatch.style.background = classes[index].color;
    name.append(swatch, element("span", "", classes[index].name));
    row.append(name, ...values.map((value) => element("td", "", value)));
    body.append(row);
  }
  const table = element("table"), top = element("thead");
  top.append(head);
  table.append(element("caption", "", "By class, on this tile"), top, body);
  const below = absent ? [element("p", "absent", `In neither map: ${absent}`)] : [];
  viewer.part("numbers").replaceChildren(...(rows.length ? [table, ...below] : below));
  viewer.part("notices").replaceChildren(...tile.notices.map(([level, text]) => element("li", level, text)));
}
