from __future__ import annotations

from dataclasses import fields
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from analysis.errors import SelectionError
from analysis.scores import CONVENTIONS, classes_in_mean, headline, rows, score
from analysis.words.classes import ClassList, ClassSpec

from . import masks


def scores_of(tiles, k, background=0):
    confusion = masks.confusion_of(tiles, k)
    return {c: score(c, confusion, masks.class_list(k, background)) for c in CONVENTIONS}


def test_every_convention_by_hand():
    tiles = [
        ([0, 0, 1, 1], [0, 1, 1, 1]),  # class 1: 2 of 3; class 2 absent; background 1 of 2
        ([0, 0, 1, 2], [0, 0, 2, 2]),  # class 1: 0 of 1; class 2: 1 of 2; background 2 of 2
    ]
    # pooled: background 3 of 4, class 1 2 of 4, class 2 1 of 2
    expected = {
        "pooled": (1 / 2 + 1 / 2) / 2,
        "pooled_with_background": (3 / 4 + 1 / 2 + 1 / 2) / 3,
        "tile_mean": (2 / 3 + 0 + 1 / 2) / 3,
        "tile_mean_zero": ((2 / 3 + 0) / 2 + (0 + 1 / 2) / 2) / 2,
        "frequency_weighted": (4 * 3 / 4 + 3 * 1 / 2 + 1 * 1 / 2) / 8,
    }
    assert scores_of(tiles, 3) == pytest.approx(expected)


def test_absent_class_does_not_pull_the_mean_down():
    # five classes, of which two occur: 7 of 8 and 8 of 9
    tiles = [([0] * 8 + [2] * 8, [0] * 7 + [2] * 9)]
    assert score("pooled", masks.confusion_of(tiles, 5), masks.class_list(5, None)) == pytest.approx(127 / 144)


def test_class_only_in_the_prediction_is_zero_and_in_the_mean():
    tiles = [([1, 1, 1], [1, 1, 2])]
    got = scores_of(tiles, 4)
    assert got["pooled"] == pytest.approx((2 / 3 + 0) / 2)
    assert got["tile_mean"] == pytest.approx((2 / 3 + 0) / 2)
    assert got["tile_mean_zero"] == pytest.approx((2 / 3 + 0 + 0) / 3)
    assert got["frequency_weighted"] == pytest.approx(2 / 3)  # no truth, no weight


def test_background_leaves_the_mean_but_its_pixels_stay():
    # 3 buildings right, 3 false ones on background: 3 of 6, not 3 of 3
    tiles = [([1, 1, 1, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1, 0])]
    assert scores_of(tiles, 2)["pooled"] == 0.5
    assert scores_of(tiles, 2)["pooled_with_background"] == pytest.approx((3 / 6 + 1 / 4) / 2)


def test_the_mean_is_not_one_ratio_of_all_intersections():
    # class 1: 8 of 10; class 2: 0 of 2; one ratio would be 8 of 12, or 2/3
    tiles = [([1] * 10 + [2, 2], [1] * 8 + [3, 3, 3, 3])]
    assert scores_of(tiles, 4)["pooled"] == pytest.approx((8 / 10 + 0 + 0) / 3)


def test_binary_headline_is_the_iou_of_class_1():
    # tp 12, fp 4, fn 4, tn 236
    confusion = np.array([[[236, 4, 0], [4, 12, 0]]])
    head = headline("pooled", confusion, masks.class_list(2))
    assert head.value == pytest.approx(12 / 20)
    assert head.left_out == ("a",)
    assert head.caption == "Pooled · without a · 1 class · 1 of 1 tiles · 256 px"
    assert score("pooled_with_background", confusion, masks.class_list(2)) == pytest.approx(239 / 305)


