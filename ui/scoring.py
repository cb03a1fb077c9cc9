"""Scoring from the app: start and stop the command line, and follow it through the files it writes."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis import OpenRun
from analysis.scoring.progress import COMPILING, DONE, FAILED, SCORING, STOPPED, Progress, ask_to_stop
from analysis.store.folder import RunLock
from ui import text
from ui.children import children, last_word

IDLE, WAITING, RUNNING = "idle", "waiting", "running"
_LOG = "score.log"
_probing = threading.Lock()


@dataclass(frozen=True)
class State:
    """How it stands with the scoring of a run.

    Parameters
    ----------
    kind : {"idle", "waiting", "running"}
        ``waiting``: started, and another run or process is before it.
    progress : Progress or None
        The last that was written.
    fault : str
        Why the last score ended before its end; empty where it did not.
    stopped : bool
        Whether it was stopped by someone.
    """

    kind: str
    progress: Progress | None = None
    fault: str = ""
    stopped: bool = False

    @property
    def busy(self) -> bool:
        """Whether something is going on."""
        return self.kind != IDLE

    @property
    def sentence(self) -> str:
        """How far it is, in a sentence."""
        p = self.progress
        if self.kind == WAITING or p is None:
            return "Waits for its turn"
        if p.state == COMPILING:
            return "Compiling the counting code, once on this machine (about half a minute)"
        if p.state != SCORING:
            return p.message or "Looking at the folders"
        if not p.total:
            return "No file has changed; putting the counts in order"
        left = "" if p.seconds_left is None else f" · {text.duration(p.seconds_left)} left"
        refused = f" · {p.refused:,} refused" if p.refused else ""
        rate = f" · {p.rate:,.0f} a second" if p.rate else ""
        return f"{p.done:,} of {p.total:,} tiles{refused}{rate}{left}"


def state_of(run: OpenRun) -> State:
    """Look at the files and at the processes that were started here."""
    progress = run.progress()
    child = children().newest(run.key)
    alive = child is not None and child.alive
    if progress is not None and progress.running and _locked(run):
        return State(RUNNING, progress)
    if alive and child is not None and not _reached(child.log, run):
        return State(WAITING, progress)
    if progress is None:
        return State(IDLE, None, "" if alive or child is None else last_word(child.log))
    if progress.state == FAILED:
        return State(IDLE, progress, progress.message or "It failed and gave no reason.")
    if progress.running:
        return State(IDLE, progress, "The last score ended without a word; its process was probably killed.")
    fault = last_word(child.log) if child is not None and not alive and progress.state != DONE else ""
    return State(IDLE, progress, fault, stopped=progress.state == STOPPED)


def start(runs: Sequence[OpenRun]) -> None:
    """Score some runs, one after the other, in one child; runs that are being scored already are left alone."""
    with children().lock:
        waiting = [run for run in runs if not state_of(run).busy]
        if not waiting:
            return
        keys = [run.key for run in waiting]
        arguments = ["analysis", "score", str(waiting[0].workspace.path)]
        for key in keys:
            arguments += ["--run", key]
        children().start(arguments, log_of(waiting[0]), keys)


def stop(run: OpenRun) -> None:
    """Ask whoever scores the run, in this app or in a terminal, to stop; what was scored is kept."""
    ask_to_stop(run.store.folder)


def log_of(run: OpenRun) -> Path:
    """What the child that was started for this run printed."""
    return run.store.folder / _LOG


def _locked(run: OpenRun) -> bool:
    """Whether a process holds the run's lock; one look at a time, for looking takes the lock for a moment."""
    with _probing:
        return RunLock(run.store.folder).taken


def _reached(log: Path, run: OpenRun) -> bool:
    """Whether the child has said a word about this run."""
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    return any(line.startswith(f"{run.key}: ") for line in lines)
