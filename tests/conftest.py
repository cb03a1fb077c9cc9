"""What all tests share: a cache of their own, compiled kernels, and one browser."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, sync_playwright

from analysis.kernels.compiling import compile_kernels, needs_compiling

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--js-flags=--expose-gc"]


def pytest_configure() -> None:
    """Compile before the first test, so that none of them is slow by chance."""
    if needs_compiling():
        compile_kernels()


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Counts go to a folder of the test's own; the user's are never touched."""
    cache = tmp_path / "orthoscope-cache"
    monkeypatch.setenv("ORTHOSCOPE_CACHE", str(cache))
    monkeypatch.delenv("ORTHOSCOPE_WORKSPACE", raising=False)
    return cache


@pytest.fixture(autouse=True)
def own_main() -> Iterator[None]:
    """Page tests put the app in the place of ``__main__``, which every worker process that is spawned then runs."""
    before = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = before


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests: Playwright allows a process no more."""
    path = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    with sync_playwright() as playwright:
        try:
            started = playwright.chromium.launch(executable_path=path, args=FLAGS)
        except Error as error:
            pytest.fail(f"The browser tests need Chromium or Chrome; see tests/browser/ensure_browser.sh. ({error})")
        yield started
        started.close()
