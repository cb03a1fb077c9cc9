"""Segments: the stretches of a row on which truth and prediction both stay the same.

A segment has one *cell*, ``truth * (K + 1) + prediction``: its place in the flattened confusion matrix.
Segments under ignored truth are left out here, so nothing that works on segments can count them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.kernels.layout import IGNORED
from analysis.kernels.machine import kernel
from analysis.kernels.runs import Runs


class Segments(NamedTuple):
    """Segments of the rows that count, row by row and from left to right.

    Parameters
    ----------
    start, end : ndarray of int32, shape (capacity,)
        First column of a segment and the column after its last; px.
    cell : ndarray of int32, shape (capacity,)
        ``truth * (K + 1) + prediction``.
    row : ndarray of int64, shape (counted rows + 1 or more,)
        The segments of counted row ``y`` are ``row[y]`` up to ``row[y + 1]``.
    """

    start: NDArray[np.int32]
    end: NDArray[np.int32]
    cell: NDArray[np.int32]
    row: NDArray[np.int64]


def empty_segments(capacity: int, rows: int) -> Segments:
    """Return room for ``capacity`` segments in ``rows`` rows, not filled in."""
    return Segments(
        np.empty(capacity, np.int32),
        np.empty(capacity, np.int32),
        np.empty(capacity, np.int32),
        np.empty(rows + 1, np.int64),
    )


@kernel
def fill_segments(truth, prediction, above, counted, n_classes, segments):  # type: ignore[no-untyped-def]
    """Walk the runs of both maps together.

    Parameters
    ----------
    truth, prediction : Runs
        Of maps of the same shape.
    above, counted : int
        The rows that count are [above, above + counted).
    n_classes : int
        K.
    segments : Segments
        Filled in; has room for as many segments as both maps have runs in these rows.
    """
    # Names of their own: an array taken out of a tuple in a loop is reference-counted each time.
    _, truth_end, truth_label, truth_row = truth
    _, prediction_end, prediction_label, prediction_row = prediction
    start, end, cell, row = segments
    used = 0
    for y in range(counted):
        row[y] = used
        i, j = truth_row[above + y], prediction_row[above + y]
        stop = truth_row[above + y + 1]
        x = np.int32(0)
        while i < stop:
            left, right = truth_end[i], prediction_end[j]
            after = min(left, right)
            label = np.int64(truth_label[i])
            start[used] = x
            end[used] = after
            cell[used] = label * (n_classes + 1) + np.int64(prediction_label[j])
            # Written in any case and kept if valid: cheaper than a branch that is hard to predict.
            used += label != IGNORED
            i += left == after
            j += right == after
            x = after
    row[counted] = used


class SegmentBuffer:
    """The segments of one strip, kept from tile to tile; grows when a strip needs more room."""

    def __init__(self) -> None:
        self.segments = empty_segments(0, 0)

    def overlay(self, truth: Runs, prediction: Runs, above: int, counted: int, n_classes: int) -> Segments:
        """Find the segments of the rows [above, above + counted); the result is valid until the next call.

        Parameters as in `fill_segments`.
        """
        last = above + counted
        need = int(truth.row[last] - truth.row[above] + prediction.row[last] - prediction.row[above])
        segments = self.segments
        if segments.end.size < need or segments.row.size <= counted:
            room = need if segments.end.size >= need else need + need // 2
            self.segments = empty_segments(max(room, segments.end.size), max(counted, segments.row.size - 1))
        fill_segments(truth, prediction, above, counted, n_classes, self.segments)
        return self.segments
