from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sk

from analysis.scores import (
    accuracy,
    boundary_iou,
    class_counts,
    class_scores,
    kappa,
    mean_defined,
    pixel_outcomes,
    pool,
    safe_divide,
    valid_pixels,
    wrong_pixels,
)

from . import masks

# Rows are truth; the last column is predicted outside the class list.
HAND = np.array(
    [
        [5, 1, 0, 2],
        [3, 4, 0, 0],
        [0, 0, 0, 0],
    ]
)


def test_safe_divide_is_nan_on_zero_and_never_warns():
    np.testing.assert_array_equal(safe_divide([0, 1, 3], [0, 0, 4]), [np.nan, np.nan, 0.75])


def test_safe_divide_broadcasts_and_keeps_scalars_without_axes():
    assert safe_divide(1, 4).shape == ()
    assert safe_divide(np.ones((3, 1)), np.ones(2)).shape == (3, 2)
    assert safe_divide([], []).shape == (0,)


def test_mean_defined_leaves_nan_out():
    np.testing.assert_array_equal(mean_defined([[0.5, np.nan, 1.0], [np.nan] * 3]), [0.75, np.nan])
    assert np.isnan(mean_defined([]))
    np.testing.assert_array_equal(mean_defined(np.empty((2, 0))), [np.nan, np.nan])


def test_class_counts_by_hand():
    # truth: 5+1+2 = 8, 3+4 = 7, 0; predicted: 5+3 = 8, 1+4 = 5, 0; right: 5, 4, 0
    assert class_counts(HAND).tolist() == [[8, 8, 5], [7, 5, 4], [0, 0, 0]]


def test_class_scores_by_hand():
    s = class_scores(class_counts(HAND))
    # unions: 8 + 8 - 5 = 11 and 7 + 5 - 4 = 8
    np.testing.assert_allclose(s.iou, [5 / 11, 4 / 8, np.nan])
    np.testing.assert_allclose(s.precision, [5 / 8, 4 / 5, np.nan])
    np.testing.assert_allclose(s.recall, [5 / 8, 4 / 7, np.nan])
    np.testing.assert_allclose(s.f1, [10 / 16, 8 / 12, np.nan])


def test_outcomes_and_sums_by_hand():
    o = pixel_outcomes(class_counts(HAND))
    assert o.tp.tolist() == [5, 4, 0]
    assert o.fp.tolist() == [3, 1, 0]
    assert o.fn.tolist() == [3, 3, 0]
    assert valid_pixels(HAND) == 15
    assert wrong_pixels(HAND) == 6  # 1 + 2 + 3
    assert accuracy(HAND) == 9 / 15


def test_kappa_by_hand():
    # n = 15, a = 9/15, e = (8*8 + 7*5) / 225 = 99/225; (135/225 - 99/225) / (126/225) = 36/126
    np.testing.assert_allclose(kappa(HAND), 36 / 126)
    # reversed halves: a = 0, e = 1/2 -> -1
    assert kappa(np.array([[0, 3, 0], [3, 0, 0]])) == -1


def test_kappa_is_undefined_where_chance_alone_is_right_or_nothing_is_there():
    assert np.isnan(kappa(np.array([[7, 0, 0], [0, 0, 0]])))
    assert np.isnan(kappa(np.zeros((2, 3), int)))
    # all outside the class list: a = 0, e = 0 -> 0
    assert kappa(np.array([[0, 0, 7], [0, 0, 0]])) == 0


def test_kappa_of_a_single_error_among_a_million_million_pixels():
    n = 10**12
    # truth all of class 0, one px predicted as 1: a = e, so kappa is 0 exactly, however large n
    assert kappa(np.array([[n - 1, 1, 0], [0, 0, 0]])) == 0


def test_only_in_the_prediction_is_zero_and_absent_is_nan():
    s = class_scores(np.array([[0, 4, 0], [4, 0, 0], [0, 0, 0]]))
    np.testing.assert_array_equal(s.iou, [0, 0, np.nan])
    np.testing.assert_array_equal(s.f1, [0, 0, np.nan])
    np.testing.assert_array_equal(s.precision, [0, np.nan, np.nan])
    np.testing.assert_array_equal(s.recall, [np.nan, 0, np.nan])


def test_boundary_iou_by_hand():
    np.testing.assert_array_equal(boundary_iou(np.array([[3, 4], [0, 5], [0, 0]])), [0.75, 0, np.nan])


def test_leading_axes_are_free():
    stack = np.stack([HAND, 2 * HAND, 0 * HAND]).reshape(3, 1, 3, 4)
    assert class_counts(stack).shape == (3, 1, 3, 3)
    assert class_scores(class_counts(stack)).iou.shape == (3, 1, 3)
    np.testing.assert_allclose(kappa(stack)[:, 0], [36 / 126, 36 / 126, np.nan])
    assert accuracy(stack).shape == valid_pixels(stack).shape == wrong_pixels(stack).shape == (3, 1)


