"""Parts of a tile: the same pixels as in the whole, through a window of each file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analysis.catalogue.tiling import Window
from analysis.pictures.pixels import MOST_SIDE
from analysis.reading.raster import Raster, write_raster
from tests.pictures.test_pixels import workspace

PART = Window((700, 1300), (2100, 2900))
HERE = np.s_[700:1300, 2100:2900]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("truth", "images", "predictions"):
        (tmp_path / name).mkdir()
    return tmp_path


def large(folder: Path, dtype: Any = np.uint8) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 3, (2500, 3000), np.uint8)
    photo = rng.integers(0, np.iinfo(dtype).max, (2500, 3000, 3), dtype)
    write_raster(folder / "truth/a.tif", truth, driver="GTiff")
    write_raster(folder / "predictions/a.tif", truth[::-1], driver="GTiff", tiled=True)
    write_raster(folder / "images/a.tif", photo, driver="GTiff", tiled=True)
    return truth, photo


def test_a_part_is_read_through_a_window(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    truth, photo = large(folder)
    read, seen = Raster.read, []

    def watched(self: Raster, rows: Any, columns: Any, bands: Any = None) -> Any:
        seen.append((rows, columns))
        return read(self, rows, columns, bands)

    finder = workspace(folder, "")
    monkeypatch.setattr(Raster, "read", watched)
    found = finder.pixels("a", PART)
    assert (found.height, found.width, found.step) == (600, 800, 1)
    np.testing.assert_array_equal(found.truth, truth[HERE])
    np.testing.assert_array_equal(found.prediction, truth[::-1][HERE])
    np.testing.assert_array_equal(found.photos["image"], photo[HERE])
    assert seen == [(PART.rows, PART.columns)] * 3


def test_a_part_with_long_sides_is_reduced_less_than_the_whole(folder: Path) -> None:
    truth, _ = large(folder)
    wide = workspace(folder, "").pixels("a", Window((0, 100), (100, 2900)))
    assert wide.step == 2
    assert wide.truth is not None
    assert max(wide.truth.shape) <= MOST_SIDE
    np.testing.assert_array_equal(wide.truth, truth[0:100:2, 100:2900:2])  # of two px, the first is the middle


def test_a_part_is_as_bright_as_the_whole(folder: Path) -> None:
    _, photo = large(folder, np.uint16)
    photo[HERE] //= 4  # a dark place
    write_raster(folder / "images/a.tif", photo, driver="GTiff")
    finder = workspace(folder, "")
    whole = finder.pixels("a")
    low, high = whole.limits["image"]
    part = finder.pixels("a", PART, whole.limits)
    wanted = np.rint(((photo[HERE].astype(float) - low) / (high - low)).clip(0, 1) * 255)
    np.testing.assert_array_equal(part.photos["image"], wanted)
    assert part.limits == whole.limits
    assert finder.pixels("a", PART).photos["image"].mean() > 1.5 * part.photos["image"].mean()


def test_parts_of_windows_and_of_resized_predictions(folder: Path) -> None:
    sheet = np.random.default_rng(2).integers(0, 3, (16, 16), np.uint8)
    write_raster(folder / "truth/s.tif", sheet, driver="GTiff")
    write_raster(folder / "images/s.tif", np.dstack([sheet] * 3), driver="GTiff")
    write_raster(folder / "predictions/s.tif", sheet[:8, :8], driver="GTiff")  # half as large
    finder = workspace(folder, "tiling = {size = 4}\n", 'resize = "nearest"\n')
    found = finder.pixels("s_3", Window((1, 3), (0, 3)))  # rows 0 to 4, columns 12 to 16 of the sheet
    np.testing.assert_array_equal(found.truth, sheet[1:3, 12:15])
    np.testing.assert_array_equal(found.photos["image"][..., 0], sheet[1:3, 12:15])
    np.testing.assert_array_equal(found.prediction, np.kron(sheet[:8, :8], np.ones((2, 2)))[1:3, 12:15])


def test_what_lies_beyond_the_sides_is_cut_off(folder: Path) -> None:
    truth, _ = large(folder)
    finder = workspace(folder, "")
    found = finder.pixels("a", Window((2400, 9999), (-5, 10)))
    np.testing.assert_array_equal(found.truth, truth[2400:, :10])
    with pytest.raises(ValueError, match="no pixel"):
        finder.pixels("a", Window((2500, 2600), (0, 10)))
