"""Work that the app starts and never does itself: the command line as a child process, followed from outside.

A child leads a session of its own, so neither a rerun nor a closed browser ends it. What it prints goes to a log file.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import streamlit as st

from analysis.store.folder import make_folder, writing

PROJECT = Path(__file__).resolve().parents[1]
_TAIL = 4000


@dataclass
class Child:
    """A process that was started here.

    Parameters
    ----------
    runs : tuple of str
        Keys of the runs that it scores, in order.
    log : Path
    """

    process: subprocess.Popen[bytes]
    runs: tuple[str, ...]
    log: Path

    @property
    def alive(self) -> bool:
        """Whether it has not ended yet."""
        return self.process.poll() is None


@dataclass
class Children:
    """All children of this server, for every session."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    started: list[Child] = field(default_factory=list)

    def start(self, arguments: Sequence[str], log: Path, runs: Sequence[str] = ()) -> Child:
        """Start ``python -m ...``.

        Raises
        ------
        StoreError
            The log cannot be written.
        """
        make_folder(log.parent)
        with writing(log), log.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", *arguments],
                cwd=PROJECT,
                env=dict(os.environ, PYTHONUTF8="1"),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        child = Child(process, tuple(runs), log)
        self.started = [c for c in self.started if c.alive or c.runs][-50:]
        self.started.append(child)
        return child

    def newest(self, run: str) -> Child | None:
        """The last child that was started for a run."""
        return next((c for c in reversed(self.started) if run in c.runs), None)


@st.cache_resource(show_spinner=False)
def children() -> Children:
    """The one list of this server."""
    return Children()


def tail(log: Path) -> str:
    """The end of a log file; empty where there is none."""
    try:
        with log.open("rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - _TAIL))
            return file.read().decode(errors="replace").strip()
    except OSError:
        return ""


def last_word(log: Path) -> str:
    """The line in which the command line said why it ended; empty where it said nothing."""
    lines = [line for line in tail(log).splitlines() if line.startswith("orthoscope: ")]
    return lines[-1].removeprefix("orthoscope: ") if lines else ""