def test_no_tiles_pool_to_zeros():
    assert pool(np.zeros((0, 2, 3), int)).tolist() == [[0, 0, 0], [0, 0, 0]]
    assert class_counts(np.zeros((0, 2, 3), int)).shape == (0, 2, 3)


def test_small_integers_do_not_overflow_and_large_ones_are_exact():
    tiles = np.full((300, 1, 2), 2**15 - 1, np.int16)
    assert pool(tiles).tolist() == [[300 * 32767] * 2]
    assert valid_pixels(np.full((1, 2), 250, np.uint8)) == 500
    big = np.array([[[2**60, 1]], [[1, 0]]])
    assert pool(big).tolist() == [[2**60 + 1, 1]]
    assert class_counts(pool(big)).tolist() == [[2**60 + 2, 2**60 + 1, 2**60 + 1]]


def test_input_is_left_alone():
    before = HAND.copy()
    class_scores(class_counts(HAND))
    kappa(HAND)
    np.testing.assert_array_equal(HAND, before)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: class_counts(np.zeros((3, 3), int)), r"\(K, K \+ 1\)"),
        (lambda: class_counts(np.zeros(4, int)), "axes"),
        (lambda: accuracy(np.zeros((2, 3))), "integers"),
        (lambda: class_scores(np.zeros((3, 2), int)), "3"),
        (lambda: class_scores(np.zeros((3, 3), bool)), "integers"),
        (lambda: boundary_iou(np.zeros((3, 3), int)), "2"),
    ],
)
def test_wrong_shapes_and_types_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@masks.patient
@given(masks.tile_lists())
def test_against_slow_twins(case):
    k, tiles = case
    confusion = masks.confusion_of(tiles, k)
    per_tile, pooled = class_scores(class_counts(confusion)), class_scores(class_counts(pool(confusion)))
    twins = (masks.slow_iou, masks.slow_precision, masks.slow_recall, masks.slow_f1)
    for fast, whole, slow in zip(per_tile, pooled, twins, strict=True):
        for c in range(k):
            assert masks.same(whole[c], slow(masks.flat(tiles), c))
            for n, tile in enumerate(tiles):
                assert masks.same(fast[n, c], slow(masks.flat([tile]), c))


@masks.patient
@given(masks.tile_lists())
def test_kappa_and_accuracy_against_slow_twins(case):
    k, tiles = case
    pixels = masks.flat(tiles)
    n = len(pixels)
    confusion = pool(masks.confusion_of(tiles, k))
    agreed = sum(t == p for t, p in pixels)
    assert wrong_pixels(confusion) == n - agreed
    assert masks.same(accuracy(confusion), masks.ratio(agreed, n))
    if n == 0:
        assert np.isnan(kappa(confusion))
        return
    chance = sum(Fraction(sum(t == c for t, _ in pixels) * sum(p == c for _, p in pixels), n * n) for c in range(k + 1))
    assert masks.same(kappa(confusion), masks.ratio(Fraction(agreed, n) - chance, 1 - chance))


@masks.patient
@given(st.lists(st.one_of(st.none(), st.fractions(0, 1)), max_size=6))
def test_mean_defined_against_its_twin(values):
    floats = [np.nan if v is None else float(v) for v in values]
    assert masks.same(mean_defined(np.array(floats, float)), masks.slow_mean(values))


@masks.patient
@given(masks.tile_lists())
def test_against_scikit_learn(case):
    k, tiles = case
    pixels = masks.flat(tiles)
    if not pixels:
        return
    truth, prediction = np.array(pixels).T
    labels = list(range(k + 1))
    confusion = pool(masks.confusion_of(tiles, k))
    np.testing.assert_array_equal(sk.confusion_matrix(truth, prediction, labels=labels)[:k], confusion)
    np.testing.assert_allclose(accuracy(confusion), sk.accuracy_score(truth, prediction))
    ours = class_scores(class_counts(confusion))
    occurs = np.isin(range(k), [truth, prediction])
    options = {"labels": list(range(k)), "average": None, "zero_division": 0}
    for fast, theirs, defined in (
        (ours.iou, sk.jaccard_score, occurs),
        (ours.f1, sk.f1_score, occurs),
        (ours.precision, sk.precision_score, np.isin(range(k), prediction)),
        (ours.recall, sk.recall_score, np.isin(range(k), truth)),
    ):
        # Where we say undefined scikit-learn puts the value of `zero_division`.
        np.testing.assert_allclose(fast, np.where(defined, theirs(truth, prediction, **options), np.nan))
    if len(set(truth) | set(prediction)) > 1:
        np.testing.assert_allclose(kappa(confusion), sk.cohen_kappa_score(truth, prediction), atol=1e-12)
    else:
        assert np.isnan(kappa(confusion))
