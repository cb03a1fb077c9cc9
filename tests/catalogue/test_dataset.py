"""The tiles of a dataset: ids, scenes, splits, places, and what stands against scoring them."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.errors import WorkspaceError

from ..bench import write
from .setting import listed, notices, touch

TILING = "tiling = {size = 4}"


def ids(found):
    return [t.id for t in found.tiles]


def sheet(folder, name, height, width):
    write(folder / name, np.zeros((height, width), np.uint8))


def test_the_id_is_the_field_id_or_all_fields(tmp_path):
    touch(tmp_path, "masks/2023_mask_8.tif", "masks/2023_mask_10.tif")
    assert ids(listed(tmp_path, 'truth = "masks/{date}_mask_{n}.tif"')) == ["2023_8", "2023_10"]
    assert ids(listed(tmp_path)) == ["2023_mask_8", "2023_mask_10"]
    assert ids(listed(tmp_path, 'truth = "masks/2023_mask_8.tif"')) == ["2023_mask_8"]


def test_a_scene_is_the_field_scene_or_what_stands_before_k(tmp_path):
    touch(tmp_path, "masks/a/1.png", "masks/b/1.png")
    found = listed(tmp_path, 'truth = "masks/{scene}/{n}.png"')
    assert [(t.id, t.scene) for t in found.tiles] == [("a_1", "a"), ("b_1", "b")]
    assert [t.scene for t in listed(tmp_path, 'truth = "masks/a/{n}.png"').tiles] == [""]


def test_all_tiles_or_those_of_a_split(tmp_path):
    touch(tmp_path, "masks/a.png", "masks/b.png", "masks/c.png")
    (tmp_path / "train.txt").write_text("a\nb\n")
    (tmp_path / "test.txt").write_text("c\nx\n")
    splits = 'splits = {train = "train.txt", test = "test.txt"}'
    found = listed(tmp_path, splits)
    assert [(t.id, t.split) for t in found.tiles] == [("a", "train"), ("b", "train"), ("c", "test")]
    found = listed(tmp_path, splits, "test")
    assert [(t.id, t.split) for t in found.tiles] == [("c", "test"), ("x", "test")]
    assert found.other_splits == {"a", "b"}
    (refused,) = [t.refusal for t in found.tiles if t.refusal]
    assert refused.code == "no-truth"
    assert refused.reason == f"x is in the split list test and has no ground truth: nothing matches {tmp_path}/masks."


def test_a_split_may_be_a_list_file(tmp_path):
    touch(tmp_path, "masks/a.png", "masks/b.png")
    (tmp_path / "some.txt").write_text("b.png\n")
    assert ids(listed(tmp_path, split="some.txt")) == ["b"]


@pytest.mark.parametrize(
    ("split", "said"),
    [
        ("tset", 'dataset "d": "tset" is no split and no list file under .*. Known splits: train.'),
        ("val", 'dataset "d": the list of split "val" does not exist: .*val.txt'),
    ],
)
def test_an_unknown_split_is_an_error(tmp_path, split, said):
    touch(tmp_path, "masks/a.png")
    (tmp_path / "train.txt").write_text("a\n")
    with pytest.raises(WorkspaceError, match=said):
        listed(tmp_path, 'splits = {train = "train.txt", val = "val.txt"}', split)


def test_the_field_split_names_the_split_and_ids_may_restart(tmp_path):
    touch(tmp_path, "train/1.png", "test/1.png", "test/2.png")
    truth = 'truth = "{split}/{id}.png"'
    found = listed(tmp_path, truth, "test")
    assert [(t.id, t.split) for t in found.tiles] == [("1", "test"), ("2", "test")]
    both = listed(tmp_path, truth)
    assert ids(both) == ["1", "2"]
    assert both.tiles[0].refusal.code == "two-candidates"
    assert "Set split to one of the splits" in both.tiles[0].refusal.reason
    with pytest.raises(WorkspaceError, match="Known splits: test, train"):
        listed(tmp_path, truth, "val")


def test_two_truths_of_one_tile_are_refused_with_both_names(tmp_path):
    touch(tmp_path, "masks/a.png", "masks/a.tif", "masks/b.png")
    tile = listed(tmp_path).tiles[0]
    assert tile.refusal.code == "two-candidates"
    assert "masks/a.png and" in tile.refusal.reason
    assert "masks/a.tif" in tile.refusal.reason
    assert tile.truth is None


def test_ids_that_restart_in_every_folder_are_refused_with_a_way_out(tmp_path):
    touch(tmp_path, "x/1.png", "y/1.png")
    (tile,) = listed(tmp_path, 'truth = "{scene}/{id}.png"').tiles
    assert "use other fields than {id}" in tile.refusal.reason
    assert ids(listed(tmp_path, 'truth = "{scene}/{n}.png"')) == ["x_1", "y_1"]


def test_a_sheet_is_cut_and_partial_windows_are_marked(tmp_path):
    sheet(tmp_path, "masks/s.png", 6, 9)  # 3 columns, the last 1 px wide; 2 rows, the last 2 px high
    found = listed(tmp_path, TILING)
    assert ids(found) == [f"s_{k}" for k in range(6)]
    assert [(t.row, t.column) for t in found.tiles] == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    assert [t.partial for t in found.tiles] == [False, False, True, True, True, True]
    assert {t.scene for t in found.tiles} == {"s"}
    assert "smaller than 4 px: 4." in notices(found)["partial-tiles"]


def test_place_and_scene_of_cut_tiles_follow_from_k(tmp_path):
    # 9 tiles in a row of a 50 cm sheet, 18 of a 25 cm one; k has gaps where windows are partial
    touch(tmp_path, "output/N-34-97-D-c-2-4_10_m.png", "output/M-33-7-A-d-2-3_10_m.png")
    found = listed(tmp_path, 'preset = "landcover-ai"')
    assert [(t.id, t.scene, t.row, t.column) for t in found.tiles] == [
        ("M-33-7-A-d-2-3_10", "M-33-7-A-d-2-3", 0, 10),
        ("N-34-97-D-c-2-4_10", "N-34-97-D-c-2-4", 1, 1),
    ]
    touch(tmp_path, "masks/a_10.png")
    (tile,) = listed(tmp_path, TILING).tiles
    assert (tile.scene, tile.row, tile.column) == ("a", None, None)  # the sheet's width is not known


def test_a_small_file_whose_name_has_no_k_is_a_tile_of_its_own(tmp_path):
    sheet(tmp_path, "masks/north.png", 3, 3)
    found = listed(tmp_path, TILING)
    assert [(t.id, t.partial) for t in found.tiles] == [("north", False)]


def test_two_files_of_one_sheet_are_refused(tmp_path):
    sheet(tmp_path, "masks/s.png", 6, 6)
    sheet(tmp_path, "masks/s.tif", 6, 6)
    (tile,) = listed(tmp_path, TILING).tiles
    assert tile.refusal.reason == "s.png and s.tif are both ground truth of sheet s. Keep one."


def test_listed_tiles_of_a_sheet_that_cannot_be_read_are_refused_with_the_reason(tmp_path):
    touch(tmp_path, "masks/s.png")
    (tmp_path / "test.txt").write_text("s_0\ns_1\n")
    found = listed(tmp_path, f'{TILING}\nsplits = {{test = "test.txt"}}', "test")
    assert ids(found) == ["s_0", "s_1"]
    assert {t.refusal.code for t in found.tiles} == {"unreadable"}
    assert "s.png cannot be read as a raster" in found.tiles[0].refusal.reason


def test_pictures_belong_to_tiles_by_their_fields(tmp_path):
    touch(tmp_path, "masks/a.png", "masks/b.png", "pictures/a.jpg", "pictures/c.jpg")
    found = listed(tmp_path, 'images = "pictures"')
    assert [sorted(t.pictures) for t in found.tiles] == [["image"], []]
    touch(tmp_path, "pictures/a.png")  # two candidates: none is taken
    assert [sorted(t.pictures) for t in listed(tmp_path, 'images = "pictures"').tiles] == [[], []]


def test_notices_on_lists_and_folders(tmp_path):
    touch(tmp_path, "masks/a.png", "masks/b.png")
    (tmp_path / "train.txt").write_text("a\na\nb\n")
    (tmp_path / "test.txt").write_text("a\n")
    found = notices(listed(tmp_path, 'splits = {train = "train.txt", test = "test.txt", val = "val.txt"}'))
    assert found["split-list-missing"] == f"The list of split val does not exist: {tmp_path}/val.txt"
    assert found["split-list-doubles"] == "Tiles that the list of split train names twice: 1. Each counts once."
    assert found["in-several-splits"] == "Tiles in more than one split list: 1, such as a in train and test."


def test_a_split_without_a_tile_is_told(tmp_path):
    touch(tmp_path, "masks/a.png")
    (tmp_path / "test.txt").write_text("\n")
    found = notices(listed(tmp_path, 'splits = {test = "test.txt"}', "test"))
    assert found == {"split-empty": 'dataset "d": the split test names no tile. Check its list.'}


def test_no_truth_at_all_names_the_pattern_and_the_missing_folder(tmp_path):
    message = notices(listed(tmp_path))["no-truth-files"]
    assert message == f'dataset "d": no ground truth file matches {tmp_path}/masks; {tmp_path}/masks does not exist.'
    also = notices(listed(tmp_path, 'preset = "landcover-ai"'))["no-truth-files"]
    assert "(also tried: masks/{id}.*)" in also


@pytest.mark.parametrize(
    ("preset", "files", "split", "expected"),
    [
        ("levir-cd", ["label/train_1.png", "label/test_1.png", "label/test_10.png"], "test", ["test_1", "test_10"]),
        ("levir-cd", ["train/label/train_1.png", "test/label/test_1.png"], "test", ["test_1"]),
        ("levir-cd-plus", ["train/label/1.png", "test/label/1.png", "test/label/2.png"], "test", ["1", "2"]),
        ("whu-cd", ["test/label/7.png", "train/label/7.png"], "test", ["7"]),
        ("whu-cd", ["test/OUT/7.png"], "test", ["7"]),
        ("whu-cd", ["label/000121.png", "label/000213.png"], None, ["000121", "000213"]),
        ("whu-cd", ["change_label/change_label.tif"], None, ["change_label"]),
        ("fotbcd-binary", ["images/test/label/32.png", "images/val/label/32.png"], "test", ["32"]),
    ],
)
def test_public_change_layouts(tmp_path, preset, files, split, expected):
    touch(tmp_path, *files)
    found = listed(tmp_path, f'preset = "{preset}"', split)
    assert ids(found) == expected
    assert not any(t.refusal for t in found.tiles)
    assert {t.split for t in found.tiles} == {split or ""}


def test_the_lists_of_whu_cd(tmp_path):
    touch(tmp_path, "label/a.png", "label/b.png", "A/a.png", "B/a.png")
    (tmp_path / "list").mkdir()
    (tmp_path / "list/test.txt").write_text("a.png")
    found = listed(tmp_path, 'preset = "whu-cd"', "test")
    assert ids(found) == ["a"]
    assert sorted(found.tiles[0].pictures) == ["after", "before"]
    assert found.notices == []  # a preset's other lists need not be there
