"""Scoring from the app: a child process does it, every session sees it, its errors are shown."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from streamlit.testing.v1 import AppTest

from analysis import open_workspace
from tests.pages.tiny import DATASET, RUN
from ui import scoring
from ui.children import children


def wait(run_key: str) -> None:
    child = children().newest(run_key)
    assert child is not None
    child.process.wait(timeout=120)


def test_the_button_scores_in_a_child(app: Callable[..., AppTest], tiny: Path) -> None:
    at = app("data")
    next(b for b in at.button if b.key == f"score {RUN}").click()
    at.run()
    run = open_workspace(tiny).run(RUN)
    assert scoring.state_of(run).busy
    other = app("data")
    assert any(b.label == "Stop" for b in other.button)
    wait(RUN)
    assert not scoring.state_of(run).busy
    at.run()
    assert not at.exception
    assert any("Mean IoU" in m.value for m in at.markdown)
    assert len(run.counts().scored) == 4


def test_a_second_start_does_nothing(app: Callable[..., AppTest], tiny: Path) -> None:
    runs = open_workspace(tiny).runs
    scoring.start(runs)
    before = len(children().started)
    scoring.start(runs)
    assert len(children().started) == before
    wait(RUN)
    wait(f"second@{DATASET}")
    assert all(run.scored for run in runs)


def test_why_it_failed_is_shown(app: Callable[..., AppTest], tiny: Path) -> None:
    text = tiny.read_text(encoding="utf-8").replace('predictions = "bad"', 'predictions = "bad"\nsplit = "nosuch"')
    tiny.write_text(text, encoding="utf-8")
    key = f"second@{DATASET}"
    run = open_workspace(tiny).run(key)
    scoring.start([run])
    wait(key)
    state = scoring.state_of(run)
    assert "nosuch" in state.fault
    at = app("overview", run=key)
    assert any("nosuch" in e.value for e in at.error)


def test_a_killed_score_is_told_from_a_running_one(tiny: Path) -> None:
    run = open_workspace(tiny).run(RUN)
    scoring.start([run])
    child = children().newest(RUN)
    assert child is not None
    deadline = time.monotonic() + 60
    while run.progress() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    child.process.kill()
    child.process.wait()
    state = scoring.state_of(run)
    assert not state.busy
    assert state.fault or run.scored
