"""What the browser may ask for, and what it is answered."""

from __future__ import annotations

import json

import numpy as np
import pytest

from analysis.catalogue.tiling import Window
from analysis.errors import SelectionError
from analysis.pictures.layers import TileLayers, tile_layers
from analysis.pictures.pixels import TilePixels
from tests.viewer.test_payload import CLASSES
from ui.viewer.crop import CropRequest, crop_payload, crop_request
from ui.viewer.payload import ViewedTile

LABELS = np.zeros((2, 2), np.uint8)
LAYERS = tile_layers(TilePixels("t", 6000, 5000, 3, {}, LABELS, LABELS), CLASSES, 0.25)
CURRENT = ViewedTile(LAYERS, "t")
GOOD = {"tile": "t", "digest": LAYERS.digest, "part": [10, 20, 300, 400], "number": 4}


def part(tile: ViewedTile, window: Window) -> TileLayers:
    assert tile is CURRENT
    labels = np.ones((window.rows[1] - window.rows[0], window.columns[1] - window.columns[0]), np.uint8)
    return tile_layers(TilePixels("t", *labels.shape, 1, {}, labels, labels), CLASSES, 0.25)


@pytest.mark.parametrize(
    "change",
    [
        {"tile": 3},
        {"digest": None},
        {"part": [10, 20, 300]},
        {"part": [10, 20, 10, 400]},
        {"part": [10, 20, 300.5, 400]},
        {"part": [-1, 20, 300, 400]},
        {"part": "abcd"},
        {"part": [0, 0, float("nan"), 4]},
        {"part": [0, 0, 1e12, 4]},
        {"number": "4"},
    ],
)
def test_nonsense_is_no_request(change: dict[str, object]) -> None:
    assert crop_request(GOOD) == CropRequest("t", LAYERS.digest, Window((10, 300), (20, 400)), 4)
    assert crop_request({**GOOD, **change}) is None
    assert crop_request("x") is None


def test_a_part_comes_with_its_place_and_says_whose_it_is() -> None:
    data = json.loads(json.dumps(crop_payload(crop_request(GOOD), CURRENT, part, "v")))
    crop = data["crop"]
    assert (data["name"], data["answered"], data["refused"]) == ("v", 4, False)
    assert (crop["top"], crop["left"], crop["height"], crop["width"], crop["step"]) == (10, 20, 290, 380, 1)
    assert (crop["id"], crop["of"]) == ("t", LAYERS.digest)
    assert crop["truth"].startswith("data:image/png")


@pytest.mark.parametrize(
    "change", [{"tile": "u"}, {"digest": "old"}, {"part": [0, 0, 6001, 9]}, {"part": [0, 0, 6000, 5000]}]
)
def test_parts_of_other_pictures_or_no_finer_ones_are_not_read(change: dict[str, object]) -> None:
    data = crop_payload(crop_request({**GOOD, **change}), CURRENT, part, "v")
    assert data["crop"] is None
    assert data["answered"] == 4
    assert crop_payload(None, CURRENT, part, "v")["answered"] == 0


def test_files_that_were_moved_are_not_asked_for_again() -> None:
    def gone(tile: ViewedTile, window: Window) -> TileLayers:
        raise SelectionError("gone")

    data = crop_payload(crop_request(GOOD), CURRENT, gone, "v")
    assert data["refused"]
    assert data["crop"] is None
