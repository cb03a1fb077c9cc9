"""The tile viewer in Chromium, over a dataset of its own."""

from __future__ import annotations

import itertools
import os
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt
import pytest
from playwright.sync_api import Browser, Page

from analysis.pictures.colors import FALSE_ALARM, rgb
from analysis.words.classes import IGNORED
from tests.datasets import noisy, random_labels, write_labels, write_workspace

PROJECT = Path(__file__).resolve().parents[2]
TILES, SIDE = 12, 64
ROAD = "<b>road</b> :red[x]"
COLORS = ("#d9d9d9", "#d55e00", "#009e73", "#0072b2", "#e69f00")
NAMES = ("background", "building", "woodland", "water", ROAD)
CLASSES = "[dataset.classes]\n" + "".join(
    f'{i} = {{name = "{name}", color = "{color}"}}\n' for i, (name, color) in enumerate(zip(NAMES, COLORS, strict=True))
)

Labels = npt.NDArray[np.uint8]


@dataclass
class Setting:
    """The app, and what its tiles hold."""

    address: str
    truths: list[Labels] = field(default_factory=list)
    predictions: list[Labels] = field(default_factory=list)


@dataclass
class Watched:
    """A page, and what went wrong on it."""

    page: Page
    address: str
    errors: list[str]
    strangers: list[str]

    def open(self, query: str = "") -> None:
        self.page.goto(f"{self.address}/{query}")
        self.page.wait_for_selector(".viewer[data-tile]", timeout=20_000)
        self.settle()

    def settle(self, tile: str | None = None) -> None:
        """Wait until the page has answered, and is drawn."""
        tile = tile or self.shown()
        self.page.wait_for_selector(f'.viewer[data-tile="{tile}"][data-state="ready"]', timeout=10_000)
        self.page.evaluate("() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")

    def shown(self) -> str:
        return self.page.locator(".viewer").get_attribute("data-tile") or ""

    def color(self, panel: int, row: float, column: float) -> tuple[int, int, int]:
        """Of the picture in the middle of a pixel of the tile."""
        found = (
            self.page.locator(".stage canvas")
            .nth(panel)
            .evaluate(
                """(canvas, [row, column, side]) => {
              const scale = Math.min(canvas.width, canvas.height) / side;
              const x = Math.floor(canvas.width / 2 + (column + 0.5 - side / 2) * scale);
              const y = Math.floor(canvas.height / 2 + (row + 0.5 - side / 2) * scale);
              return [...canvas.getContext("2d").getImageData(x, y, 1, 1).data];
            }""",
                [row, column, SIDE],
            )
        )
        return found[0], found[1], found[2]

    def point(self, panel: int, row: int, column: int) -> str:
        """Move the pointer onto a pixel of the tile; the read-out."""
        box = self.page.locator(".stage").nth(panel).bounding_box()
        assert box is not None
        scale = min(box["width"], box["height"]) / SIDE
        self.page.mouse.move(
            box["x"] + box["width"] / 2 + (column + 0.5 - SIDE / 2) * scale,
            box["y"] + box["height"] / 2 + (row + 0.5 - SIDE / 2) * scale,
        )
        return self.page.locator("[data-part=read-out]").inner_text()


def tiles(folder: Path) -> tuple[list[Labels], list[Labels]]:
    rng = np.random.default_rng(5)
    truths, predictions = [], []
    for i in range(TILES):
        truth = random_labels(rng, SIDE, SIDE)
        prediction = noisy(rng, truth)
        truth[40:48, 40:48] = IGNORED
        prediction[8:16, 8:16] = 9  # no class
        write_labels(folder / f"masks/tile_{i}.png", truth)
        write_labels(folder / f"predictions/tile_{i}.png", prediction)
        write_labels(folder / f"images/tile_{i}.png", rng.integers(60, 200, (SIDE, SIDE), dtype=np.uint8))
        prediction[8:16, 8:16] = len(NAMES)
        truths.append(truth)
        predictions.append(prediction)
    return truths, predictions


@pytest.fixture(scope="module")
def setting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Setting]:
    folder = tmp_path_factory.mktemp("viewer")
    truths, predictions = tiles(folder)
    workspace = write_workspace(folder, 'images = "images"\nignore = [255]\n', classes=CLASSES)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", str(PROJECT / "tests/viewer/app.py")]
    command += ["--server.port", str(port), "--server.address", "127.0.0.1", "--server.headless", "true"]
    command += ["--server.fileWatcherType", "none"]
    own = {
        "ORTHOSCOPE_CACHE": str(folder / "cache"),
        "VIEWER_WORKSPACE": str(workspace),
        "VIEWER_TILES": str(TILES),
        "PYTHONPATH": str(PROJECT),
    }
    with (folder / "log.txt").open("w") as log:
        server = subprocess.Popen(command, cwd=PROJECT, env={**os.environ, **own}, stdout=log, stderr=log)
        try:
            wait_for(f"http://127.0.0.1:{port}/_stcore/health", folder / "log.txt")
            yield Setting(f"http://127.0.0.1:{port}", truths, predictions)
        finally:
            server.terminate()
            server.wait(10)


