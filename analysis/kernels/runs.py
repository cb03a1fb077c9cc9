"""Label runs: the stretches of one class in every row of a label map.

Everything that is counted works on runs, because a map has a hundred times fewer runs than pixels.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.kernels.machine import kernel, load_word, trailing_zeros

EVERY_BYTE = np.uint64(0x0101010101010101)
FIRST_CAPACITY = 1 << 15


class Runs(NamedTuple):
    """Runs of a map, row by row and from left to right; the runs of a row cover it without gaps.

    Parameters
    ----------
    start, end : ndarray of int32, shape (capacity,)
        First column of a run and the column after its last; px.
    label : ndarray of uint8, shape (capacity,)
        Class index; neighbours in a row differ.
    row : ndarray of int64, shape (rows + 1 or more,)
        The runs of row ``y`` are ``row[y]`` up to ``row[y + 1]``.
    """

    start: NDArray[np.int32]
    end: NDArray[np.int32]
    label: NDArray[np.uint8]
    row: NDArray[np.int64]


def empty_runs(capacity: int, rows: int) -> Runs:
    """Return room for ``capacity`` runs in ``rows`` rows, not filled in."""
    return Runs(
        np.empty(capacity, np.int32),
        np.empty(capacity, np.int32),
        np.empty(capacity, np.uint8),
        np.empty(rows + 1, np.int64),
    )


@kernel
def next_change(flat, i, stop, code):  # type: ignore[no-untyped-def]
    """Return the first index in [i, stop) whose byte is not ``code``, or ``stop``; 32 bytes at a time."""
    pattern = np.uint64(code) * EVERY_BYTE
    while i + 32 <= stop:
        first, second = load_word(flat, i) ^ pattern, load_word(flat, i + 8) ^ pattern
        third, fourth = load_word(flat, i + 16) ^ pattern, load_word(flat, i + 24) ^ pattern
        if (first | second | third | fourth) != 0:
            # Choices, not branches: where in the 32 bytes a run ends cannot be guessed.
            early, early_at = (first, 0) if first != 0 else (second, 8)
            late, late_at = (third, 16) if third != 0 else (fourth, 24)
            differs, at = (early, early_at) if early != 0 else (late, late_at)
            # Little-endian: the lowest byte of a word is the leftmost pixel.
            return i + at + (trailing_zeros(differs) >> 3)
        i += 32
    while i + 8 <= stop:
        differs = load_word(flat, i) ^ pattern
        if differs != 0:
            return i + (trailing_zeros(differs) >> 3)
        i += 8
    while i < stop and flat[i] == code:
        i += 1
    return i


@kernel
def fill_runs(raw, lut, above, counted, row, used, runs, raw_counts):  # type: ignore[no-untyped-def]
    """Append the runs of the rows from ``row`` on, as long as they surely fit.

    Parameters
    ----------
    raw : ndarray of uint8, shape (rows, width)
        Raw codes, C-contiguous; width at least 1.
    lut : ndarray of uint8, shape (256,)
        Raw code to class index.
    above, counted : int
        Pixels are added to ``raw_counts`` in the rows [above, above + counted).
    row, used : int
        First row to read, and the number of runs before it.
    runs : Runs
        Filled in.
    raw_counts : ndarray of int64, shape (256,)
        Pixels per raw code, added to.

    Returns
    -------
    tuple of int
        Row to go on from (``rows`` when done) and the number of runs before it.
    """
    height, width = raw.shape
    flat = raw.reshape(-1)
    start, end, label, first = runs.start, runs.end, runs.label, runs.row
    for y in range(row, height):
        first[y] = used
        if used + width > end.size:
            return y, used
        weight = 1 if above <= y < above + counted else 0
        i = y * width
        left = i
        stop = i + width
        last = np.int64(-1)
        while i < stop:
            code = flat[i]
            after = next_change(flat, i + 1, stop, code)
            raw_counts[code] += weight * (after - i)
            this = np.int64(lut[code])
            if this == last:
                end[used - 1] = after - left
            else:
                start[used] = i - left
                end[used] = after - left
                label[used] = this
                used += 1
                last = this
            i = after
    first[height] = used
    return height, used


class RunBuffer:
    """The runs of one map, kept from tile to tile; grows when a map needs more room."""

    def __init__(self) -> None:
        self.runs = empty_runs(FIRST_CAPACITY, 0)
        self.used = 0

    def extract(
        self,
        raw: NDArray[np.uint8],
        lut: NDArray[np.uint8],
        raw_counts: NDArray[np.int64],
        *,
        above: int = 0,
        below: int = 0,
    ) -> Runs:
        """Find the runs of a map; the result is valid until the next call.

        Parameters
        ----------
        raw : ndarray of uint8, shape (rows, width)
            Raw codes, C-contiguous and writable (a read-only array is another type to numba).
        lut : ndarray of uint8, shape (256,)
            Raw code to class index. Neighbours whose raw codes differ but whose class does not are one run.
        raw_counts : ndarray of int64, shape (256,)
            Pixels per raw code in the rows that count, added to.
        above, below : int
            Rows at the top and at the bottom that do not count.

        Returns
        -------
        Runs
            ``row[rows]`` runs, of all rows; the arrays may be longer.
        """
        rows, width = raw.shape
        if self.runs.row.size < rows + 1:
            self.runs = self.runs._replace(row=np.empty(rows + 1, np.int64))
        counted = rows - above - below
        row, self.used = fill_runs(raw, lut, above, counted, 0, 0, self.runs, raw_counts)
        while row < rows:
            self._grow(width)
            row, self.used = fill_runs(raw, lut, above, counted, row, self.used, self.runs, raw_counts)
        return self.runs

    def _grow(self, width: int) -> None:
        old, used = self.runs, self.used
        new = empty_runs(2 * old.end.size + width, old.row.size - 1)
        new.start[:used] = old.start[:used]
        new.end[:used] = old.end[:used]
        new.label[:used] = old.label[:used]
        self.runs = new._replace(row=old.row)


def extract_runs(
    raw: NDArray[np.uint8], lut: NDArray[np.uint8], *, above: int = 0, below: int = 0
) -> tuple[Runs, NDArray[np.int64]]:
    """Return the runs of a whole map, arrays cut to length, and its pixels per raw code, int64 (256,).

    For a single map; work on many maps keeps a `RunBuffer`. Parameters as in `RunBuffer.extract`.
    """
    buffer = RunBuffer()
    raw_counts = np.zeros(256, np.int64)
    runs = buffer.extract(raw, lut, raw_counts, above=above, below=below)
    n = buffer.used
    return Runs(runs.start[:n], runs.end[:n], runs.label[:n], runs.row[: raw.shape[0] + 1]), raw_counts
