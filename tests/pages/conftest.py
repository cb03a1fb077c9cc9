"""What the page tests share: the tiny workspace, scored, and the app opened on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

from analysis import OpenRun, open_workspace
from tests.pages.tiny import RUN, make_tiny
from ui.children import children

ENTRY = str(Path(__file__).resolve().parents[2] / "streamlit_app.py")


@pytest.fixture
def tiny(tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The tiny workspace, not scored; children that a test started are waited for."""
    path = make_tiny(tmp_path / "tiny")
    monkeypatch.setenv("ORTHOSCOPE_WORKSPACE", str(path))
    yield path
    for child in children().started:
        child.process.wait(timeout=120)


@pytest.fixture
def run(tiny: Path) -> OpenRun:
    """Its first run, scored in this process."""
    opened = open_workspace(tiny).run(RUN)
    opened.score(workers=1)
    return opened


class _Routed(PagesManager):
    """As on a server whose router has run: without this, AppTest runs the files of ``pages`` without the entry file."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        PagesManager.uses_pages_directory = False
        super().__init__(*arguments, **named)


@pytest.fixture
def app(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., AppTest]:
    """Opens the app on a page, with the query of a link."""
    monkeypatch.setattr("streamlit.testing.v1.app_test.PagesManager", _Routed)

    def open_page(page: str = "", /, **query: str | list[str]) -> AppTest:
        at = AppTest.from_file(ENTRY, default_timeout=60)
        for name, value in query.items():
            at.query_params[name] = value
        at.run()
        if page:
            at.switch_page(f"pages/{page}.py")
            for name, value in query.items():
                at.query_params[name] = value
            at.run()
        assert not at.exception, [e.value for e in at.exception]
        return at

    return open_page
