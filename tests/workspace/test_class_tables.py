"""Classes: forms of a table, background, colours, and what a preset or a task brings."""

from __future__ import annotations

import pytest

from analysis.errors import WorkspaceError
from analysis.words.classes import PALETTE
from analysis.workspace.class_tables import read_classes
from analysis.workspace.fields import Table
from analysis.workspace.model import CHANGE, SEGMENTATION
from analysis.workspace.presets import LANDCOVER_AI, LEVIR_CD


def classes(values=None, task=SEGMENTATION, preset=None, **keys):
    table = {} if values is None else {"classes": values}
    return read_classes(Table("w", table | keys), task, preset)


def test_ids_ascend_and_need_not_be_contiguous():
    found = classes({"7": "a", "0": "b", "-1": "c"})
    assert found.ids == (-1, 0, 7)
    assert found.names == ("c", "b", "a")


def test_classes_without_a_colour_get_one_by_position():
    found = classes({"0": "a", "1": {"name": "b", "color": "#ABCDEF"}, "2": {"name": "c"}})
    assert [c.color for c in found.classes] == [PALETTE[0], "#abcdef", PALETTE[2]]


def test_a_preset_brings_classes_and_a_name_that_agrees_keeps_colour_and_narrowness():
    assert classes(preset=LANDCOVER_AI).names[4] == "road"
    own = classes({"0": "background", "4": "road"}, preset=LANDCOVER_AI).classes[1]
    assert (own.color, own.narrow) == ("#4a4a4a", True)
    other = classes({"0": "background", "4": "track"}, preset=LANDCOVER_AI).classes[1]
    assert (other.color, other.narrow) == (PALETTE[1], False)


@pytest.mark.parametrize(
    ("values", "background"),
    [
        ({"0": "other", "1": "Background "}, 1),
        ({"0": "Unlabelled", "3": "x"}, 0),
        ({"0": "unlabeled", "1": "background"}, 0),
        ({"0": "water", "1": "land"}, 0),  # binary: class 0
        ({"0": "water", "1": "land", "2": "road"}, None),
        ({"1": "water", "2": "land"}, None),  # two classes, but not 0 and 1
        ({"0": "only"}, None),
    ],
)
def test_the_background_without_a_key(values, background):
    assert classes(values).background == background


def test_the_background_with_a_key():
    values = {"0": "background", "5": "other"}
    assert classes(values, background=5).background == 5
    assert classes(values, background="none").background is None
    assert classes(values, background="none").foreground == (0, 1)
    assert classes(values, background=5).foreground == (0,)


def test_a_change_dataset_has_the_classes_0_and_1():
    assert classes(task=CHANGE).names == ("unchanged", "changed")
    assert classes(task=CHANGE, preset=LEVIR_CD).binary
    assert classes({"0": "same", "1": "new"}, task=CHANGE).names == ("same", "new")
    with pytest.raises(WorkspaceError, match="found 0, 255. Use truth_values"):
        classes({"0": "same", "255": "new"}, task=CHANGE)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (None, r"\[dataset.classes\] is missing"),
        ([], "expected a table, found a list"),
        ({}, "expected 1 to 250 classes; found 0"),
        ({str(i): f"c{i}" for i in range(251)}, "found 251"),
        ({"a": "x"}, '"a" is no class id'),
        ({"1.0": "x"}, "is no class id"),
        ({"1_0": "x"}, "is no class id"),
        ({"1": "x", "01": "y"}, "two classes have the id 1"),
        ({"0": "x", "1": "x"}, 'two classes are named "x"'),
        ({"0": 5}, "expected a table, found the whole number"),
        ({"0": ""}, "0 must be a text"),
        ({"0": {"color": "#000000"}}, 'the key "name" is missing'),
        ({"0": {"name": "x", "color": "black"}}, "color must be a colour"),
        ({"0": {"name": "x", "narrow": "yes"}}, "narrow must be true or false"),
    ],
)
def test_mistakes_are_named(values, said):
    with pytest.raises(WorkspaceError, match=said):
        classes(values)
