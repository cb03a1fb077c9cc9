"""Objects: the connected components of a class, from the runs that segments imply, row by row.

Truth and prediction share one numbering here. A run gets the number of the runs it touches in the row before, or a
new one; where it joins several, the higher numbers point to the lowest. Numbers rise in row-major order, so the
lowest of a component is that of its first pixel, however the tile was cut into strips.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.kernels.machine import kernel

START, END, CLASS, OBJECT = 0, 1, 2, 3
"""Positions on the last axis of ``Block.runs``: columns in px, class index, number."""

SIDE, KIND, AREA, TOP, LEFT, BOTTOM, RIGHT, PLACE = range(8)
"""Positions on the last axis of ``Objects.record``: 0 truth or 1 prediction, class index, px, half-open box in px,
and, once all rows are in, the place among the tile's objects."""

ROW_SUM, COLUMN_SUM = 0, 1
"""Positions on the last axis of ``Objects.sums``."""


class Objects(NamedTuple):
    """What is known of the parts of objects, by number.

    Parameters
    ----------
    parent : ndarray of int32, shape (capacity,)
        A lower number of the same object, or the number itself.
    record : ndarray of int32, shape (capacity, 8)
    sums : ndarray of int64, shape (capacity, 2)
        Sum of the row numbers and of the column numbers of the px.
    """

    parent: NDArray[np.int32]
    record: NDArray[np.int32]
    sums: NDArray[np.int64]


class Block(NamedTuple):
    """Runs of a few rows, truth and prediction.

    Parameters
    ----------
    runs : ndarray of int32, shape (2, capacity, 4)
        By side: one that means none, those of the row before, those of the rows.
    run_of : ndarray of int32, shape (2, capacity)
        Run of each segment, 0 where its class forms no objects.
    bounds : ndarray of int64, shape (2, rows + 2 or more)
        The runs of row ``i``, -1 being the row before, are ``bounds[side, i + 1]`` up to ``bounds[side, i + 2]``.
    """

    runs: NDArray[np.int32]
    run_of: NDArray[np.int32]
    bounds: NDArray[np.int64]


def empty_block(segments: int, width: int) -> Block:
    """Return room for so many segments in as many rows of that width, not filled in."""
    capacity = 1 + width + max(segments, width)
    return Block(
        np.empty((2, capacity, 4), np.int32), np.empty((2, capacity), np.int32), np.empty((2, segments + 2), np.int64)
    )


def empty_objects(capacity: int) -> Objects:
    """Return room for ``capacity`` parts, not filled in."""
    return Objects(np.empty(capacity, np.int32), np.empty((capacity, 8), np.int32), np.empty((capacity, 2), np.int64))


@kernel
def root(parent, i):  # type: ignore[no-untyped-def]
    """Return the lowest number of an object, and shorten the way there."""
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = np.int64(parent[i])
    return i


@kernel
def collect_runs(segments, first, last, object_class, block, n_before):  # type: ignore[no-untyped-def]
    """Find the runs of both sides in the rows [first, last) of a strip.

    Parameters
    ----------
    segments : Segments
    first, last : int
    object_class : ndarray of int16, shape (2, K * (K + 1))
        Class index by side and cell; -1 where the class forms no objects.
    block : Block
        Filled in, all but the numbers.
    n_before : ndarray of int64, shape (2,)
        Runs by side of the row before, which the block begins with.
    """
    start, end, cell, row = segments
    runs, run_of, bounds = block
    n_truth, n_predicted = n_before[0], n_before[1]
    begin = row[first]
    bounds[:, 0] = 1
    bounds[0, 1] = n_truth + 1
    bounds[1, 1] = n_predicted + 1
    for line in range(first, last):
        truth, predicted = np.int64(-1), np.int64(-1)
        reached = np.int64(-1)
        for i in range(row[line], row[line + 1]):
            x, stop = np.int64(start[i]), np.int64(end[i])
            # Ignored px leave a gap between segments, and a gap ends a run.
            gap = x != reached
            reached = stop
            # Choices of where to write, not branches: what the next segment is cannot be guessed.
            kind = np.int64(object_class[0, cell[i]])
            new = (kind >= 0) & (gap | (kind != truth))
            truth = kind
            n_truth += new
            at = n_truth if kind >= 0 else 0
            runs[0, at if new else 0, START] = x
            runs[0, at, END] = stop
            runs[0, at, CLASS] = kind
            run_of[0, i - begin] = at
            kind = np.int64(object_class[1, cell[i]])
            new = (kind >= 0) & (gap | (kind != predicted))
            predicted = kind
            n_predicted += new
            at = n_predicted if kind >= 0 else 0
            runs[1, at if new else 0, START] = x
            runs[1, at, END] = stop
            runs[1, at, CLASS] = kind
            run_of[1, i - begin] = at
        bounds[0, line - first + 2] = n_truth + 1
        bounds[1, line - first + 2] = n_predicted + 1


