"""Width at the pixels of a centre line: exact distances there, and nowhere else.

A width is ``2 * d - 1``, ``d`` being the distance to the nearest pixel of the tile that is not of the class. On bars
along rows or columns that is the true width where it is odd, and one less where it is even; on bars at other angles
it is 0 to 2 px less than the true width, 0.9 px on average (widths 1 to 20).
"""

from __future__ import annotations

import numpy as np

from analysis.kernels.bitmaps import ones_until
from analysis.kernels.columns import BLOCK, any_in_disc, clear_after, clear_before, whole_root
from analysis.kernels.layout import MOST_WIDTH
from analysis.kernels.machine import ALL_ONES, kernel, leading_zeros, trailing_zeros

FARTHEST = MOST_WIDTH // 2 + 1
"""Distance, px, from which on the width is ``MOST_WIDTH`` whatever it is exactly."""
SMALL = 31
"""Px to both sides of a pixel that one word holds."""


@kernel
def nearest_in_row(mask, grid, y, x, inner, reach):  # type: ignore[no-untyped-def]
    """Return the column of row ``y`` nearest to ``x`` whose bit is 0, no more than ``reach`` away, or -1.

    What is less than ``inner`` away is known to be set and not looked at.
    """
    left, right = max(x - reach, 0), min(x + reach, grid.width - 1)
    nearest = -1
    if x + inner <= right:
        found = clear_after(mask, grid, y, x + inner, right)
        if found <= right:
            nearest = found
            left = max(left, x - (found - x))
    if x - inner >= left:
        found = clear_before(mask, grid, y, left, x - inner)
        if found >= left:
            nearest = found
    return nearest


@kernel
def distance_in_word(gaps, at):  # type: ignore[no-untyped-def]
    """Return the distance of the set bit nearest to bit ``at`` of a word that is not 0."""
    after, before = gaps >> np.uint64(at), gaps << np.uint64(63 - at)
    to_right = trailing_zeros(after) if after != 0 else 64
    to_left = leading_zeros(before) if before != 0 else 64
    return to_right if to_right <= to_left else -to_left


@kernel
def nearest_outside(mask, grid, y, x, best, inner, found):  # type: ignore[no-untyped-def]
    """Find the nearest pixel of the tile that is not set, from the row outwards.

    Parameters
    ----------
    mask : ndarray of uint64
    grid : Columns
    y, x : int
        From where.
    best : int
        Squared distance that it must fall short of.
    inner : int
        All pixels at a distance less than that are known to be set.
    found : ndarray of int64, shape (2,)
        Filled in: row and column of the pixel, where there is one.

    Returns
    -------
    int
        Its squared distance; ``best`` where none is near enough.
    """
    height, stride = grid.height, grid.stride
    left = max(x - SMALL, 0)
    most = min(grid.width - 1 - left, 63)
    place = (1 + (left >> 6)) * stride + BLOCK
    one = np.uint64(1)
    near, far = np.uint64(left & 63), np.uint64(63 - (left & 63))
    dy = 0
    while dy * dy < best and (dy <= y or y + dy < height):
        # Columns up to there are nearer than the best pixel so far.
        reach = whole_root(best - dy * dy - 1)
        if reach > SMALL:
            skip = whole_root(inner * inner - dy * dy - 1) if dy < inner else 0
            for row in (y - dy, y + dy):
                if 0 <= row < height and dy * dy < best:
                    column = nearest_in_row(mask, grid, row, x, skip, whole_root(best - dy * dy - 1))
                    if column >= 0:
                        best = dy * dy + (column - x) * (column - x)
                        found[0], found[1] = row, column
        else:
            # Both rows at once, the same 64 columns in every row; outside the tile there are no gaps.
            within = ones_until(min(x - left + reach, most) + 1) & (ALL_ONES << np.uint64(max(x - left - reach, 0)))
            upper = lower = np.uint64(0)
            if dy <= y:
                at = place + y - dy
                upper = ~((mask[np.uint64(at)] >> near) | ((mask[np.uint64(at + stride)] << one) << far)) & within
            if y + dy < height:
                at = place + y + dy
                lower = ~((mask[np.uint64(at)] >> near) | ((mask[np.uint64(at + stride)] << one) << far)) & within
            if upper | lower != 0:
                dx = distance_in_word(upper | lower, x - left)
                best = dy * dy + dx * dx
                in_upper = (upper >> np.uint64(x - left + dx)) & one != 0
                found[0], found[1] = y - dy if in_upper else y + dy, x + dx
        dy += 1
    return best


@kernel
def rounded_width(square):  # type: ignore[no-untyped-def]
    """Return ``2 * sqrt(square) - 1`` rounded half up, at most ``MOST_WIDTH``; ``square`` is at least 1."""
    return min(np.int64(np.floor(2.0 * np.sqrt(square) - 0.5)), MOST_WIDTH)


@kernel
def measure_widths(mask, ignored, some_ignored, grid, row, column, first, stop, width, kept):  # type: ignore[no-untyped-def]
    """Measure the width at the pixels of a line.

    A pixel is left out (``kept`` false) where the tile's edge or an ignored pixel is as near as any pixel of
    another class, or nearer: the road may go on there, so its width is not known.

    Parameters
    ----------
    mask : ndarray of uint64
        Pixels of the class.
    ignored : ndarray of uint64
        Ignored pixels; looked at where ``some_ignored``.
    some_ignored : bool
    grid : Columns
    row, column : ndarray of int32
        Line pixels in row-major order; those in [first, stop) are measured.
    first, stop : int
    width : ndarray of int32
        Filled in: 1 to ``MOST_WIDTH``.
    kept : ndarray of bool
        Filled in.
    """
    found = np.zeros(2, np.int64)
    # Nearest pixels outside, by line pixel: what is near one is not far from the next.
    at = np.empty((stop - first, 2), np.int32)
    square = np.empty(stop - first, np.int64)
    above, this = first, first
    for i in range(first, stop):
        y, x = np.int64(row[i]), np.int64(column[i])
        if i > first and row[i - 1] != row[i]:
            above, this = this, i
        edge = min(min(y, grid.height - 1 - y), min(x, grid.width - 1 - x)) + 1
        # Beyond that it is left out whatever there is, and its width is the largest.
        limit = max(edge, FARTHEST) ** 2
        best, inner = limit, int(np.int64(1))  # not a constant: one type for all calls
        while above < this and (row[above] != y - 1 or column[above] < x - 1):
            above += 1
        for j in (i - 1, above):
            if first <= j < i and abs(row[j] - y) <= 1 and abs(column[j] - x) <= 1:
                known = square[j - first]
                # Diagonal neighbours are less than 1.5 px apart.
                inner = max(inner, int(np.sqrt(known) - 1.5))
                if at[j - first, 0] >= 0:
                    dy, dx = at[j - first, 0] - y, at[j - first, 1] - x
                    if dy * dy + dx * dx < best:
                        best = dy * dy + dx * dx
                        found[0], found[1] = at[j - first, 0], at[j - first, 1]
        best = nearest_outside(mask, grid, y, x, best, inner, found)
        square[i - first] = best
        at[i - first, 0] = found[0] if best < limit else -1
        at[i - first, 1] = found[1]
        width[i] = rounded_width(best)
        kept[i] = edge * edge > best and not (some_ignored and any_in_disc(ignored, grid, y, x, best))
