"""The tile viewer in Chromium, over a dataset of its own: the app, a watched page, and where its pixels are."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt
import pytest
from playwright.sync_api import Browser, Page

from analysis.pictures.colors import rgb
from analysis.words.classes import IGNORED
from tests.datasets import noisy, random_labels, write_labels

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
        self.page.wait_for_selector(".viewer[data-tile]", timeout=60_000)
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


@contextmanager
def serving(workspace: Path, names: Sequence[str], **more: str) -> Iterator[str]:
    """The app of the tests; gives its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", str(PROJECT / "tests/viewer/app.py")]
    command += ["--server.port", str(port), "--server.address", "127.0.0.1", "--server.headless", "true"]
    command += ["--server.fileWatcherType", "none"]
    folder = workspace.parent
    own = {
        "ORTHOSCOPE_CACHE": str(folder / "cache"),
        "VIEWER_WORKSPACE": str(workspace),
        "VIEWER_TILES": "|".join(names),
        "PYTHONPATH": str(PROJECT),
        **more,
    }
    with (folder / "log.txt").open("w") as log:
        server = subprocess.Popen(command, cwd=PROJECT, env={**os.environ, **own}, stdout=log, stderr=log)
        try:
            wait_for(f"http://127.0.0.1:{port}/_stcore/health", folder / "log.txt")
            yield f"http://127.0.0.1:{port}"
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


@contextmanager
def watching(browser: Browser, address: str, **options: Any) -> Iterator[Watched]:
    """A page of its own, on which nothing may go wrong."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce", **options)
    page = context.new_page()
    watched = Watched(page, address, [], [])
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
