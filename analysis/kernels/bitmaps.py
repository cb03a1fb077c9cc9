"""Bit maps: a bit a pixel, 64 pixels a word, so that one instruction grows 64 pixels (256 with AVX2).

A bit map is a flat array of uint64: ``margin`` rows of zeros, the rows of the map, ``margin`` rows of
zeros. Bit ``x & 63`` of word ``x >> 6`` of a row is column ``x``. A row is at least as many bits longer
than the map is wide as anything is ever grown by: what grows over the right edge, or over the left edge
into the end of the row above, stays in these spare bits. It need not be cleared, because growing by ``a``
and then by ``b`` never reaches farther than growing by ``a + b``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from analysis.kernels.machine import ALL_ONES, kernel

MAX_STEP = 63
"""Px by which a bit map can be grown at once: a shift must stay below the length of a word."""


class Grid(NamedTuple):
    """Where the rows of a map lie in its bit maps.

    Parameters
    ----------
    rows : int
        Rows of the map.
    words : int
        Words a row, spare bits included.
    margin : int
        Rows of zeros before the first and after the last row.
    """

    rows: int
    words: int
    margin: int

    @property
    def size(self) -> int:
        """Words of a bit map."""
        return (self.rows + 2 * self.margin) * self.words


def grid_of(rows: int, width: int, reach: int, step: int) -> Grid:
    """Return the layout for maps that are grown by ``reach`` px in all and by up to ``step`` px at once."""
    return Grid(rows, (width + reach + 63) // 64, max(step, 1))


@kernel
def ones_from(x):  # type: ignore[no-untyped-def]
    """Return the word whose bits from that of column ``x`` on are set."""
    return ALL_ONES << np.uint64(x & 63)


@kernel
def ones_until(stop):  # type: ignore[no-untyped-def]
    """Return the word whose bits up to that of column ``stop - 1`` are set; ``stop`` is at least 1."""
    return ALL_ONES >> np.uint64(63 - ((stop - 1) & 63))


@kernel
def combine(left, middle, right, step, out):  # type: ignore[no-untyped-def]
    """Write each word of ``middle`` or-ed with itself ``step`` px to the left and to the right."""
    near = np.uint64(step)
    far = np.uint64(64 - step)
    for i in range(out.size):
        word = middle[i]
        out[i] = word | (word << near) | (word >> near) | (left[i] >> far) | (right[i] << far)


@kernel
def combine_rows(above, middle, below, out):  # type: ignore[no-untyped-def]
    """Write the or of three rows of words."""
    for i in range(out.size):
        out[i] = above[i] | middle[i] | below[i]


@kernel
def grow(source, grid, step, scratch, target):  # type: ignore[no-untyped-def]
    """Add to a bit map itself moved by ``step`` px in the eight directions.

    That is a dilation by a square in two passes. If ``source`` is already grown by ``a``, ``target`` is
    grown by ``a + step`` as long as ``step <= 2 * a + 1``: only then do the moved squares leave no gap.

    Parameters
    ----------
    source, scratch, target : ndarray of uint64, shape (grid.size or more,)
        ``source`` is read, the others are overwritten; ``target`` may be ``source``. All margins are zero.
    grid : Grid
    step : int
        1 up to ``MAX_STEP`` and not more than ``grid.margin``.
    """
    n = grid.rows * grid.words
    first = grid.margin * grid.words
    jump = step * grid.words
    across = scratch[first : first + n]
    combine(
        source[first - 1 : first - 1 + n], source[first : first + n], source[first + 1 : first + 1 + n], step, across
    )
    combine_rows(
        scratch[first - jump : first - jump + n],
        across,
        scratch[first + jump : first + jump + n],
        target[first : first + n],
    )


@kernel
def clear(bitmap, grid):  # type: ignore[no-untyped-def]
    """Set every bit of a bit map to 0, margins included."""
    bitmap[: (grid.rows + 2 * grid.margin) * grid.words] = 0


@kernel
def clear_margins(bitmap, grid):  # type: ignore[no-untyped-def]
    """Set the bits of both margins to 0."""
    n = grid.margin * grid.words
    stop = n + grid.rows * grid.words
    bitmap[:n] = 0
    bitmap[stop : stop + n] = 0
