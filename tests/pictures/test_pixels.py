"""A tile's pixels: windows of sheets, rules, reduction, and what is missing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from analysis import open_workspace
from analysis.errors import SelectionError
from analysis.pictures.pixels import MOST_SIDE, middles
from analysis.pictures.tile import TileFinder
from analysis.reading.raster import write_raster
from analysis.words.classes import IGNORED

CLASSES = '[dataset.classes]\n0 = "background"\n1 = "building"\n2 = "road"\n'


def workspace(folder: Path, dataset: str, run: str = "", classes: str = CLASSES) -> TileFinder:
    path = folder / "workspace.toml"
    path.write_text(
        f'[[dataset]]\nname = "d"\ntask = "segmentation"\nroot = "."\ntruth = "truth"\nimages = "images"\n{dataset}'
        f'{classes}[[run]]\nmodel = "m"\ndataset = "d"\npredictions = "predictions"\n{run}',
        encoding="utf-8",
    )
    return TileFinder(open_workspace(path).runs[0])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("truth", "images", "predictions"):
        (tmp_path / name).mkdir()
    return tmp_path


def test_codes_follow_the_rules(folder: Path) -> None:
    raw = np.array([[10, 20, 30, 99]], np.uint8)
    write_raster(folder / "truth/a.png", raw, driver="PNG")
    write_raster(folder / "predictions/a.png", np.array([[0, 1, 7, 2]], np.uint8), driver="PNG")
    write_raster(folder / "images/a.png", np.full((1, 4, 3), 7, np.uint8), driver="PNG")
    found = workspace(folder, "truth_values = {10 = 0, 20 = 1, 30 = 2}\nignore = [99]\n").pixels("a")
    assert found.truth is not None
    assert found.prediction is not None
    assert found.truth.tolist() == [[0, 1, 2, IGNORED]]
    assert found.prediction.tolist() == [[0, 1, 3, 2]]
    assert found.photos["image"].tolist() == [[[7, 7, 7]] * 4]
    assert found.faults == ()


def test_windows_of_sheets(folder: Path) -> None:
    sheet = (np.arange(8 * 8).reshape(8, 8) % 3).astype(np.uint8)
    write_raster(folder / "truth/s.tif", sheet, driver="GTiff")
    write_raster(folder / "images/s.tif", np.dstack([sheet * 50] * 3), driver="GTiff")
    for k, window in enumerate(((0, 0), (0, 4), (4, 0), (4, 4))):
        write_raster(
            folder / f"predictions/s_{k}.png", sheet[window[0] : window[0] + 4, window[1] : window[1] + 4], driver="PNG"
        )
    found = workspace(folder, "tiling = {size = 4}\n").pixels("s_2")
    assert found.truth is not None
    np.testing.assert_array_equal(found.truth, sheet[4:, :4])
    np.testing.assert_array_equal(found.prediction, sheet[4:, :4])
    np.testing.assert_array_equal(found.photos["image"][..., 0], sheet[4:, :4] * 50)


def test_a_large_tile_is_reduced_images_by_averaging_labels_by_a_pixel(folder: Path) -> None:
    rng = np.random.default_rng(1)
    size = (4200, 3000)
    truth = rng.integers(0, 3, size, np.uint8)
    photo = rng.integers(0, 255, (*size, 3), np.uint8)
    write_raster(folder / "truth/a.tif", truth, driver="GTiff")
    write_raster(folder / "predictions/a.tif", truth, driver="GTiff")
    write_raster(folder / "images/a.tif", photo, driver="GTiff")
    found = workspace(folder, "").pixels("a")
    assert found.step == 3
    assert found.truth is not None
    assert max(found.truth.shape) <= MOST_SIDE
    np.testing.assert_array_equal(found.truth, truth[1::3, 1::3])
    means = photo.reshape(1400, 3, 1000, 3, 3).mean(axis=(1, 3))
    np.testing.assert_allclose(found.photos["image"], means, atol=1)


def test_a_missing_image_and_one_of_another_size_are_said(folder: Path) -> None:
    for tile in ("a", "b"):
        write_raster(folder / f"truth/{tile}.png", np.zeros((4, 4), np.uint8), driver="PNG")
        write_raster(folder / f"predictions/{tile}.png", np.zeros((4, 4), np.uint8), driver="PNG")
    write_raster(folder / "images/b.png", np.zeros((5, 4, 3), np.uint8), driver="PNG")
    finder = workspace(folder, "")
    assert "no image" in finder.pixels("a").faults[0]
    assert "4 x 5 px" in finder.pixels("b").faults[0]
    assert finder.pixels("b").photos == {}
    assert finder.pixels("b").truth is not None


def test_resized_and_refused_predictions(folder: Path) -> None:
    write_raster(folder / "truth/a.png", np.zeros((4, 4), np.uint8), driver="PNG")
    write_raster(folder / "predictions/a.png", np.array([[1, 2], [0, 1]], np.uint8), driver="PNG")
    refused = workspace(folder, "").pixels("a")
    assert refused.prediction is None
    assert any("2 x 2 px" in fault for fault in refused.faults)
    resized = workspace(folder, "", 'resize = "nearest"\n').pixels("a")
    assert resized.prediction is not None
    assert resized.prediction.tolist() == [[1, 1, 2, 2]] * 2 + [[0, 0, 1, 1]] * 2


@pytest.mark.parametrize("kind", ["grey", "palette", "sixteen", "four"])
def test_images_of_any_kind_become_rgb(folder: Path, kind: str) -> None:
    write_raster(folder / "truth/a.tif", np.zeros((4, 4), np.uint8), driver="GTiff")
    write_raster(folder / "predictions/a.tif", np.zeros((4, 4), np.uint8), driver="GTiff")
    grey = np.arange(16, dtype=np.uint8).reshape(4, 4)
    path = folder / "images/a.tif"
    if kind == "grey":
        write_raster(path, grey, driver="GTiff")
    elif kind == "palette":
        write_raster(path, grey, driver="GTiff", palette={i: (i, 2 * i, 3 * i) for i in range(16)})
    elif kind == "sixteen":
        write_raster(path, np.dstack([grey.astype(np.uint16) * 1000] * 3), driver="GTiff")
    else:
        write_raster(path, np.dstack([grey, grey + 1, grey + 2, grey + 3]), driver="GTiff")
    photo = workspace(folder, "").pixels("a").photos["image"]
    assert photo.shape == (4, 4, 3)
    assert photo.dtype == np.uint8
    expected = {"grey": [5, 5, 5], "palette": [5, 10, 15], "four": [5, 6, 7]}
    if kind in expected:
        assert photo[1, 1].tolist() == expected[kind]
    else:
        assert photo.max() == 255
        assert photo.min() == 0


def test_an_unknown_tile(folder: Path) -> None:
    write_raster(folder / "truth/a.png", np.zeros((4, 4), np.uint8), driver="PNG")
    workspace(folder, "")
    run = open_workspace(folder / "workspace.toml").runs[0]
    with pytest.raises(SelectionError, match="no tile"):
        TileFinder(run).pixels("b")


@pytest.mark.parametrize(
    ("size", "step", "rows"), [(6, 3, [1, 4]), (7, 3, [1, 4, 6]), (5, 2, [0, 2, 4]), (3, 1, [0, 1, 2])]
)
def test_middles(size: int, step: int, rows: list[int]) -> None:
    assert middles(size, step).tolist() == rows
