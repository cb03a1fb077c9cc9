"""Where the loss is: by hand, at the edges, and against slow twins that change tiles one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.scores import classes_in_mean, concentration, no_change, rank_tiles, recovery, score, wrong_by_tile
from analysis.scores.bundle import CountsBundle
from analysis.scores.concentration import grid
from analysis.scores.ranking import RankBy

from . import masks


def test_concentration_by_hand():
    found = concentration([1, 5, 0, 4])
    assert found.order.tolist() == [1, 3, 0, 2]
    np.testing.assert_allclose(found.shares, [0, 0.5, 0.9, 1, 1])
    assert found.total == 10
    assert (found.holding(0.5), found.holding(0.8), found.holding(1)) == (1, 2, 3)


def test_concentration_at_the_edges():
    nothing = concentration([0, 0])
    assert nothing.total == 0
    assert nothing.holding(0.5) is None
    assert np.isnan(nothing.shares).all()
    assert concentration(np.zeros(0, int)).holding(0.5) is None
    assert concentration([7]).holding(0.5) == 1
    even = concentration([3] * 10)
    assert (even.holding(0.5), even.holding(0.8)) == (5, 8)
    assert even.order.tolist() == list(range(10))


@masks.patient
@given(st.lists(st.integers(0, 30), max_size=30), st.integers(1, 100))
def test_concentration_against_a_slow_twin(wrong, percent):
    found, total = concentration(np.array(wrong, int)), sum(wrong)
    fewest, held = 0, 0
    for px in sorted(wrong, reverse=True):
        if 100 * held >= percent * total:
            break
        fewest, held = fewest + 1, held + px
    assert found.holding(percent / 100) == (fewest if total else None)
    assert sorted(found.order.tolist()) == list(range(len(wrong)))


@masks.patient
@given(masks.tile_lists())
def test_wrong_px_of_tiles(case):
    k, tiles = case
    confusion = masks.confusion_of(tiles, k)
    for i, tile in enumerate(tiles):
        pixels = masks.flat([tile])
        assert wrong_by_tile(confusion)[i] == sum(t != p for t, p in pixels)
        for c in range(k):
            assert wrong_by_tile(confusion, c)[i] == sum(t != p and c in (t, p) for t, p in pixels)


def test_recovery_by_hand():
    # class 1: 2 right of a union of 8; tile 0 costs 4 px of it, tile 1 costs 2
    confusion = np.array([[[0, 4, 0], [0, 1, 0]], [[0, 0, 0], [2, 1, 0]], [[5, 0, 0], [0, 0, 0]]])
    found = recovery(confusion, np.array([1]))
    assert found.order.tolist() == [0, 1, 2]
    assert found.steps.tolist() == [0, 1, 2, 3]
    np.testing.assert_allclose(found.values, [2 / 8, 2 / 4, 1, 1])
    assert found.at(1) == 0.5
    with pytest.raises(KeyError):
        found.at(7)


def test_recovery_at_the_edges():
    none = recovery(np.zeros((0, 2, 3), int), np.array([1]))
    assert none.steps.tolist() == [0]
    assert np.isnan(none.values).all()
    absent = recovery(np.array([[[5, 0, 0], [0, 0, 0]]] * 2), np.array([1]))
    assert np.isnan(absent.values).all()
    assert sorted(absent.order.tolist()) == [0, 1]
    perfect = recovery(np.array([[[5, 0, 0], [0, 3, 0]]]), np.array([1]))
    assert perfect.values.tolist() == [1, 1]


@masks.patient
@given(masks.tile_lists(), st.data())
def test_recovery_against_a_slow_twin(case, data):
    k, tiles = case
    members = np.array(sorted(data.draw(st.sets(st.integers(0, k - 1), min_size=1))))
    also = data.draw(st.integers(0, len(tiles)))
    found = recovery(masks.confusion_of(tiles, k), members, (also,))
    assert also in found.steps
    assert sorted(found.order.tolist()) == list(range(len(tiles)))
    for n, value in zip(found.steps, found.values, strict=True):
        perfect = set(found.order[:n].tolist())
        pixels = [
            (t, t if i in perfect else p)
            for i, (truth, prediction) in enumerate(tiles)
            for t, p in zip(truth, prediction, strict=True)
            if t is not None
        ]
        assert masks.same(value, masks.slow_pooled(pixels, members.tolist()))


@masks.patient
@given(masks.tile_lists())
def test_recovery_starts_at_the_headline_and_follows_the_ranking(case):
    k, tiles = case
    classes, confusion = masks.class_list(k, None), masks.confusion_of(tiles, k)
    found = recovery(confusion, classes_in_mean(classes))
    assert masks.same(found.values[0], None if np.isnan(s := score("pooled", confusion, classes)) else s)
    ranked = rank_tiles(CountsBundle(confusion=confusion), classes, RankBy("damage")).order.tolist()
    assert [i for i in found.order.tolist() if i in ranked] == ranked


def test_grid():
    assert grid(0).tolist() == [0]
    assert grid(3).tolist() == [0, 1, 2, 3]
    many = grid(100_000)
    assert many[:11].tolist() == list(range(11))
    assert many[-1] == 100_000
    assert len(many) < 80
    assert (np.diff(many) > 0).all()


def test_no_change_by_hand():
    confusion = np.array(
        [
            [[9, 0, 0], [0, 0, 0]],
            [[5, 4, 0], [0, 0, 0]],
            [[5, 4, 0], [1, 2, 0]],
            [[0, 0, 0], [0, 0, 0]],  # without a valid px
            [[8, 0, 1], [0, 0, 0]],  # outside the class list is no alarm
        ]
    )
    found = no_change(confusion)
    assert (found.tiles, found.alarmed, found.pixels) == (3, 1, 4)
    assert no_change(np.zeros((0, 2, 3), int)).tiles == 0
    with pytest.raises(ValueError, match=r"\(N, 2, 3\)"):
        no_change(np.zeros((1, 3, 4), int))
