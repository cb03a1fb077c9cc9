from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.errors import SelectionError
from analysis.scores import RANKINGS, CountsBundle, RankBy, classes_in_mean, damage, rank, rank_tiles, rows, score

from . import masks

GOOD = ([0, 0, 1, 1], [0, 0, 1, 1])
VOID = ([None] * 4, [0, 1, 0, 1])
BAD = ([0, 0, 1, 1], [1, 1, 0, 0])
MIDDLE = ([0, 0, 1, 1], [0, 1, 1, 1])


def bundle(tiles, k):
    return CountsBundle(masks.confusion_of(tiles, k))


def perfect(tile):
    """The tile with its prediction set to the truth."""
    return tile[0], [0 if t is None else t for t in tile[0]]


def test_rank_by_hand():
    r = rank([0.5, np.nan, 0.2, 0.5, 0.9, np.nan], "higher")
    assert r.order.tolist() == [2, 0, 3, 4]
    assert r.undefined.tolist() == [1, 5]
    assert r.best_first.tolist() == [4, 0, 3, 2]  # ties stay in the given order
    assert rank([1, 3, 3, 2], "lower").order.tolist() == [1, 2, 3, 0]
    assert rank([], "lower").order.tolist() == []


@masks.patient
@given(
    st.lists(st.one_of(st.just(np.nan), st.integers(0, 3).map(float)), max_size=9), st.sampled_from(["higher", "lower"])
)
def test_rank_against_its_twin(values, better):
    r = rank(values, better)
    defined = [i for i, v in enumerate(values) if v == v]
    sign = 1 if better == "higher" else -1
    assert r.order.tolist() == sorted(defined, key=lambda i: (sign * values[i], i))
    assert r.best_first.tolist() == sorted(defined, key=lambda i: (-sign * values[i], i))
    assert r.undefined.tolist() == [i for i, v in enumerate(values) if v != v]


@pytest.mark.parametrize(
    "by",
    [RankBy("metric", metric="iou"), RankBy("metric", metric="accuracy"), RankBy("wrong_pixels"), RankBy("damage")],
)
def test_tile_without_a_valid_pixel_is_not_the_worst_nor_the_best(by):
    r = rank_tiles(bundle([GOOD, VOID, BAD, MIDDLE], 2), masks.class_list(2), by)
    assert r.order.tolist() == [2, 3, 0]
    assert r.best_first.tolist() == [0, 3, 2]
    assert r.undefined.tolist() == [1]


def test_own_mean_of_a_tile_runs_over_its_defined_foreground_classes():
    tiles = [([1, 1, 2, 2], [1, 1, 2, 1]), ([0, 0, 0, 1], [0, 0, 0, 1]), ([0, 0], [0, 0])]
    r = rank_tiles(bundle(tiles, 3), masks.class_list(3), RankBy("metric", metric="iou"))
    # tile 0: (2/3 + 1/2) / 2; tile 1: only class 1 occurs: 1; tile 2: no foreground
    np.testing.assert_allclose(r.values, [7 / 12, 1, np.nan])
    one = rank_tiles(bundle(tiles, 3), masks.class_list(3), RankBy("metric", metric="iou", class_index=2))
    np.testing.assert_allclose(one.values, [1 / 2, np.nan, np.nan])
    only = rank_tiles(bundle(tiles, 3), masks.class_list(3), RankBy("metric", metric="iou"), among=[1])
    np.testing.assert_allclose(only.values, [2 / 3, 1, np.nan])


def test_px_metrics_are_summed_over_the_foreground():
    tiles = [([1, 2, 0], [2, 1, 1]), ([1, 2, 0], [1, 2, 0])]
    r = rank_tiles(bundle(tiles, 3), masks.class_list(3), RankBy("metric", metric="fp"))
    assert r.values.tolist() == [3, 0]
    assert r.order.tolist() == [0, 1]


def test_one_confusion_and_what_is_predicted_outside_the_class_list():
    tiles = [([1, 1, 2], [2, 1, 2]), ([1, 1, 2], [2, 2, 1]), ([1, 1, 1], [3, 1, 1]), VOID]
    classes = masks.class_list(3)
    r = rank_tiles(bundle(tiles, 3), classes, RankBy("confusion", truth_index=1, predicted_index=2))
    assert r.values[:3].tolist() == [1, 2, 0]
    assert r.order.tolist() == [1, 0, 2]
    assert r.undefined.tolist() == [3]
    outside = rank_tiles(bundle(tiles, 3), classes, RankBy("confusion", truth_index=1, predicted_index=3))
    assert outside.order.tolist() == [2, 0, 1]


def test_damage_by_hand():
    # class 1 over all: right 4, union 4+... tile GOOD 2 of 2, BAD 0 of 4, MIDDLE 2 of 3 -> 4 of 9
    gains = damage(masks.confusion_of([GOOD, BAD, MIDDLE], 2), np.array([1]))
    # BAD perfect: 6 of 7; MIDDLE perfect: 4 of 8
    np.testing.assert_allclose(gains, [0, 6 / 7 - 4 / 9, 4 / 8 - 4 / 9])
    assert gains[0] == 0


