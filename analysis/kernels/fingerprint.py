"""A content hash of a decoded map, from its runs."""

from __future__ import annotations

from hashlib import blake2b

import numpy as np

from analysis.kernels.runs import Runs

DIGEST_SIZE = 16


class Fingerprint:
    """Hash of a map of class indices, fed strip by strip from the top.

    Two maps have the same hash exactly when they have the same shape and the same class index in every
    pixel (up to the odds of a 128-bit collision). How the files code the classes and how the tile was cut
    into strips does not matter; the class ids behind the indices are not part of it.
    """

    def __init__(self, height: int, width: int) -> None:
        # Two streams, or the bytes would depend on where a strip ends. A row ends where a run ends at the
        # width, so the row pointers add nothing.
        self._column = np.uint16 if width <= 0xFFFF else np.uint32
        self._ends = blake2b(b"%d %d" % (height, width), digest_size=DIGEST_SIZE)
        self._labels = blake2b(digest_size=DIGEST_SIZE)

    def add(self, runs: Runs, first_row: int, last_row: int) -> None:
        """Take in the runs of the rows [first_row, last_row)."""
        begin, stop = int(runs.row[first_row]), int(runs.row[last_row])
        self._ends.update(runs.end[begin:stop].astype(self._column).data)
        self._labels.update(runs.label[begin:stop].data)

    def hexdigest(self) -> str:
        """Return the hash of what was taken in: 32 hexadecimal digits."""
        both = self._ends.copy()
        both.update(self._labels.digest())
        return both.hexdigest()
