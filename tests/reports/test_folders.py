"""What is said of a folder, a preset and the values of masks while a dataset is typed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from analysis.preflight.folders import fixed_part, look_into
from analysis.preflight.layout import preset_parts
from analysis.preflight.report import check_dataset, check_run
from analysis.preflight.values import find_values
from analysis.workspace.load import load_workspace
from analysis.workspace.presets import LANDCOVER_AI, LEVIR_CD_PLUS, PRESETS
from tests.datasets import land_cover, write_labels, write_workspace


def test_a_folder_is_listed_by_names(tmp_path: Path) -> None:
    for name in ("t_10.PNG", "t_2.png", "list.txt", "README", ".hidden.png"):
        (tmp_path / name).touch()
    for name in ("b_10", "b_2", ".git"):
        (tmp_path / name).mkdir()
    found = look_into(tmp_path)
    assert found.folders == ("b_2", "b_10")
    assert found.kinds == Counter({".png": 2, ".txt": 1, "": 1})
    assert found.files == 4
    assert found.first[:1] == ("README",)
    missing = look_into(tmp_path / "b_2" / "c" / "d")
    assert not missing.exists
    assert missing.above == tmp_path / "b_2"
    assert not look_into(tmp_path / "list.txt").exists
    assert not look_into(Path("a\0b")).exists


@pytest.mark.parametrize(
    ("pattern", "folder"),
    [("masks", "masks"), ("a/b/{id}_m.png", "a/b"), ("{split}/label/{id}.*", "."), ("/x/{id}", "/x"), ("/{id}", "/")],
)
def test_the_part_of_a_pattern_without_fields(pattern: str, folder: str) -> None:
    assert fixed_part(pattern) == folder


def test_a_preset_beside_what_is_there(tmp_path: Path) -> None:
    assert all(part.files is None for part in preset_parts(LANDCOVER_AI, None))
    write_labels(tmp_path / "masks" / "N-33.tif", np.zeros((8, 8), np.uint8), driver="GTiff")
    (tmp_path / "test.txt").write_text("N-33_0\n")
    found = {(p.role, p.pattern): p.files for p in preset_parts(LANDCOVER_AI, tmp_path)}
    assert found == {
        ("ground truth", "output/{id}_m.png"): 0,
        ("ground truth", "masks/{id}.*"): 1,
        ("image", "output/{id}.jpg"): 0,
        ("image", "images/{id}.*"): 0,
        ("split list", "train.txt"): 0,
        ("split list", "val.txt"): 0,
        ("split list", "test.txt"): 1,
    }
    assert {p.role for p in preset_parts(LEVIR_CD_PLUS, None)} == {"ground truth", "before", "after"}
    assert all(preset.about.endswith(".") for preset in PRESETS.values())


def test_the_values_of_masks(tmp_path: Path) -> None:
    path = land_cover(tmp_path, 4)
    dataset = load_workspace(path).datasets[0]
    found = find_values(dataset)
    assert (found.values, found.colors, found.files) == ((0, 1, 2, 3, 4), (), 4)


def test_the_colours_of_masks_frequent_ones_first(tmp_path: Path) -> None:
    pixels = np.zeros((3, 8, 8), np.uint8)
    pixels[:, :2] = np.array([255, 0, 16], np.uint8)[:, None, None]
    pixels[:, 7:, :4] = np.array([0, 9, 0], np.uint8)[:, None, None]
    write_labels(tmp_path / "masks" / "a.png", np.moveaxis(pixels, 0, -1))
    (tmp_path / "masks" / "b.png").write_bytes(b"no picture")
    found = find_values(load_workspace(write_workspace(tmp_path)).datasets[0])
    assert (found.values, found.colors, found.files) == ((), ("#000000", "#ff0010", "#000900"), 1)
    grey = np.repeat(np.array([[[0, 3], [7, 255]]], np.uint8), 3, axis=0)
    write_labels(tmp_path / "masks" / "a.png", np.moveaxis(grey, 0, -1))
    assert find_values(load_workspace(write_workspace(tmp_path)).datasets[0]).values == (0, 3, 7, 255)
    ignoring = load_workspace(write_workspace(tmp_path, dataset="ignore = [255]\n")).datasets[0]
    assert find_values(ignoring).values == (0, 3, 7)


def test_the_report_names_the_first_files_and_pairs(tmp_path: Path) -> None:
    workspace = load_workspace(land_cover(tmp_path, 12))
    truth = check_dataset(workspace, workspace.datasets[0]).truth
    assert truth.first == ("tile_0.png", "tile_1.png", "tile_2.png")
    assert truth.values == (0, 1, 2, 3, 4)
    pairs = check_run(workspace, workspace.runs[0]).first_pairs
    assert pairs[2] == ("tile_2", "tile_2.png", "tile_2.png")
