"""Which errors of a tile are looked at."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Focus:
    """Which errors a picture shows.

    Parameters
    ----------
    truth, predicted : int or None
        Class indices. Neither: every wrong pixel. The same in both: that class's hits, false alarms and misses. Two
        different ones: the pixels of one class that are predicted as the other, K being outside the class list.
    """

    truth: int | None = None
    predicted: int | None = None


def focus_on(index: int) -> Focus:
    """One class's hits, false alarms and misses."""
    return Focus(index, index)
