"""The demo: made by a child process when the app is started without a workspace, and followed until it is there."""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from analysis import open_workspace
from analysis.scoring.progress import COMPILING, SCORING
from analysis.store.folder import RunLock, cache_folder
from ui.children import children, last_word, tail
from ui.demo_child import WORKSPACE, lock_folder
from ui.text import escape

_STAGE = re.compile(r"^\s*([0-9]+)%\s+(.+)$", re.MULTILINE)
_DRAWING = 0.7  # share of the bar that making the files takes; scoring has the rest
_probing = threading.Lock()


@dataclass(frozen=True)
class Making:
    """How far the demo is.

    Parameters
    ----------
    ready : bool
    share : float
        0 to 1.
    stage : str
    fault : str
        Why it could not be made.
    """

    ready: bool
    share: float = 0.0
    stage: str = "Starting"
    fault: str = ""


def demo_folder() -> Path:
    """Where the demo lies; deleting it makes it anew."""
    return cache_folder() / "demo"


def demo_workspace() -> Path:
    """The demo's workspace file, once it is there; until then its progress is shown and the script stops here.

    Raises
    ------
    StoreError
        The folder of the counts cannot be written.
    """
    if not _look().ready:
        st.title("Welcome to Orthoscope")
        st.markdown(
            "No workspace was named, so a demo is being made: land cover drawn by a program, with three models that "
            "were really fitted on it. It takes about half a minute, once. To open your own data, start the app with "
            "`-- --workspace FILE`."
        )
        _follow()
        st.stop()
    return demo_folder() / WORKSPACE


@st.fragment(run_every=0.5)
def _follow() -> None:
    making = _look()
    if making.ready:
        st.rerun()
    if making.fault:
        st.error(escape(making.fault), title="The demo could not be made", icon=":material/error:")
        st.button("Try again", on_click=_start, type="primary", icon=":material/refresh:")
        with st.expander("What the process said"):
            st.code(tail(_log()) or "nothing", language=None, wrap_lines=True)
        return
    st.progress(making.share, text=making.stage)


def _look() -> Making:
    """How far the demo is; starts it where no one has."""
    folder = demo_folder()
    with _probing:
        busy = RunLock(lock_folder(folder)).taken
        child = children().newest(str(folder))
        starting = child is not None and child.alive
        if not busy and not starting:
            if (folder / WORKSPACE).is_file():
                return Making(True)
            if child is not None:
                why = last_word(_log()) or "The process that makes it ended without a word."
                return Making(False, fault=why)
            _start()
    return _progress(folder)


def _start() -> None:
    children().start(["ui.demo_child", str(demo_folder())], _log(), [str(demo_folder())])


def _log() -> Path:
    return lock_folder(demo_folder()) / "demo.log"


def _progress(folder: Path) -> Making:
    if not (folder / WORKSPACE).is_file():
        found = _STAGE.findall(tail(_log()))
        share, stage = (int(found[-1][0]) / 100, found[-1][1]) if found else (0.0, "Starting")
        return Making(False, _DRAWING * min(1.0, share), stage)
    runs = open_workspace(folder / WORKSPACE).runs
    done = [p for run in runs if (p := run.progress()) is not None]
    share = sum(p.share for p in done) / max(1, len(runs))
    state = done[-1].state if done else ""
    stage = {COMPILING: "Compiling the counting code, once on this machine", SCORING: "Scoring"}.get(state, "Scoring")
    return Making(False, _DRAWING + (1 - _DRAWING) * share, stage)