def test_tile_without_a_valid_pixel():
    good, void = ([1, 1], [1, 1]), ([None, None], [1, 0])
    got = scores_of([good, void], 2)
    assert got["pooled"] == got["tile_mean"] == got["frequency_weighted"] == 1
    assert got["tile_mean_zero"] == 0.5
    confusion = masks.confusion_of([good, void], 2)
    used = {c: headline(c, confusion, masks.class_list(2)).tiles_used for c in CONVENTIONS}
    assert used == {
        "pooled": 1,
        "pooled_with_background": 1,
        "tile_mean": 1,
        "tile_mean_zero": 2,
        "frequency_weighted": 1,
    }


def test_only_void_tiles():
    confusion = masks.confusion_of([([None], [0])], 2)
    for c in CONVENTIONS:
        head = headline(c, confusion, masks.class_list(2))
        if c == "tile_mean_zero":
            assert (head.value, head.reason) == (0, "")
        else:
            assert np.isnan(head.value)
            assert head.reason == "No tile has a valid pixel."


@pytest.mark.parametrize("convention", list(CONVENTIONS))
def test_no_tiles_is_undefined_and_says_so(convention):
    head = headline(convention, np.zeros((0, 3, 4), int), masks.class_list(3))
    assert np.isnan(head.value)
    assert (head.tiles, head.tiles_used, head.terms, head.pixels) == (0, 0, 0, 0)
    assert head.reason == "There is no tile."


def test_background_as_the_only_class():
    confusion = np.array([[[3, 1]]])  # 3 right, 1 outside the class list
    for c, convention in CONVENTIONS.items():
        head = headline(c, confusion, masks.class_list(1))
        if convention.background:
            assert head.value == 0.75
        else:
            assert np.isnan(head.value)
            assert head.reason == "No class is left in the mean."


def test_only_background_occurs():
    head = headline("pooled", np.array([[[4, 0, 0], [0, 0, 0]]]), masks.class_list(2))
    assert np.isnan(head.value)
    assert (head.terms, head.tiles_used, head.pixels) == (0, 1, 4)
    assert head.reason == "No class in the mean occurs in these tiles."


def test_background_is_an_id_and_not_an_index():
    classes = ClassList((ClassSpec(3, "road", "#000000"), ClassSpec(7, "background", "#000000")), 7)
    head = headline("pooled", np.array([[[2, 2, 0], [0, 9, 0]]]), classes)
    assert head.value == 0.5
    assert head.left_out == ("background",)


def test_support_and_caption():
    tiles = [([1, 2, 0], [1, 2, 0]), ([0, 0], [0, 0]), ([None], [0])]
    confusion, classes = masks.confusion_of(tiles, 3), masks.class_list(3)
    mean = headline("tile_mean", confusion, classes)
    assert (mean.tiles, mean.tiles_used, mean.terms, mean.pixels) == (3, 1, 2, 3)
    assert mean.caption == "Mean over tiles · without a · 2 pairs of tile and class · 1 of 3 tiles · 3 px"
    pooled = headline("pooled_with_background", confusion, classes)
    assert (pooled.tiles, pooled.tiles_used, pooled.terms, pooled.pixels) == (3, 2, 3, 5)
    assert pooled.caption == "Pooled, with background · 3 classes · 2 of 3 tiles · 5 px"
    zero = headline("tile_mean_zero", confusion, classes)
    assert (zero.tiles_used, zero.terms, zero.pixels) == (3, 6, 5)
    assert zero.value == pytest.approx(1 / 3)


def test_chosen_classes_restrict_the_mean_and_drop_no_pixel():
    tiles = [([1, 1, 2, 2], [1, 2, 2, 0])]  # class 1: 1 of 2; class 2: 1 of 3
    confusion, classes = masks.confusion_of(tiles, 3), masks.class_list(3)
    assert score("pooled", confusion, classes, among=[2]) == pytest.approx(1 / 3)
    assert headline("pooled", confusion, classes, among=[2]).left_out == ("a", "b")
    assert np.isnan(score("pooled", confusion, classes, among=[0]))
    assert score("pooled_with_background", confusion, classes, among=[0]) == 0
    assert score("frequency_weighted", confusion, classes, among=[1]) == 0.5
    assert classes_in_mean(classes, among=[2, 1]).tolist() == [1, 2]
    with pytest.raises(ValueError, match="among"):
        classes_in_mean(classes, among=[3])


