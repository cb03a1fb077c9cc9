"""The objects of a tile as rows, and the places of centre lines among them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.kernels.components import BOTTOM, COLUMN_SUM, LEFT, PLACE, RIGHT, ROW_SUM, TOP
from analysis.kernels.layout import LEAST_AREA, MOST_ROWS
from analysis.kernels.machine import kernel
from analysis.kernels.object_outcomes import BEST, BEST_PX, CLASS, HIT, NUMBER, OUTCOME, SIZE, TAKEN, TAKEN_PX

WIDE_FIELDS = ("row_sum", "column_sum", "width_sum")
PLAIN_FIELDS = ("area", "top", "left", "bottom", "right", "hit", "best", "best_px", "best_area", "taken_px") + (
    "line_px",
    "straight",
    "diagonal",
)
SHORT_FIELDS = ("cls", "taken")
TINY_FIELDS = ("side", "outcome", "edge")
FIELDS = (
    *("side", "cls", "area", "top", "left", "bottom", "right", "row_sum", "column_sum", "edge", "hit"),
    *("best", "best_px", "best_area", "outcome", "taken", "taken_px", "line_px", "straight", "diagonal", "width_sum"),
)
"""Names of the arrays of the rows, in the order in which they are handed out."""


class LineSums(NamedTuple):
    """Centre lines by object: int64 (n,) each, n being `ObjectTally.n_objects`; empty arrays where none were sought.

    Parameters
    ----------
    line_px : ndarray
        Px of the object's centre line.
    straight, diagonal : ndarray
        Links between them.
    width_sum : ndarray
        Sum of the rounded widths at them; px.
    """

    line_px: NDArray[np.int64]
    straight: NDArray[np.int64]
    diagonal: NDArray[np.int64]
    width_sum: NDArray[np.int64]


def no_lines() -> LineSums:
    """Return sums that stand for: no centre lines were sought."""
    return LineSums(*np.zeros((4, 0), np.int64))


@kernel
def sum_lines(n, px_object, px_width, link_object, link_diagonal):  # type: ignore[no-untyped-def]
    """Sum centre lines by object.

    Parameters
    ----------
    n : int
        Objects of the tile.
    px_object, px_width : ndarray of int64, shape (P,)
        Place of the object that holds each line px (-1 is left out), and the rounded width there.
    link_object : ndarray of int64, shape (L,)
        Place of the object that holds the first px of each link; -1 is left out.
    link_diagonal : ndarray of bool, shape (L,)
    """
    line_px, straight, diagonal, width_sum = (
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
    )
    for i in range(px_object.size):
        if px_object[i] >= 0:
            line_px[px_object[i]] += 1
            width_sum[px_object[i]] += px_width[i]
    for i in range(link_object.size):
        if link_object[i] >= 0:
            if link_diagonal[i]:
                diagonal[link_object[i]] += 1
            else:
                straight[link_object[i]] += 1
    return line_px, straight, diagonal, width_sum


@kernel
def find_places(marks, record, height, sides, rows, columns, places):  # type: ignore[no-untyped-def]
    """Find the objects of narrow classes that hold px.

    Parameters
    ----------
    marks : Marks
    record : ndarray
        Of `Objects`, with places.
    height : int
        Rows of the tile; px.
    sides, rows, columns : ndarray of int64, shape (P,)
    places : ndarray of int64, shape (P,)
        Filled in; -1 where no such object is.
    """
    run, row = marks
    for i in range(rows.size):
        places[i] = -1
        x = columns[i]
        if not 0 <= rows[i] < height or not 0 <= sides[i] <= 1:
            continue
        low, stop = row[2 * rows[i] + sides[i]], row[2 * rows[i] + sides[i] + 1]
        high = stop
        # The first run that ends after the px.
        while low < high:
            middle = (low + high) // 2
            if run[middle, 1] <= x:
                low = middle + 1
            else:
                high = middle
        if low < stop and run[low, 0] <= x:
            places[i] = record[run[low, 2], PLACE]


@kernel
def write_rows(table, n_truth, objects, lines, height, width):  # type: ignore[no-untyped-def]
    """Return the rows of a tile as blocks: int64, int32, int16 and int8, (fields, rows) each, and those left out."""
    _, record, sums = objects
    line_px, straight, diagonal, width_sum = lines
    n = table.shape[0]
    all_truth, all_predicted = n_truth <= MOST_ROWS, n - n_truth <= MOST_ROWS
    row_of = np.empty(n, np.int32)
    kept = 0
    for who in range(n):
        keep = table[who, SIZE] >= LEAST_AREA or (all_truth if who < n_truth else all_predicted)
        row_of[who] = kept if keep else -1
        kept += keep
    wide = np.zeros((3, kept), np.int64)
    plain = np.zeros((13, kept), np.int32)
    short = np.empty((2, kept), np.int16)
    tiny = np.empty((3, kept), np.int8)
    for who in range(n):
        i = row_of[who]
        if i < 0:
            continue
        number = table[who, NUMBER]
        top, left, bottom, right = (
            record[number, TOP],
            record[number, LEFT],
            record[number, BOTTOM],
            record[number, RIGHT],
        )
        best = table[who, BEST]
        # Each block in the order of its fields.
        tiny[0, i] = who >= n_truth
        tiny[1, i] = table[who, OUTCOME]
        tiny[2, i] = top == 0 or left == 0 or bottom == height or right == width
        short[0, i] = table[who, CLASS]
        short[1, i] = table[who, TAKEN]
        plain[0, i] = table[who, SIZE]
        plain[1, i] = top
        plain[2, i] = left
        plain[3, i] = bottom
        plain[4, i] = right
        plain[5, i] = table[who, HIT]
        plain[6, i] = row_of[best] if best >= 0 else -1
        plain[7, i] = table[who, BEST_PX]
        plain[8, i] = table[best, SIZE] if best >= 0 else 0
        plain[9, i] = table[who, TAKEN_PX]
        wide[0, i] = sums[number, ROW_SUM]
        wide[1, i] = sums[number, COLUMN_SUM]
        if line_px.size:
            plain[10, i] = line_px[who]
            plain[11, i] = straight[who]
            plain[12, i] = diagonal[who]
            wide[2, i] = width_sum[who]
    return wide, plain, short, tiny, n - kept


def name_rows(wide: Any, plain: Any, short: Any, tiny: Any) -> dict[str, NDArray[Any]]:
    """Return the blocks of `write_rows` as named arrays, in the order of ``FIELDS``."""
    arrays: dict[str, NDArray[Any]] = dict(zip(WIDE_FIELDS, wide, strict=True))
    arrays.update(zip(PLAIN_FIELDS, plain, strict=True))
    arrays.update(zip(SHORT_FIELDS, short, strict=True))
    arrays.update(zip(TINY_FIELDS, tiny, strict=True))
    arrays["edge"] = arrays["edge"].view(np.bool_)
    return {name: arrays[name] for name in FIELDS}
