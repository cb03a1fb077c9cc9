"""The pixels of a centre line as a list, the links between neighbours, and the gaps in it."""

from __future__ import annotations

import numpy as np

from analysis.kernels.columns import BLOCK, merge_bits
from analysis.kernels.machine import kernel, popcount, trailing_zeros

MATCHED, UNMATCHED, NOT_COUNTED = 1, 2, 0
"""What a line pixel is when gaps are looked for."""


@kernel
def count_bits(bitmap):  # type: ignore[no-untyped-def]
    """Return how many bits of a bit map are set."""
    n = np.int64(0)
    for i in range(bitmap.size):
        n += popcount(bitmap[i])
    return n


@kernel
def list_pixels(line, grid, row, column, first):  # type: ignore[no-untyped-def]
    """Write the pixels of a bit map in row-major order, from place ``first`` on."""
    at = first
    columns = (grid.width + 63) // 64
    used = np.empty(columns, np.int64)
    for top in range(0, grid.height, BLOCK):
        # Most blocks are empty: which are not is found once for all their rows.
        n = 0
        for i in range(columns):
            place = (1 + i) * grid.stride + BLOCK + top
            if merge_bits(line[place : place + BLOCK]) != 0:
                used[n] = i
                n += 1
        for y in range(top, min(top + BLOCK, grid.height) if n else top):
            for i in used[:n]:
                bits = line[np.uint64((1 + i) * grid.stride + BLOCK + y)]
                while bits != 0:
                    row[at] = y
                    column[at] = i * 64 + trailing_zeros(bits)
                    bits &= bits - np.uint64(1)
                    at += 1


@kernel
def root_of(parent, i):  # type: ignore[no-untyped-def]
    """Return the root of a pixel's set; the way there is halved."""
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@kernel
def meet(state, parent, open_ends, i, j):  # type: ignore[no-untyped-def]
    """Two neighbours: unmatched ones are of one stretch; beside a matched one, a stretch is a gap."""
    if state[i] == UNMATCHED:
        if state[j] == UNMATCHED:
            a, b = root_of(parent, i), root_of(parent, j)
            parent[max(a, b)] = min(a, b)
        elif state[j] == MATCHED:
            open_ends[i] = True
    elif state[i] == MATCHED and state[j] == UNMATCHED:
        open_ends[j] = True


@kernel
def find_links(row, column, state, first, stop, parent, open_ends, link_first, link_second, link_diagonal, used):  # type: ignore[no-untyped-def]
    """Find the links between the pixels of a line, and how many gaps it has.

    Two pixels that share a side are linked; two that share a corner are, unless a third pixel of the line shares a
    side with both. A gap is a stretch (8-connected) of unmatched pixels of which one touches a matched one.

    Parameters
    ----------
    row, column : ndarray of int32
        Line pixels in row-major order; those in [first, stop) are one line.
    state : ndarray of int8
        ``MATCHED``, ``UNMATCHED`` or ``NOT_COUNTED``.
    first, stop : int
    parent : ndarray of int32
        Overwritten in [first, stop).
    open_ends : ndarray of bool
        Overwritten in [first, stop).
    link_first, link_second : ndarray of int32, shape (used + 2 * (stop - first) or more,)
        Filled in from ``used`` on: places of both pixels; the first one comes first in row-major order.
    link_diagonal : ndarray of bool
        Filled in.
    used : int
        Links before.

    Returns
    -------
    tuple of int
        Links after, and gaps.
    """
    for i in range(first, stop):
        parent[i] = i
        open_ends[i] = False
    above, above_stop, this = first, first, first
    for i in range(first, stop):
        y, x = row[i], column[i]
        if i > first and row[i - 1] != y:
            # What is in [above, above_stop) are the pixels of the row above.
            above, above_stop = (this, i) if row[i - 1] == y - 1 else (i, i)
            this = i
        west = i > this and column[i - 1] == x - 1
        east = i + 1 < stop and row[i + 1] == y and column[i + 1] == x + 1
        while above < above_stop and column[above] < x - 1:
            above += 1
        north = False
        for j in range(above, min(above + 2, above_stop)):
            north |= column[j] == x
        if west:
            link_first[used], link_second[used], link_diagonal[used] = i - 1, i, False
            used += 1
            meet(state, parent, open_ends, i - 1, i)
        for j in range(above, min(above + 3, above_stop)):
            if column[j] > x + 1:
                break
            meet(state, parent, open_ends, j, i)
            if column[j] == x or not (north or (west if column[j] < x else east)):
                link_first[used], link_second[used], link_diagonal[used] = j, i, column[j] != x
                used += 1
    gaps = 0
    for i in range(first, stop):
        if open_ends[i]:
            root = root_of(parent, i)
            if root == i or not open_ends[root]:
                # Marked, so that a stretch with several ends is one gap.
                open_ends[root] = True
                gaps += 1
    return used, gaps
