"""The truth of a tile alone: what a truth table holds where no prediction exists."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.kernels.layout import IGNORED
from analysis.kernels.strips import MapReader, RowOrder


@dataclass(frozen=True)
class TruthCounts:
    """What is counted on the truth of one tile alone.

    Parameters
    ----------
    pixels : ndarray of int64, shape (K,)
        Px by class.
    ignored : int
        Px.
    raw_counts : ndarray of int64, shape (256,)
        Px by raw code.
    hash : str
        As ``truth_hash`` of `TileCounts`.
    """

    pixels: NDArray[np.int64]
    ignored: int
    raw_counts: NDArray[np.int64]
    hash: str


class TruthCounter:
    """Counts truth maps one after the other, each whole or in strips from the top; one a worker.

    Parameters
    ----------
    n_classes : int
        K.
    """

    halo = 0
    """Rows that a strip needs around those that count; it may bring more."""

    def __init__(self, n_classes: int) -> None:
        self._n_classes = n_classes
        self._reader = MapReader()

    def start(self, height: int, width: int) -> None:
        """Begin a tile of that size; px."""
        self._order = RowOrder(height, width, self.halo)
        self._reader.start(height, width)
        self._by_label = np.zeros(256, np.int64)

    def add(
        self, raw: NDArray[np.uint8], lut: NDArray[np.uint8], *, above: int = 0, below: int = 0, row: int = 0
    ) -> None:
        """Count a strip; parameters and errors as for the truth of `PairCounter.add`."""
        self._order.take(raw.shape, above, below, row)
        before = self._reader.raw_counts.copy()
        self._reader.add(raw, lut, above, below)
        np.add.at(self._by_label, lut, self._reader.raw_counts - before)
        outside = self._by_label[self._n_classes : IGNORED]
        if outside.any():
            raise ValueError(f"The look-up table of the truth gives class indices above {self._n_classes - 1}.")

    def finish(self) -> TruthCounts:
        """Return the counts of the tile; ValueError if rows are missing."""
        self._order.finish()
        return TruthCounts(
            pixels=self._by_label[: self._n_classes].copy(),
            ignored=int(self._by_label[IGNORED]),
            raw_counts=self._reader.raw_counts,
            hash=self._reader.hexdigest(),
        )
