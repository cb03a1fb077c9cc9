"""One pass over the segments of a strip: objects of both sides, what they share, and where narrow ones lie."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.kernels.components import CLASS, END, OBJECT, START, collect_runs, join_runs, keep_last_row
from analysis.kernels.machine import kernel
from analysis.kernels.overlaps import add_overlap, spread

OBJECTS, ENTRIES, SLOTS, MARKS, NEEDED = range(5)
"""Positions in ``used``: objects, entries, slots and marks in use, and how many more may be needed to go on."""

FIRST_SLOTS = 1 << 10
BLOCK = 1 << 11
"""Segments that are worked on at once, if no single row has more: few enough to stay in the processor's cache."""


class Lookup(NamedTuple):
    """Class index by side and cell, int16 (2, K * (K + 1)).

    Parameters
    ----------
    object_class : ndarray
        -1 where the class forms no objects.
    other_class : ndarray
        That of the other side, whatever it is; K: outside the class list.
    narrow : ndarray of bool, shape (K,)
        Whose places are kept.
    """

    object_class: NDArray[np.int16]
    other_class: NDArray[np.int16]
    narrow: NDArray[np.bool_]


class Marks(NamedTuple):
    """Runs of narrow classes, to find the object of a pixel.

    Parameters
    ----------
    run : ndarray of int32, shape (capacity, 3)
        First column, column after the last, number of the object.
    row : ndarray of int64, shape (2 * height + 1 or more,)
        The runs of row ``y`` and side ``s`` are ``row[2 * y + s]`` up to ``row[2 * y + s + 1]``.
    """

    run: NDArray[np.int32]
    row: NDArray[np.int64]


def make_lookup(n_classes: int, background: int | None, narrow: tuple[int, ...]) -> Lookup:
    """Return the look-up tables of a class list; ``background`` forms no objects."""
    both = np.divmod(np.arange(n_classes * (n_classes + 1)), n_classes + 1)
    classes = np.stack(both).astype(np.int16)
    objects = classes.copy()
    objects[objects == n_classes] = -1
    if background is not None:
        objects[objects == background] = -1
    return Lookup(objects, classes[::-1].copy(), np.isin(np.arange(n_classes), narrow))


@kernel
def share_segments(segments, begin, stop, other_class, block, overlaps, used):  # type: ignore[no-untyped-def]
    """Add the px of the segments [begin, stop) to the entries of the objects that hold them.

    Parameters
    ----------
    segments : Segments
    begin, stop : int
    other_class : ndarray of int16, shape (2, K * (K + 1))
        Class index on the other side, by side and cell.
    block : Block
        Of these segments.
    overlaps : Overlaps
        Has room for two more a segment.
    used : ndarray of int64
        Entries and slots are kept up to date.
    """
    start, end, cell, _ = segments
    runs, run_of, _ = block
    entry, slot = overlaps
    n, slots = used[ENTRIES], used[SLOTS]
    for i in range(begin, stop):
        if 2 * (n + 2) > slots:
            slots *= 2
            spread(entry, slot, slots, n)
        t, p = np.int64(run_of[0, i - begin]), np.int64(run_of[1, i - begin])
        pixels = np.int64(end[i]) - start[i]
        if t > 0 and p > 0 and runs[0, t, CLASS] == runs[1, p, CLASS]:
            partner = np.int64(runs[1, p, OBJECT])
            n = add_overlap(entry, slot, slots, n, np.int64(runs[0, t, OBJECT]), partner, pixels)
            continue
        if t > 0:
            partner = np.int64(-1) - other_class[0, cell[i]]
            n = add_overlap(entry, slot, slots, n, np.int64(runs[0, t, OBJECT]), partner, pixels)
        if p > 0:
            partner = np.int64(-1) - other_class[1, cell[i]]
            n = add_overlap(entry, slot, slots, n, np.int64(runs[1, p, OBJECT]), partner, pixels)
    used[ENTRIES], used[SLOTS] = n, slots


@kernel
def mark_runs(block, rows, y, narrow, marks, used):  # type: ignore[no-untyped-def]
    """Append the runs of a block that are of a narrow class, and return how many marks are in use.

    Parameters
    ----------
    block : Block
        Of ``rows`` rows.
    rows, y : int
        ``y`` is the row of the tile that the first is.
    narrow : ndarray of bool, shape (K,)
    marks : Marks
        Has room for one more than there are runs.
    used : int
        Marks in use.
    """
    runs, _, bounds = block
    run, row = marks
    for line in range(rows):
        for side in range(2):
            for i in range(bounds[side, line + 1], bounds[side, line + 2]):
                # Written in any case and kept if narrow.
                run[used, 0] = runs[side, i, START]
                run[used, 1] = runs[side, i, END]
                run[used, 2] = runs[side, i, OBJECT]
                used += narrow[runs[side, i, CLASS]]
            row[2 * (y + line) + side + 1] = used
    return used


@kernel
def end_of_block(row, first, counted):  # type: ignore[no-untyped-def]
    """Return the row up to which, from ``first`` on, there are not too many segments; at least one row further."""
    last = first + 1
    while last < counted and last - first < BLOCK and row[last + 1] - row[first] <= BLOCK:
        last += 1
    return last


@kernel
def add_rows(segments, first, counted, y, lookup, reach, block, n_before, objects, overlaps, marks, used):  # type: ignore[no-untyped-def]
    """Add the rows of a strip from ``first`` on, as long as they surely fit.

    Parameters
    ----------
    segments : Segments
        Of ``counted`` rows.
    first, counted : int
        The rows of the strip to add are [first, counted).
    y : int
        Row of the tile that the strip's first row is.
    lookup : Lookup
    reach : int
        0 for 4 neighbours, 1 for 8.
    block : Block
        Room; begins with the runs of the row before.
    n_before : ndarray of int64, shape (2,)
        How many these are, by side.
    objects, overlaps, marks : Objects, Overlaps, Marks
        Added to.
    used : ndarray of int64, shape (5,)
        How much of all that is in use; kept up to date.

    Returns
    -------
    int
        Row of the strip to go on from; ``counted`` when done.
    """
    row = segments.row
    object_class, other_class, narrow = lookup
    some_narrow = narrow.any()
    while first < counted:
        last = end_of_block(row, first, counted)
        begin, stop = row[first], row[last]
        # A segment makes at most an object, an entry and a mark of each side; a mark more is written and not kept.
        needed = 2 * (stop - begin) + 2
        used[NEEDED] = needed
        if (
            used[OBJECTS] + needed > objects.parent.size
            or used[ENTRIES] + needed > overlaps.entry.shape[0]
            or used[MARKS] + needed > marks.run.shape[0]
        ):
            break
        rows = last - first
        collect_runs(segments, first, last, object_class, block, n_before)
        for side in range(2):
            used[OBJECTS] = join_runs(block, rows, side, y + first, reach, objects, used[OBJECTS])
        share_segments(segments, begin, stop, other_class, block, overlaps, used)
        if some_narrow:
            used[MARKS] = mark_runs(block, rows, y + first, narrow, marks, used[MARKS])
        keep_last_row(block, rows, n_before)
        first = last
    return first
