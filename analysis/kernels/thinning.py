"""Thinning to centre lines: Zhang and Suen's method, 64 pixels at a time.

T. Y. Zhang, C. Y. Suen, "A fast parallel algorithm for thinning digital patterns", Communications of the ACM 27
(1984) 236-239, with the table of removable neighbourhoods that scikit-image's ``skeletonize`` uses: it differs
from the paper in 25 of the 256 neighbourhoods. Two passes take turns, each removing at once all pixels whose
eight neighbours say so, until neither removes any. The result equals scikit-image's, pixel for pixel, and has its
known fault: a straight bar at exactly 45 degrees may lose half of its line, or all of it but a pixel.
"""

from __future__ import annotations

import numpy as np

from analysis.kernels.columns import BLOCK, merge_bits
from analysis.kernels.machine import kernel

EMPTY, ASLEEP = -2, -1
"""What a block is when it has no pixel, and when nothing near it has changed for two passes."""


@kernel
def stays_first(nw, n, ne, e, se, s, sw, w):  # type: ignore[no-untyped-def]
    """Return which pixels the first pass leaves, from their neighbours; a bit a pixel.

    The patterns are a smallest cover of the neighbourhoods that the table does not name for this pass.
    """
    north = nw & ne
    return (
        (n & s & ~(nw & sw))
        | (e & w & ~north)
        | (nw & ((e & ~n) | (s & ~w)))
        | (((ne & ~n) | (se & ~s)) & ~e)
        | (se & ~(ne | sw))
        | (sw & ~(s | w))
        | (ne & e & s & ~se)
        | (sw & ~(nw | n | se))
        | (north & se & sw)
        | ~(ne | ((n | s | sw) & (nw | e | se | w)))
    )


@kernel
def stays_second(nw, n, ne, e, se, s, sw, w):  # type: ignore[no-untyped-def]
    """Return which pixels the second pass leaves, as `stays_first`."""
    return (
        (n & s & ~(ne & se))
        | (e & w & ~(se & sw))
        | (ne & (se | ~n) & ~e)
        | (nw & ~(ne | sw))
        | (nw & ~(n | w))
        | (w & se & ~s)
        | (sw & ~(s | w))
        | (ne & ~(nw | se | sw))
        | (nw & ne & s & sw)
        | (n & sw & w & ~nw)
        | ~(sw | ((n | se | s) & (nw | e | w)))
    )


@kernel
def peel(left, middle, right, first, gone, target):  # type: ignore[no-untyped-def]
    """Do one pass on words that lie one below the other.

    Parameters
    ----------
    left, middle, right : ndarray of uint64, shape (n + 2,)
        The words, those to the left and those to the right, with one more above and below.
    first : bool
        Which pass.
    gone, target : ndarray of uint64, shape (n,)
        Filled in: the pixels that are removed, and those that are left.
    """
    one, far = np.uint64(1), np.uint64(63)
    # Two loops and not a choice in one: this is where the time goes, and LLVM makes vectors of it.
    if first:
        for i in range(gone.size):
            above, word, below = middle[i], middle[i + 1], middle[i + 2]
            gone[i] = word & ~stays_first(
                (above << one) | (left[i] >> far),
                above,
                (above >> one) | (right[i] << far),
                (word >> one) | (right[i + 1] << far),
                (below >> one) | (right[i + 2] << far),
                below,
                (below << one) | (left[i + 2] >> far),
                (word << one) | (left[i + 1] >> far),
            )
            target[i] = word & ~gone[i]
    else:
        for i in range(gone.size):
            above, word, below = middle[i], middle[i + 1], middle[i + 2]
            gone[i] = word & ~stays_second(
                (above << one) | (left[i] >> far),
                above,
                (above >> one) | (right[i] << far),
                (word >> one) | (right[i + 1] << far),
                (below >> one) | (right[i + 2] << far),
                below,
                (below << one) | (left[i + 2] >> far),
                (word << one) | (left[i + 1] >> far),
            )
            target[i] = word & ~gone[i]


@kernel
def wake(live, block, now, queue, n):  # type: ignore[no-untyped-def]
    """Note that a pixel beside a block has gone, and return how many blocks are queued."""
    if live[block] != EMPTY:
        if live[block] == ASLEEP:
            queue[n] = block
            n += 1
        live[block] = now
    return n


@kernel
def thin(mask, grid, line, other, gone, live, queue):  # type: ignore[no-untyped-def]
    """Thin a mask to its centre lines.

    A block of ``BLOCK`` rows of a column is looked at as long as a pixel in it, or beside it, went in one of the
    last two passes: without that, neither pass would find anything new in it.

    Parameters
    ----------
    mask : ndarray of uint64, shape (grid.size,)
        Read.
    grid : Columns
    line : ndarray of uint64, shape (grid.size,)
        Overwritten: the centre lines.
    other, gone : ndarray of uint64, shape (grid.size,)
        Overwritten.
    live, queue : ndarray of int32, shape (grid.size // BLOCK or more,)
        Overwritten.
    """
    stride = grid.stride
    across = stride // BLOCK
    n = np.int64(0)
    for block in range(mask.size // BLOCK):
        at = block * BLOCK
        words = mask[at : at + BLOCK]
        live[block] = EMPTY
        for i in range(BLOCK):
            line[at + i] = words[i]
            other[at + i] = words[i]
        if merge_bits(words) != 0:
            live[block] = 0
            queue[n] = block
            n += 1
    now = 0
    while n > 0:
        now += 1
        first = now & 1 == 1
        source, target = (line, other) if first else (other, line)
        queued = n
        i = 0
        while i < queued:
            block = queue[i]
            i += 1
            after = block + 1
            # Blocks that lie one below the other are one stretch of memory.
            while i < queued and queue[i] == after:
                after += 1
                i += 1
            at, stop = block * BLOCK, after * BLOCK
            peel(
                source[at - stride - 1 : stop - stride + 1],
                source[at - 1 : stop + 1],
                source[at + stride - 1 : stop + stride + 1],
                first,
                gone[at:stop],
                target[at:stop],
            )
            while block < after:
                words = gone[block * BLOCK : block * BLOCK + BLOCK]
                bits = merge_bits(words)
                if bits != 0:
                    live[block] = now
                    if words[0] != 0:
                        n = wake(live, block - 1, now, queue, n)
                    if words[BLOCK - 1] != 0:
                        n = wake(live, block + 1, now, queue, n)
                    if bits & np.uint64(1) != 0:
                        for beside in range(block - across - 1, block - across + 2):
                            n = wake(live, beside, now, queue, n)
                    if bits >> np.uint64(63) != 0:
                        for beside in range(block + across - 1, block + across + 2):
                            n = wake(live, beside, now, queue, n)
                block += 1
        queued = n
        n = np.int64(0)
        for i in range(queued):
            block = queue[i]
            if live[block] >= now - 1:
                queue[n] = block
                n += 1
            else:
                live[block] = ASLEEP
