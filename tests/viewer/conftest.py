"""One server for the tests of the viewer over small tiles."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.datasets import write_workspace
from tests.viewer.watched import CLASSES, TILES, Setting, Watched, serving, tiles, watching


@pytest.fixture(scope="session")
def setting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Setting]:
    folder = tmp_path_factory.mktemp("viewer")
    truths, predictions = tiles(folder)
    workspace = write_workspace(folder, 'images = "images"\nignore = [255]\n', classes=CLASSES)
    with serving(workspace, [f"tile_{i}" for i in range(TILES)]) as address:
        yield Setting(address, truths, predictions)


@pytest.fixture
def viewer(setting: Setting, browser: Browser) -> Iterator[Watched]:
    with watching(browser, setting.address) as watched:
        yield watched
