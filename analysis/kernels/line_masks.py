"""Narrow classes as bit maps of the whole tile, drawn strip by strip."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from analysis.kernels.columns import Columns, set_span
from analysis.kernels.growing import Growing
from analysis.kernels.machine import kernel
from analysis.kernels.segments import Segments


@kernel
def start_mask(masks, drawn, size, place):  # type: ignore[no-untyped-def]
    """Clear a bit map that is not yet in use."""
    if not drawn[place]:
        drawn[place] = True
        masks[place, :size] = 0


@kernel
def draw_narrow(  # type: ignore[no-untyped-def]
    segments, counted, first_row, narrow, places, predictions, grid, size, masks, drawn, ends, predicted, rows
):
    """Draw the narrow classes and the ignored pixels of a strip, and note what is predicted under those of the truth.

    Parameters
    ----------
    segments : Segments
        Of ``counted`` rows.
    counted, first_row : int
        Row of the tile that the first of them is.
    narrow : ndarray of bool, shape (K * (K + 1),)
        Whether the truth or the prediction of a cell is drawn.
    places : ndarray of int16, shape (K * (K + 1), 2)
        Which bit maps the truth and the prediction of a cell go to; -1 for none.
    predictions : ndarray of int16, shape (K * (K + 1),)
        Predicted class of a cell.
    grid : Columns
    size : int
        Of a bit map.
    masks : ndarray of uint64, shape (2 * C + 1, size or more)
        Truth by narrow class, prediction by narrow class, ignored pixels.
    drawn : ndarray of bool, shape (2 * C + 1,)
        Which of them are in use; a bit map is cleared when its first pixel comes.
    ends, predicted, rows : ndarray
        As for `tally_truth_line`; filled in for these rows. ``rows[first_row]`` is set already.
    """
    # Names of their own: an array taken out of a tuple in a loop is reference-counted each time.
    start, end, cell, row = segments
    nothing = masks.shape[0] - 1
    used = rows[first_row]
    for y in range(counted):
        after = np.int64(0)
        for i in range(row[y], row[y + 1]):
            x, stop = np.int64(start[i]), np.int64(end[i])
            if x != after:
                start_mask(masks, drawn, size, nothing)
                set_span(masks[nothing], grid, first_row + y, after, x)
            after = stop
            if not narrow[cell[i]]:
                continue
            truth, prediction = np.int64(places[cell[i], 0]), np.int64(places[cell[i], 1])
            if truth >= 0:
                start_mask(masks, drawn, size, truth)
                set_span(masks[truth], grid, first_row + y, x, stop)
                ends[used] = stop
                predicted[used] = predictions[cell[i]]
                used += 1
            if prediction >= 0:
                start_mask(masks, drawn, size, prediction)
                set_span(masks[prediction], grid, first_row + y, x, stop)
        if after != grid.width:
            start_mask(masks, drawn, size, nothing)
            set_span(masks[nothing], grid, first_row + y, after, grid.width)
        rows[first_row + y + 1] = used


class NarrowMasks:
    """Bit maps of the narrow classes of a tile, kept from tile to tile.

    Parameters
    ----------
    n_classes : int
        K.
    narrow : sequence of int
        Class indices of the C narrow classes.

    Attributes
    ----------
    drawn : ndarray of bool, shape (2 * C + 1,)
        Which bit maps hold a pixel: truth by narrow class, prediction by narrow class, ignored pixels.
    under : Growing
        ``ends`` and ``predicted``: the segments under narrow classes of the truth.
    rows : ndarray of int64, shape (height + 1 or more,)
        The segments of row ``y`` are ``rows[y]`` up to ``rows[y + 1]``.
    """

    def __init__(self, n_classes: int, narrow: Sequence[int]) -> None:
        c, k = len(narrow), n_classes
        truth, prediction = np.divmod(np.arange(k * (k + 1)), k + 1)
        place = np.full(k + 1, -1, np.int16)
        place[list(narrow)] = np.arange(c)
        of_prediction = np.where(place < 0, place, place + np.int16(c))
        self._places = np.ascontiguousarray(np.stack([place[truth], of_prediction[prediction]], axis=1))
        self._narrow = (self._places >= 0).any(axis=1)
        self._predictions = prediction.astype(np.int16)
        self._maps = np.empty((2 * c + 1, 0), np.uint64)
        self.drawn = np.zeros(2 * c + 1, np.bool_)
        self.under = Growing(ends="i4", predicted="i2")
        self.rows = np.zeros(1, np.int64)

    def reset(self, grid: Columns) -> None:
        """Begin a tile of that layout."""
        self._grid, self._size = grid, grid.size
        self.drawn[:] = False
        if self.rows.size <= grid.height:
            self.rows = np.zeros(grid.height + 1, np.int64)
        if self._maps.shape[1] < self._size:
            self._maps = np.empty((self._maps.shape[0], self._size), np.uint64)

    def add(self, segments: Segments, counted: int, first_row: int) -> None:
        """Draw the next rows; parameters as in `draw_narrow`."""
        self.under.reserve(int(self.rows[first_row]) + int(segments.row[counted]))
        tables = self._narrow, self._places, self._predictions
        under = self.under.ends, self.under.predicted, self.rows
        draw_narrow(segments, counted, first_row, *tables, self._grid, self._size, self._maps, self.drawn, *under)

    def __getitem__(self, place: int) -> NDArray[np.uint64]:
        """Return a bit map, uint64 (size,); it holds anything where it is not ``drawn``."""
        return self._maps[place, : self._size]
