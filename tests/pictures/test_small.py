"""Small pictures: what is drawn, against slow twins, and that a single wrong pixel is seen."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from analysis.pictures.colors import DIMMED, FALSE_ALARM, MISSED, MIXED_UP, OTHER_ERROR, OUTSIDE_COLORS, rgb
from analysis.pictures.focus import Focus, focus_on
from analysis.pictures.pixels import TilePixels
from analysis.pictures.small import (
    BEFORE,
    ERRORS,
    FOUND_RIGHT,
    IMAGE,
    IS_FALSE_ALARM,
    IS_MISSED,
    IS_MIXED_UP,
    IS_OTHER,
    MARKED,
    NO_ERROR,
    PREDICTION,
    TRUTH,
    averaged,
    error_kinds,
    legend,
    reduced_errors,
    small_picture,
)
from analysis.words.classes import IGNORED, PALETTE, ClassList, ClassSpec

FIVE = ClassList(tuple(ClassSpec(i, f"c{i}", PALETTE[i]) for i in range(5)), 0)
TWO = ClassList(tuple(ClassSpec(i, f"c{i}", PALETTE[i]) for i in range(2)), 0)


def opened(data: bytes) -> npt.NDArray[np.uint8]:
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))


def tile(truth: Any = None, prediction: Any = None, **photos: Any) -> TilePixels:
    shape = next(a for a in (truth, prediction, *photos.values()) if a is not None).shape
    return TilePixels("t", shape[0], shape[1], 1, photos, truth, prediction, () if photos else ("There is no image.",))


def distance(a: Any, b: Any) -> float:
    return float(np.abs(np.asarray(a, float) - np.asarray(b, float)).sum())


def test_errors_of_all_classes_by_hand() -> None:
    truth = np.array([[0, 1, 1, 0, 2, IGNORED, 1]], np.uint8)
    prediction = np.array([[0, 1, 0, 2, 3, 1, 5]], np.uint8)
    wanted = [NO_ERROR, NO_ERROR, IS_MISSED, IS_FALSE_ALARM, IS_MIXED_UP, NO_ERROR, IS_MIXED_UP]
    assert error_kinds(truth, prediction, Focus(), 0).tolist() == [wanted]
    without = error_kinds(truth, prediction, Focus(), None)
    assert without.tolist() == [[IS_MIXED_UP if kind != NO_ERROR else NO_ERROR for kind in wanted]]


def test_errors_of_one_class_and_of_one_confusion_by_hand() -> None:
    truth = np.array([[1, 1, 2, 2, 0, IGNORED]], np.uint8)
    prediction = np.array([[1, 2, 1, 2, 3, 1]], np.uint8)
    one = error_kinds(truth, prediction, focus_on(1), 0)
    assert one.tolist() == [[FOUND_RIGHT, IS_MISSED, IS_FALSE_ALARM, NO_ERROR, NO_ERROR, NO_ERROR]]
    cell = error_kinds(truth, prediction, Focus(1, 2), 0)
    assert cell.tolist() == [[NO_ERROR, IS_FALSE_ALARM, IS_OTHER, NO_ERROR, IS_OTHER, NO_ERROR]]


@settings(deadline=None)
@given(st.integers(1, 30), st.integers(1, 30), st.integers(2, 7), st.integers(0, 2**32 - 1))
def test_an_error_anywhere_in_a_block_marks_it(height: int, width: int, step: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    errors = (rng.integers(0, 6, (height, width)) * (rng.random((height, width)) < 0.1)).astype(np.uint8)
    marks = reduced_errors(errors, step)
    assert marks.shape == (-(-height // step), -(-width // step))
    for row in range(marks.shape[0]):
        for column in range(marks.shape[1]):
            block = errors[row * step : row * step + step, column * step : column * step + step]
            many = {kind: int((block == kind).sum()) for kind in (IS_MISSED, IS_FALSE_ALARM, IS_MIXED_UP)}
            if any(many.values()):
                assert many[marks[row, column]] == max(many.values())
            elif (block == IS_OTHER).any():
                assert marks[row, column] in (IS_OTHER, IS_MISSED, IS_FALSE_ALARM, IS_MIXED_UP)
            elif marks[row, column] > FOUND_RIGHT:  # grown from a neighbour above or to the left
                up, left = max(0, row - 1) * step, max(0, column - 1) * step
                assert (errors[up : row * step + step, left : column * step + step] > FOUND_RIGHT).any()


@settings(deadline=None)
@given(st.integers(1, 20), st.integers(1, 20), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_averages_against_their_twin(height: int, width: int, step: int, seed: int) -> None:
    picture = np.random.default_rng(seed).integers(0, 256, (height, width, 3), np.uint8)
    small = averaged(picture, step)
    for row in range(small.shape[0]):
        for column in range(small.shape[1]):
            block = picture[row * step : row * step + step, column * step : column * step + step].reshape(-1, 3)
            np.testing.assert_allclose(small[row, column], block.astype(float).mean(axis=0), atol=1.01)


@pytest.mark.parametrize("place", [(0, 0), (255, 300), (511, 511)])
def test_a_single_wrong_pixel_is_seen(place: tuple[int, int]) -> None:
    rng = np.random.default_rng(2)
    photo = rng.integers(70, 120, (512, 512, 3), np.uint8)
    truth = np.zeros((512, 512), np.uint8)
    prediction = truth.copy()
    prediction[place] = 1
    plain = opened(small_picture(tile(truth, truth, image=photo), MARKED, Focus(), FIVE).data)
    marked = opened(small_picture(tile(truth, prediction, image=photo), MARKED, Focus(), FIVE).data)
    assert 120 <= max(marked.shape) <= 240
    at = tuple(p * n // 512 for p, n in zip(place, marked.shape[:2], strict=True))
    assert distance(marked[at], rgb(FALSE_ALARM)) < distance(plain[at], rgb(FALSE_ALARM)) / 2
    errors = opened(small_picture(tile(truth, prediction, image=photo), ERRORS, Focus(), FIVE).data)
    assert tuple(errors[at]) == rgb(FALSE_ALARM)


def test_kinds_show_what_they_say() -> None:
    truth = np.array([[0, 1, 2], [3, 4, IGNORED]], np.uint8).repeat(20, 0).repeat(20, 1)
    prediction = np.array([[0, 1, 2], [3, 5, 0]], np.uint8).repeat(20, 0).repeat(20, 1)
    before, after = (np.full((40, 60, 3), v, np.uint8) for v in (40, 200))
    pixels = tile(truth, prediction, before=before, after=after)
    shown = {
        k: opened(small_picture(pixels, k, Focus(), FIVE).data) for k in (IMAGE, BEFORE, TRUTH, PREDICTION, ERRORS)
    }
    assert distance(shown[IMAGE][5, 5], (200, 200, 200)) < 12
    assert distance(shown[BEFORE][5, 5], (40, 40, 40)) < 12
    assert [tuple(shown[TRUTH][y, x]) for y, x in ((5, 5), (5, 30), (30, 5))] == [rgb(PALETTE[i]) for i in (0, 1, 3)]
    assert tuple(shown[PREDICTION][30, 30]) == rgb(OUTSIDE_COLORS[0])
    assert tuple(shown[ERRORS][30, 30]) == rgb(MIXED_UP)
    assert tuple(shown[ERRORS][5, 5]) == tuple(shown[ERRORS][30, 50]) == rgb(DIMMED)


def test_large_patches_let_the_image_through_and_binary_errors_are_those_of_class_1() -> None:
    truth, prediction = np.ones((64, 64), np.uint8), np.zeros((64, 64), np.uint8)
    photo = np.full((64, 64, 3), 255, np.uint8)
    middle = opened(small_picture(tile(truth, prediction, after=photo), MARKED, Focus(), TWO).data)[32, 32]
    assert distance(middle, rgb(MISSED)) > 60
    assert middle[2] > middle[0], "still blue"


def test_masks_do_not_look_black() -> None:
    codes = np.arange(5, dtype=np.uint8).repeat(20)[np.newaxis].repeat(20, axis=0)
    shown = opened(small_picture(tile(codes, codes, image=None), TRUTH, Focus(), FIVE).data)
    colors = {tuple(int(v) for v in c) for c in shown.reshape(-1, 3)}
    assert len(colors) == 5
    apart = [np.linalg.norm(np.subtract(a, b)) for a in colors for b in colors if a != b]
    assert min(apart) >= 60


def test_what_cannot_be_drawn_says_why() -> None:
    pixels = TilePixels("t", 4, 4, 1, {}, None, None, ("t.png is cut off.",))
    for kind in (MARKED, IMAGE, TRUTH, ERRORS):
        found = small_picture(pixels, kind, Focus(), FIVE)
        assert (found.data, found.fault) == (b"", "t.png is cut off.")
    labels = np.zeros((4, 4), np.uint8)
    assert small_picture(tile(labels, labels), MARKED, Focus(), FIVE).data, "errors need no image"
    assert "no image" in small_picture(tile(labels, labels), IMAGE, Focus(), FIVE).fault


def test_the_legend_names_what_may_be_seen() -> None:
    assert dict(legend(Focus(), FIVE)) == {
        "missed": MISSED,
        "false alarm": FALSE_ALARM,
        "one class taken for another": MIXED_UP,
    }
    assert dict(legend(Focus(1, 2), FIVE)) == {"this confusion": FALSE_ALARM, "other errors": OTHER_ERROR}
    assert [name for name, _ in legend(focus_on(1), TWO)] == ["missed", "false alarm"]
