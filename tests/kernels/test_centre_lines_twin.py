"""Centre lines against the slow twin, on random maps, whole and in strips."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.kernels.centre_lines import LineTally
from tests.kernels.line_twin import count_lines
from tests.kernels.samples import blocks, pairs
from tests.kernels.shapes import feed

EVERY = {"deadline": None, "derandomize": True}
ARRAYS = ("line_truth", "line_match", "line_links", "line_gaps", "line_prediction")


def same(found, twin):
    for name in ARRAYS:
        assert np.array_equal(getattr(found, name), getattr(twin, name)), name
    columns = found.px_side, found.px_class, found.px_row, found.px_column, found.px_width, found.px_kept
    assert list(zip(*(c.tolist() for c in columns), strict=True)) == twin.px
    links = list(zip(found.link_first.tolist(), found.link_second.tolist(), found.link_diagonal.tolist(), strict=True))
    assert len(links) == len(set(links))
    assert set(links) == twin.links
    return True


@st.composite
def narrow_pairs(draw):
    pair = draw(pairs(max_height=90, max_width=150))
    narrow = tuple(sorted(draw(st.sets(st.integers(0, pair.k - 1)))))
    return pair, narrow, draw(st.sampled_from([0, 0.7, 1, 2**0.5, 2, 3, 5.5, 6, 40, 1e9]))


@settings(max_examples=150, **EVERY)
@given(narrow_pairs())
def test_counts_are_those_of_the_twin(case):
    pair, narrow, tolerance = case
    found = feed(LineTally(pair.k, narrow), pair.truth, pair.prediction, pair.k, tolerance)
    assert same(found, count_lines(pair.truth, pair.prediction, pair.k, narrow, tolerance))


@settings(max_examples=40, **EVERY)
@given(narrow_pairs(), st.sets(st.integers(1, 89)))
def test_strips_of_any_heights_are_the_whole(case, cuts):
    pair, narrow, tolerance = case
    tally = LineTally(pair.k, narrow)
    # What another tile has left behind must do no harm.
    feed(tally, pair.prediction % pair.k, pair.truth, pair.k, tolerance)
    cuts = sorted(cut for cut in cuts if cut < pair.truth.shape[0])
    found = feed(tally, pair.truth, pair.prediction, pair.k, tolerance, cuts)
    assert same(found, count_lines(pair.truth, pair.prediction, pair.k, narrow, tolerance))


@settings(max_examples=10, **EVERY)
@given(st.integers(0, 2**31))
def test_wide_blobs_are_those_of_the_twin(seed):
    # Widths beyond a word and beyond the largest one, with specks that are the only thing near.
    rng = np.random.default_rng(seed)
    shape = tuple(rng.integers(100, 600, 2))
    truth = np.ones(shape, np.uint8)
    truth[rng.random(shape) < rng.choice([0, 3e-6, 1e-5, 1e-4])] = rng.choice([0, 255])
    prediction = blocks(rng, shape, [0, 1], int(rng.integers(50, 300)))
    found = feed(LineTally(2, (1,)), truth, prediction, 2, 3)
    assert same(found, count_lines(truth, prediction, 2, (1,), 3))
