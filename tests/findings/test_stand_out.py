"""Sentences on what stands out: true to the counts, and said only where the support is enough."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.findings.stand_out import (
    Finding,
    alarms,
    costliest_class,
    half_of_the_wrong,
    percent,
    uneven_scene,
    without_the_worst,
    worst_tenth,
)
from analysis.scores import NoChange, by_scene, concentration, pooled_by_class, recovery
from analysis.scores.formulas import pool
from tests.scores.masks import class_list


def costliest(confusion: np.ndarray, members: list[int]) -> Finding | None:
    classes = class_list(confusion.shape[1])
    return costliest_class(pooled_by_class(confusion), pool(confusion), classes, np.array(members))


# three tiles; a is the background, b is missed as a, c is right, d is rare and all wrong
TILE = np.array(
    [
        [9000, 10, 0, 0, 0],
        [300, 500, 200, 0, 0],
        [0, 0, 4000, 0, 0],
        [1, 0, 0, 0, 0],
    ]
)


def test_the_class_that_costs_most_and_where_its_ground_truth_goes():
    found = costliest(np.stack([TILE] * 3), [1, 2])
    assert found is not None
    assert found.text == (
        "The class b costs the mean IoU most: its IoU is 0.495. 30 % of the ground truth of b is predicted as a."
    )
    assert found.support == "3,000 px of ground truth in 3 tiles, pooled"
    assert found.link == {"rank": "damage", "cls": "b"}


def test_a_class_of_little_ground_truth_is_passed_over_and_that_is_said():
    found = costliest(np.stack([TILE] * 3), [1, 2, 3])
    assert found is not None
    assert found.text.startswith("Of the classes with 1,000 px of ground truth or more, the class b costs")
    assert costliest(np.stack([TILE] * 2), [1, 2]) is None, "two tiles are not enough"
    assert costliest(TILE[np.newaxis] * 0, [1, 2]) is None
    assert costliest(np.stack([TILE] * 3), [3]) is None


def test_what_is_falsely_found():
    tile = np.array([[9000, 1500, 0], [100, 900, 0]])
    found = costliest(np.stack([tile] * 3), [1])
    assert found is not None
    assert found.text == "62 % of what is predicted as b is a in the ground truth."
    outside = np.array([[9000, 0, 0], [0, 900, 600]])
    found = costliest(np.stack([outside] * 3), [1])
    assert found is not None
    assert found.text == "40 % of the ground truth of b is predicted as something outside the class list."


def test_nothing_is_said_of_a_perfect_class():
    assert costliest(np.stack([np.array([[5000, 0, 0], [0, 5000, 0]])] * 3), [0, 1]) is None


def test_half_of_the_wrong_px():
    found = half_of_the_wrong(concentration([90, 30, *[6] * 10]))
    assert found is not None
    assert found.text == "Half of all wrong pixels lie in 1 of 12 tiles (8 %)."
    assert found.support == "180 wrong px"
    assert half_of_the_wrong(concentration([90] * 9)) is None
    assert half_of_the_wrong(concentration([0] * 20)) is None


def scenes_of(wrong: list[int], tiles: int = 3, names: list[str] | None = None):
    names = names or [f"s{i}" for i in range(len(wrong))]
    confusion = np.array([[[1000 - w, w, 0], [0, 0, 0]] for w in wrong for _ in range(tiles)])
    return by_scene(confusion, [n for n in names for _ in range(tiles)], class_list(2))


def test_the_scene_with_more_than_its_share():
    found = uneven_scene(scenes_of([100, 600, 100]))
    assert found is not None
    assert found.text == "The scene s1 holds 75 % of all wrong pixels and 33 % of all pixels."
    assert found.support == "1,800 wrong of 3,000 px in 3 tiles"
    assert found.link["scene"] == "s1"


@pytest.mark.parametrize(
    "scenes",
    [
        scenes_of([100, 600]),
        scenes_of([100, 600, 100], tiles=2),
        scenes_of([100, 120, 100]),
        scenes_of([0, 0, 0]),
        scenes_of([100, 600, 100, 100], names=["a", "", "b", "c"]),
    ],
    ids=["two scenes", "two tiles", "even", "nothing wrong", "no scene"],
)
def test_no_word_on_scenes_where_there_is_nothing_to_say(scenes):
    assert uneven_scene(scenes) is None


def test_without_the_worst_tiles():
    tiles = np.array([[[0, 100, 0], [0, 100, 0]], *[[[0, 10, 0], [0, 100, 0]]] * 9])
    mark = worst_tenth(len(tiles))
    found = without_the_worst(recovery(tiles, np.array([1]), (mark,)), "mean IoU")
    assert found is not None
    before, after = 1000 / 1190, 1000 / 1090
    assert found.text == (
        f"If the tile that costs most was perfect, mean IoU would be {after:.3f} instead of {before:.3f}."
    )
    assert found.support == "pooled, 1 of 10 tiles"
    assert without_the_worst(recovery(tiles[:9], np.array([1]), (1,)), "mean IoU") is None
    right = np.array([[[0, 0, 0], [0, 100, 0]]] * 10)
    assert without_the_worst(recovery(right, np.array([1]), (1,)), "mean IoU") is None


def test_a_tenth():
    assert [worst_tenth(n) for n in (0, 1, 14, 42, 104)] == [0, 1, 1, 4, 10]


def test_alarms():
    found = alarms(NoChange(12, 3, 450), "changed")
    assert found is not None
    assert found.text == "3 of 12 tiles without changed have a false alarm."
    assert found.link == {"rank": "metric", "by": "fp", "cls": "changed"}
    one, none = alarms(NoChange(12, 1, 450), "changed"), alarms(NoChange(12, 0, 0), "changed")
    assert one is not None
    assert one.text == "1 of 12 tiles without changed has a false alarm."
    assert none is not None
    assert none.text == "None of the 12 tiles without changed has a false alarm."
    assert not none.link
    assert alarms(NoChange(2, 1, 5), "changed") is None


def test_percent_never_rounds_to_nothing_or_all():
    assert [percent(s) for s in (0, 0.004, 0.5, 0.996, 1)] == [
        "0 %",
        "less than 1 %",
        "50 %",
        "more than 99 %",
        "100 %",
    ]
