"""The split of FP and FN by reason adds up exactly, tile by tile and pooled."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from analysis.scores import class_counts, explain, main_reasons, sentence
from analysis.words.outcomes import FOUND, PARTLY, REASONS, UNTOUCHED

from . import masks, object_maps

K = 3
CLASSES = object_maps.classes_of(K)
AT = {reason.id: i for i, reason in enumerate(REASONS)}


def confusion(truth: np.ndarray, prediction: np.ndarray) -> np.ndarray:
    counts = np.zeros((K, K + 1), np.int64)
    valid = truth != object_maps.IGNORED
    np.add.at(counts, (truth[valid], prediction[valid]), 1)
    return counts


def hand() -> tuple[np.ndarray, np.ndarray]:
    """Class 1: 680 right of 1000 in the union; 110 missed, 40 false, 100 + 70 at boundaries of found objects."""
    outcomes = np.zeros((2, K, 5, 4), np.int64)
    outcomes[0, 1, FOUND] = [20, 700, 600, 0]
    outcomes[0, 1, PARTLY] = [1, 80, 80, 0]
    outcomes[0, 1, UNTOUCHED] = [4, 110, 0, 0]
    outcomes[1, 1, FOUND] = [20, 670, 600, 0]
    outcomes[1, 1, PARTLY] = [1, 80, 80, 0]
    outcomes[1, 1, UNTOUCHED] = [3, 40, 0, 0]
    counts = np.array([[5000, 5110, 4900], [890, 790, 680], [0, 0, 0]])
    return outcomes, counts


def test_by_hand() -> None:
    e = explain(*hand(), CLASSES)
    assert e.iou[1] == pytest.approx(0.68)
    assert e.loss[1].tolist() == pytest.approx([0.11, 0.04, 0, 0, 0, 0.17])
    assert e.missing[1].tolist() == [110, 0, 0, 0, 0, 100]
    assert e.extra[1].tolist() == [0, 40, 0, 0, 0, 70]
    # Missed objects found: 790 of 1000. False ones gone: 680 of 960. Boundaries right: 780 of 930.
    assert e.mended[1, AT["missed"]] == pytest.approx(0.79)
    assert e.mended[1, AT["false"]] == pytest.approx(680 / 960)
    assert e.mended[1, AT["boundary"]] == pytest.approx(780 / 930)
    assert np.isnan(e.loss[0]).all()
    assert np.isnan(e.loss[2]).all()


def test_the_sentence() -> None:
    e = explain(*hand(), CLASSES)
    assert sentence(e, 1, CLASSES) == (
        "IoU of class 1 is 0.680: 0.170 is lost to the boundaries of found objects, 0.110 to missed objects and 0.040 "
        "to false objects."
    )
    assert [part.reason.id for part in main_reasons(e, 1)] == ["boundary", "missed", "false"]
    assert [part.reason.id for part in main_reasons(e, 1, 1)] == ["boundary"]
    assert sentence(e, 1, CLASSES, least=50) == ""
    assert sentence(e, 0, CLASSES) == sentence(e, 2, CLASSES) == ""
    assert main_reasons(e, 0) == []


def test_a_sentence_of_one_part_of_a_rest_and_of_nothing() -> None:
    outcomes, counts = hand()
    outcomes[0, 1, FOUND, 2] = outcomes[0, 1, FOUND, 1] = outcomes[1, 1, FOUND, 1] = outcomes[1, 1, FOUND, 2] = 600
    outcomes[:, 1, UNTOUCHED] = 0
    outcomes[1, 1, UNTOUCHED] = [3, 40, 0, 0]
    counts[1] = [680, 720, 680]
    only = explain(outcomes, counts, CLASSES)
    assert sentence(only, 1, CLASSES) == "IoU of class 1 is 0.944: 0.056 is lost to false objects."
    outcomes[1, 1, UNTOUCHED] = 0
    counts[1] = 680
    assert sentence(explain(outcomes, counts, CLASSES), 1, CLASSES) == "IoU of class 1 is 1.000: nothing is lost."
    rest = hand()[0]
    rest[0, 1, 1], rest[0, 1, 2] = [1, 30, 0, 0], [1, 20, 0, 0]
    told = sentence(explain(rest, np.array([[0, 0, 0], [940, 790, 680], [0, 0, 0]]), CLASSES), 1, CLASSES)
    assert told.endswith("0.038 to false objects and 0.048 to the rest.")


def test_counts_of_other_tiles_are_refused() -> None:
    outcomes, counts = hand()
    counts[1, 0] += 1
    with pytest.raises(ValueError, match="negatives"):
        explain(outcomes, counts, CLASSES)
    counts[1] += [-1, 1, 0]
    with pytest.raises(ValueError, match="positives"):
        explain(outcomes, counts, CLASSES)


def test_all_false_has_nothing_left_when_mended() -> None:
    outcomes = np.zeros((2, K, 5, 4), np.int64)
    outcomes[1, 1, UNTOUCHED] = [12, 40, 0, 0]
    e = explain(outcomes, np.array([[40, 0, 0], [0, 40, 0], [0, 0, 0]]), CLASSES)
    assert e.loss[1, AT["false"]] == 1
    assert np.isnan(e.mended[1, AT["false"]])
    assert sentence(e, 1, CLASSES) == "IoU of class 1 is 0.000: 1.000 is lost to false objects."


@masks.patient
@given(object_maps.map_pairs(), object_maps.map_pairs())
def test_it_adds_up_exactly_on_random_maps(first, second) -> None:
    found = [object_maps.things(t, p, [1, 2]) for t, p in (first, second)]
    outcomes = np.stack([object_maps.outcomes_of(things, K) for things in found])
    counts = class_counts(np.stack([confusion(t, p) for t, p in (first, second)]))
    tiles = explain(outcomes, counts, CLASSES)
    pooled = explain(outcomes.sum(0), counts.sum(0), CLASSES)
    for e, c in ((tiles, counts), (pooled, counts.sum(0))):
        members = [1, 2]
        assert (e.missing.sum(-1) == c[..., 0] - c[..., 2])[..., members].all()
        assert (e.extra.sum(-1) == c[..., 1] - c[..., 2])[..., members].all()
        assert (e.union == e.tp + e.px.sum(-1))[..., members].all()
        total = e.iou + e.loss.sum(-1)
        assert np.allclose(total[..., members][e.union[..., members] > 0], 1)
    np.testing.assert_array_equal(tiles.px.sum(0), pooled.px)


@masks.patient
@given(object_maps.map_pairs())
def test_mending_is_recounting_with_the_pixels_put_right(pair) -> None:
    truth, prediction = pair
    found = object_maps.things(truth, prediction, [1, 2])
    e = explain(object_maps.outcomes_of(found, K), class_counts(confusion(truth, prediction)), CLASSES)
    for cls in (1, 2):
        for i, reason in enumerate(REASONS):
            mended = prediction.copy()
            for one in found:
                if one.cls == cls and one.outcome == (reason.truth if one.side == 0 else reason.prediction):
                    for pixel in one.pixels:
                        mended[pixel] = truth[pixel]
            valid = truth != object_maps.IGNORED
            t, p = truth[valid] == cls, mended[valid] == cls
            wanted = Fraction(int((t & p).sum()), int((t | p).sum())) if (t | p).any() else None
            assert masks.same(e.mended[cls, i], wanted), (cls, reason.id)
