"""What a rule says of itself."""

from __future__ import annotations

import pytest

from analysis.reading.rules import (
    COLORS,
    GREY,
    PREDICTION,
    PROBABILITY,
    TRUTH,
    VALUES,
    ZERO_255,
    ZERO_ONE,
    LabelRule,
    color_name,
)
from analysis.words.classes import ClassList, ClassSpec

CLASSES = ClassList((ClassSpec(0, "off", "#000000"), ClassSpec(1, "on", "#ffffff")), 0)


def rule(**keys):
    return LabelRule(**({"side": TRUTH, "classes": CLASSES} | keys))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (rule(), "the value is the class id"),
        (rule(coding=VALUES, values={10: 0, 30: 1}), "values mapped: 10 = off, 30 = on"),
        (rule(coding=COLORS, colors={(1, 2, 3): 0}), "1 colours mapped"),
        (rule(coding=ZERO_ONE), "0/1"),
        (rule(coding=ZERO_255), "0/255"),
        (rule(coding=GREY), "grey levels, class 1 above 127.5"),
        (rule(coding=GREY, threshold=0.2), "grey levels, class 1 above 127.5"),
        (rule(coding=GREY, threshold=0.2, side=PREDICTION), "grey levels, class 1 above 51"),
        (rule(coding=PROBABILITY, threshold=0.3, side=PREDICTION), "probabilities, class 1 from 0.3 on"),
    ],
)
def test_description(given, said):
    assert given.describe() == said


@pytest.mark.parametrize(
    ("given", "classes", "others"),
    [
        (rule(), [0, 1], [2, -9999, 0.5]),
        (rule(coding=VALUES, values={10: 0, 30: 1}), [10, 30], [0, 1]),
        (rule(coding=COLORS, colors={(7, 7, 7): 0, (1, 2, 3): 1}), [7], [1, 7.5]),
        (rule(coding=ZERO_ONE), [0, 1], [255]),
        (rule(coding=ZERO_255), [0, 255], [1]),
        (rule(coding=GREY), [0, 1, 128, 255], [-1, 256]),
        (rule(coding=PROBABILITY), [0, 0.5, 1], [-1, 255]),
    ],
)
def test_which_raw_values_stand_for_a_class(given, classes, others):
    assert all(given.is_class(v) for v in classes)
    assert not any(given.is_class(v) for v in [*others, float("nan")])


def test_colour_names():
    assert color_name((97, 74, 255)) == "#614aff"
