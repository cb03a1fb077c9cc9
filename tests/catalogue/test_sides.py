"""One side's files: whole sheets or cut tiles, found by tile."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.catalogue.listing import list_files
from analysis.catalogue.sides import Side
from analysis.catalogue.tiling import Window
from analysis.errors import TileError

from ..bench import write
from .setting import touch


def side(folder, pattern="m", tiling=4, scenes=()):
    return Side(list_files(folder, (pattern,)), tiling, scenes)


def raster(folder, name, height, width):
    write(folder / name, np.zeros((height, width), np.uint8))


def test_without_tiling_every_file_is_a_tile(tmp_path):
    touch(tmp_path, "m/a_1.png", "m/b.png")
    found = side(tmp_path, tiling=None)
    assert [f.path.name for f in found.cut] == ["a_1.png", "b.png"]
    assert found.sheets == {}


def test_a_file_larger_than_a_tile_is_a_sheet(tmp_path):
    raster(tmp_path, "m/big.png", 4, 5)
    raster(tmp_path, "m/small.png", 4, 4)
    found = side(tmp_path)
    assert list(found.sheets) == ["big"]
    assert [f.path.stem for f in found.cut] == ["small"]


def test_names_that_end_in_a_number_are_told_apart_by_size(tmp_path):
    raster(tmp_path, "m/sheet_1.png", 9, 9)
    raster(tmp_path, "m/sheet_2.png", 9, 9)
    raster(tmp_path, "m/tile_1.png", 4, 4)
    raster(tmp_path, "m/tile_2.png", 4, 4)
    found = side(tmp_path)
    assert list(found.sheets) == ["sheet_1", "sheet_2"]
    assert [f.path.stem for f in found.cut] == ["tile_1", "tile_2"]


def test_a_known_scene_needs_no_look_at_the_size(tmp_path):
    touch(tmp_path, "m/a_1.png", "m/b_1_0.png")  # unreadable: their sizes do not speak
    found = side(tmp_path, scenes={"a_1", "b_1"})
    assert list(found.sheets) == ["a_1"]
    assert [f.path.stem for f in found.cut] == ["b_1_0"]


def test_the_tile_of_a_scene(tmp_path):
    raster(tmp_path, "m/a.png", 6, 5)
    found = side(tmp_path)
    (source,) = found.tile_of_scene("a", 3)  # two columns: k = 3 is the second row's last
    assert source.window == Window((4, 6), (4, 5))
    with pytest.raises(TileError, match="a.png has 5 x 6 px and ends before tile 4"):
        found.tile_of_scene("a", 4)
    assert found.tile_of_scene("b", 0) == []


def test_a_sheet_that_cannot_be_read_says_so_for_each_tile(tmp_path):
    touch(tmp_path, "m/a.png")
    found = side(tmp_path, scenes={"a"})
    with pytest.raises(TileError, match="a.png cannot be read as a raster"):
        found.tile_of_scene("a", 0)


def test_leading_zeros_of_k(tmp_path):
    for name in ("a_007", "a_12", "b_7"):
        raster(tmp_path, f"m/{name}.png", 4, 4)
    found = side(tmp_path)
    assert [s.path.stem for s in found.tile_of_scene("a", 7)] == ["a_007"]
    assert [s.path.stem for s in found.tile_of_scene("a", 12)] == ["a_12"]


def test_a_number_is_compared_as_a_number(tmp_path):
    touch(tmp_path, "m/p_08.png", "m/p_10.png")
    found = side(tmp_path, "m/p_{n}.png", tiling=None)
    assert [s.path.stem for s in found.matching(("n",), {"n": "8"})] == ["p_08"]
    assert found.matching(("n",), {"n": "80"}) == []
