"""Progress of a score: a small file beside the counts, replaced whole, that anyone may read."""

from __future__ import annotations

import os
import time
from collections import deque
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from analysis.store.folder import read_json, write_json

PREPARING, COMPILING, SCORING, DONE, STOPPED, FAILED = (
    "preparing",
    "compiling",
    "scoring",
    "done",
    "stopped",
    "failed",
)
_FILE, _STOP = "progress.json", "stop"
_EVERY = 0.5
_RECENT = 20.0


@dataclass(frozen=True)
class Progress:
    """How far a score is.

    Parameters
    ----------
    state : str
    done, total : int
        Tiles scored or refused since it was started, of those that were to do.
    refused : int
        Refused ones among them.
    rate : float
        Tiles a second over the last seconds.
    seconds_left : float or None
    updated : float
        Seconds since the epoch.
    message : str
        Why it failed, or what it waits for.
    """

    state: str
    done: int = 0
    total: int = 0
    refused: int = 0
    rate: float = 0.0
    seconds_left: float | None = None
    updated: float = 0.0
    pid: int = 0
    message: str = ""

    @property
    def running(self) -> bool:
        """Whether the last word was not the end; its process may be dead all the same (see the lock)."""
        return self.state in (PREPARING, COMPILING, SCORING)

    @property
    def share(self) -> float:
        """Share done, 0 to 1."""
        return self.done / self.total if self.total else float(self.state == DONE)


def read_progress(folder: Path) -> Progress | None:
    """Progress of the last score of a run; None where there was none."""
    content = read_json(folder / _FILE)
    if content is None or not isinstance(content.get("state"), str):
        return None
    known = {f.name for f in fields(Progress)}
    return Progress(**{k: v for k, v in content.items() if k in known})


def ask_to_stop(folder: Path) -> None:
    """Ask whoever scores this run to stop after the tiles at hand."""
    write_json(folder / _STOP, {"asked": time.time()})


class ProgressWriter:
    """Writes the progress file twice a second, and looks for the wish to stop.

    Parameters
    ----------
    since : float
        When this score was asked for, in seconds since the epoch: an older wish to stop was meant for another one.
    """

    def __init__(self, folder: Path, since: float) -> None:
        self._folder = folder
        wish = read_json(folder / _STOP)
        if wish is None or not isinstance(asked := wish.get("asked"), int | float) or asked < since:
            (folder / _STOP).unlink(missing_ok=True)
        self._state, self._message = PREPARING, ""
        self._done = self._refused = self._total = 0
        self._recent: deque[tuple[float, int]] = deque()
        self._written = 0.0
        self.write()

    def enter(self, state: str, message: str = "", total: int | None = None) -> None:
        """Go on to another state."""
        self._state, self._message = state, message
        self._total = self._total if total is None else total
        self.write()

    def advance(self, done: int, refused: int) -> None:
        """So many more tiles were done, and so many of them refused."""
        now = time.monotonic()
        self._done += done
        self._refused += refused
        self._recent.append((now, self._done))
        while now - self._recent[0][0] > _RECENT:
            self._recent.popleft()
        if now - self._written > _EVERY:
            self.write()

    @property
    def current(self) -> Progress:
        """The progress as it stands."""
        rate, left = 0.0, None
        if len(self._recent) > 1:
            (t0, n0), (t1, n1) = self._recent[0], self._recent[-1]
            rate = (n1 - n0) / max(t1 - t0, 1e-6)
            left = (self._total - self._done) / rate if rate else None
        return Progress(
            self._state,
            self._done,
            self._total,
            self._refused,
            round(rate, 1),
            None if left is None else round(left, 1),
            time.time(),
            os.getpid(),
            self._message,
        )

    @property
    def stop_wanted(self) -> bool:
        """Whether someone asked to stop."""
        return (self._folder / _STOP).exists()

    def write(self) -> None:
        """Write the file now."""
        self._written = time.monotonic()
        write_json(self._folder / _FILE, asdict(self.current))
