"""Progress on standard error: one line that is written over, or a line now and then where that is no terminal."""

from __future__ import annotations

import sys
import time

from analysis.scoring.progress import PREPARING, SCORING, Progress

_EVERY = 0.2
_EVERY_LINE = 5.0


class ProgressLine:
    """Shows the progress of one run."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._live = sys.stderr.isatty()
        self._shown, self._last = 0.0, ""

    def __call__(self, progress: Progress) -> None:
        """Show it, unless the last time was a moment ago; getting ready is a moment, too."""
        if progress.state == PREPARING and not progress.message:
            return
        now = time.monotonic()
        changed = progress.state != self._last
        if not changed and now - self._shown < (_EVERY if self._live else _EVERY_LINE):
            return
        self._shown, self._last = now, progress.state
        text = f"{self._name}: {progress_text(progress)}"
        if self._live:
            print(f"\r\x1b[2K{text}", end="" if progress.running else "\n", file=sys.stderr, flush=True)
        elif progress.state != SCORING or not changed:
            print(text, file=sys.stderr, flush=True)


def progress_text(progress: Progress) -> str:
    """How far a score is, in a sentence."""
    if progress.state != SCORING:
        return progress.message or progress.state
    left = "" if progress.seconds_left is None else f", {_duration(progress.seconds_left)} left"
    refused = f", {progress.refused} refused" if progress.refused else ""
    return f"{progress.done} of {progress.total} tiles{refused}, {progress.rate:g} a second{left}"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
