"""What is said of a pair whose files do not lie on the same ground by their own account."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.reading.georeference import compare
from analysis.reading.raster import read_header

from ..bench import write

UTM, OTHER = "EPSG:32652", "EPSG:5186"


def header(path, crs=UTM, transform=(0.5, 0, 1000, 0, -0.5, 2000), shape=(8, 10)):
    return read_header(write(path, np.zeros(shape, np.uint8), crs=crs, transform=transform))


def codes(tmp_path, prediction, truth=None):
    t = header(tmp_path / "t.tif", **(truth or {}))
    p = header(tmp_path / "p.tif", **prediction)
    return [(n.code, n.message) for n in compare(t, p, "t")]


def test_the_same_ground_needs_no_word(tmp_path):
    assert codes(tmp_path, {}) == []
    assert codes(tmp_path, {"crs": None, "transform": None}, {"crs": None, "transform": None}) == []


def test_a_south_up_file_of_the_same_ground(tmp_path):
    assert codes(tmp_path, {"transform": (0.5, 0, 1000, 0, 0.5, 1996)}) == []  # 8 rows of 0.5 m below 2000


def test_a_shift_of_a_hundredth_of_a_pixel_is_allowed(tmp_path):
    assert codes(tmp_path, {"transform": (0.5, 0, 1000.004, 0, -0.5, 2000)}) == []
    ((code, message),) = codes(tmp_path, {"transform": (0.5, 0, 1000.2, 0, -0.5, 2000)})
    assert code == "georeference-offset"
    assert "p.tif lies up to 0.4 px (0.2 m) from its ground truth t.tif" in message


def test_another_pixel_size(tmp_path):
    # 1 m instead of 0.5 m: the lower right corner is off by (10, 8) * 0.5 m = 12.8 px
    ((code, message),) = codes(tmp_path, {"transform": (1, 0, 1000, 0, -1, 2000)})
    assert code == "georeference-offset"
    assert "12.81 px (6.403 m)" in message


def test_a_pixel_size_in_degrees_has_no_metres(tmp_path):
    place = {"crs": "EPSG:4326", "transform": (1e-5, 0, 5, 0, -1e-5, 50)}
    ((_, message),) = codes(tmp_path, {"crs": "EPSG:4326", "transform": (1e-5, 0, 5.00002, 0, -1e-5, 50)}, place)
    assert "up to 2 px from" in message


def test_another_crs_names_both(tmp_path):
    ((code, message),) = codes(tmp_path, {"crs": OTHER})
    assert code == "crs-differs"
    assert f"t.tif is in {UTM} and the prediction p.tif in {OTHER}" in message


@pytest.mark.parametrize("lost", [None, (1, 0, 0, 0, 1, 0)])
def test_one_side_without_a_georeference(tmp_path, lost):
    ((code, message),) = codes(tmp_path, {"crs": UTM if lost else None, "transform": lost})
    assert (code, message.split(";")[0]) == (
        "one-side-georeferenced",
        "The predictions carry no georeference and the other side does",
    )
    ((_, message),) = codes(tmp_path, {}, {"crs": None, "transform": None})
    assert message.startswith("The ground truth files carry no georeference")


def test_a_transform_without_a_crs_is_compared_with_one_that_has(tmp_path):
    assert codes(tmp_path, {"crs": None}) == []
    ((code, _),) = codes(tmp_path, {"crs": None, "transform": (0.5, 0, 1001, 0, -0.5, 2000)})
    assert code == "georeference-offset"


def test_files_of_other_sizes_are_not_compared_by_their_corners(tmp_path):
    assert codes(tmp_path, {"shape": (4, 5)}) == []
