"""Bit maps of a whole tile in columns of 64 pixels, for what spreads in all directions from where it is.

A bit map is a flat array of uint64. Bit ``x & 63`` of a word is column ``x``; the words of 64 px of width lie
one below the other, so that a vertical road is as compact in memory as a horizontal one, and a neighbour above
or below is the word before or after. Rows come in blocks of ``BLOCK``; a block of zeros lies above the first
one and below the last one, a column of zeros to the left and to the right. What is outside the tile is 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from analysis.kernels.bitmaps import ones_from, ones_until
from analysis.kernels.machine import ALL_ONES, kernel, leading_zeros, trailing_zeros

BLOCK = 16
"""Rows of a block."""
ROOTS = np.sqrt(np.arange(1 << 10)).astype(np.int64)


class Columns(NamedTuple):
    """Where the pixels of a tile lie in its bit maps.

    Parameters
    ----------
    height, width : int
        Of the tile, px.
    stride : int
        Words from one column to the next; a multiple of ``BLOCK``.
    """

    height: int
    width: int
    stride: int

    @property
    def size(self) -> int:
        """Words of a bit map."""
        return ((self.width + 63) // 64 + 2) * self.stride + BLOCK


def columns_of(height: int, width: int) -> Columns:
    """Return the layout for a tile of that size."""
    blocks = (height + BLOCK - 1) // BLOCK + 1
    # An odd number of blocks: the words of a row then do not compete for the same lines of the cache.
    return Columns(height, width, (blocks | 1) * BLOCK)


@kernel
def whole_root(n):  # type: ignore[no-untyped-def]
    """Return the square root of an int from 0 on, rounded down."""
    # Looked up where it is small, which is nearly always: a square root takes as long as the rest of a row.
    return ROOTS[n] if n < ROOTS.size else np.int64(np.sqrt(n))


@kernel
def merge_bits(words):  # type: ignore[no-untyped-def]
    """Return the or of all words."""
    bits = np.uint64(0)
    for i in range(words.size):
        bits |= words[i]
    return bits


@kernel
def set_span(bitmap, grid, y, x, stop):  # type: ignore[no-untyped-def]
    """Set the bits of the columns [x, stop) of row ``y``; at least one."""
    stride = grid.stride
    at = (1 + (x >> 6)) * stride + BLOCK + y
    last = (1 + ((stop - 1) >> 6)) * stride + BLOCK + y
    mask = ones_from(x)
    while at < last:
        bitmap[np.uint64(at)] |= mask
        mask = ALL_ONES
        at += stride
    bitmap[np.uint64(last)] |= mask & ones_until(stop)


@kernel
def has_bit(bitmap, grid, y, x):  # type: ignore[no-untyped-def]
    """Return whether the bit of a pixel is set."""
    word = bitmap[np.uint64((1 + (x >> 6)) * grid.stride + BLOCK + y)]
    return (word >> np.uint64(x & 63)) & np.uint64(1) != 0


@kernel
def window(bitmap, grid, y, left):  # type: ignore[no-untyped-def]
    """Return the 64 bits of row ``y`` from column ``left`` on, as a word; zeros beyond the tile."""
    at = (1 + (left >> 6)) * grid.stride + BLOCK + y
    shift = np.uint64(left & 63)
    # In two steps, because a shift by 64 is not defined.
    upper = (bitmap[np.uint64(at + grid.stride)] << np.uint64(1)) << (np.uint64(63) - shift)
    return (bitmap[np.uint64(at)] >> shift) | upper


@kernel
def any_bit(bitmap, grid, y, left, right):  # type: ignore[no-untyped-def]
    """Return whether a bit of the columns [left, right] of row ``y`` is set; both in the tile."""
    if right - left < 64:
        return window(bitmap, grid, y, left) & ones_until(right - left + 1) != 0
    at = (1 + (left >> 6)) * grid.stride + BLOCK + y
    last = (1 + (right >> 6)) * grid.stride + BLOCK + y
    mask = ones_from(left)
    while at < last:
        if bitmap[np.uint64(at)] & mask != 0:
            return True
        mask = ALL_ONES
        at += grid.stride
    return bitmap[np.uint64(last)] & ones_until(right + 1) != 0


@kernel
def any_in_disc(bitmap, grid, y, x, square):  # type: ignore[no-untyped-def]
    """Return whether a bit is set at a pixel whose squared distance from (y, x) is at most ``square``."""
    dy = 0
    while dy * dy <= square and (dy <= y or y + dy < grid.height):
        reach = whole_root(square - dy * dy)
        left, right = max(x - reach, 0), min(x + reach, grid.width - 1)
        if dy <= y and any_bit(bitmap, grid, y - dy, left, right):
            return True
        if y + dy < grid.height and any_bit(bitmap, grid, y + dy, left, right):
            return True
        dy += 1
    return False


@kernel
def clear_after(bitmap, grid, y, left, right):  # type: ignore[no-untyped-def]
    """Return the first column of [left, right] whose bit in row ``y`` is 0, or ``right + 1``."""
    column, last = left >> 6, right >> 6
    mask = ones_from(left)
    while column <= last:
        if column == last:
            mask &= ones_until(right + 1)
        gaps = ~bitmap[np.uint64((1 + column) * grid.stride + BLOCK + y)] & mask
        if gaps != 0:
            return (column << 6) + trailing_zeros(gaps)
        mask = ALL_ONES
        column += 1
    return right + 1


@kernel
def clear_before(bitmap, grid, y, left, right):  # type: ignore[no-untyped-def]
    """Return the last column of [left, right] whose bit in row ``y`` is 0, or ``left - 1``."""
    column, last = right >> 6, left >> 6
    mask = ones_until(right + 1)
    while column >= last:
        if column == last:
            mask &= ones_from(left)
        gaps = ~bitmap[np.uint64((1 + column) * grid.stride + BLOCK + y)] & mask
        if gaps != 0:
            return (column << 6) + 63 - leading_zeros(gaps)
        mask = ALL_ONES
        column -= 1
    return left - 1
