"""Pixels by chessboard distance to the tile's edge."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from analysis.kernels.layout import EDGE_BINS, EDGE_LIMITS
from analysis.kernels.machine import kernel
from analysis.kernels.marginals import marginals
from analysis.kernels.segments import Segments

LIMITS = np.array(EDGE_LIMITS, np.int64)


@kernel
def edge_bin(distance):  # type: ignore[no-untyped-def]
    """Return the bin of a distance, which is 1 in the outermost row or column."""
    for i in range(LIMITS.size):
        if distance <= LIMITS[i]:
            return i
    return LIMITS.size


@kernel
def fill_rings(width, most, ends, bins):  # type: ignore[no-untyped-def]
    """Cut a row into stretches of one bin and return how many there are.

    Parameters
    ----------
    width : int
        Px, at least 1.
    most : int
        Bin of the row itself: no pixel in it is farther from the edge.
    ends, bins : ndarray of int64, shape (2 * EDGE_BINS,)
        Filled in: column after the last of a stretch, and its bin.
    """
    n = 0
    x = 0
    while x < width:
        this = min(edge_bin(min(x, width - 1 - x) + 1), most)
        limit = LIMITS[this] if this < most else 0
        # Coming from the left edge up to the limit; else in the middle, or up to where the right edge is nearer.
        coming = x < limit and 2 * limit < width
        x = limit if coming else width - (LIMITS[this - 1] if this else 0)
        ends[n] = x
        bins[n] = this
        n += 1
    return n


@kernel
def tally_edges(segments, counted, row, height, width, counts):  # type: ignore[no-untyped-def]
    """Add the pixels of a strip to their cell and edge bin.

    Parameters
    ----------
    segments : Segments
        Of ``counted`` rows.
    row : int
        Row of the tile that the strip's first counted row is.
    height, width : int
        Of the tile, px.
    counts : ndarray of int64, shape (K * (K + 1), EDGE_BINS)
        Added to. Its sum over the bins is the flattened confusion matrix.
    """
    start, end, cells, first = segments
    ends = np.empty(2 * EDGE_BINS, np.int64)
    bins = np.empty(2 * EDGE_BINS, np.int64)
    most = -1
    for y in range(counted):
        own = edge_bin(min(row + y, height - 1 - row - y) + 1)
        if own != most:
            most = own
            fill_rings(width, most, ends, bins)
        ring = 0
        for i in range(first[y], first[y + 1]):
            x, stop, cell = np.int64(start[i]), np.int64(end[i]), cells[i]
            while ends[ring] <= x:
                ring += 1
            while ends[ring] < stop:
                counts[cell, bins[ring]] += ends[ring] - x
                x = ends[ring]
                ring += 1
            counts[cell, bins[ring]] += stop - x


@kernel
def summarise_edges(counts, n_classes):  # type: ignore[no-untyped-def]
    """Return the confusion matrix and the edge profile of the counts that `tally_edges` makes."""
    confusion = np.zeros((n_classes, n_classes + 1), np.int64)
    for truth in range(n_classes):
        for prediction in range(n_classes + 1):
            for i in range(counts.shape[1]):
                confusion[truth, prediction] += counts[truth * (n_classes + 1) + prediction, i]
    return confusion, marginals(counts, n_classes)


class EdgeTally:
    """Confusion and edge profile of the tiles of a run, one tile at a time.

    Parameters
    ----------
    n_classes : int
        K.
    """

    def __init__(self, n_classes: int) -> None:
        self._n_classes = n_classes
        self._counts = np.zeros((n_classes * (n_classes + 1), EDGE_BINS), np.int64)

    def reset(self) -> None:
        """Begin a new tile."""
        self._counts[:] = 0

    def tally(self, segments: Segments, counted: int, row: int, height: int, width: int) -> None:
        """Add the counts of a strip; parameters as in `tally_edges`."""
        tally_edges(segments, counted, row, height, width, self._counts)

    def finish(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the confusion matrix, int64 (K, K + 1), and the profile, int64 (EDGE_BINS, K, 3)."""
        confusion, profile = summarise_edges(self._counts, self._n_classes)
        return confusion, profile
