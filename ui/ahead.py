"""Work that is likely to be wanted next, done in a thread while the user looks at the page."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from analysis.errors import OrthoscopeError

Job = Callable[[], object]

_lock = threading.Lock()
_waiting: list[Job] = []
_working = False


def do(jobs: Sequence[Job]) -> None:
    """Do these jobs, one after the other, in place of any that have not begun yet.

    They fill caches: what one gives back is dropped, and one that fails is passed over, for it will fail again, and be
    seen, when its result is wanted.
    """
    global _working
    with _lock:
        _waiting[:] = jobs
        if _working or not _waiting:
            return
        _working = True
    threading.Thread(target=_work, name="ahead", daemon=True).start()


def _work() -> None:
    global _working
    while True:
        with _lock:
            if not _waiting:
                _working = False
                return
            job = _waiting.pop(0)
        try:
            job()
        except (OrthoscopeError, OSError, ValueError):
            continue
