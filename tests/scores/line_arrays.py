"""Random counts of centre lines, as tiles could have them."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from analysis.kernels.layout import WIDTH_BINS as WIDTHS
from analysis.scores import LineCounts


@st.composite
def line_counts(draw, *, k: int = 3, c: int = 1, most_tiles: int = 4) -> LineCounts:
    """Counts of a few tiles; some without any line, some with all of it left out."""
    n = draw(st.integers(0, most_tiles))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    some = random.random((n, c, 1, 1)) < 0.7
    truth = random.integers(0, 6, (n, c, WIDTHS, k + 1)) * (random.random((n, c, WIDTHS, 1)) < 0.3) * some
    kept = truth.sum(-1)
    match = random.integers(0, kept[..., np.newaxis].repeat(2, -1) + 1)
    links = random.integers(0, kept[..., np.newaxis].repeat(2, -1) + 1)
    gaps = random.integers(0, 4, (n, c, 2)) * (random.random((n, c, 1)) < 0.7)
    whole = random.integers(0, 60, (n, c, 1)) * (random.random((n, c, 1)) < 0.7)
    prediction = np.concatenate([whole, random.integers(0, whole.repeat(2, -1) + 1)], axis=-1)
    return LineCounts(truth, match, links, gaps, prediction)


def one_tile(
    widths: dict[int, tuple[list[int], int, int, int, int]], gaps: tuple[int, int], prediction: tuple[int, int, int]
) -> LineCounts:
    """A tile with one narrow class: width -> (px by predicted class, matched, inside, straight, diagonal)."""
    k = len(next(iter(widths.values()))[0])
    truth, match, links = (np.zeros((1, 1, WIDTHS, m), np.int64) for m in (k, 2, 2))
    for width, (px, matched, inside, straight, diagonal) in widths.items():
        at = min(width, WIDTHS) - 1
        truth[0, 0, at], match[0, 0, at], links[0, 0, at] = px, (matched, inside), (straight, diagonal)
    return LineCounts(truth, match, links, np.array([[gaps]]), np.array([[prediction]]))


def joined(*tiles: LineCounts) -> LineCounts:
    """Tiles behind each other."""
    names = ("truth", "match", "links", "gaps", "prediction")
    return LineCounts(*(np.concatenate([getattr(t, name) for t in tiles]) for name in names))
