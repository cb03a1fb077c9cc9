"""What is counted on the centre lines of one narrow class, once their pixels are listed and measured."""

from __future__ import annotations

import numpy as np

from analysis.kernels.columns import any_in_disc, has_bit
from analysis.kernels.layout import WIDTH_BINS
from analysis.kernels.line_links import MATCHED, NOT_COUNTED, UNMATCHED
from analysis.kernels.machine import kernel


@kernel
def match_pixels(other, line, mask, grid, row, column, first, stop, square, kept, state, inside):  # type: ignore[no-untyped-def]
    """Find which pixels of a line are near the line of the other side, and which lie in its mask.

    Parameters
    ----------
    other : bool
        Whether the class occurs on the other side at all.
    line, mask : ndarray of uint64
        Its centre lines and its pixels there; looked at where ``other``.
    grid : Columns
    row, column : ndarray of int32
        Those in [first, stop) are looked at.
    first, stop : int
    square : int
        Square of the tolerance, px, rounded down.
    kept : ndarray of bool
        Pixels that count.
    state : ndarray of int8
        Filled in: ``NOT_COUNTED``, ``MATCHED`` or ``UNMATCHED``.
    inside : ndarray of bool
        Filled in.
    """
    for i in range(first, stop):
        y, x = np.int64(row[i]), np.int64(column[i])
        state[i] = NOT_COUNTED
        if kept[i]:
            state[i] = MATCHED if other and any_in_disc(line, grid, y, x, square) else UNMATCHED
        inside[i] = other and has_bit(mask, grid, y, x)


@kernel
def tally_truth_line(ends, predicted, rows, row, column, width, state, inside, first, stop, truth, match):  # type: ignore[no-untyped-def]
    """Add the pixels of a truth line to their bin, and return how many are left out.

    Parameters
    ----------
    ends : ndarray of int32
        Column after the last of each segment under a narrow class of the truth, row by row.
    predicted : ndarray of int16
        Predicted class of each, K for outside the class list.
    rows : ndarray of int64, shape (height + 1 or more,)
        The segments of row ``y`` are ``rows[y]`` up to ``rows[y + 1]``.
    row, column, width : ndarray of int32
    state : ndarray of int8
        From `match_pixels`.
    inside : ndarray of bool
    first, stop : int
        Which pixels.
    truth : ndarray of int64, shape (WIDTH_BINS, K + 1)
    match : ndarray of int64, shape (WIDTH_BINS, 2)
        Added to.
    """
    left_out = 0
    segment = np.int64(0)
    for i in range(first, stop):
        if state[i] == NOT_COUNTED:
            left_out += 1
            continue
        segment = max(segment, rows[row[i]])
        while ends[segment] <= column[i]:
            segment += 1
        at = min(width[i], WIDTH_BINS) - 1
        truth[at, predicted[segment]] += 1
        match[at, 0] += state[i] == MATCHED
        match[at, 1] += inside[i]
    return left_out


@kernel
def tally_prediction_line(state, inside, first, stop, counts):  # type: ignore[no-untyped-def]
    """Add the pixels of a prediction line to ``counts``, int64 (3,): all, within the tolerance, inside the truth."""
    for i in range(first, stop):
        counts[0] += 1
        counts[1] += state[i] == MATCHED
        counts[2] += inside[i]


@kernel
def tally_links(link_first, link_second, link_diagonal, first, stop, width, kept, links):  # type: ignore[no-untyped-def]
    """Add the links in [first, stop) whose two pixels count to ``links``, int64 (WIDTH_BINS, 2)."""
    for i in range(first, stop):
        if kept[link_first[i]] and kept[link_second[i]]:
            links[min(width[link_first[i]], WIDTH_BINS) - 1, np.int64(link_diagonal[i])] += 1
