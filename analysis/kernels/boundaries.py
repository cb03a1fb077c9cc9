"""Pixels by distance to another truth class, and the bands of Boundary IoU."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from analysis.kernels.bitmaps import grid_of, ones_from, ones_until
from analysis.kernels.gaps import assign_codes, draw_planes, fill_near_over_gaps
from analysis.kernels.layout import BOUNDARY_BINS, BOUNDARY_LIMITS, IGNORED
from analysis.kernels.machine import ALL_ONES, kernel, popcount
from analysis.kernels.marginals import marginals
from analysis.kernels.nearness import fill_near, radii_with
from analysis.kernels.runs import Runs
from analysis.kernels.segments import Segments


@kernel
def tally_near(segments, counted, base, words, near, band, near_prediction, counts):  # type: ignore[no-untyped-def]
    """Add the pixels of a strip that are near another class to their cell.

    Parameters
    ----------
    segments : Segments
        Of ``counted`` rows.
    base, words : int
        First word of the first counted row in the bit maps, and words a row.
    near : ndarray of uint64, shape (R, size)
        Near sets of the truth, each within the next.
    band : int
        Which of them is the band of Boundary IoU.
    near_prediction : ndarray of uint64, shape (size,)
        Near set of the prediction at the same radius.
    counts : ndarray of int64, shape (K * (K + 1), R + 2)
        Added to: pixels in each near set, in that of the prediction, in both bands.
    """
    start, end, cells, row = segments
    n_radii = near.shape[0]
    widest, in_band = near[n_radii - 1], near[band]
    for y in range(counted):
        for i in range(row[y], row[y + 1]):
            x, stop, cell = np.int64(start[i]), np.int64(end[i]), np.uint64(cells[i])
            # Unsigned places: numba looks for a negative index otherwise.
            word, last = np.uint64(base + (x >> 6)), np.uint64(base + ((stop - 1) >> 6))
            mask = ones_from(x)
            while word <= last:
                if word == last:
                    mask &= ones_until(stop)
                predicted = near_prediction[word] & mask
                if ((widest[word] & mask) | predicted) != 0:
                    # All of them without a look: a branch that guesses wrong costs more than five counts.
                    for r in range(n_radii):
                        counts[cell, r] += popcount(near[r, word] & mask)
                    counts[cell, n_radii] += popcount(predicted)
                    counts[cell, n_radii + 1] += popcount(predicted & in_band[word])
                mask = ALL_ONES
                word += np.uint64(1)
        base += words


@kernel
def summarise_near(counts, confusion, limit_at, band_at):  # type: ignore[no-untyped-def]
    """Return the boundary profile and the Boundary IoU bands of the counts that `tally_near` makes.

    Parameters
    ----------
    counts : ndarray of int64, shape (K * (K + 1), R + 2)
    confusion : ndarray of int64, shape (K, K + 1)
        Of the same tile: what is not near at any radius is the rest of it.
    limit_at : ndarray of int64, shape (BOUNDARY_BINS - 1,)
        Which of the R radii is each of the limits.
    band_at : int
        Which of them is that of the bands.
    """
    n_classes = confusion.shape[0]
    n_radii = counts.shape[1] - 2
    by_bin = np.empty((counts.shape[0], BOUNDARY_BINS), np.int64)
    bands = np.zeros((n_classes, 2), np.int64)
    for truth in range(n_classes):
        for prediction in range(n_classes + 1):
            cell = truth * (n_classes + 1) + prediction
            nearer = 0
            for i in range(BOUNDARY_BINS - 1):
                by_bin[cell, i] = counts[cell, limit_at[i]] - nearer
                nearer = counts[cell, limit_at[i]]
            by_bin[cell, BOUNDARY_BINS - 1] = confusion[truth, prediction] - nearer
            bands[truth, 1] += counts[cell, band_at]
            if prediction < n_classes:
                bands[prediction, 1] += counts[cell, n_radii]
            if prediction == truth:
                # In both bands: counted twice in the union so far.
                bands[truth, 0] += counts[cell, n_radii + 1]
                bands[truth, 1] -= counts[cell, n_radii + 1]
    return marginals(by_bin, n_classes), bands


class BitMaps:
    """Room for the bit maps of a strip.

    Parameters
    ----------
    size : int
        Words of each.
    n_radii : tuple of int
        Near sets of truth and of prediction.
    """

    def __init__(self, size: int, n_radii: tuple[int, int]) -> None:
        self.size = size
        self.near = [np.empty((n, size), np.uint64) for n in n_radii]
        self.scratch = np.empty(size, np.uint64)
        self.steps = np.empty(size, np.uint64)
        # Room that only maps with ignored pixels need is made when the first one comes.
        self.planes = self.grown = np.empty((0, size), np.uint64)
        self.valid = np.empty((0, size), np.uint64)

    def reserve(self, n_planes: int) -> None:
        """Make room for what `fill_near_over_gaps` needs besides."""
        if self.planes.shape[0] < n_planes:
            self.planes, self.grown = np.empty((2, n_planes, self.size), np.uint64)
        if self.valid.shape[0] < 1:
            self.valid = np.empty((1, self.size), np.uint64)


class BoundaryTally:
    """Boundary counts of the tiles of a run, with bit maps that are kept from tile to tile.

    Parameters
    ----------
    n_classes : int
        K.
    boundary_px : int
        Width of the Boundary IoU bands, at least 1.
    """

    def __init__(self, n_classes: int, boundary_px: int) -> None:
        self.radii = radii_with((*BOUNDARY_LIMITS, boundary_px))
        self._limit_at = np.searchsorted(self.radii, BOUNDARY_LIMITS)
        self._band_at = int(np.searchsorted(self.radii, boundary_px))
        self._counts = np.zeros((n_classes * (n_classes + 1), self.radii.size + 2), np.int64)
        self._n_classes = n_classes
        self._prediction_radii = radii_with((boundary_px,))
        self._max_step = int(max(*np.diff(self.radii), *np.diff(self._prediction_radii)))
        self._codes = np.zeros((2, 256), np.int64)
        self._validity = (np.arange(256) != IGNORED).astype(np.int64)
        self._maps = BitMaps(0, (1, 1))

    @property
    def reach(self) -> int:
        """Rows beyond those that count which bear on the counts; px."""
        return int(self.radii[-1])

    def reset(self) -> None:
        """Begin a new tile."""
        self._counts[:] = 0

    def draw(self, truth: Runs, prediction: Runs, shape: tuple[int, int]) -> None:
        """Find the near sets of a strip.

        Parameters
        ----------
        truth, prediction : Runs
            Of all rows, those around the counted ones included.
        shape : tuple of int
            Rows and width of the strip.

        Raises
        ------
        ValueError
            If a map holds a class index that is not in the class list.
        """
        rows, width = shape
        self._grid = grid = grid_of(rows, width, self.reach, self._max_step)
        if grid.size > self._maps.size:
            self._maps = BitMaps(grid.size, (self.radii.size, self._prediction_radii.size))
        maps, k = self._maps, self._n_classes
        n_truth, some_ignored = assign_codes(truth.label, truth.row[rows], k - 1, self._codes[0])
        n_prediction, misplaced = assign_codes(prediction.label, prediction.row[rows], k, self._codes[1])
        if n_truth < 0 or n_prediction < 0 or misplaced:
            raise ValueError(f"A look-up table gives a class index that does not fit {k} classes.")
        if not some_ignored:
            fill_near(truth, self.radii, grid, maps.steps, maps.scratch, maps.near[0])
            fill_near(prediction, self._prediction_radii, grid, maps.steps, maps.scratch, maps.near[1])
            return
        maps.reserve(max(n_truth, n_prediction))
        draw_planes(truth, self._validity, 1, grid, maps.valid)
        work = maps.valid[0], maps.planes, maps.grown, maps.scratch
        fill_near_over_gaps(truth, self._codes[0], n_truth, self.radii, grid, *work, maps.near[0])
        fill_near_over_gaps(prediction, self._codes[1], n_prediction, self._prediction_radii, grid, *work, maps.near[1])

    def tally(self, segments: Segments, above: int, counted: int) -> None:
        """Add the counts of the strip that was drawn last; its counted rows are [above, above + counted)."""
        grid, maps = self._grid, self._maps
        base = (grid.margin + above) * grid.words
        tally_near(segments, counted, base, grid.words, maps.near[0], self._band_at, maps.near[1][-1], self._counts)

    def finish(self, confusion: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the profile, int64 (BOUNDARY_BINS, K, 3), and the bands, int64 (K, 2).

        Parameters
        ----------
        confusion : ndarray of int64, shape (K, K + 1)
            Of the same tile.
        """
        profile, bands = summarise_near(self._counts, confusion, self._limit_at, self._band_at)
        return profile, bands