def wait_for(address: str, log: Path) -> None:
    end = monotonic() + 30
    while monotonic() < end:
        try:
            with urllib.request.urlopen(address, timeout=1):
                return
        except OSError:
            sleep(0.1)
    pytest.fail(f"The app did not start:\n{log.read_text()}")


@pytest.fixture
def viewer(setting: Setting, browser: Browser) -> Iterator[Watched]:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    page = context.new_page()
    watched = Watched(page, setting.address, [], [])
    page.on("console", lambda m: watched.errors.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: watched.errors.append(str(error)))
    page.on("request", lambda r: note_stranger(watched, r.url))
    page.on("websocket", lambda w: note_stranger(watched, w.url))
    yield watched
    context.close()
    assert watched.errors == []
    assert watched.strangers == []


def note_stranger(watched: Watched, url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme not in ("blob", "data") and parts.hostname != "127.0.0.1":
        watched.strangers.append(url)


def near(found: tuple[int, int, int], wanted: str, by: int = 2) -> bool:
    return all(abs(a - b) <= by for a, b in zip(found, rgb(wanted), strict=True))


def where(mask: npt.NDArray[np.bool_]) -> tuple[int, int]:
    """A pixel of the mask, not at the edge of the tile."""
    inner = np.zeros_like(mask)
    inner[4:-4, 4:-4] = mask[4:-4, 4:-4]
    row, column = np.argwhere(inner)[0]
    return int(row), int(column)


def test_arrow_keys_step_and_ten_quick_ones_are_all_counted(viewer: Watched) -> None:
    viewer.open("?tile=tile_0")
    viewer.page.keyboard.press("ArrowRight")
    viewer.page.wait_for_selector('.viewer[data-tile="tile_1"]', timeout=1000)
    viewer.settle("tile_1")
    for _ in range(10):
        viewer.page.keyboard.press("ArrowRight")
    viewer.settle("tile_11")
    assert "tile=tile_11" in viewer.page.url
    assert viewer.page.locator("[data-part=forth]").is_disabled()
    for key in ["ArrowRight"] * 3 + ["ArrowLeft"] * 12 + ["ArrowRight"] * 2:  # over both ends, and back
        viewer.page.keyboard.press(key)
    viewer.settle("tile_2")
    assert viewer.page.locator("[data-part=title]").inner_text() == "<i>tile_2</i> **b**"
    assert viewer.page.locator("[data-part=place]").inner_text() == "3 of 12"


def test_keys_typed_into_a_field_are_the_fields(viewer: Watched) -> None:
    viewer.open("?tile=tile_3")
    viewer.page.get_by_label("Field").click()
    viewer.page.keyboard.type("1b+e?")
    viewer.page.keyboard.press("ArrowLeft")
    assert viewer.shown() == "tile_3"
    assert viewer.page.get_by_label("Field").input_value() == "1b+e?"
    assert viewer.page.locator("[data-part=help]").is_hidden()
    assert viewer.page.locator(".chip[aria-pressed=true]").count() == len(NAMES)


def test_read_out_and_colours_are_those_of_the_arrays(viewer: Watched, setting: Setting) -> None:
    viewer.open("?tile=tile_4")
    truth, prediction = setting.truths[4], setting.predictions[4]
    names = [*NAMES, "outside the class list"]
    counted = truth != IGNORED
    spots = {
        "right": where(counted & (truth == prediction) & (truth == 2)),
        "wrong": where(counted & (truth != prediction) & (prediction == 4)),
        "outside": where(counted & (prediction == len(NAMES))),
    }
    for verdict, (row, column) in spots.items():
        said = viewer.point(1, row, column)
        assert f"row {row}, column {column}" in said
        assert said.index(names[truth[row, column]]) < said.rindex(names[prediction[row, column]])
        assert ("right" in said.split()) == (verdict == "right")
        assert ("wrong" in said.split()) == (verdict != "right")
    assert "not counted" in viewer.point(2, 43, 43)
    viewer.page.mouse.move(5, 5)
    viewer.settle()
    for verdict in ("right", "wrong"):
        row, column = spots[verdict]
        assert near(viewer.color(1, row, column), COLORS[truth[row, column]])
        assert near(viewer.color(2, row, column), COLORS[prediction[row, column]])
    row, column = spots["wrong"]
    assert near(viewer.color(3, row, column), COLORS[truth[row, column]])
    assert max(viewer.color(3, *spots["right"])) < 90


def test_classes_names_and_layers_are_switched(viewer: Watched, setting: Setting) -> None:
    viewer.open("?tile=tile_5")
    row, column = where(setting.truths[5] == 4)
    chip = viewer.page.locator(".chip").nth(4)
    assert chip.locator(".name").inner_text() == ROAD
    assert near(viewer.color(1, row, column), COLORS[4])
    viewer.page.keyboard.press("5")
    viewer.settle()
    assert chip.get_attribute("aria-pressed") == "false"
    assert not near(viewer.color(1, row, column), COLORS[4], 20)
    photo = viewer.color(0, row, column)
    viewer.page.keyboard.press("5")
    viewer.page.keyboard.press("t")
    viewer.settle()
    assert viewer.page.locator("figcaption").first.inner_text() == "Image + ground truth"
    assert viewer.color(0, row, column) != photo
    viewer.page.keyboard.press("s")
    viewer.settle()
    assert viewer.page.locator("figcaption").all_inner_texts() == ["Image | Ground truth"]
    assert viewer.page.get_by_role("slider", name="Place of the divider").is_visible()
    viewer.page.keyboard.press("b")
    viewer.settle()
    assert viewer.page.locator("[data-part=blink]").get_attribute("aria-pressed") == "true"
    viewer.page.keyboard.press("v")
    viewer.page.keyboard.press("?")
    assert viewer.page.get_by_role("dialog", name="Keys").is_visible()
    viewer.page.keyboard.press("Escape")
    assert viewer.page.locator("[data-part=help]").is_hidden()


def test_zoom_and_settings_outlast_steps_and_reruns(viewer: Watched) -> None:
    viewer.open("?tile=tile_6")
    viewer.page.keyboard.press("p")
    viewer.page.keyboard.press("2")
    viewer.point(1, 20, 20)
    viewer.page.mouse.wheel(0, -300)
    viewer.settle()
    zoom = viewer.page.locator("[data-part=zoom-fit]").inner_text()
    viewer.page.get_by_role("button", name="Again").click()
    viewer.page.wait_for_timeout(400)
    viewer.page.keyboard.press("ArrowRight")
    viewer.settle("tile_7")
    assert viewer.page.locator("[data-part=zoom-fit]").inner_text() == zoom
    viewer.page.mouse.move(5, 5)
    viewer.page.keyboard.press("0")
    viewer.settle()
    assert viewer.page.locator("[data-part=zoom-fit]").inner_text() != zoom
    viewer.page.reload()
    viewer.page.wait_for_selector(".viewer[data-tile]", timeout=20_000)
    assert viewer.page.locator("[data-part=over]").input_value() == "prediction"
    assert viewer.page.locator(".chip").nth(1).get_attribute("aria-pressed") == "false"


def test_one_cell_of_the_confusion_matrix_is_lit(viewer: Watched, setting: Setting) -> None:
    truth, prediction = setting.truths[8], setting.predictions[8]
    lit = (truth == 2) & (prediction == 4)
    viewer.open("?tile=tile_8&lit=2-4")
    on, off = where(lit), where((truth == 2) & (prediction == 2))
    assert near(viewer.color(1, *on), COLORS[2])
    assert near(viewer.color(2, *on), COLORS[4])
    assert near(viewer.color(3, *on), FALSE_ALARM)
    assert not near(viewer.color(1, *off), COLORS[2], 40)
    legend = viewer.page.locator("[data-part=error-legend]").inner_text()
    assert f"woodland predicted as {ROAD}" in legend
    viewer.page.locator("[data-part=focus]").select_option("all")
    viewer.settle()
    assert near(viewer.color(1, *off), COLORS[2])


# Bursts of five steps, to and fro, and back to the first tile; the most bitmaps held on the way, and the heap.
STEPS = """async ([count, tiles]) => {
  const found = (root) => root.querySelector(".viewer") ?? [...root.querySelectorAll("*")]
    .map((e) => e.shadowRoot && found(e.shadowRoot)).find(Boolean);
  const viewer = found(document), frame = () => new Promise((go) => requestAnimationFrame(go));
  let at = 0, by = 1, most = 0;
  const burst = async (length) => {
    for (let i = 0; i < length; i++) {
      at += by;
      const key = by > 0 ? "ArrowRight" : "ArrowLeft";
      document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    }
    const end = performance.now() + 8000;
    while (viewer.dataset.tile !== `tile_${at}` || viewer.dataset.state !== "ready") {
      if (performance.now() > end) throw new Error(`not at ${at}: ${viewer.dataset.tile}, ${viewer.dataset.state}`);
      most = Math.max(most, Number(viewer.dataset.bitmaps));
      await frame();
    }
  };
  for (let step = 0; step < count; step += 5) {
    if (at + 5 * by < 0 || at + 5 * by >= tiles) by = -by;
    await burst(5);
  }
  by = -1;
  if (at) await burst(at);
  gc();
  return [most, performance.memory.usedJSHeapSize];
}"""


def test_five_hundred_steps_leave_nothing_behind(viewer: Watched) -> None:
    viewer.open("?tile=tile_0")
    viewer.page.evaluate(STEPS, [20, TILES])
    held = []
    for _ in range(5):
        most, heap = viewer.page.evaluate(STEPS, [100, TILES])
        assert most <= 6  # images of three tiles, and of three that are coming
        held.append(heap)
    # What leaks grows in every round; what the browser and Streamlit keep for themselves comes and goes.
    growth = [after - before for before, after in itertools.pairwise(held)]
    assert min(growth) < 500_000, held
