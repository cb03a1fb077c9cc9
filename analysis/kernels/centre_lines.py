"""Centre lines of narrow classes: how much of them is found, by width."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.kernels.columns import BLOCK, columns_of
from analysis.kernels.growing import Growing
from analysis.kernels.layout import WIDTH_BINS
from analysis.kernels.line_counts import match_pixels, tally_links, tally_prediction_line, tally_truth_line
from analysis.kernels.line_links import count_bits, find_links, list_pixels
from analysis.kernels.line_masks import NarrowMasks
from analysis.kernels.line_widths import measure_widths
from analysis.kernels.segments import Segments
from analysis.kernels.strips import RowOrder
from analysis.kernels.thinning import thin


@dataclass(frozen=True)
class LineCounts:
    """What is counted on the centre lines of one tile, and the lines themselves.

    A centre line is the Zhang-Suen skeleton of a class's mask. Its width is ``2 * d - 1`` px, where ``d`` is the
    distance to the nearest pixel of the tile that is not of the class.

    Parameters
    ----------
    line_truth : ndarray of int64, shape (C, WIDTH_BINS, K + 1)
        Px of the truth's line by width and predicted class, without those left out; the last column is outside
        the class list.
    line_match : ndarray of int64, shape (C, WIDTH_BINS, 2)
        Of these, px within the tolerance of the prediction's line; px in the prediction's mask.
    line_links : ndarray of int64, shape (C, WIDTH_BINS, 2)
        Straight and diagonal links between these, in the bin of the upper or left pixel.
    line_gaps : ndarray of int64, shape (C, 2)
        Gaps: stretches that are not within the tolerance and touch one that is. Px left out, because the
        tile's edge or an ignored pixel is as near as any other class.
    line_prediction : ndarray of int64, shape (C, 3)
        Px of the prediction's line; within the tolerance of the truth's line; in the truth's mask.
    px_side : ndarray of int8, shape (P,)
        0 truth, 1 prediction. The pixels of one class and side follow each other in row-major order.
    px_class : ndarray of int16, shape (P,)
        Class index.
    px_row, px_column, px_width : ndarray of int32, shape (P,)
        The width is rounded half up: 1 to ``MOST_WIDTH``, which stands for any larger one.
    px_kept : ndarray of bool, shape (P,)
        False for truth px that are left out.
    link_first, link_second : ndarray of int32, shape (L,)
        Places of the linked pixels among the P; the first one comes first in row-major order.
    link_diagonal : ndarray of bool, shape (L,)
    """

    line_truth: NDArray[np.int64]
    line_match: NDArray[np.int64]
    line_links: NDArray[np.int64]
    line_gaps: NDArray[np.int64]
    line_prediction: NDArray[np.int64]
    px_side: NDArray[np.int8]
    px_class: NDArray[np.int16]
    px_row: NDArray[np.int32]
    px_column: NDArray[np.int32]
    px_width: NDArray[np.int32]
    px_kept: NDArray[np.bool_]
    link_first: NDArray[np.int32]
    link_second: NDArray[np.int32]
    link_diagonal: NDArray[np.bool_]


class LineTally:
    """Counts the centre lines of the tiles of a run, one tile at a time; one a worker.

    A tile takes a bit a pixel for each narrow class and side that occurs, and five more where one does.

    Parameters
    ----------
    n_classes : int
        K.
    narrow : sequence of int
        Class indices of the C narrow classes, ascending.

    Raises
    ------
    ValueError
        If these are not class indices, or not ascending.
    """

    def __init__(self, n_classes: int, narrow: Sequence[int]) -> None:
        if list(narrow) != sorted(set(narrow)) or any(not 0 <= c < n_classes for c in narrow):
            raise ValueError(f"Narrow classes are ascending indices below {n_classes}, not {list(narrow)}.")
        self._n_classes, self._narrow = n_classes, tuple(narrow)
        self._masks = NarrowMasks(n_classes, narrow)
        self._maps = np.empty((4, 0), np.uint64)
        self._blocks = np.empty((2, 0), np.int32)
        self._px = Growing(row="i4", column="i4", width="i4", kept="?", state="i1", inside="?", parent="i4", ends="?")
        self._links = Growing(first="i4", second="i4", diagonal="?")

    def reset(self, height: int, width: int, tolerance_px: float) -> None:
        """Begin a new tile.

        Parameters
        ----------
        height, width : int
            Px, at least 1.
        tolerance_px : float
            Distance up to which a line is near the other one, px, at least 0. A billionth more is met as well:
            metres over metres per pixel seldom give the whole number that they should.

        Raises
        ------
        ValueError
            If one of them is out of range.
        """
        if not 0 <= tolerance_px < math.inf:
            raise ValueError(f"A tolerance is a number of pixels, at least 0, not {tolerance_px}.")
        self._order = RowOrder(height, width, 0)
        self._grid = columns_of(height, width)
        # No two pixels of the tile are farther apart than that.
        self._square = math.floor(min(tolerance_px * (1 + 1e-9), height + width) ** 2)
        self._masks.reset(self._grid)

    def add(self, segments: Segments, counted_rows: int, first_row: int) -> None:
        """Draw a strip: the whole tile, or the next rows of it.

        Parameters
        ----------
        segments : Segments
            Of the counted rows; a pixel that is in none of them is ignored.
        counted_rows : int
        first_row : int
            Row of the tile that the first of them is.

        Raises
        ------
        ValueError
            If these rows do not follow those before.
        """
        self._order.take((counted_rows, self._grid.width), 0, 0, first_row)
        if self._narrow:
            self._masks.add(segments, counted_rows, first_row)

    def finish(self) -> LineCounts:
        """Return the counts of the tile; ValueError if rows are missing."""
        self._order.finish()
        c, k = len(self._narrow), self._n_classes
        totals = {
            "line_truth": np.zeros((c, WIDTH_BINS, k + 1), np.int64),
            "line_match": np.zeros((c, WIDTH_BINS, 2), np.int64),
            "line_links": np.zeros((c, WIDTH_BINS, 2), np.int64),
            "line_gaps": np.zeros((c, 2), np.int64),
            "line_prediction": np.zeros((c, 3), np.int64),
        }
        stops, links = [0], 0
        for at in range(c):
            for place in (at, c + at):
                stops.append(self._find_line(place, stops[-1]))
            if stops[-1] > stops[-3]:
                links = self._count(at, stops[-3:], links, {name: array[at] for name, array in totals.items()})
        n, px, link = stops[-1], self._px, self._links
        sides, classes = np.empty(n, np.int8), np.empty(n, np.int16)
        for i in range(2 * c):
            sides[stops[i] : stops[i + 1]] = i & 1
            classes[stops[i] : stops[i + 1]] = self._narrow[i >> 1]
        return LineCounts(
            **totals,
            px_side=sides,
            px_class=classes,
            px_row=px.row[:n].copy(),
            px_column=px.column[:n].copy(),
            px_width=px.width[:n].copy(),
            px_kept=px.kept[:n].copy(),
            link_first=link.first[:links].copy(),
            link_second=link.second[:links].copy(),
            link_diagonal=link.diagonal[:links].copy(),
        )

    def _find_line(self, place: int, first: int) -> int:
        """Thin a mask, list and measure its line's pixels from place ``first`` on; return where they stop."""
        masks, grid, px, c = self._masks, self._grid, self._px, len(self._narrow)
        if not masks.drawn[place]:
            return first
        size = grid.size
        if self._maps.shape[1] < size:
            self._maps = np.empty((4, size), np.uint64)
            self._blocks = np.empty((2, size // BLOCK), np.int32)
        line, mask = self._line(int(place >= c)), masks[place]
        thin(mask, grid, line, self._maps[2, :size], self._maps[3, :size], *self._blocks)
        stop = first + int(count_bits(line))
        px.reserve(stop)
        list_pixels(line, grid, px.row, px.column, first)
        truth = place < c
        left_out = bool(masks.drawn[2 * c]) and truth
        measure_widths(mask, masks[2 * c], left_out, grid, px.row, px.column, first, stop, px.width, px.kept)
        if not truth:
            px.kept[first:stop] = True
        return stop

    def _line(self, side: int) -> NDArray[np.uint64]:
        """Bit map of the centre lines of the class in work."""
        return self._maps[side, : self._grid.size]

    def _count(self, at: int, stops: list[int], links: int, totals: dict[str, NDArray[np.int64]]) -> int:
        """Add what is counted on both lines of a class; return how many links there are by then."""
        masks, grid, px, c = self._masks, self._grid, self._px, len(self._narrow)
        first, middle, stop = stops
        self._links.reserve(links + 2 * (stop - first))
        link_arrays = self._links.first, self._links.second, self._links.diagonal
        for other, start, end in ((1, first, middle), (0, middle, stop)):
            place = c + at if other else at
            drawn = bool(masks.drawn[place])
            where = self._line(other), masks[place], grid, px.row, px.column, start, end
            match_pixels(drawn, *where, self._square, px.kept, px.state, px.inside)
        tally_prediction_line(px.state, px.inside, middle, stop, totals["line_prediction"])
        under = masks.under.ends, masks.under.predicted, masks.rows
        pixels = px.row, px.column, px.width, px.state, px.inside, first, middle
        totals["line_gaps"][1] = tally_truth_line(*under, *pixels, totals["line_truth"], totals["line_match"])
        marks = px.parent, px.ends
        of_truth, gaps = find_links(px.row, px.column, px.state, first, middle, *marks, *link_arrays, links)
        totals["line_gaps"][0] = gaps
        tally_links(*link_arrays, links, of_truth, px.width, px.kept, totals["line_links"])
        return int(find_links(px.row, px.column, px.state, middle, stop, *marks, *link_arrays, of_truth)[0])
