"""Large tiles in Chromium: magnified, they are seen in full resolution, and nothing else is disturbed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser

from tests.datasets import noisy, random_labels, write_labels, write_workspace
from tests.viewer.watched import CLASSES, COLORS, NAMES, Labels, Watched, near, serving, watching

HIGH, WIDE = 6000, 5000


@dataclass
class Large:
    """A sheet of 6000 x 5000 px, and a small tile behind it."""

    address: str
    truth: Labels
    prediction: Labels
    log: Path

    def parts(self) -> list[tuple[int, ...]]:
        """Top, bottom, left, right of what was read."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return [tuple(int(n) for n in re.findall(r"\d+", line.partition(" ")[2])) for line in lines]


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Large]:
    folder = tmp_path_factory.mktemp("large")
    rng = np.random.default_rng(8)
    truth = random_labels(rng, HIGH, WIDE)
    prediction = noisy(rng, truth)
    for name, (t, p) in {"sheet": (truth, prediction), "small": (truth[:64, :64], prediction[:64, :64])}.items():
        write_labels(folder / f"masks/{name}.tif", t, driver="GTiff", tiled=True)
        write_labels(folder / f"predictions/{name}.tif", p, driver="GTiff", tiled=True)
        write_labels(folder / f"images/{name}.tif", 40 + 30 * t, driver="GTiff", tiled=True)
    workspace = write_workspace(folder, 'images = "images"\n', classes=CLASSES)
    log = folder / "parts.txt"
    with serving(workspace, ["sheet", "small"], VIEWER_CROPS=str(log)) as address:
        yield Large(address, truth, prediction, log)


@pytest.fixture
def viewer(large: Large, browser: Browser) -> Iterator[Watched]:
    large.log.unlink(missing_ok=True)
    with watching(browser, large.address) as watched:
        yield watched


def magnify(viewer: Watched, steps: int = 6) -> None:
    """With the wheel, at a place of the first panel; after six steps 2 px of the screen are a px of the tile."""
    box = viewer.page.locator(".stage").first.bounding_box()
    assert box is not None
    viewer.page.mouse.move(box["x"] + 0.4 * box["width"], box["y"] + 0.6 * box["height"])
    for _ in range(steps):
        viewer.page.mouse.wheel(0, -240)
    viewer.page.wait_for_timeout(100)


def wait_for_part(viewer: Watched, other_than: str | None = None) -> str:
    viewer.page.wait_for_selector(f'.viewer[data-near]:not([data-near="{other_than}"])', timeout=15_000)
    viewer.settle()
    return viewer.page.locator(".viewer").get_attribute("data-near") or ""


def read(viewer: Watched, panel: int, x: float, y: float) -> tuple[int, int, str, tuple[int, int, int]]:
    """Row, column and words of the read-out at a place of a panel, and the colour of the picture there."""
    stage = viewer.page.locator(".stage").nth(panel)
    box = stage.bounding_box()
    assert box is not None
    viewer.page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"])
    viewer.settle()
    said = viewer.page.locator("[data-part=read-out]").inner_text()
    found = re.search(r"row (\d+), column (\d+)", said)
    assert found, said
    color = stage.locator("canvas").evaluate(
        """(canvas, [x, y]) => [...canvas.getContext("2d").getImageData(
          Math.floor(x * canvas.width), Math.floor(y * canvas.height), 1, 1).data]""",
        [x, y],
    )
    assert color[3] == 255, "nothing is drawn here"
    return int(found[1]), int(found[2]), said, (color[0], color[1], color[2])


PLACES = [(0.21, 0.3), (0.33, 0.52), (0.5, 0.45), (0.62, 0.71), (0.8, 0.25), (0.9, 0.9), (0.13, 0.77), (0.45, 0.15)]


