"""What is read of one map, strip by strip: its runs, its raw counts, its hash."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from analysis.kernels.fingerprint import Fingerprint
from analysis.kernels.runs import RunBuffer, Runs


def plain_bytes(array: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the array as the one type that the kernels are compiled for: contiguous and writable.

    Copied only if it is neither; nothing is written to it.

    Raises
    ------
    TypeError
        If it does not hold uint8.
    """
    if array.dtype != np.uint8:
        raise TypeError(f"Label maps and look-up tables are uint8, not {array.dtype}.")
    flags = array.flags
    return array if flags.c_contiguous and flags.writeable else array.copy(order="C")


class RowOrder:
    """Checks that the strips of a tile come from the top, without gaps and with the rows around that they need.

    Parameters
    ----------
    height, width : int
        Of the tile, px.
    halo : int
        Rows around the counted ones that a strip must bring, as far as the tile has them.
    """

    def __init__(self, height: int, width: int, halo: int) -> None:
        if height < 1 or width < 1:
            raise ValueError(f"A tile has at least one pixel, not {height} x {width}.")
        self.height, self.width = height, width
        self.done = 0
        self._halo = halo

    def take(self, shape: tuple[int, ...], above: int, below: int, row: int) -> int:
        """Accept a strip and return how many of its rows count.

        Raises
        ------
        ValueError
            If it does not fit, with what is wrong.
        """
        if len(shape) != 2 or shape[1] != self.width:
            raise ValueError(f"A strip of shape {shape} does not fit a tile that is {self.width} px wide.")
        counted = shape[0] - above - below
        after = row + counted
        if row != self.done or counted < 1 or after > self.height:
            raise ValueError(f"Rows {row} to {after} do not follow the {self.done} of {self.height} rows before.")
        if not (
            min(self._halo, row) <= above <= row
            and min(self._halo, self.height - after) <= below <= self.height - after
        ):
            raise ValueError(f"{above} rows above and {below} below rows {row} to {after}; {self._halo} are needed.")
        self.done = after
        return counted

    def finish(self) -> None:
        """Make sure that the whole tile was seen; ValueError if not."""
        if self.done != self.height:
            raise ValueError(f"The tile is not complete: {self.done} of {self.height} rows.")


class MapReader:
    """Reads one side of a tile; its buffers are kept from tile to tile."""

    def __init__(self) -> None:
        self._buffer = RunBuffer()

    def start(self, height: int, width: int) -> None:
        """Begin a new tile."""
        # Not reused: the counts of the last tile are its owner's.
        self.raw_counts: NDArray[np.int64] = np.zeros(256, np.int64)
        self._fingerprint = Fingerprint(height, width)

    def add(self, raw: NDArray[np.uint8], lut: NDArray[np.uint8], above: int, below: int) -> Runs:
        """Read a strip and return the runs of all its rows, valid until the next call.

        Parameters as in `RunBuffer.extract`, in any memory layout.
        """
        raw = plain_bytes(raw)
        runs = self._buffer.extract(raw, plain_bytes(lut), self.raw_counts, above=above, below=below)
        self._fingerprint.add(runs, above, raw.shape[0] - below)
        return runs

    def hexdigest(self) -> str:
        """Return the hash of the rows that were read."""
        return self._fingerprint.hexdigest()
