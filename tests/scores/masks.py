"""Label maps and counts for the tests of scores, and their slow and obvious twins.

A tile is a pair of flat lists (truth, prediction). Truth None is ignored; a prediction of K is outside
the class list. The twins use loops and fractions and know nothing of the code under test.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from analysis.words.classes import ClassList, ClassSpec

patient = settings(deadline=None)
"""A busy machine is not a failure."""

Tile = tuple[list[int | None], list[int]]


def class_list(k: int, background: int | None = 0) -> ClassList:
    """Classes 0..k-1 named a, b, c..."""
    return ClassList(tuple(ClassSpec(i, chr(ord("a") + i), "#000000") for i in range(k)), background)


def confusion_of(tiles: list[Tile], k: int) -> np.ndarray:
    """Confusion (N, K, K + 1), pixel by pixel."""
    counts = np.zeros((len(tiles), k, k + 1), np.int64)
    for n, (truth, prediction) in enumerate(tiles):
        for t, p in zip(truth, prediction, strict=True):
            if t is not None:
                counts[n, t, p] += 1
    return counts


@st.composite
def tile_lists(draw, *, outside: bool = True, ignored: bool = True, min_tiles: int = 1):
    """(K, tiles): few classes and few pixels, so that absent classes and void tiles are common."""
    k = draw(st.integers(1, 4))
    truths = st.sampled_from([*range(k), *([None] if ignored else [])])
    predictions = st.integers(0, k if outside else k - 1)
    tile = st.lists(st.tuples(truths, predictions), max_size=8).map(lambda px: ([t for t, _ in px], [p for _, p in px]))
    return k, draw(st.lists(tile, min_size=min_tiles, max_size=5))


def flat(tiles: list[Tile]) -> list[tuple[int, int]]:
    """All valid pixels of all tiles as pairs (truth, prediction)."""
    return [(t, p) for truth, prediction in tiles for t, p in zip(truth, prediction, strict=True) if t is not None]


def ratio(top: int | Fraction, bottom: int | Fraction) -> Fraction | None:
    return None if bottom == 0 else Fraction(top) / Fraction(bottom)


def slow_iou(pixels: list[tuple[int, int]], c: int) -> Fraction | None:
    both = sum(1 for t, p in pixels if t == c and p == c)
    either = sum(1 for t, p in pixels if c in (t, p))
    return ratio(both, either)


def slow_precision(pixels: list[tuple[int, int]], c: int) -> Fraction | None:
    return ratio(sum(1 for t, p in pixels if t == p == c), sum(1 for _, p in pixels if p == c))


def slow_recall(pixels: list[tuple[int, int]], c: int) -> Fraction | None:
    return ratio(sum(1 for t, p in pixels if t == p == c), sum(1 for t, _ in pixels if t == c))


def slow_f1(pixels: list[tuple[int, int]], c: int) -> Fraction | None:
    tp = sum(1 for t, p in pixels if t == p == c)
    wrong = sum(1 for t, p in pixels if t != p and c in (t, p))
    return ratio(2 * tp, 2 * tp + wrong)


def slow_mean(values: list[Fraction | None]) -> Fraction | None:
    defined = [v for v in values if v is not None]
    return ratio(sum(defined, Fraction(0)), len(defined))


def slow_pooled(pixels: list[tuple[int, int]], members: list[int]) -> Fraction | None:
    return slow_mean([slow_iou(pixels, c) for c in members])


def same(value: float, expected: Fraction | float | None) -> bool:
    """Whether the score is the fraction, to the last digits; None is NaN."""
    if expected is None:
        return bool(np.isnan(value))
    return abs(float(value) - float(expected)) <= 1e-12
