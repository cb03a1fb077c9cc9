"""Pixels that objects of both sides share: a table with an entry a pair, as large as there are pairs.

A matrix of truth by predicted objects would be simpler, and ask for gigabytes where noise makes thousands of both.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.kernels.machine import kernel

WHO, PARTNER, PIXELS = 0, 1, 2
"""Positions on the last axis of ``Overlaps.entry``."""

# Odd numbers without a pattern in their bits: the high bits of a product with them depend on all bits of a number.
FIRST_FACTOR = np.uint64(0x9E3779B97F4A7C15)
SECOND_FACTOR = np.uint64(0xC2B2AE3D27D4EB4F)


class Overlaps(NamedTuple):
    """Entries, and where they are found.

    Parameters
    ----------
    entry : ndarray of int32, shape (capacity, 3)
        Number of an object, its partner, px. The partner of a truth object is the number of a predicted object of its
        class, or ``-1 - class`` for px that are predicted as another class; of a predicted object always the latter.
    slot : ndarray of int32, shape (2 * capacity,)
        The first so many are in use, a power of two: an entry each, -1 none.
    """

    entry: NDArray[np.int32]
    slot: NDArray[np.int32]


def empty_overlaps(capacity: int) -> Overlaps:
    """Return room for ``capacity`` entries, a power of two, not filled in."""
    return Overlaps(np.empty((capacity, 3), np.int32), np.empty(2 * capacity, np.int32))


@kernel
def slot_of(who, partner, slots):  # type: ignore[no-untyped-def]
    """Return where to look first, in [0, slots); ``slots`` is a power of two."""
    mixed = np.uint64(who) * FIRST_FACTOR ^ np.uint64(np.uint32(partner)) * SECOND_FACTOR
    return np.int64(mixed >> np.uint64(32)) & (slots - 1)


@kernel
def add_overlap(entry, slot, slots, used, who, partner, pixels):  # type: ignore[no-untyped-def]
    """Add px to the entry of a pair, which is made if there is none, and return the number of entries in use.

    Parameters
    ----------
    entry, slot : ndarray
        Of `Overlaps`; at most half of the ``slots`` in use are taken.
    slots, used : int
        Slots and entries in use.
    who, partner, pixels : int
        What the entry holds.
    """
    at = slot_of(who, partner, slots)
    while slot[at] >= 0:
        i = slot[at]
        if entry[i, WHO] == who and entry[i, PARTNER] == partner:
            entry[i, PIXELS] += pixels
            return used
        at = (at + 1) & (slots - 1)
    slot[at] = used
    entry[used, WHO] = who
    entry[used, PARTNER] = partner
    entry[used, PIXELS] = pixels
    return used + 1


@kernel
def spread(entry, slot, slots, used):  # type: ignore[no-untyped-def]
    """Put the entries in use into the first ``slots`` slots."""
    slot[:slots] = -1
    for i in range(used):
        at = slot_of(np.int64(entry[i, WHO]), np.int64(entry[i, PARTNER]), slots)
        while slot[at] >= 0:
            at = (at + 1) & (slots - 1)
        slot[at] = i
