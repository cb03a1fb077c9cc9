"""Objects against their slow twin and against what else is known of them, on random maps; many objects."""

from __future__ import annotations

import resource

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import ndimage

from analysis.kernels.layout import IGNORED
from analysis.kernels.object_outcomes import FOUND
from analysis.kernels.objects import ObjectTally
from analysis.kernels.pair import count_pair
from tests.kernels.object_tiles import add_strips, objects_of
from tests.kernels.object_twin import twin
from tests.kernels.samples import blocks, pairs

SQUARES = {4: ndimage.generate_binary_structure(2, 1), 8: np.ones((3, 3), int)}


def agree(found, expected):
    outcomes, rows, left_out, _ = expected
    np.testing.assert_array_equal(found.outcomes, outcomes)
    assert found.left_out == left_out
    assert found.rows["side"].size == len(rows)
    for name in rows[0] if rows else ():
        assert found.rows[name].tolist() == [row[name] for row in rows], name


@settings(deadline=None, max_examples=250)
@given(pairs(max_height=40, max_width=40), st.sampled_from([4, 8]), st.booleans(), st.lists(st.integers(1, 39)))
def test_objects_are_those_of_the_twin(pair, connectivity, some_background, cuts):
    background = pair.seed % pair.k if some_background else None
    narrow = pair.seed // 7 % pair.k
    tally = ObjectTally(pair.k, background, connectivity, (narrow,))
    add_strips(tally, pair.truth, pair.prediction, pair.k, cuts)
    expected = twin(pair.truth, pair.prediction, pair.k, background, connectivity)
    agree(tally.finish(), expected)
    ys, xs = np.mgrid[: pair.truth.shape[0], : pair.truth.shape[1]].reshape(2, -1)
    for side, labels in enumerate((pair.truth, pair.prediction)):
        known = expected[3][side]
        places = [
            known.get((y, x), -1) if labels[y, x] == narrow else -1
            for y, x in zip(ys.tolist(), xs.tolist(), strict=True)
        ]
        assert tally.locate(side, ys, xs).tolist() == places


@settings(deadline=None, max_examples=80)
@given(pairs(max_height=40, max_width=40), st.lists(st.integers(1, 39), max_size=4))
def test_area_that_is_no_hit_is_what_the_confusion_says(pair, cuts):
    tally = ObjectTally(pair.k, None, 8)
    add_strips(tally, pair.truth, pair.prediction, pair.k, cuts)
    _, area, hit, _ = np.moveaxis(tally.finish().outcomes.sum(axis=2), -1, 0)
    confusion = count_pair(pair.truth, pair.prediction, pair.k, 1).confusion
    right = confusion.diagonal()
    np.testing.assert_array_equal(area, [confusion.sum(axis=1), confusion.sum(axis=0)[: pair.k]])
    np.testing.assert_array_equal(hit, [right, right])


def panoptic_quality(truth, prediction):
    """Panoptic quality of one class from two maps of instance numbers, 0 none: Kirillov et al. 2019, eq. 1."""
    number, size = np.unique(truth[truth > 0], return_counts=True)
    other, other_size = np.unique(prediction[prediction > 0], return_counts=True)
    matched = []
    for t, t_size in zip(number, size, strict=True):
        for p, p_size in zip(other, other_size, strict=True):
            both = int(((truth == t) & (prediction == p)).sum())
            if both / (t_size + p_size - both) > 0.5:
                matched.append(both / (t_size + p_size - both))
    missed, false = number.size - len(matched), other.size - len(matched)
    return sum(matched) / (len(matched) + missed / 2 + false / 2) if number.size + other.size else np.nan


