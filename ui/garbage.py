"""What is imported stays, so the search for garbage need not look at it."""

from __future__ import annotations

import gc
import sys

_MANY = 20  # modules
_seen = 0


def spare_modules() -> None:
    """Take all that is alive out of the search for garbage, when many modules were imported since the last time.

    Streamlit searches after every run of a script, and with half a million objects of pandas, numba and plotly about
    that takes 0.1 s: most of what an interaction costs, here and in an empty app with the same imports. Objects that
    are taken out are still freed as ever when nothing refers to them; only cycles among them stay.
    """
    global _seen
    if len(sys.modules) < _seen + _MANY:
        return
    _seen = len(sys.modules)
    gc.collect()
    gc.freeze()
