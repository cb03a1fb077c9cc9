"""Scores by scene: by hand, as the filter by a scene would give them, and against slow twins."""

from __future__ import annotations

import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.errors import SelectionError
from analysis.scores import CONVENTIONS, by_scene, headline
from analysis.scores.by_scene import _RULES
from analysis.selection.model import Selection, chosen
from analysis.store.load import RunCounts

from . import masks

# two classes and what lies outside the list
CONFUSION = np.array(
    [
        [[4, 1, 0], [0, 3, 0]],  # north
        [[2, 0, 0], [2, 4, 0]],  # south
        [[0, 0, 0], [1, 5, 2]],  # north
        [[8, 0, 0], [0, 0, 0]],  # none
    ]
)
SCENES = ["sheet 10", "sheet 9", "sheet 10", ""]


def test_by_hand():
    found = by_scene(CONFUSION, SCENES, masks.class_list(2))
    assert found.scenes == ("sheet 9", "sheet 10", "")
    np.testing.assert_allclose(found.values, [4 / 6, 8 / 12, np.nan])
    np.testing.assert_allclose(found.iou, [[2 / 4, 4 / 6], [4 / 6, 8 / 12], [1, np.nan]])
    assert found.tiles.tolist() == [1, 2, 1]
    assert found.valid_pixels.tolist() == [8, 16, 8]
    assert found.wrong_pixels.tolist() == [2, 4, 0]
    assert found.truth_pixels.tolist() == [[2, 6], [5, 11], [8, 0]]
    np.testing.assert_allclose(found.wrong_shares, [2 / 6, 4 / 6, 0])
    np.testing.assert_allclose(found.valid_shares, [8 / 32, 16 / 32, 8 / 32])


def test_edges():
    classes = masks.class_list(2)
    empty = by_scene(np.zeros((0, 2, 3), int), [], classes)
    assert len(empty) == 0
    assert empty.values.shape == (0,)
    right = by_scene(np.array([[[3, 0, 0], [0, 2, 0]]]), pd.Series([None], dtype="str"), classes)
    assert right.scenes == ("",)
    assert np.isnan(right.wrong_shares[0])
    with pytest.raises(ValueError, match=r"\(1, 2, 3\)"):
        by_scene(CONFUSION, ["one"], classes)
    with pytest.raises(SelectionError, match="mean_of_means"):
        by_scene(CONFUSION, SCENES, classes, convention="mean_of_means")


def test_every_convention_has_a_rule():
    assert set(_RULES) == set(CONVENTIONS)


@masks.patient
@given(masks.tile_lists(), st.data(), st.sampled_from(list(CONVENTIONS)))
def test_each_scene_is_scored_as_if_it_were_alone(case, data, convention):
    k, tiles = case
    classes, confusion = masks.class_list(k), masks.confusion_of(tiles, k)
    scenes = data.draw(st.lists(st.sampled_from(["", "a", "B 2"]), min_size=len(tiles), max_size=len(tiles)))
    among = data.draw(st.none() | st.sets(st.integers(0, k - 1)))
    found = by_scene(confusion, scenes, classes, convention=convention, among=among)
    assert set(found.scenes) == set(scenes)
    for i, name in enumerate(found.scenes):
        mine = [t for t, scene in zip(tiles, scenes, strict=True) if scene == name]
        head = headline(convention, masks.confusion_of(mine, k), classes, among=among)
        assert masks.same(found.values[i], None if np.isnan(head.value) else head.value)
        pixels = masks.flat(mine)
        for c in range(k):
            assert masks.same(found.iou[i, c], masks.slow_iou(pixels, c))
            assert found.truth_pixels[i, c] == sum(t == c for t, _ in pixels)
        assert found.tiles[i] == len(mine)
        assert found.valid_pixels[i] == len(pixels)
        assert found.wrong_pixels[i] == sum(t != p for t, p in pixels)


def test_the_same_as_filtering_by_the_scene():
    rng = np.random.default_rng(4)
    classes = masks.class_list(3)
    scenes = [f"s{i}" for i in rng.integers(0, 12, 200)]
    frame = pd.DataFrame({"id": [f"t{i}" for i in range(200)], "scene": scenes, "split": "", "partial": False})
    frame["status"] = "scored"
    counts = RunCounts(classes, frame, {"confusion": rng.integers(0, 2**40, (200, 3, 4))})
    found = by_scene(counts.confusion, frame["scene"], classes, among=[1])
    for i, name in enumerate(found.scenes):
        kept = counts.take(chosen(counts, Selection(scene=(name,), classes=("b",))))
        head = headline("pooled", kept.confusion, classes, among=[1])
        assert (found.values[i], found.tiles[i], found.valid_pixels[i]) == (head.value, head.tiles, head.pixels)


@pytest.mark.parametrize("sorted_", [True, False])
def test_many_tiles_take_a_moment(sorted_):
    """A tenth of a million tiles in 5,000 scenes; ten times as many take under half a second."""
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 5000, 100_000)
    codes = np.sort(codes) if sorted_ else codes
    names = pd.Series([f"scene {c}" for c in codes], dtype="str")
    confusion = rng.integers(0, 50_000, (len(codes), 5, 6))
    began = time.perf_counter()
    found = by_scene(confusion, names, masks.class_list(5))
    assert time.perf_counter() - began < 1  # a loop over tiles takes far longer
    assert found.tiles.sum() == len(codes)
    assert found.valid_pixels.sum() == confusion.sum()