@pytest.mark.parametrize("connectivity", [4, 8])
@pytest.mark.parametrize("seed", range(6))
def test_panoptic_quality_from_the_outcomes(seed, connectivity):
    rng = np.random.default_rng(seed)
    truth, prediction = np.zeros((2, 90, 70), np.uint8)
    for _ in range(40):
        y, x, h, w = rng.integers((0, 0, 2, 2), (88, 68, 14, 14))
        kind, (dy, dx) = rng.integers(0, 3), rng.integers(0, 3, 2)
        truth[y : y + h, x : x + w] = kind
        if rng.random() < 0.8:
            prediction[y + dy : y + dy + h, x + dx : x + dx + w] = kind
    truth[rng.random(truth.shape) < 0.01] = IGNORED
    outcomes = objects_of(truth, prediction, k=3, connectivity=connectivity).outcomes
    for kind in (1, 2):
        maps = [
            ndimage.label(m, SQUARES[connectivity])[0]
            for m in (truth == kind, (prediction == kind) & (truth != IGNORED))
        ]
        (found, _, _, iou), n = outcomes[0, kind, FOUND], outcomes[:, kind, :, 0].sum(axis=1)
        assert outcomes[1, kind, FOUND, 0] == found
        assert iou / 1e9 / (found + (n - found).sum() / 2) == pytest.approx(panoptic_quality(*maps), abs=1e-8)


def noisy(seed, size, k, share):
    rng = np.random.default_rng(seed)
    maps = []
    for _ in range(2):
        labels = blocks(rng, (size, size), list(range(k)), 30)
        specks = rng.random(labels.shape) < share
        labels[specks] = rng.integers(0, k, int(specks.sum()))
        maps.append(labels)
    return maps


def test_more_than_two_thousand_objects_a_side():
    truth, prediction = noisy(4, 90, 4, 0.7)
    found = objects_of(truth, prediction, k=4, connectivity=4)
    agree(found, twin(truth, prediction, 4, 0, 4))
    assert (found.outcomes[..., 0].sum(axis=(1, 2)) > 2000).all()
    assert found.left_out > 2000
    assert found.rows["area"].min() == 4


def test_small_objects_are_left_out_on_the_side_that_has_too_many():
    prediction = np.zeros((130, 130), np.uint8)
    truth = prediction.copy()
    truth[::2, ::2] = 1
    truth[0, :3] = prediction[0, :3] = 1
    # Truth: 65 * 65 single px, of which one pair is joined; the prediction's only object is small as well.
    found = objects_of(truth, prediction)
    assert found.outcomes[:, 1, :, 0].sum(axis=1).tolist() == [65 * 65 - 1, 1]
    assert found.left_out == 65 * 65 - 1
    assert {name: found.rows[name].tolist() for name in ("side", "area", "best", "best_px", "best_area")} == {
        "side": [1], "area": [3], "best": [-1], "best_px": [3], "best_area": [3],
    }  # fmt: skip
    two_thousand = np.zeros((100, 80), np.uint8)
    two_thousand[::2, ::2] = 1
    assert objects_of(two_thousand, two_thousand).rows["side"].tolist() == [0] * 2000 + [1] * 2000


def test_thirty_thousand_objects_a_side_take_little_memory():
    truth, prediction = noisy(5, 512, 5, 0.6)
    tally = ObjectTally(5, None, 4, (0, 1, 2, 3, 4))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    add_strips(tally, truth, prediction, 5)
    found = tally.finish()
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert (found.outcomes[..., 0].sum(axis=(1, 2)) > 30_000).all()
    kept = [tally._table, *tally._objects, *tally._overlaps, *tally._marks, *tally._block]
    assert sum(array.nbytes for array in kept) < 50e6
    # KiB; a table of all pairs would be 3,600,000.
    assert after - before < 120_000


def test_settled_parts_of_a_comb_do_not_slow_it_down():
    # Every tooth joins the first one only in the last row.
    truth = np.zeros((400, 400), np.uint8)
    truth[:, ::2] = 1
    truth[-1] = 1
    found = objects_of(truth, truth[:, ::-1].copy())
    assert found.rows["area"].tolist() == [200 * 400 + 200] * 2
    assert found.rows["row_sum"].tolist() == [int(np.nonzero(truth)[0].sum())] * 2
