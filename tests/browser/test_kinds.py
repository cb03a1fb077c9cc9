"""Kinds of trouble that other tools have with pictures: black masks, and tiles of the same name in two datasets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import pytest
from playwright.sync_api import Page

from analysis import open_workspace
from analysis.reading.raster import write_raster
from tests.browser.conftest import Watched, serving
from tests.datasets import CLASS_NAMES, write_labels, write_workspace

Open = Callable[[str], Watched]
SIDE = 60
PANEL = """(panels, name) => {
  const canvas = panels.find((e) => e.querySelector("figcaption").textContent.startsWith(name)).querySelector("canvas");
  const { width, height } = canvas;
  const side = Math.min(width, height), left = (width - side) / 2, top = (height - side) / 2;
  const context = canvas.getContext("2d");
  return [...Array(100).keys()].map((i) => {
    const at = (start, cell) => Math.floor(start + (cell + 0.5) * side / 10);
    return [...context.getImageData(at(left, i % 10), at(top, Math.floor(i / 10)), 1, 1).data].slice(0, 3);
  });
}"""

FIRST = """async (image) => {
  await image.decode();
  const canvas = document.createElement("canvas"), context = canvas.getContext("2d");
  context.drawImage(image, 0, 0, 1, 1);
  return context.getImageData(0, 0, 1, 1).data[0];
}"""


def colors(page: Page, panel: str) -> list[tuple[int, ...]]:
    """Colours of a panel of the viewer in the middle of the cells of a 10 x 10 grid."""
    return [tuple(found) for found in page.locator(".viewer .panel").evaluate_all(PANEL, panel)]


def wait_for_tile(page: Page, tile: str, note: str = "") -> None:
    page.locator(f'.viewer[data-tile="{tile}"][data-state=ready]').wait_for(timeout=60_000)
    if note:
        page.locator(".viewer [data-part=note]").get_by_text(note).wait_for(timeout=20_000)
    page.wait_for_timeout(600)


@pytest.mark.parametrize("given", ["", '0 = {name = "background", color = "#d9d9d9"}'])
def test_masks_do_not_look_black(tmp_path: Path, own_cache: Path, open_page: Open, given: str) -> None:
    labels = np.zeros((SIDE, SIDE), np.uint8)
    for i in range(5):
        labels[i * 12 : i * 12 + 12] = i
    wrong = labels.copy()
    wrong[:6, :6] = 1
    write_labels(tmp_path / "d" / "masks" / "only.png", labels)
    write_labels(tmp_path / "d" / "predictions" / "only.png", wrong)
    classes = "[dataset.classes]\n" + "\n".join(f'{i} = "{name}"' for i, name in enumerate(CLASS_NAMES))
    if given:
        classes = classes.replace('0 = "background"', given)
    workspace = write_workspace(tmp_path / "d", classes=classes)
    open_workspace(workspace).runs[0].score(workers=1)
    with serving(ORTHOSCOPE_WORKSPACE=str(workspace), ORTHOSCOPE_CACHE=str(own_cache)) as address:
        watched = open_page(f"{address}/worst_tiles")
        page = watched.page
        wait_for_tile(page, "only")
        cells = colors(page, "Ground truth")
        found = {color for i, color in enumerate(cells) if i % 10 >= 5}  # the left half may hold a scale bar
        assert len(found) >= 5
        assert min(np.linalg.norm(np.subtract(a, b)) for a in found for b in found if a != b) >= 60
        chips = page.locator(".viewer [data-part=chips]")
        assert all(chips.get_by_text(name, exact=True).count() for name in CLASS_NAMES)
        errors = colors(page, "Errors")
        assert errors[0] not in errors[1:], "the wrong pixels, and no others, stand out"
        assert watched.strange == []


def test_tiles_of_the_same_name_are_never_mixed_up(tmp_path: Path, own_cache: Path, open_page: Open) -> None:
    text, wrong_rows = "", {"first": 6, "second": 24}
    for name, rows in wrong_rows.items():
        folder = tmp_path / name
        truth = np.zeros((SIDE, SIDE), np.uint8)
        truth[:36] = 1
        prediction = truth.copy()
        prediction[:rows] = 0
        for role, value in (("A", 40), ("B", 90 if name == "first" else 200)):
            (folder / role).mkdir(parents=True)
            write_raster(folder / role / "test_1.png", np.full((SIDE, SIDE, 3), value, np.uint8), driver="PNG")
        write_labels(folder / "label" / "test_1.png", truth * 255)
        write_labels(folder / "out" / "test_1.png", prediction * 255)
        text += f'[[dataset]]\nname = "{name}"\ntask = "change"\nroot = "{name}"\nbefore = "A"\nafter = "B"\n'
        text += 'truth = "label"\n'
    text += "".join(f'[[run]]\nmodel = "m"\ndataset = "{name}"\npredictions = "{name}/out"\n' for name in wrong_rows)
    workspace = tmp_path / "workspace.toml"
    workspace.write_text(text, encoding="utf-8")
    for run in open_workspace(workspace).runs:
        run.score(workers=1)

    with serving(ORTHOSCOPE_WORKSPACE=str(workspace), ORTHOSCOPE_CACHE=str(own_cache)) as address:
        watched = open_page(
            f"{address}/worst_tiles?{urlencode({'show': 'gallery', 'thumbs': 'image', 'rank': 'metric'})}"
        )
        page = watched.page
        for name in ("first", "second", "first"):
            if f"m@{name}" not in page.locator(".st-key-run").inner_text():
                page.locator(".st-key-run [role=combobox], .st-key-run input").first.click()
                page.get_by_role("option", name=f"m@{name}", exact=True).click()
            iou = (36 - wrong_rows[name]) / 36
            wait_for_tile(page, "test_1", f"{iou:.3f}")
            value = 90 if name == "first" else 200
            assert abs(colors(page, "After")[0][0] - value) < 6
            assert page.locator(".gallery .value").inner_text() == f"{iou:.3f}"
            page.locator(".gallery .tile[data-state=ready]").wait_for()
            assert abs(page.locator(".gallery img").evaluate(FIRST) - value) < 6
            assert page.get_by_text("Duplicate").count() == 0
        assert page.locator("[data-testid=stException]").count() == 0
        assert watched.strange == []
