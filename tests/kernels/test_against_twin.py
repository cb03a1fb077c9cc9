"""The pair kernels against the slow twin and against scipy, skimage and sklearn, under random input."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.ndimage import distance_transform_cdt
from skimage.morphology import dilation, erosion
from sklearn.metrics import confusion_matrix

from analysis.kernels.layout import BOUNDARY_LIMITS, IGNORED
from analysis.kernels.pair import PairCounter, count_pair

from . import twin
from .samples import pairs, recoded

EVERY = {"deadline": None, "derandomize": True}


def assert_same(one, other):
    for name in one.__dataclass_fields__:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


@settings(max_examples=90, **EVERY)
@given(pairs(30, 90))
def test_all_counts_equal_the_twins(pair):
    counts = count_pair(pair.truth, pair.prediction, pair.k, pair.boundary_px)
    twin_of = pair.truth, pair.prediction, pair.k
    np.testing.assert_array_equal(counts.confusion, twin.confusion(*twin_of))
    np.testing.assert_array_equal(counts.edges, twin.edges(*twin_of))
    np.testing.assert_array_equal(counts.boundary, twin.boundary(*twin_of))
    np.testing.assert_array_equal(counts.bands, twin.bands(*twin_of, pair.boundary_px))
    assert counts.ignored == (pair.truth == IGNORED).sum()
    np.testing.assert_array_equal(counts.truth_raw_counts, np.bincount(pair.truth.ravel(), minlength=256))
    np.testing.assert_array_equal(counts.prediction_raw_counts, np.bincount(pair.prediction.ravel(), minlength=256))


@settings(max_examples=150, **EVERY)
@given(pairs())
def test_totals_agree(pair):
    counts = count_pair(pair.truth, pair.prediction, pair.k, pair.boundary_px)
    confusion = counts.confusion
    margins = np.stack([confusion.sum(1), confusion[:, :-1].sum(0), confusion[:, :-1].diagonal()], axis=1)
    np.testing.assert_array_equal(counts.edges.sum(0), margins)
    np.testing.assert_array_equal(counts.boundary.sum(0), margins)
    assert counts.valid == confusion.sum()
    assert counts.valid + counts.ignored == pair.truth.size
    assert counts.truth_raw_counts.sum() == counts.prediction_raw_counts.sum() == pair.truth.size
    assert (counts.bands[:, 0] <= margins[:, 2]).all()
    assert (counts.bands[:, 1] <= margins[:, 0] + margins[:, 1]).all()
    assert min(counts.edges.min(), counts.boundary.min(), counts.bands.min()) >= 0


@settings(max_examples=150, **EVERY)
@given(pairs(120, 150), st.data())
def test_strips_add_up_to_the_tile(pair, data):
    rng = np.random.default_rng(pair.seed)
    height, width = pair.truth.shape
    whole = PairCounter(pair.k, pair.boundary_px)
    whole.start(height, width)
    truth, truth_lut = recoded(rng, pair.truth, [*range(pair.k), IGNORED])
    prediction, prediction_lut = recoded(rng, pair.prediction, range(pair.k + 1))
    whole.add(truth, truth_lut, prediction, prediction_lut)
    expected = whole.finish()
    cuts = sorted(data.draw(st.sets(st.integers(1, max(height - 1, 1)), max_size=4)) - {height})
    # The same counter once more: nothing of the last tile may be left in its buffers.
    whole.start(height, width)
    for row, end in zip([0, *cuts], [*cuts, height], strict=True):
        above, below = min(row, whole.halo), min(height - end, whole.halo)
        rows = slice(row - above, end + below)
        whole.add(truth[rows], truth_lut, prediction[rows], prediction_lut, above=above, below=below, row=row)
    assert_same(whole.finish(), expected)


@settings(max_examples=60, **EVERY)
@given(pairs())
def test_raw_codes_do_not_matter(pair):
    rng = np.random.default_rng(pair.seed)
    truth, truth_lut = recoded(rng, pair.truth, [*range(pair.k), IGNORED])
    prediction, prediction_lut = recoded(rng, pair.prediction, range(pair.k + 1))
    counter = PairCounter(pair.k, pair.boundary_px)
    counter.start(*truth.shape)
    counter.add(truth, truth_lut, prediction, prediction_lut)
    counts, plain = counter.finish(), count_pair(pair.truth, pair.prediction, pair.k, pair.boundary_px)
    for name in ("confusion", "edges", "boundary", "bands", "valid", "ignored", "truth_hash", "prediction_hash"):
        np.testing.assert_array_equal(getattr(counts, name), getattr(plain, name), err_msg=name)
    np.testing.assert_array_equal(counts.truth_raw_counts, np.bincount(truth.ravel(), minlength=256))
    np.testing.assert_array_equal(counts.prediction_raw_counts, np.bincount(prediction.ravel(), minlength=256))


@settings(max_examples=40, **EVERY)
@given(pairs())
def test_confusion_equals_sklearns(pair):
    valid = pair.truth != IGNORED
    if valid.any():
        expected = confusion_matrix(pair.truth[valid], pair.prediction[valid], labels=range(pair.k + 1))[:-1]
        np.testing.assert_array_equal(count_pair(pair.truth, pair.prediction, pair.k, 3).confusion, expected)


@settings(max_examples=60, **EVERY)
@given(pairs(60, 150))
def test_without_ignored_pixels_distances_are_scipys_and_bands_skimages(pair):
    truth = np.where(pair.truth == IGNORED, 0, pair.truth)
    counts = count_pair(truth.astype(np.uint8), pair.prediction, pair.k, pair.boundary_px)
    within = counts.boundary.cumsum(axis=0)
    square = np.ones((2 * pair.boundary_px + 1,) * 2, bool)
    for c in range(pair.k):
        of_class = truth == c
        # scipy counts nothing where a map is all one class: then no pixel is near another.
        away = distance_transform_cdt(of_class, "chessboard") if not of_class.all() else np.full(truth.shape, 999)
        for i, limit in enumerate(BOUNDARY_LIMITS):
            assert within[i, c, 0] == (of_class & (away <= limit)).sum()
        # A border of the class itself: the tile's edge is no boundary.
        bands = [
            mask
            & ~erosion(np.pad(mask, pair.boundary_px, constant_values=True), square)[
                pair.boundary_px : -pair.boundary_px, pair.boundary_px : -pair.boundary_px
            ]
            for mask in (of_class, pair.prediction == c)
        ]
        assert counts.bands[c].tolist() == [(bands[0] & bands[1]).sum(), (bands[0] | bands[1]).sum()]


@pytest.mark.parametrize("boundary_px", [40, 70, 200])
def test_bands_wider_than_every_limit(boundary_px):
    rng = np.random.default_rng(boundary_px)
    truth, prediction = np.zeros((2, 300, 500), np.uint8)
    truth[rng.integers(300, size=4), rng.integers(500, size=4)] = 1
    prediction[rng.integers(300, size=4), rng.integers(500, size=4)] = 1
    counts = count_pair(truth, prediction, 2, boundary_px)
    square = np.ones((2 * boundary_px + 1,) * 2, bool)
    near = [dilation(labels, square).astype(bool) & (labels == 0) for labels in (truth, prediction)]
    assert counts.bands[0].tolist() == [(near[0] & near[1]).sum(), (near[0] | near[1]).sum()]


@pytest.mark.parametrize("k", [1, 2, 7, 20, 250])
def test_many_classes(k):
    rng = np.random.default_rng(k)
    truth = rng.integers(k, size=(23, 67), dtype=np.uint8)
    truth[5:9, 10:40] = IGNORED
    prediction = rng.integers(k + 1, size=truth.shape, dtype=np.uint8)
    counts = count_pair(truth, prediction, k, 2)
    np.testing.assert_array_equal(counts.confusion, twin.confusion(truth, prediction, k))
    np.testing.assert_array_equal(counts.boundary, twin.boundary(truth, prediction, k))
    np.testing.assert_array_equal(counts.bands, twin.bands(truth, prediction, k, 2))