def test_unknown_convention_and_wrong_shapes():
    with pytest.raises(SelectionError, match="pooled_with_background"):
        score("micro", np.zeros((1, 2, 3), int), masks.class_list(2))
    for shape in ((2, 3), (1, 3, 4), (1, 1, 2, 3)):
        with pytest.raises(ValueError, match=r"\(N, 2, 3\)"):
            score("pooled", np.zeros(shape, int), masks.class_list(2))


@masks.patient
@given(masks.tile_lists())
def test_against_slow_twins(case):
    k, tiles = case
    got = scores_of(tiles, k)
    pixels, foreground = masks.flat(tiles), list(range(1, k))
    per_tile = [[masks.slow_iou(masks.flat([t]), c) for c in foreground] for t in tiles]
    filled = [[v or Fraction(0) for v in values] for values in per_tile]
    truth = [sum(t == c for t, _ in pixels) for c in range(k)]
    weighted = sum((truth[c] * (masks.slow_iou(pixels, c) or 0) for c in range(k)), Fraction(0))
    expected = {
        "pooled": masks.slow_pooled(pixels, foreground),
        "pooled_with_background": masks.slow_pooled(pixels, list(range(k))),
        "tile_mean": masks.slow_mean([v for values in per_tile for v in values]),
        "tile_mean_zero": masks.slow_mean([masks.slow_mean(values) for values in filled]),
        "frequency_weighted": masks.ratio(weighted, len(pixels)),
    }
    for c, value in expected.items():
        assert masks.same(got[c], value), c


@masks.patient
@given(masks.tile_lists(ignored=False, outside=False))
def test_tile_mean_is_torchmetrics_rule(case):
    """torchmetrics 1.9.0 segmentation/mean_iou.py: sum of IoU over sample and class with union > 0, over their number.

    Its -1 for "never present" is our NaN.
    """
    k, tiles = case
    total, number = 0.0, 0
    for truth, prediction in tiles:
        for c in range(1, k):  # include_background=False
            t, p = np.array(truth) == c, np.array(prediction) == c
            if (t | p).sum() > 0:
                total += (t & p).sum() / (t | p).sum()
                number += 1
    expected = total / number if number else np.nan
    np.testing.assert_allclose(scores_of(tiles, k)["tile_mean"], expected, atol=1e-12)


@masks.patient
@given(masks.tile_lists())
def test_pooled_with_background_is_mmsegmentations_rule(case):
    """mmseg/evaluation/metrics/iou_metric.py: areas from histograms, summed over images; nanmean of their ratio."""
    k, tiles = case
    intersect, union = np.zeros(k), np.zeros(k)
    for truth, prediction in tiles:
        label = np.array([255 if t is None else t for t in truth], int)
        predicted = np.array(prediction, int)
        predicted, label = predicted[label != 255], label[label != 255]
        hit = np.bincount(predicted[predicted == label], minlength=k + 1)[:k]
        intersect += hit
        union += np.bincount(predicted, minlength=k + 1)[:k] + np.bincount(label, minlength=k + 1)[:k] - hit
    present = union > 0
    expected = (intersect[present] / union[present]).mean() if present.any() else np.nan
    np.testing.assert_allclose(scores_of(tiles, k)["pooled_with_background"], expected, atol=1e-12)


def test_registry_says_what_the_page_shows():
    assert list(CONVENTIONS) == [
        "pooled",
        "pooled_with_background",
        "tile_mean",
        "tile_mean_zero",
        "frequency_weighted",
    ]
    for row in rows(CONVENTIONS):
        assert set(row) == {f.name for f in fields(CONVENTIONS["pooled"])} - {"compute"}
        for key in ("label", "rule", "differs", "used_by"):
            assert row[key]
        for key in ("rule", "differs", "used_by"):
            assert str(row[key]).endswith(".")
