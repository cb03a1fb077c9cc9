"""Crops of objects: the window around one, outlines, and the object told from its neighbours."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from analysis import open_workspace
from analysis.pictures.object_crop import CROP_SIDE, Crop, crop_of, crop_picture, itself, outline
from analysis.pictures.pixels import TilePixels
from analysis.pictures.small import IMAGE
from analysis.pictures.thumbnails import Thumbnails, Wanted
from analysis.pictures.tile import TileFinder
from tests.shapes import make_shapes


@given(st.data())
def test_the_window_holds_the_object_and_its_margin_within_the_tile(data: st.DataObject) -> None:
    height, width = data.draw(st.integers(1, 300)), data.draw(st.integers(1, 300))
    top, left = data.draw(st.integers(0, height - 1)), data.draw(st.integers(0, width - 1))
    bottom, right = data.draw(st.integers(top + 1, height)), data.draw(st.integers(left + 1, width))
    window = crop_of(0, 1, (top, left, bottom, right), height, width).window
    margin = max(16, max(bottom - top, right - left) / 2)
    assert 0 <= window.rows[0] <= max(0, top - margin + 1)
    assert min(height, bottom + margin - 1) <= window.rows[1] <= height
    assert 0 <= window.columns[0] <= max(0, left - margin + 1)
    assert min(width, right + margin - 1) <= window.columns[1] <= width
    high, wide = (stop - start for start, stop in (window.rows, window.columns))
    if high != wide:
        assert high == height or wide == width, "a square, unless the tile ends"


def test_outlines() -> None:
    mask = np.zeros((9, 9), bool)
    mask[2:7, 2:7] = True
    ring = mask.copy()
    ring[3:6, 3:6] = False
    np.testing.assert_array_equal(outline(mask, 1), ring)
    thick = outline(mask, 3)
    assert not thick[4, 4]
    assert thick[1, 4]
    assert thick[3, 4]
    assert not thick[0].any()
    assert not outline(np.ones((5, 5), bool), 3).any(), "the picture's edge is no outline"


def test_the_object_is_told_from_others_in_its_box() -> None:
    mask = np.zeros((20, 20), bool)
    mask[5, 5:15] = mask[5:15, 5] = True  # an angle, and a block inside its box
    mask[10:13, 10:13] = True
    crop = Crop(0, 1, (5, 5, 15, 15), crop_of(0, 1, (5, 5, 15, 15), 20, 20).window)
    found = itself(mask, crop)
    assert found is not None
    assert found.sum() == 19
    assert not found[11, 11]
    assert itself(mask, Crop(0, 1, (6, 5, 15, 15), crop.window)) is None
    corner = np.zeros((20, 20), bool)
    corner[5:8, 5:8] = corner[8:11, 8:11] = True  # one object with corners, two without
    for box, px in (((5, 5, 11, 11), 18), ((8, 8, 11, 11), 9)):
        found = itself(corner, Crop(0, 1, box, crop.window))
        assert found is not None
        assert found.sum() == px


def picture(truth: np.ndarray, prediction: np.ndarray, crop: Crop) -> np.ndarray:
    pixels = TilePixels("t", *truth.shape, 1, truth=truth, prediction=prediction)
    return np.asarray(Image.open(io.BytesIO(crop_picture(pixels, crop).data)).convert("RGB")).astype(int)


def test_both_outlines_can_be_told_apart_where_they_lie_on_each_other() -> None:
    truth = np.zeros((44, 44), np.uint8)
    truth[16:28, 16:28] = 1
    shown = picture(truth, truth, crop_of(0, 1, (16, 16, 28, 28), 44, 44))
    assert shown.shape == (CROP_SIDE, CROP_SIDE, 3)
    row = shown[CROP_SIDE // 2]
    blue, orange = row[:, 2] - row[:, 0] > 60, row[:, 0] - row[:, 2] > 60
    assert blue.any()
    assert orange.any()
    first = int(np.argmax(blue | orange))
    assert blue[first], "the thick line of the ground truth lies below the thin one of the prediction"
    alone = picture(truth, np.zeros_like(truth), crop_of(0, 1, (16, 16, 28, 28), 44, 44))
    assert not (alone[..., 0] - alone[..., 2] > 60).any()


def test_a_narrow_thing_stays_whole_when_it_is_reduced() -> None:
    truth = np.zeros((900, 900), np.uint8)
    truth[450, 50:850] = 1
    shown = picture(truth, np.zeros_like(truth), crop_of(0, 1, (450, 50, 451, 850), 900, 900))
    middle = shown[CROP_SIDE // 2 - 2 : CROP_SIDE // 2 + 3, 20:-20]
    assert (middle[..., 2] - middle[..., 0] > 60).any(axis=0).all()


def test_a_map_that_cannot_be_read_is_said() -> None:
    pixels = TilePixels("t", 9, 9, 1, truth=np.zeros((9, 9), np.uint8), faults=("x.png is cut off.",))
    assert crop_picture(pixels, crop_of(0, 1, (1, 1, 2, 2), 9, 9)).fault == "x.png is cut off."


@pytest.fixture
def run(tmp_path: Path, own_cache: Path):
    return open_workspace(make_shapes(tmp_path / "shapes")).runs[0]


def test_crops_are_kept_beside_pictures_of_tiles(run) -> None:
    folder, finder = run.store.folder / "thumbnails", TileFinder(run)
    boxes = [(10, 40, 20, 60), (30, 0, 40, 12)]
    wanted = [Wanted("east_0", "object", crop=crop_of(side, 1, box, 96, 96)) for side in (0, 1) for box in boxes]
    first = Thumbnails().fetch(finder, folder, run.dataset.classes, [*wanted, Wanted("east_0", IMAGE)], 30)
    assert all(found is not None and found.data for found in first)
    assert len({found.data for found in first if found}) == 3, "of two boxes and of the tile"
    assert len(list(folder.iterdir())) == 5
    again = Thumbnails().fetch(finder, folder, run.dataset.classes, wanted, 30)
    assert again == first[:4]
