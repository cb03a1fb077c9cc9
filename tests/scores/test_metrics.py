from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from analysis.errors import SelectionError
from analysis.scores import METRICS, CountsBundle, evaluate, overall, pooled_by_class, rows
from analysis.scores.registry import by_id

from . import masks

CONFUSION = np.array(
    [
        [[5, 1, 0, 2], [3, 4, 0, 0], [0, 0, 0, 0]],
        [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
    ]
)
BANDS = np.array([[[2, 4], [1, 5], [0, 0]], [[0, 0], [0, 0], [0, 0]]])
TILES = CountsBundle(CONFUSION, BANDS)

# Worked out in the tests of the formulas; the second tile has no valid pixel.
BY_HAND = {
    "iou": [5 / 11, 4 / 8, np.nan],
    "precision": [5 / 8, 4 / 5, np.nan],
    "recall": [5 / 8, 4 / 7, np.nan],
    "f1": [10 / 16, 8 / 12, np.nan],
    "boundary_iou": [2 / 4, 1 / 5, np.nan],
    "accuracy": 9 / 15,
    "kappa": 36 / 126,
    "wrong_pixels": 6,
    "tp": [5, 4, 0],
    "fp": [3, 1, 0],
    "fn": [3, 3, 0],
    "errors": [6, 4, 0],
}


@pytest.mark.parametrize("metric", list(METRICS))
def test_each_metric_of_tiles_and_of_a_pool(metric):
    entry = METRICS[metric]
    values = evaluate(metric, TILES)
    assert values.dtype == np.float64
    assert values.shape == ((2, 3) if entry.per_class else (2,))
    np.testing.assert_allclose(values[0], BY_HAND[metric])
    if entry.undefined_when == "never":
        assert not values[1].any()
    else:
        assert np.isnan(values[1]).all()
    # The void tile adds nothing to the pool.
    np.testing.assert_allclose(evaluate(metric, TILES.pooled()), BY_HAND[metric])


def test_every_metric_is_worked_out_here():
    assert set(BY_HAND) == set(METRICS)


def test_overall_averages_ratios_and_sums_px():
    members = np.array([1, 2])
    np.testing.assert_allclose(overall("iou", TILES, members), [0.5, np.nan])
    np.testing.assert_allclose(overall("fn", TILES, members), [3, 0])
    np.testing.assert_allclose(overall("fp", TILES, np.array([0, 1])), [4, 0])
    np.testing.assert_allclose(overall("accuracy", TILES, members), [0.6, np.nan])
    assert np.isnan(overall("iou", TILES, np.array([], np.intp))).all()


def test_profile_bins_are_scored_like_tiles():
    profile = np.array([[[4, 4, 4]], [[4, 2, 1]], [[0, 0, 0]]])
    np.testing.assert_allclose(evaluate("iou", CountsBundle(profile=profile))[:, 0], [1, 1 / 5, np.nan])


def test_bundle_takes_tiles_by_position_and_by_mask():
    assert TILES.take(np.array([1])).need("confusion").shape == (1, 3, 4)
    chosen = TILES.take(np.array([True, False]))
    np.testing.assert_array_equal(chosen.need("bands"), BANDS[:1])
    assert TILES.has_pixels.tolist() == [True, False]


def test_bundle_refuses_what_does_not_belong_together():
    with pytest.raises(ValueError, match="share"):
        CountsBundle(CONFUSION, BANDS[:1])
    with pytest.raises(ValueError, match="share"):
        CountsBundle(CONFUSION, BANDS[:, :2])
    with pytest.raises(ValueError, match="bands"):
        CountsBundle(bands=np.zeros((2, 3, 3), int))
    with pytest.raises(ValueError, match="no 'bands'"):
        evaluate("boundary_iou", CountsBundle(CONFUSION))
    with pytest.raises(ValueError, match="no 'confusion'"):
        evaluate("kappa", CountsBundle(profile=np.zeros((1, 3), int)))
    with pytest.raises(ValueError, match="no 'classes'"):
        evaluate("iou", CountsBundle(bands=BANDS))


def test_unknown_metric_names_those_there_are():
    with pytest.raises(SelectionError, match=r"'dice'.*iou.*f1"):
        evaluate("dice", TILES)


def test_a_new_metric_is_one_entry():
    error_rate = replace(
        METRICS["accuracy"], id="error", better="lower", compute=lambda c: 1 - METRICS["accuracy"].compute(c)
    )
    np.testing.assert_allclose(evaluate(error_rate, TILES), [0.4, np.nan])


def test_entries_are_complete_and_ids_unique():
    listed = rows(METRICS)
    assert [r["id"] for r in listed] == list(METRICS)
    for row in listed:
        assert "compute" not in row
        assert all(row[key] for key in ("label", "formula", "better", "undefined_when", "unit", "source", "needs"))
        assert "\n" not in str(row["formula"])
    with pytest.raises(ValueError, match="'iou'"):
        by_id([METRICS["iou"], METRICS["iou"]])
    with pytest.raises(TypeError):
        METRICS["iou"] = METRICS["f1"]  # type: ignore[index]


def test_pooled_by_class_by_hand():
    tiles = [
        ([0, 0, 1, 1], [0, 1, 1, 1]),
        ([0, 1, 1, None], [2, 1, 3, 1]),  # 3 is outside the class list
        ([0], [0]),
    ]
    p = pooled_by_class(masks.confusion_of(tiles, 3))
    assert p.truth_pixels.tolist() == [4, 4, 0]
    assert p.predicted_pixels.tolist() == [2, 4, 1]
    assert p.tp.tolist() == [2, 3, 0]
    assert p.fp.tolist() == [0, 1, 1]
    assert p.fn.tolist() == [2, 1, 0]
    np.testing.assert_allclose(p.iou, [2 / 4, 3 / 5, 0])
    np.testing.assert_allclose(p.recall, [2 / 4, 3 / 4, np.nan])
    assert p.tiles_in_truth.tolist() == [3, 2, 0]
    assert p.tiles_in_prediction.tolist() == [2, 2, 1]
    assert p.tiles_in_union.tolist() == [3, 2, 1]
    assert np.isnan(p.boundary_iou).all()
    row = p.row(2)
    assert row["recall"] is None
    assert row["precision"] == 0.0
    assert row["tiles_in_prediction"] == 1
    assert isinstance(row["tp"], int)


def test_pooled_by_class_pools_bands_before_dividing():
    bands = np.array([[[1, 2]], [[0, 6]]])
    p = pooled_by_class(np.array([[[4, 0]], [[4, 0]]]), bands)
    assert p.boundary_iou.tolist() == [1 / 8]  # not the mean of 1/2 and 0


def test_pooled_by_class_without_tiles_and_with_wrong_shapes():
    p = pooled_by_class(np.zeros((0, 2, 3), int), np.zeros((0, 2, 2), int))
    assert np.isnan(p.iou).all()
    assert np.isnan(p.boundary_iou).all()
    assert p.tiles_in_union.tolist() == [0, 0]
    with pytest.raises(ValueError, match="bands"):
        pooled_by_class(np.zeros((1, 2, 3), int), np.zeros((2, 2, 2), int))
    with pytest.raises(ValueError, match="confusion"):
        pooled_by_class(np.zeros((2, 3), int))


@masks.patient
@given(masks.tile_lists())
def test_pooled_by_class_against_slow_twins(case):
    k, tiles = case
    p = pooled_by_class(masks.confusion_of(tiles, k))
    pixels, each = masks.flat(tiles), [masks.flat([t]) for t in tiles]
    for c in range(k):
        assert masks.same(p.iou[c], masks.slow_iou(pixels, c))
        assert masks.same(p.precision[c], masks.slow_precision(pixels, c))
        assert masks.same(p.recall[c], masks.slow_recall(pixels, c))
        assert masks.same(p.f1[c], masks.slow_f1(pixels, c))
        assert p.tp[c] == sum(t == q == c for t, q in pixels)
        assert p.fp[c] == sum(q == c != t for t, q in pixels)
        assert p.fn[c] == sum(t == c != q for t, q in pixels)
        assert p.tiles_in_truth[c] == sum(any(t == c for t, _ in px) for px in each)
        assert p.tiles_in_prediction[c] == sum(any(q == c for _, q in px) for px in each)
        assert p.tiles_in_union[c] == sum(any(c in pair for pair in px) for px in each)