def test_damage_of_a_class_that_exists_only_as_false_positives_of_the_tile():
    tiles = [([1, 1, 1], [1, 1, 2]), ([1], [1])]
    # before: class 1 3 of 4, class 2 0 of 1: mean 3/8; after: class 1 4 of 4, class 2 gone: 1
    np.testing.assert_allclose(damage(masks.confusion_of(tiles, 3), np.array([1, 2])), [1 - 3 / 8, 0])
    # of class 2 alone nothing remains
    np.testing.assert_array_equal(damage(masks.confusion_of(tiles, 3), np.array([2])), [np.nan, 0])


def test_damage_puts_right_what_was_predicted_outside_the_class_list():
    np.testing.assert_allclose(damage(np.array([[[0, 0, 0], [0, 3, 1]]]), np.array([1])), [1 / 4])


def test_damage_of_nothing():
    assert damage(np.zeros((0, 2, 3), int), np.array([1])).shape == (0,)
    assert np.isnan(damage(np.zeros((2, 2, 3), int), np.array([1]))).all()
    assert np.isnan(damage(np.ones((2, 2, 3), int), np.array([], np.intp))).all()
    with pytest.raises(ValueError, match="confusion"):
        damage(np.zeros((2, 3), int), np.array([1]))


@masks.patient
@given(masks.tile_lists())
def test_damage_is_the_pooled_score_with_the_tile_really_replaced(case):
    k, tiles = case
    classes, confusion = masks.class_list(k), masks.confusion_of(tiles, k)
    before = score("pooled", confusion, classes)
    gains = damage(confusion, classes_in_mean(classes))
    singles = [damage(confusion, np.array([c])) for c in range(k)]
    for n in range(len(tiles)):
        replaced = [perfect(t) if i == n else t for i, t in enumerate(tiles)]
        after = score("pooled", masks.confusion_of(replaced, k), classes)
        np.testing.assert_allclose(gains[n], after - before, atol=1e-12)
        for c in range(k):
            new = masks.slow_iou(masks.flat(replaced), c)
            old = masks.slow_iou(masks.flat(tiles), c)
            assert masks.same(singles[c][n], None if new is None or old is None else new - old)
    defined = gains[~np.isnan(gains)]
    assert (defined >= 0).all()
    for n, (truth, prediction) in enumerate(tiles):
        if all(t is None or t == p for t, p in zip(truth, prediction, strict=True)) and not np.isnan(gains[n]):
            assert gains[n] == 0


def test_damage_never_goes_below_zero_by_rounding():
    rng = np.random.default_rng(7)
    confusion = rng.integers(0, 10**9, (500, 12, 13)) * (rng.random((500, 12, 13)) < 0.2)
    diagonal = np.arange(12)
    clean = np.zeros_like(confusion[:50])
    clean[:, diagonal, diagonal] = confusion[:50, diagonal, diagonal]
    gains = damage(np.concatenate([clean, confusion]), np.arange(12))
    assert (gains[:50] == 0).all()
    assert (gains >= 0).all()


def test_damage_of_one_class_through_the_registry():
    tiles = [MIDDLE, BAD]
    r = rank_tiles(bundle(tiles, 2), masks.class_list(2), RankBy("damage", class_index=0))
    np.testing.assert_allclose(r.values, damage(masks.confusion_of(tiles, 2), np.array([0])))
    assert r.better == "lower"


@pytest.mark.parametrize(
    ("by", "message"),
    [
        (RankBy("worst"), "'worst'"),
        (RankBy("metric"), "needs 'metric'"),
        (RankBy("metric", metric="dice"), "'dice'"),
        (RankBy("metric", metric="accuracy", class_index=1), "leave the class out"),
        (RankBy("metric", metric="iou", class_index=2), "no class"),
        (RankBy("metric", metric="iou", class_index=-1), "no class"),
        (RankBy("confusion", truth_index=1), "needs 'predicted_index'"),
        (RankBy("confusion", truth_index=2, predicted_index=0), "no class"),
        (RankBy("confusion", truth_index=1, predicted_index=3), "no class"),
        (RankBy("confusion", truth_index=1, predicted_index=1), "different"),
        (RankBy("wrong_pixels", class_index=1), "does not take 'class_index'"),
    ],
)
def test_a_ranking_that_means_nothing_is_refused(by, message):
    with pytest.raises(SelectionError, match=message):
        rank_tiles(bundle([GOOD], 2), masks.class_list(2), by)


def test_counts_of_other_classes_are_refused():
    with pytest.raises(ValueError, match="shape"):
        rank_tiles(bundle([GOOD], 2), masks.class_list(3), RankBy())


def test_no_tiles_rank_to_nothing():
    counts = CountsBundle(np.zeros((0, 2, 3), int))
    for by in (RankBy(), RankBy("metric", metric="iou"), RankBy("wrong_pixels")):
        r = rank_tiles(counts, masks.class_list(2), by)
        assert (r.order.size, r.undefined.size) == (0, 0)


def test_registry_says_what_the_page_shows():
    names = {f.name for f in fields(RankBy)}
    for row in rows(RANKINGS):
        assert row["label"]
        assert str(row["purpose"]).endswith(".")
        assert {*row["required"], *row["optional"]} <= names  # type: ignore[misc]
