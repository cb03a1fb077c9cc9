"""Label maps and errors as pictures: every colour says what its legend says."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.pictures.colors import (
    FALSE_ALARM,
    FOUND,
    IGNORED_COLORS,
    MISSED,
    OTHER_ERROR,
    OUTSIDE_COLORS,
    luminance,
    rgb,
)
from analysis.pictures.paint import Focus, class_picture, enlarge, error_legend, error_picture, focus_on
from analysis.words.classes import IGNORED, ClassList, ClassSpec

CLASSES = ClassList(
    (ClassSpec(0, "ground", "#d8d3c8"), ClassSpec(3, "house", "#c8442c"), ClassSpec(7, "road", "#e6a632")), background=0
)
OUTSIDE = 3
TRUTH = np.array([[0, 1, 2, 1, IGNORED, 2]], np.uint8)
PREDICTION = np.array([[0, 1, 1, 0, 1, OUTSIDE]], np.uint8)
SIDE = 128  # 768 px over six columns


def cell(picture: np.ndarray, column: int) -> set[tuple[int, ...]]:
    part = picture[:, column * SIDE : (column + 1) * SIDE]
    return {tuple(c) for c in np.unique(part.reshape(-1, 3), axis=0).tolist()}


def test_enlarging_keeps_pixels_square_and_sharp() -> None:
    large = enlarge(TRUTH)
    assert large.shape == (SIDE, 6 * SIDE)
    assert set(np.unique(large)) == set(np.unique(TRUTH))
    assert enlarge(np.zeros((500, 900), np.uint8)).shape == (500, 900)


def test_class_picture() -> None:
    picture = class_picture(TRUTH, CLASSES)
    assert cell(picture, 0) == {rgb("#d8d3c8")}
    assert cell(picture, 1) == {rgb("#c8442c")}
    assert cell(picture, 4) == {rgb(c) for c in IGNORED_COLORS}
    assert cell(class_picture(PREDICTION, CLASSES), 5) == {rgb(c) for c in OUTSIDE_COLORS}


def test_all_errors_have_the_colour_of_their_truth() -> None:
    picture = error_picture(TRUTH, PREDICTION, CLASSES, Focus(), None)
    assert max(max(c) for c in cell(picture, 0) | cell(picture, 1)) < 60  # right: dark
    assert cell(picture, 2) == {rgb("#e6a632")}
    assert cell(picture, 3) == {rgb("#c8442c")}
    assert cell(picture, 4) == {rgb(c) for c in IGNORED_COLORS}
    assert cell(picture, 5) == {rgb(c) for c in OUTSIDE_COLORS}


def test_one_class() -> None:
    picture = error_picture(TRUTH, PREDICTION, CLASSES, focus_on(1), None)
    (found,) = cell(picture, 1)
    assert min(found) > 160  # light
    assert cell(picture, 2) == {rgb(FALSE_ALARM)}
    assert cell(picture, 3) == {rgb(MISSED)}
    road = error_picture(TRUTH, PREDICTION, CLASSES, focus_on(2), None)
    assert cell(road, 2) == {rgb(MISSED)}
    assert cell(road, 5) == {rgb(MISSED)}, "predicted outside the class list is a miss of its class"


def test_one_confusion() -> None:
    picture = error_picture(TRUTH, PREDICTION, CLASSES, Focus(2, 1), None)
    assert cell(picture, 2) == {rgb(FALSE_ALARM)}
    assert cell(picture, 3) == {rgb(OTHER_ERROR)}
    outside = error_picture(TRUTH, PREDICTION, CLASSES, Focus(2, OUTSIDE), None)
    assert cell(outside, 5) == {rgb(FALSE_ALARM)}


def test_the_image_shows_through_where_it_is_right() -> None:
    photo = np.zeros((1, 6, 3), np.uint8)
    photo[:, 0] = 200
    picture = error_picture(TRUTH, PREDICTION, CLASSES, Focus(), photo)
    assert cell(picture, 0) != cell(picture, 1)


@pytest.mark.parametrize("focus", [Focus(), focus_on(1), Focus(2, 1)])
def test_every_colour_has_an_entry(focus: Focus) -> None:
    legend = error_legend(CLASSES, focus, ignored=True, outside=True)
    colors = {rgb(s.color) for s in legend} | {rgb(s.second) for s in legend if s.second} | {rgb(FOUND)}
    picture = error_picture(TRUTH, PREDICTION, CLASSES, focus, None)
    bright = {c for column in range(6) for c in cell(picture, column) if max(c) > 60 and c[0] != c[1]}
    assert bright <= colors


def test_errors_differ_in_lightness_and_not_in_hue_alone() -> None:
    assert abs(luminance(FOUND) - luminance(FALSE_ALARM)) > 0.25
    assert luminance(FALSE_ALARM) > 10 * luminance("#111111")
    assert luminance(MISSED) > 10 * luminance("#111111")