def check_everything(viewer: Watched, large: Large) -> None:
    """At many places, read-out and colours are those of the arrays in full resolution."""
    for at, (x, y) in enumerate(PLACES):
        panel = 1 + at % 3
        row, column, said, color = read(viewer, panel, x, y)
        truth, prediction = int(large.truth[row, column]), int(large.prediction[row, column])
        assert said.index(NAMES[truth]) <= said.rindex(NAMES[prediction])
        assert ("right" in said.split()) == (truth == prediction)
        if panel == 3 and truth == prediction:
            assert max(color) < 90
        else:
            assert near(color, COLORS[prediction if panel == 2 else truth])


def test_magnified_it_is_seen_in_full_resolution(viewer: Watched, large: Large) -> None:
    viewer.open("?tile=sheet")
    viewer.page.wait_for_timeout(400)
    assert large.parts() == [], "the whole tile needs no part"
    magnify(viewer)
    zoom = viewer.page.locator("[data-part=zoom-fit]").inner_text()
    where = wait_for_part(viewer)
    assert viewer.page.locator("[data-part=zoom-fit]").inner_text() == zoom
    assert where.endswith(",1"), "one px of the part is one of the tile"
    check_everything(viewer, large)
    viewer.page.keyboard.press("t")  # over the image, too, and one confusion alone
    viewer.page.keyboard.press("o")
    viewer.settle()
    viewer.page.locator("[data-part=focus]").select_option("2:4")
    row, column, said, color = read(viewer, 3, 0.5, 0.45)
    lit = large.truth[row, column] == 2 and large.prediction[row, column] == 4
    assert near(color, "#e69f00") == bool(lit)
    assert all(bottom - top <= 2048 and right - left <= 2048 for top, bottom, left, right in large.parts())


def test_a_moved_view_is_never_empty_and_becomes_sharp_again(viewer: Watched, large: Large) -> None:
    viewer.open("?tile=sheet")
    magnify(viewer)
    before = wait_for_part(viewer)
    box = viewer.page.locator(".stage").nth(1).bounding_box()
    assert box is not None
    for _ in range(3):
        viewer.page.mouse.move(box["x"] + 20, box["y"] + 60)
        viewer.page.mouse.down()
        viewer.page.mouse.move(box["x"] + box["width"] - 20, box["y"] + box["height"] - 40, steps=4)
        for x, y in PLACES[:4]:
            read(viewer, 1, x, y)  # says that something is drawn
        viewer.page.mouse.up()
    after = wait_for_part(viewer, before)
    viewer.page.wait_for_timeout(600)
    check_everything(viewer, large)
    assert after != before
    assert len(large.parts()) <= 4, "the last view is asked for, and not each on the way"


def test_parts_and_steps_leave_each_other_alone(viewer: Watched, large: Large) -> None:
    viewer.open("?tile=sheet")
    magnify(viewer)
    viewer.page.wait_for_timeout(100)  # the request goes out about now
    viewer.page.keyboard.press("ArrowRight")
    viewer.settle("small")
    viewer.page.wait_for_timeout(800)
    assert viewer.page.locator(".viewer").get_attribute("data-near") is None
    row, column, said, color = read(viewer, 1, 0.5, 0.5)
    assert row < 64
    assert column < 64
    assert near(color, COLORS[int(large.truth[row, column])])
    viewer.page.keyboard.press("ArrowLeft")
    viewer.settle("sheet")
    wait_for_part(viewer)
    magnify(viewer, steps=3)  # the small tile cannot be magnified as much as the sheet
    viewer.page.wait_for_timeout(800)
    zoom = viewer.page.locator("[data-part=zoom-fit]").inner_text()
    check_everything(viewer, large)
    viewer.page.get_by_role("button", name="Again").click()
    viewer.page.wait_for_timeout(600)
    assert viewer.page.locator("[data-part=zoom-fit]").inner_text() == zoom
    check_everything(viewer, large)
    viewer.page.mouse.move(5, 5)
    viewer.page.keyboard.press("0")
    viewer.settle()
    assert int(viewer.page.locator(".viewer").get_attribute("data-bitmaps") or 9) <= 3