@kernel
def join_runs(block, rows, side, y, reach, objects, used):  # type: ignore[no-untyped-def]
    """Give each run of one side its number, add it to its object, and return how many numbers are in use.

    Parameters
    ----------
    block : Block
        Of ``rows`` rows; the numbers are filled in.
    rows, side : int
    y : int
        Row of the tile that the first is.
    reach : int
        0 for 4 neighbours, 1 for 8: columns by which runs may miss each other and still touch.
    objects : Objects
        Added to; has room for as many as there are runs.
    used : int
        Numbers in use.
    """
    runs, _, bounds = block
    parent, record, sums = objects
    for line in range(rows):
        j, n_before = bounds[side, line], bounds[side, line + 1]
        for i in range(n_before, bounds[side, line + 2]):
            x, stop, kind = np.int64(runs[side, i, START]), np.int64(runs[side, i, END]), runs[side, i, CLASS]
            while j < n_before and runs[side, j, END] + reach <= x:
                j += 1
            own = np.int64(-1)
            k = j
            while k < n_before and runs[side, k, START] < stop + reach:
                if runs[side, k, CLASS] == kind:
                    other = root(parent, np.int64(runs[side, k, OBJECT]))
                    if own < 0:
                        own = other
                    elif own != other:
                        parent[max(own, other)] = min(own, other)
                        own = min(own, other)
                k += 1
            if own < 0:
                own = used
                used += 1
                parent[own] = own
                record[own, SIDE] = side
                record[own, KIND] = kind
                record[own, AREA] = 0
                record[own, TOP] = y + line
                record[own, LEFT] = x
                record[own, RIGHT] = stop
                sums[own, ROW_SUM] = 0
                sums[own, COLUMN_SUM] = 0
            runs[side, i, OBJECT] = own
            length = stop - x
            record[own, AREA] += length
            record[own, LEFT] = min(np.int64(record[own, LEFT]), x)
            record[own, BOTTOM] = y + line + 1
            record[own, RIGHT] = max(np.int64(record[own, RIGHT]), stop)
            sums[own, ROW_SUM] += (y + line) * length
            sums[own, COLUMN_SUM] += (x + stop - 1) * length // 2
    return used


@kernel
def keep_last_row(block, rows, n_before):  # type: ignore[no-untyped-def]
    """Move the runs of the last of ``rows`` rows to where the next block expects those of the row before."""
    runs, _, bounds = block
    for side in range(2):
        first = bounds[side, rows]
        n_before[side] = bounds[side, rows + 1] - first
        for i in range(n_before[side]):
            runs[side, 1 + i] = runs[side, first + i]


@kernel
def place_objects(objects, used):  # type: ignore[no-untyped-def]
    """Put the parts of each object together and give it its place: truth first, each side by first pixel.

    Parameters
    ----------
    objects : Objects
        ``parent`` becomes the object's lowest number everywhere; the records and sums there are those of the whole
        object; PLACE is set everywhere.
    used : int
        Numbers in use.

    Returns
    -------
    tuple of int
        Truth objects, and objects of both sides.
    """
    parent, record, sums = objects
    n_truth = 0
    n = 0
    for i in range(used):
        if parent[i] == i:
            n += 1
            n_truth += record[i, SIDE] == 0
        else:
            # A lower number has found its root by now.
            own = np.int64(parent[parent[i]])
            parent[i] = own
            record[own, AREA] += record[i, AREA]
            record[own, TOP] = min(record[own, TOP], record[i, TOP])
            record[own, LEFT] = min(record[own, LEFT], record[i, LEFT])
            record[own, BOTTOM] = max(record[own, BOTTOM], record[i, BOTTOM])
            record[own, RIGHT] = max(record[own, RIGHT], record[i, RIGHT])
            sums[own, ROW_SUM] += sums[i, ROW_SUM]
            sums[own, COLUMN_SUM] += sums[i, COLUMN_SUM]
    next_truth = 0
    next_prediction = n_truth
    for i in range(used):
        if parent[i] != i:
            record[i, PLACE] = record[parent[i], PLACE]
        elif record[i, SIDE] == 0:
            record[i, PLACE] = next_truth
            next_truth += 1
        else:
            record[i, PLACE] = next_prediction
            next_prediction += 1
    return n_truth, n
