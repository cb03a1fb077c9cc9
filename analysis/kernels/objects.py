"""Objects of a tile: what they are, what they match, what became of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.kernels.components import empty_block, empty_objects, place_objects
from analysis.kernels.object_outcomes import match_objects, settle_outcomes
from analysis.kernels.object_rows import LineSums, find_places, name_rows, no_lines, sum_lines, write_rows
from analysis.kernels.object_strips import (
    BLOCK,
    ENTRIES,
    FIRST_SLOTS,
    MARKS,
    NEEDED,
    OBJECTS,
    SLOTS,
    Marks,
    add_rows,
    make_lookup,
)
from analysis.kernels.overlaps import empty_overlaps
from analysis.kernels.segments import Segments
from analysis.kernels.strips import RowOrder
from analysis.words.classes import MAX_CLASSES

MOST_KEPT = 1 << 20
"""Objects or overlaps up to which their room is kept for the next tile; more is a sheet of noise."""


@dataclass(frozen=True)
class ObjectCounts:
    """The objects of one tile.

    Parameters
    ----------
    outcomes : ndarray of int64, shape (2, K, OUTCOMES, 4)
        By side (truth, prediction), class and outcome: objects, area px, hit px, and of found ones the sum of
        IoU in units of 1e-9. Of all objects. The area that is no hit is, on the truth's side, the false negatives of
        the class; on the prediction's side its false positives.
    rows : dict of str to ndarray
        Equally long 1-D arrays, names as in ``object_rows.FIELDS``: truth objects first, each side in row-major order
        of first px. A side of more than ``MOST_ROWS`` objects has only those of ``LEAST_AREA`` px or more.
    left_out : int
        Objects that have no row.
    """

    outcomes: NDArray[np.int64]
    rows: dict[str, NDArray[Any]]
    left_out: int


class ObjectTally:
    """Finds and matches the objects of the tiles of a run, one tile at a time; buffers are kept from tile to tile.

    An object is a connected component of one class of the truth or of the prediction, ignored px taken out of both.

    Parameters
    ----------
    n_classes : int
        K.
    background : int or None
        Index of the class that forms no objects; None where every class does.
    connectivity : int
        4 or 8 neighbours.
    narrow : tuple of int
        Indices of the classes that `locate` is asked about.

    Notes
    -----
    For every tile: ``reset``, ``add`` for each strip, ``finish``. Where centre lines are sought, what
    `locate` says of their px goes through `line_sums` to `finish`.
    """

    def __init__(self, n_classes: int, background: int | None, connectivity: int, narrow: tuple[int, ...] = ()) -> None:
        if not 1 <= n_classes <= MAX_CLASSES:
            raise ValueError(f"1 to {MAX_CLASSES} classes can be counted, not {n_classes}.")
        if connectivity not in (4, 8):
            raise ValueError(f"Objects have 4 or 8 neighbours, not {connectivity}.")
        for index in (*narrow, *(() if background is None else (background,))):
            if not 0 <= index < n_classes:
                raise ValueError(f"There is no class index {index} among {n_classes} classes.")
        self._n_classes = n_classes
        self._reach = int(connectivity == 8)
        self._lookup = make_lookup(n_classes, background, narrow)
        self._make_room()
        self._width = 0
        self._block = empty_block(BLOCK, self._width)
        self._n_before = np.zeros(2, np.int64)
        self._used = np.zeros(5, np.int64)
        self._table: NDArray[np.int32] | None = None

    def _make_room(self) -> None:
        """Begin with little room."""
        self._objects = empty_objects(4 * BLOCK)
        self._overlaps = empty_overlaps(4 * BLOCK)
        self._marks = Marks(np.empty((4 * BLOCK, 3), np.int32), np.zeros(1, np.int64))

    def reset(self, height: int, width: int) -> None:
        """Begin a new tile of that size; px."""
        self._order = RowOrder(height, width, 0)
        if max(self._objects.parent.size, self._overlaps.entry.shape[0]) > MOST_KEPT:
            self._make_room()
        if self._width < width:
            self._width = width
            self._block = empty_block(BLOCK, width)
        if self._marks.row.size < 2 * height + 1:
            self._marks = self._marks._replace(row=np.zeros(2 * height + 1, np.int64))
        self._n_before[:] = 0
        self._used[:] = 0
        self._used[SLOTS] = FIRST_SLOTS
        self._overlaps.slot[:FIRST_SLOTS] = -1
        self._table = None

    def add(self, segments: Segments, counted_rows: int, first_row: int) -> None:
        """Add a strip; the strips of a tile come from the top.

        Parameters
        ----------
        segments : Segments
            Of its rows, cells below K * (K + 1).
        counted_rows, first_row : int
            How many these are, and which row of the tile the first is.

        Raises
        ------
        ValueError
            If these are not the next rows of the tile.
        """
        self._order.take((counted_rows, self._order.width), 0, 0, first_row)
        done = 0
        while True:
            done = add_rows(
                segments, done, counted_rows, first_row, self._lookup, self._reach,
                self._block, self._n_before, self._objects, self._overlaps, self._marks, self._used,
            )  # fmt: skip
            if done == counted_rows:
                return
            self._grow(int(self._used[NEEDED]))

    def _grow(self, more: int) -> None:
        """Make room for ``more`` of whatever lacks it."""
        n, entries, marks = (int(self._used[i]) for i in (OBJECTS, ENTRIES, MARKS))
        if n + more > self._objects.parent.size:
            old, self._objects = self._objects, empty_objects(2 * self._objects.parent.size + more)
            self._objects.parent[:n] = old.parent[:n]
            self._objects.record[:n] = old.record[:n]
            self._objects.sums[:n] = old.sums[:n]
        if entries + more > self._overlaps.entry.shape[0]:
            room = 2 * self._overlaps.entry.shape[0]
            while entries + more > room:
                room *= 2
            new = empty_overlaps(room)
            new.entry[:entries] = self._overlaps.entry[:entries]
            slots = int(self._used[SLOTS])
            new.slot[:slots] = self._overlaps.slot[:slots]
            self._overlaps = new
        if marks + more > self._marks.run.shape[0]:
            run = np.empty((2 * self._marks.run.shape[0] + more, 3), np.int32)
            run[:marks] = self._marks.run[:marks]
            self._marks = self._marks._replace(run=run)

    def _match(self) -> NDArray[np.int32]:
        """Return the match table of the tile, made when it is first needed."""
        if self._table is None:
            self._order.finish()
            n_parts = int(self._used[OBJECTS])
            self._n_truth, n = place_objects(self._objects, n_parts)
            entries = int(self._used[ENTRIES])
            self._table = match_objects(
                self._objects, n_parts, self._overlaps.entry, entries, self._n_truth, n, self._n_classes
            )
        return self._table

    @property
    def n_objects(self) -> int:
        """Objects of both sides; ValueError before the last rows are in."""
        return int(self._match().shape[0])

    def locate(self, side: ArrayLike, rows: ArrayLike, columns: ArrayLike) -> NDArray[np.int64]:
        """Return which objects of narrow classes hold px: their places among the tile's objects, -1 none.

        Places are counted over truth objects, then predicted ones, before rows are left out.

        Parameters
        ----------
        side : int, or array of int, shape (P,)
            0 truth, 1 prediction.
        rows, columns : array of int, shape (P,)
            In px of the tile; outside of it no object is.

        Raises
        ------
        ValueError
            If rows of the tile are missing.
        """
        self._match()
        y, x = _plain(rows), _plain(columns)
        if y.shape != x.shape or y.ndim != 1:
            raise ValueError(f"Rows and columns of px are lists of one length, not {y.shape} and {x.shape}.")
        places, sides = np.empty(y.size, np.int64), np.full(y.size, side, np.int64)
        if self._lookup.narrow.any():
            find_places(self._marks, self._objects.record, self._order.height, sides, y, x, places)
        else:
            places[:] = -1
        return places

    def line_sums(
        self, px_places: ArrayLike, px_widths: ArrayLike, link_places: ArrayLike, link_diagonal: ArrayLike
    ) -> LineSums:
        """Return what `finish` wants to know of centre lines.

        Parameters
        ----------
        px_places, px_widths : array of int, shape (P,)
            What `locate` says of the line px, and the rounded widths there.
        link_places : array of int, shape (L,)
            The same of the first px of each link. (With 4 neighbours, a diagonal link may lead to another object.)
        link_diagonal : array of bool, shape (L,)
            False: straight.

        Raises
        ------
        ValueError
            If arrays that belong together differ in length, or a place is none of the tile's.
        """
        px, widths, links = _plain(px_places), _plain(px_widths), _plain(link_places)
        diagonal = np.array(link_diagonal, np.bool_)
        if px.shape != widths.shape or links.shape != diagonal.shape:
            raise ValueError("Places and widths, and places and kinds of links, are lists of one length each.")
        n = self.n_objects
        if max(px.max(initial=-1), links.max(initial=-1)) >= n:
            raise ValueError(f"Places of objects are below {n}.")
        return LineSums(*sum_lines(n, px, widths, links, diagonal))

    def finish(self, lines: LineSums | None = None) -> ObjectCounts:
        """Return the objects of the tile.

        Parameters
        ----------
        lines : LineSums, optional
            Centre lines by object, for the rows; without them these columns are 0.

        Raises
        ------
        ValueError
            If rows of the tile are missing, or the sums are not those of its objects.
        """
        table = self._match()
        sums = no_lines() if lines is None else LineSums(*(_plain(a) for a in lines))
        if lines is not None and any(a.shape != (table.shape[0],) for a in sums):
            raise ValueError(f"Sums of centre lines are of {table.shape[0]} objects.")
        outcomes = settle_outcomes(table, self._n_truth, self._n_classes)
        size = self._order.height, self._order.width
        *blocks, left_out = write_rows(table, self._n_truth, self._objects, sums, *size)
        return ObjectCounts(outcomes, name_rows(*blocks), left_out)


def _plain(values: ArrayLike) -> NDArray[np.int64]:
    """Return a copy as the one type that the kernels are compiled for: contiguous and writable."""
    return np.array(values, np.int64, order="C")
