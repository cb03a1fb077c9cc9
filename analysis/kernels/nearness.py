"""Which pixels lie near another class: nested bit maps, one a radius.

Pixel p is *near* at radius r when a valid pixel of another class lies within chessboard distance r. The
tile's edge is no class. This module does maps without ignored pixels; the others are for `gaps`.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from analysis.kernels.bitmaps import MAX_STEP, clear, clear_margins, combine, grow, ones_from, ones_until
from analysis.kernels.machine import ALL_ONES, kernel


def radii_with(wanted: Iterable[int]) -> NDArray[np.int64]:
    """Return the radii to grow through, ascending from 1, int64: the wanted ones and those that steps need.

    From radius ``a`` the next may be ``2 * a - 1`` px farther (`fill_near`), and not over ``MAX_STEP``.
    """
    radii = [1]
    for radius in sorted(set(wanted)):
        while radius > radii[-1]:
            radii.append(min(radius, radii[-1] + min(2 * radii[-1] - 1, MAX_STEP)))
    return np.array(radii, np.int64)


@kernel
def draw_steps(runs, grid, near, steps):  # type: ignore[no-untyped-def]
    """Mark where the class changes along a row, and between a row and the next.

    Parameters
    ----------
    runs : Runs
    grid : Grid
    near : ndarray of uint64, shape (grid.size or more,)
        Filled in: pixels whose left or right neighbour is of another class.
    steps : ndarray of uint64, shape (grid.size or more,)
        Filled in: pixels whose lower neighbour is of another class.
    """
    # Names of their own: an array taken out of a tuple in a loop is reference-counted each time.
    start, end, label, row = runs
    rows, words, margin = grid
    one = np.uint64(1)
    clear(near, grid)
    clear(steps, grid)
    for y in range(rows):
        base = (margin + y) * words
        for i in range(row[y] + 1, row[y + 1]):
            x = np.int64(start[i])
            near[base + ((x - 1) >> 6)] |= one << np.uint64((x - 1) & 63)
            near[base + (x >> 6)] |= one << np.uint64(x & 63)
        if y + 1 == rows:
            break
        i, j, stop = row[y], row[y + 1], row[y + 1]
        x = np.int64(0)
        while i < stop:
            left, right = np.int64(end[i]), np.int64(end[j])
            after = min(left, right)
            if label[i] != label[j]:
                first, last = base + (x >> 6), base + ((after - 1) >> 6)
                mask = ones_from(x)
                for word in range(first, last):
                    steps[word] |= mask
                    mask = ALL_ONES
                steps[last] |= mask & ones_until(after)
            i += left == after
            j += right == after
            x = after


@kernel
def draw_contacts(runs, grid, steps, scratch, near):  # type: ignore[no-untyped-def]
    """Fill in the pixels that touch a pixel of another class, at a side or at a corner.

    A pixel touches another class exactly when its left or right neighbour is of another class, or when
    the class changes between its row and the next or the last, in its column or beside it. (If its
    neighbour beside is of its own class, such a change there puts another class at its corner.)

    Spare bits next to the map may be set too. They do no harm when this is grown on: they lie beside a
    change between two rows, and what is within r - 1 of them is within r of both its pixels.

    Parameters
    ----------
    runs : Runs
    grid : Grid
    steps, scratch : ndarray of uint64, shape (grid.size or more,)
        Overwritten.
    near : ndarray of uint64, shape (grid.size or more,)
        Filled in.
    """
    draw_steps(runs, grid, near, steps)
    n = grid.rows * grid.words
    first = grid.margin * grid.words
    clear_margins(scratch, grid)
    beside = scratch[first : first + n]
    combine(
        steps[first - 1 : first - 1 + n],
        steps[first : first + n],
        steps[first + 1 : first + 1 + n],
        np.int64(1),
        beside,
    )
    above = scratch[first - grid.words : first - grid.words + n]
    touching = near[first : first + n]
    for i in range(n):
        touching[i] |= beside[i] | above[i]


@kernel
def fill_near(runs, radii, grid, steps, scratch, near):  # type: ignore[no-untyped-def]
    """Fill in which pixels are near another class, for every radius, where no pixel is ignored.

    The near set of radius r is that of radius 1 grown by r - 1:

    - If p is near at r, take a shortest king's walk from p to the pixel of another class. Its last pixel
      of p's class before the first other one touches another class, and is at most r - 1 steps away. All
      pixels of the walk lie in the tile, because the tile is a rectangle.
    - If q touches another class and is at most r - 1 from p: either q is of another class than p itself,
      or it is of p's class and the pixel that it touches is at most r from p.

    Parameters
    ----------
    runs : Runs
    radii : ndarray of int64, shape (R,)
        From `radii_with`; R at least 1.
    grid : Grid
    steps, scratch : ndarray of uint64, shape (grid.size or more,)
        Overwritten.
    near : ndarray of uint64, shape (R, grid.size or more)
        Filled in. The spare bits hold anything.
    """
    draw_contacts(runs, grid, steps, scratch, near[0])
    for r in range(1, radii.size):
        clear_margins(near[r], grid)
        grow(near[r - 1], grid, radii[r] - radii[r - 1], scratch, near[r])
