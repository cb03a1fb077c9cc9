"""Distinct values and how many px hold each, for notices."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt

MOST_VALUES = 1000


def tally(values: npt.NDArray[Any]) -> list[tuple[Any, int]]:
    """Distinct values and how often each occurs, most frequent first."""
    if not values.size:
        return []
    distinct, counts = np.unique(values, return_counts=True)
    order = np.argsort(-counts, kind="stable")[:MOST_VALUES]
    return [(distinct[i].item(), int(counts[i])) for i in order]


def values_with_pixels(unknown: Counter[str]) -> str:
    """Raw values with their px, for a message: the five most frequent."""
    listed = [f"{value} ({n:,} px)" for value, n in unknown.most_common(5)]
    more = len(unknown) - 5
    return ", ".join(listed) + (f" and {more} more" if more > 0 else "")
