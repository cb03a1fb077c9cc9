"""A label map pair to counts: the one entry of scoring."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.kernels.boundaries import BoundaryTally
from analysis.kernels.edges import EdgeTally
from analysis.kernels.layout import ObjectSettings
from analysis.kernels.object_counter import ObjectCounter
from analysis.kernels.segments import SegmentBuffer
from analysis.kernels.strips import MapReader, RowOrder
from analysis.words.classes import MAX_CLASSES


@dataclass(frozen=True)
class TileCounts:
    """What is counted on one tile; shapes and meaning as in `analysis.kernels.layout`.

    Parameters
    ----------
    confusion : ndarray of int64, shape (K, K + 1)
        Px by (truth, prediction); the last column is outside the class list.
    edges : ndarray of int64, shape (EDGE_BINS, K, 3)
        Truth, predicted, right px by distance to the tile's edge.
    boundary : ndarray of int64, shape (BOUNDARY_BINS, K, 3)
        The same by distance to another truth class.
    bands : ndarray of int64, shape (K, 2)
        Intersection and union px of the Boundary IoU bands.
    valid, ignored : int
        Px; together the whole tile.
    truth_raw_counts, prediction_raw_counts : ndarray of int64, shape (256,)
        Px by raw code, ignored ones included.
    truth_hash, prediction_hash : str
        `Fingerprint` of the class indices; the prediction's includes what lies under ignored truth.
    objects : dict
        What `ObjectCounter.finish` gives; empty where pixels alone are counted.
    """

    confusion: NDArray[np.int64]
    edges: NDArray[np.int64]
    boundary: NDArray[np.int64]
    bands: NDArray[np.int64]
    valid: int
    ignored: int
    truth_raw_counts: NDArray[np.int64]
    prediction_raw_counts: NDArray[np.int64]
    truth_hash: str
    prediction_hash: str
    objects: dict[str, Any] = field(default_factory=dict)


class PairCounter:
    """Counts tiles one after the other, each whole or in strips from the top; one a worker.

    Parameters
    ----------
    n_classes : int
        K, 1 to 250.
    boundary_px : int
        Width of the Boundary IoU bands, at least 1 px.
    objects : ObjectSettings, optional
        How objects and centre lines are counted; without, pixels alone are.

    Examples
    --------
    >>> counter = PairCounter(2, boundary_px=3)
    >>> lut = np.arange(256, dtype=np.uint8)
    >>> counter.start(1, 4)
    >>> counter.add(np.array([[0, 0, 1, 1]], np.uint8), lut, np.array([[0, 1, 1, 2]], np.uint8), lut)
    >>> counter.finish().confusion
    array([[1, 1, 0],
           [0, 1, 1]])
    """

    def __init__(self, n_classes: int, boundary_px: int, objects: ObjectSettings | None = None) -> None:
        if not 1 <= n_classes <= MAX_CLASSES:
            raise ValueError(f"1 to {MAX_CLASSES} classes can be counted, not {n_classes}.")
        if boundary_px < 1:
            raise ValueError(f"boundary_px is at least 1, not {boundary_px}.")
        self._n_classes = n_classes
        self._truth, self._prediction = MapReader(), MapReader()
        self._segments = SegmentBuffer()
        self._edges = EdgeTally(n_classes)
        self._boundary = BoundaryTally(n_classes, boundary_px)
        self._objects = None if objects is None else ObjectCounter(n_classes, objects)

    @property
    def halo(self) -> int:
        """Rows that a strip needs above and below those that count, as far as the tile has them."""
        return self._boundary.reach

    def start(self, height: int, width: int, tolerance_px: float = 0.0) -> None:
        """Begin a tile of that size.

        Parameters
        ----------
        height, width : int
            Px.
        tolerance_px : float
            Distance up to which centre lines are near each other; px.
        """
        self._order = RowOrder(height, width, self.halo)
        self._truth.start(height, width)
        self._prediction.start(height, width)
        self._edges.reset()
        self._boundary.reset()
        if self._objects:
            self._objects.reset(height, width, tolerance_px)

    def add(
        self,
        truth_raw: NDArray[np.uint8],
        truth_lut: NDArray[np.uint8],
        prediction_raw: NDArray[np.uint8],
        prediction_lut: NDArray[np.uint8],
        *,
        above: int = 0,
        below: int = 0,
        row: int = 0,
    ) -> None:
        """Count a strip: the whole tile, or the next rows of it.

        Parameters
        ----------
        truth_raw, prediction_raw : ndarray of uint8, shape (above + counted + below, width)
            Raw codes. C-contiguous writable arrays are not copied.
        truth_lut : ndarray of uint8, shape (256,)
            Raw code to class index 0 .. K - 1, or ``IGNORED``.
        prediction_lut : ndarray of uint8, shape (256,)
            Raw code to class index 0 .. K - 1, or K for outside the class list.
        above, below : int
            Rows before and after those that count; `halo`, or as many as the tile has.
        row : int
            Row of the tile that the first counted row is.

        Raises
        ------
        ValueError
            If shapes, rows or class indices do not fit. The tile must then be started again.
        TypeError
            If an array is not uint8.
        """
        if truth_raw.shape != prediction_raw.shape:
            raise ValueError(f"Truth is {truth_raw.shape}, prediction {prediction_raw.shape}.")
        counted = self._order.take(truth_raw.shape, above, below, row)
        truth = self._truth.add(truth_raw, truth_lut, above, below)
        prediction = self._prediction.add(prediction_raw, prediction_lut, above, below)
        # First, because it refuses class indices that are out of range; what follows takes them for places.
        self._boundary.draw(truth, prediction, truth_raw.shape)
        segments = self._segments.overlay(truth, prediction, above, counted, self._n_classes)
        self._edges.tally(segments, counted, row, self._order.height, self._order.width)
        self._boundary.tally(segments, above, counted)
        if self._objects:
            self._objects.add(segments, counted, row)

    def finish(self) -> TileCounts:
        """Return the counts of the tile; ValueError if rows are missing."""
        self._order.finish()
        confusion, edges = self._edges.finish()
        boundary, bands = self._boundary.finish(confusion)
        valid = int(confusion.sum())
        return TileCounts(
            confusion=confusion,
            edges=edges,
            boundary=boundary,
            bands=bands,
            valid=valid,
            ignored=self._order.height * self._order.width - valid,
            truth_raw_counts=self._truth.raw_counts,
            prediction_raw_counts=self._prediction.raw_counts,
            truth_hash=self._truth.hexdigest(),
            prediction_hash=self._prediction.hexdigest(),
            objects=self._objects.finish() if self._objects else {},
        )


def count_pair(
    truth_idx: NDArray[np.uint8], prediction_idx: NDArray[np.uint8], n_classes: int, boundary_px: int
) -> TileCounts:
    """Count a whole tile that is given as class indices.

    Parameters
    ----------
    truth_idx : ndarray of uint8, shape (height, width)
        0 .. K - 1, or ``IGNORED``.
    prediction_idx : ndarray of uint8, shape (height, width)
        0 .. K - 1; anything else is outside the class list.
    n_classes, boundary_px : int
        As for `PairCounter`.
    """
    lut = np.arange(256, dtype=np.uint8)
    counter = PairCounter(n_classes, boundary_px)
    counter.start(*truth_idx.shape)
    counter.add(truth_idx, lut, prediction_idx, np.minimum(lut, np.uint8(n_classes)))
    return counter.finish()
