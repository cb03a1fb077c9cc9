"""Which pixels lie near another class, where some pixels are ignored.

What lies behind ignored pixels still counts: a pixel is near at radius r when a valid pixel of another
class lies within chessboard distance r, whatever is in between. So classes cannot be grown from where
they touch, as `nearness` does it; each must be grown from all its pixels.
"""

from __future__ import annotations

import numpy as np

from analysis.kernels.bitmaps import clear, clear_margins, grow, ones_from, ones_until
from analysis.kernels.layout import IGNORED
from analysis.kernels.machine import ALL_ONES, kernel, popcount, trailing_zeros


@kernel
def assign_codes(labels, used, highest, codes):  # type: ignore[no-untyped-def]
    """Give every class that occurs a code of bits, none of which contains another.

    All codes have the same number of set bits, so of two classes each has a bit that the other has not.
    Then "another class is near" is "a bit that is not mine is near", and 4 bit maps do for 6 classes, 6
    for 20, where a bit map a class would be the plain way.

    Parameters
    ----------
    labels : ndarray of uint8, shape (used or more,)
        Class indices of the runs; ``IGNORED`` gets the code 0.
    used : int
    highest : int
        Highest class index that may occur.
    codes : ndarray of int64, shape (256,)
        Filled in for the classes that occur.

    Returns
    -------
    tuple of (int, bool)
        Number of bits, 0 where fewer than two classes occur; -1 if a class index is too high. And whether
        ``IGNORED`` occurs.
    """
    occurs = np.zeros(256, np.bool_)
    for i in range(used):
        occurs[labels[i]] = True
    some_ignored = occurs[IGNORED]
    # Codes of the tile before must not stay: they name planes that this tile may not have.
    codes[:] = 0
    occurs[IGNORED] = False
    n = 0
    for label in range(256):
        if occurs[label]:
            n += 1
            if label > highest:
                return -1, some_ignored
    if n < 2:
        return 0, some_ignored
    planes, words = 2, 2
    while words < n:
        planes += 1
        words = 1
        for i in range(planes // 2):
            words = words * (planes - i) // (i + 1)
    code = np.uint64(0)
    for label in range(256):
        if occurs[label]:
            code += np.uint64(1)
            while popcount(code) != planes // 2:
                code += np.uint64(1)
            codes[label] = np.int64(code)
    return planes, some_ignored


@kernel
def draw_planes(runs, codes, n_planes, grid, planes):  # type: ignore[no-untyped-def]
    """Fill in a bit map for each bit of the codes: the pixels whose class has it.

    Parameters
    ----------
    runs : Runs
    codes : ndarray of int64, shape (256,)
        Code of each class index.
    n_planes : int
        Bits of the codes.
    grid : Grid
    planes : ndarray of uint64, shape (n_planes or more, grid.size or more)
        Overwritten, margins and spare bits with 0.
    """
    # Names of their own: an array taken out of a tuple in a loop is reference-counted each time.
    start, end, label, row = runs
    rows, words, margin = grid
    for j in range(n_planes):
        clear(planes[j], grid)
    for y in range(rows):
        base = (margin + y) * words
        for i in range(row[y], row[y + 1]):
            x, stop = np.int64(start[i]), np.int64(end[i])
            first, last = base + (x >> 6), base + ((stop - 1) >> 6)
            head, tail = ones_from(x), ones_until(stop)
            if first == last:
                head &= tail
                tail = head
            bits = np.uint64(codes[label[i]])
            while bits != 0:
                j = trailing_zeros(bits)
                bits &= bits - np.uint64(1)
                planes[j, first] |= head
                for word in range(first + 1, last):
                    planes[j, word] = ALL_ONES
                planes[j, last] |= tail


@kernel
def keep_valid(bitmap, grid, valid):  # type: ignore[no-untyped-def]
    """Clear the bits that are not valid, and all spare bits."""
    first = grid.margin * grid.words
    for i in range(first, first + grid.rows * grid.words):
        bitmap[i] &= valid[i]


@kernel
def add_others(grown, plane, grid, near):  # type: ignore[no-untyped-def]
    """Set the bits of the pixels that do not have a code's bit but have come near one that has."""
    first = grid.margin * grid.words
    for i in range(first, first + grid.rows * grid.words):
        near[i] |= grown[i] & ~plane[i]


@kernel
def fill_near_over_gaps(  # type: ignore[no-untyped-def]
    runs, codes, n_planes, radii, grid, valid, planes, grown, scratch, near
):
    """Fill in which pixels are near another class, for every radius.

    Parameters
    ----------
    runs : Runs
    codes : ndarray of int64, shape (256,)
    n_planes : int
        Bits of the codes (`assign_codes`).
    radii : ndarray of int64, shape (R,)
        From `radii_with`; R at least 1.
    grid : Grid
    valid : ndarray of uint64, shape (grid.size or more,)
        Pixels whose truth is not ignored; spare bits 0.
    planes, grown : ndarray of uint64, shape (n_planes or more, grid.size or more)
        Overwritten.
    scratch : ndarray of uint64, shape (grid.size or more,)
        Overwritten.
    near : ndarray of uint64, shape (R, grid.size or more)
        Filled in.
    """
    draw_planes(runs, codes, n_planes, grid, planes)
    clear_margins(scratch, grid)
    for j in range(n_planes):
        # For the prediction: what lies under ignored truth is not there.
        keep_valid(planes[j], grid, valid)
        grown[j] = planes[j]
    radius = 0
    for r in range(radii.size):
        clear(near[r], grid)
        for j in range(n_planes):
            grow(grown[j], grid, radii[r] - radius, scratch, grown[j])
            add_others(grown[j], planes[j], grid, near[r])
        keep_valid(near[r], grid, valid)
        radius = radii[r]
