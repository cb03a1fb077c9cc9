"""Object scores: by hand, and against panoptic quality computed as panopticapi does, from overlaps of segments."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from skimage.measure import label

from analysis.scores import object_scores, taken_for
from analysis.words.outcomes import FOUND, MERGED, PARTLY, SPLIT, UNTOUCHED

from . import masks, object_maps

K = 3


def hand() -> np.ndarray:
    """Class 1: 4 truth objects (2 found, IoU 0.6 and 0.9; 1 split; 1 missed), 5 predicted (2; 2 pieces; 1 false)."""
    array = np.zeros((2, K, 5, 4), np.int64)
    array[0, 1, FOUND] = [2, 100, 80, 1_500_000_000]
    array[0, 1, SPLIT] = [1, 50, 40, 0]
    array[0, 1, UNTOUCHED] = [1, 10, 0, 0]
    array[1, 1, FOUND] = [2, 90, 80, 1_500_000_000]
    array[1, 1, SPLIT] = [2, 45, 40, 0]
    array[1, 1, UNTOUCHED] = [1, 5, 0, 0]
    array[1, 2, UNTOUCHED] = [3, 9, 0, 0]
    return array


def test_by_hand() -> None:
    s = object_scores(hand())
    assert (s.truth[1], s.predicted[1], s.found[1]) == (4, 5, 2)
    assert s.by_outcome[0, 1].tolist() == [2, 0, 1, 1, 0]
    assert s.precision[1] == pytest.approx(2 / 5)
    assert s.recall[1] == pytest.approx(2 / 4)
    assert s.f1[1] == s.rq[1] == pytest.approx(2 / (2 + 3 / 2 + 2 / 2))
    assert s.sq[1] == pytest.approx(0.75)
    assert s.pq[1] == pytest.approx(0.75 * 4 / 9)
    assert s.covered[1] == pytest.approx(120 / 160)
    assert s.right_share[1] == pytest.approx(120 / 140)


def test_undefined_is_not_zero() -> None:
    s = object_scores(hand())
    # Class 0 has no object at all; class 2 is predicted only.
    for name in ("precision", "recall", "f1", "sq", "rq", "pq"):
        assert np.isnan(getattr(s, name)[0]), name
    assert (s.precision[2], s.f1[2], s.pq[2]) == (0, 0, 0)
    assert np.isnan(s.recall[2])
    assert np.isnan(s.sq[2])


def test_leading_axes_and_wrong_shapes() -> None:
    tiles = np.stack([hand(), hand(), np.zeros_like(hand())])
    assert object_scores(tiles).pq.shape == (3, K)
    np.testing.assert_array_equal(object_scores(tiles.sum(0)).pq, object_scores(hand()).pq)
    with pytest.raises(ValueError, match="axes"):
        object_scores(np.zeros((2, K, 5, 3), np.int64))
    with pytest.raises(ValueError, match="integers"):
        object_scores(hand().astype(float))


def panoptic(pairs: list[tuple[np.ndarray, np.ndarray]], cls: int) -> tuple[Fraction, int, int, int]:
    """Sum of IoU, TP, FP and FN as panopticapi counts them: void leaves the union, pairs above 0.5 match."""
    iou_sum, tp, fp, fn = Fraction(), 0, 0, 0
    for truth, prediction in pairs:
        void = truth == object_maps.IGNORED
        gt, pred = label(truth == cls, connectivity=2), label((prediction == cls) & ~void, connectivity=2)
        matched_gt, matched_pred = set(), set()
        for g in range(1, gt.max() + 1):
            for p in range(1, pred.max() + 1):
                intersection = int(((gt == g) & (pred == p)).sum())
                union = int((gt == g).sum() + (pred == p).sum()) - intersection
                if 2 * intersection > union:
                    assert g not in matched_gt
                    assert p not in matched_pred
                    matched_gt.add(g)
                    matched_pred.add(p)
                    iou_sum += Fraction(intersection, union)
        tp += len(matched_gt)
        fn += gt.max() - len(matched_gt)
        fp += pred.max() - len(matched_pred)
    return iou_sum, tp, fp, fn


@masks.patient
@given(object_maps.map_pairs(most=8), object_maps.map_pairs(most=8))
def test_equal_to_an_independent_panoptic_quality(first, second) -> None:
    pairs = [first, second]
    tiles = [object_maps.outcomes_of(object_maps.things(t, p, [1, 2]), K) for t, p in pairs]
    s = object_scores(np.sum(tiles, axis=0))
    for cls in (1, 2):
        iou, tp, fp, fn = panoptic(pairs, cls)
        objects = Fraction(2 * tp + fp + fn, 2)
        assert masks.same(s.precision[cls], masks.ratio(tp, tp + fp))
        assert masks.same(s.recall[cls], masks.ratio(tp, tp + fn))
        assert masks.same(s.rq[cls], masks.ratio(tp, objects))
        for value, wanted in ((s.sq[cls], masks.ratio(iou, tp)), (s.pq[cls], masks.ratio(iou, objects))):
            # The IoU of each pair is stored to nine digits.
            assert np.isnan(value) if wanted is None else value == pytest.approx(float(wanted), abs=1e-9)
        defined = tp > 0
        assert not defined or s.pq[cls] == pytest.approx(s.sq[cls] * s.rq[cls])


def test_the_twin_finds_every_outcome() -> None:
    truth = np.array(
        [
            [1, 1, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 0, 1, 1, 1],
        ]
    )
    prediction = np.array(
        [
            [1, 1, 1, 1, 1, 0, 1, 0, 1, 1, 0, 0, 0, 1, 0, 0],
        ]
    )
    found = object_maps.things(truth, prediction, [1])
    sides = [[t.outcome for t in found if t.side == side] for side in (0, 1)]
    # Two merged, one found in pieces (the larger piece is half of it, not more), one missed, one found in part.
    assert sides[0] == [MERGED, MERGED, SPLIT, UNTOUCHED, PARTLY]
    assert sides[1] == [MERGED, SPLIT, SPLIT, PARTLY]


def test_what_missed_objects_were_taken_for() -> None:
    truth = np.array([[1, 1, 0, 2, 0, 1, 1, 0, 1, 1, 1], [0] * 11])
    prediction = np.array([[2, 2, 0, 2, 0, 3, 0, 0, 1, 1, 2], [0] * 11])
    table = object_maps.table_of([(object_maps.things(truth, prediction, [1, 2]), truth, prediction)])
    taken = taken_for(table, K)
    # One missed for class 2; of the second, one px each went outside and to the ground: the lower index is named.
    assert taken[0, 1].tolist() == [1, 0, 1, 0]
    # False objects of class 2: both are class 1 in truth.
    assert taken[1, 2].tolist() == [0, 2, 0, 0]
    assert taken.sum() == 4
    assert taken_for(table, K, outcome=FOUND)[0, 1].tolist() == [0, 0, 1, 0]
    assert taken_for(object_maps.table_of([]), K).sum() == 0
