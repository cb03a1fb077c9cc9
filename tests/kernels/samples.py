"""Random label map pairs, drawn so that regions, specks, gaps and single lines all occur."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from analysis.kernels.layout import IGNORED


@dataclass
class Pair:
    truth: np.ndarray
    prediction: np.ndarray
    k: int
    boundary_px: int
    seed: int


def blocks(rng, shape, values, coarse):
    """Return a map of blocks of ``coarse`` px with one pixel in twenty changed."""
    height, width = shape
    small = rng.choice(values, size=(height // coarse + 1, width // coarse + 1))
    labels = np.kron(small, np.ones((coarse, coarse), int))[:height, :width]
    specks = rng.random(shape) < 0.05
    labels[specks] = rng.choice(values, size=int(specks.sum()))
    return labels.astype(np.uint8)


@st.composite
def pairs(draw, max_height=40, max_width=150):
    seed = draw(st.integers(0, 2**31))
    rng = np.random.default_rng(seed)
    k = draw(st.integers(1, 6))
    shape = draw(st.integers(1, max_height)), draw(st.integers(1, max_width))
    truth_values = list(range(k)) + draw(st.sampled_from([[], [], [IGNORED], [IGNORED] * 9]))
    truth = blocks(rng, shape, truth_values, draw(st.integers(1, 40)))
    prediction_values = list(range(k)) + draw(st.sampled_from([[], [k]]))
    prediction = blocks(rng, shape, prediction_values, draw(st.integers(1, 40)))
    same = rng.random(shape) < draw(st.sampled_from([0.0, 0.5, 0.95]))
    same &= truth != IGNORED
    prediction[same] = truth[same]
    return Pair(truth, prediction, k, draw(st.sampled_from([1, 2, 3, 4, 7, 14, 26])), seed)


def recoded(rng, labels, values):
    """Return raw codes and a look-up table that give ``labels``; every value has several codes."""
    lut = np.array(values, np.uint8)[rng.integers(len(values), size=256)]
    codes = rng.permutation(256)
    for value, code in zip(values, codes, strict=False):
        lut[code] = value
    raw = np.zeros(labels.shape, np.uint8)
    for value in values:
        where = labels == value
        raw[where] = rng.choice(np.flatnonzero(lut == value), size=int(where.sum()))
    return raw, lut
