"""Pairing: by the fields of names and never by position; what is missing or left over is said."""

from __future__ import annotations

import unicodedata

import numpy as np
import pytest

from ..bench import write
from .setting import notices, paired, pairs, touch

TILING = "tiling = {size = 4}"


def sheet(folder, name, height=8, width=9):
    write(folder / name, np.zeros((height, width), np.uint8))


def tile(folder, name):
    sheet(folder, name, 4, 4)


def test_by_name_and_not_by_position(tmp_path):
    touch(tmp_path, "masks/a.png", "masks/b.png", "masks/d.png", "runs/b.tif", "runs/c.png", "runs/d.PNG")
    found = paired(tmp_path)
    assert pairs(found) == {"a": "no-prediction", "b": "runs/b.tif", "d": "runs/d.PNG"}
    assert found.pairs == 2
    reason = next(t.refusal.reason for t in found.tiles if t.refusal)
    assert reason == f"a has no prediction: no file matches {tmp_path}/runs."
    assert notices(found) == {"prediction-without-truth": "Prediction files without a ground truth, not scored: 1 (c)."}


def test_two_predictions_of_one_tile_are_refused(tmp_path):
    touch(tmp_path, "masks/a.png", "runs/a.png", "runs/a.tif")
    found = paired(tmp_path)
    assert pairs(found) == {"a": "two-candidates"}
    assert "a has 2 predictions:" in found.tiles[0].refusal.reason


def test_names_agree_in_nfc_and_the_id_is_spelled_as_in_the_truth(tmp_path):
    composed, apart = (unicodedata.normalize(form, "é") for form in ("NFC", "NFD"))
    touch(tmp_path, f"masks/{apart}.png", f"runs/{composed}.png")
    found = paired(tmp_path)
    assert list(pairs(found).values()) == [f"runs/{composed}.png"]
    assert found.tiles[0].id == apart
    assert found.notices == []


def test_by_the_common_fields(tmp_path):
    touch(tmp_path, "masks/202309_mask_8.tif", "masks/202412_mask_8.tif")
    touch(tmp_path, "runs/202309_patchN_08.tif", "runs/202412_patchN_08.tif", "runs/202412_patchN_9.tif")
    found = paired(tmp_path, 'truth = "masks/{date}_mask_{n}.tif"', 'predictions = "runs/{date}_patchN_{n}.tif"')
    assert pairs(found) == {"202309_8": "runs/202309_patchN_08.tif", "202412_8": "runs/202412_patchN_08.tif"}
    assert "scored: 1 (202412_9)." in notices(found)["prediction-without-truth"]


def test_one_prediction_that_fits_two_truths_fits_neither(tmp_path):
    touch(tmp_path, "masks/2023_8.png", "masks/2024_8.png", "masks/2024_9.png", "runs/8.png", "runs/9.png")
    found = paired(tmp_path, 'truth = "masks/{date}_{n}.png"', 'predictions = "runs/{n}.png"')
    assert pairs(found) == {"2023_8": "two-candidates", "2024_8": "two-candidates", "2024_9": "runs/9.png"}
    assert "runs/8.png fits 2023_8 and 2024_8; give the patterns" in found.tiles[0].refusal.reason


def test_single_files_belong_together_whatever_their_names(tmp_path):
    touch(tmp_path, "GT.png", "RGB.png", "mask.png", "GT_other.png")
    found = paired(tmp_path, 'truth = "GT.png"\nimages = "RGB.png"', 'predictions = "mask.png"')
    assert pairs(found) == {"GT": "mask.png"}
    assert list(found.tiles[0].pictures) == ["image"]
    assert found.notices == []


def test_single_sheets_belong_together_too(tmp_path):
    sheet(tmp_path, "GT.png")
    sheet(tmp_path, "mask.png")
    found = paired(tmp_path, f'truth = "GT.png"\n{TILING}', 'predictions = "mask.png"')
    assert pairs(found) == {f"GT_{k}": "mask.png" for k in range(6)}


def test_a_single_prediction_does_not_fit_a_folder_of_truths(tmp_path):
    touch(tmp_path, "masks/a.png", "masks/b.png", "b.png")
    assert pairs(paired(tmp_path, run='predictions = "b.png"')) == {"a": "no-prediction", "b": "b.png"}


def test_predictions_outside_the_split_are_named_and_change_nothing(tmp_path):
    touch(tmp_path, "masks/a.png", "masks/b.png", "runs/a.png", "runs/b.png", "runs/x.png")
    (tmp_path / "test.txt").write_text("a\n")
    found = paired(tmp_path, 'splits = {test = "test.txt"}\nsplit = "test"')
    assert pairs(found) == {"a": "runs/a.png"}
    said = notices(found)
    assert said["prediction-outside-split"] == "Predictions of tiles outside the split test, not scored: 1."
    assert said["prediction-without-truth"].endswith(": 1 (x).")


def test_a_run_may_name_another_split(tmp_path):
    touch(tmp_path, "masks/a.png", "masks/b.png", "runs/a.png", "runs/b.png")
    for name, content in (("test", "a"), ("val", "b")):
        (tmp_path / f"{name}.txt").write_text(content)
    found = paired(tmp_path, 'splits = {test = "test.txt", val = "val.txt"}\nsplit = "test"', 'split = "val"')
    assert (found.split, list(pairs(found))) == ("val", ["b"])


@pytest.mark.parametrize("predictions", ["runs/{split}/{id}.png", "runs/{split}/{n}.png"])
def test_ids_that_restart_in_every_split(tmp_path, predictions):
    touch(tmp_path, "test/label/1.png", "train/label/1.png", "runs/test/1.png", "runs/train/1.png", "runs/train/2.png")
    found = paired(tmp_path, 'preset = "levir-cd-plus"\nsplit = "test"', f'predictions = "{predictions}"')
    assert pairs(found) == {"1": "runs/test/1.png"}
    assert "Predictions of tiles outside the split test, not scored: 2" in notices(found)["prediction-outside-split"]


def test_ids_that_restart_in_every_split_and_a_folder_of_predictions_of_one(tmp_path):
    touch(tmp_path, "test/label/1.png", "train/label/1.png", "train/label/2.png", "runs/1.png", "runs/2.png")
    found = paired(tmp_path, 'preset = "levir-cd-plus"\nsplit = "test"')
    assert pairs(found) == {"1": "runs/1.png"}
    assert "outside the split test, not scored: 1." in notices(found)["prediction-outside-split"]


def test_no_predictions_at_all(tmp_path):
    touch(tmp_path, "masks/a.png")
    found = paired(tmp_path)
    assert pairs(found) == {"a": "no-prediction"}
    message = f'run "m@d": no prediction file matches {tmp_path}/runs; {tmp_path}/runs does not exist.'
    assert notices(found)["no-prediction-files"] == message


def test_predictions_one_folder_further_down(tmp_path):
    touch(tmp_path, "masks/a.png", "runs/unet/a.png", "runs/log.txt")
    message = notices(paired(tmp_path))["no-prediction-files"]
    assert message.endswith(("; what lies there: 1 x folder, 1 x not a raster.", ": 1 x not a raster, 1 x folder."))


def test_sheets_against_sheets(tmp_path):
    sheet(tmp_path, "masks/s.png")
    sheet(tmp_path, "runs/s.tif")
    found = paired(tmp_path, TILING)
    assert pairs(found) == {f"s_{k}": "runs/s.tif" for k in range(6)}
    assert all(t.truth.window == t.prediction.window for t in found.tiles)


def test_a_sheet_against_cut_tiles(tmp_path):
    sheet(tmp_path, "masks/s.png")  # 2 x 3 windows; k = 2 and 5 are partial and were not cut
    for k in (0, 1, 3, 4):
        tile(tmp_path, f"runs/s_{k}.png")
    found = paired(tmp_path, TILING)
    assert pairs(found) == {f"s_{k}": f"runs/s_{k}.png" for k in (0, 1, 3, 4)}
    assert "without a prediction: 2." in notices(found)["partial-tiles"]


def test_cut_tiles_against_a_sheet(tmp_path):
    for k in (0, 4):
        tile(tmp_path, f"masks/s_{k}.png")
    sheet(tmp_path, "runs/s.png")
    found = paired(tmp_path, TILING)
    assert pairs(found) == {"s_0": "runs/s.png", "s_4": "runs/s.png"}
    assert found.tiles[1].prediction.window.rows == (4, 8)  # three columns: k = 4 is row 1, column 1
    assert found.tiles[1].prediction.window.columns == (4, 8)


def test_cut_tiles_against_cut_tiles_with_leading_zeros(tmp_path):
    for k in (0, 4):
        tile(tmp_path, f"masks/s_{k}.png")
        tile(tmp_path, f"runs/s_{k:04}.png")
    assert pairs(paired(tmp_path, TILING)) == {"s_0": "runs/s_0000.png", "s_4": "runs/s_0004.png"}


def test_sheets_whose_names_end_in_a_number(tmp_path):
    for name in ("sheet_1", "sheet_2"):
        sheet(tmp_path, f"masks/{name}.png")
        tile(tmp_path, f"runs/{name}_0.png")
    found = {i: p for i, p in pairs(paired(tmp_path, TILING)).items() if not p.startswith("no-")}
    assert found == {"sheet_1_0": "runs/sheet_1_0.png", "sheet_2_0": "runs/sheet_2_0.png"}


def test_a_sheet_that_ends_before_the_tile(tmp_path):
    tile(tmp_path, "masks/s_9.png")
    sheet(tmp_path, "runs/s.png")
    found = paired(tmp_path, TILING)
    assert pairs(found) == {"s_9": "size-mismatch"}
    assert found.tiles[0].refusal.reason == "s.png has 9 x 8 px and ends before tile 9."


def test_sheets_without_truth_are_left_over(tmp_path):
    tile(tmp_path, "masks/s_0.png")
    sheet(tmp_path, "runs/s.png")
    sheet(tmp_path, "runs/other.png")
    assert notices(paired(tmp_path, TILING))["prediction-without-truth"].endswith(": 1 (other).")


def test_tiles_without_k_pair_in_a_tiled_dataset(tmp_path):
    for side in ("masks", "runs"):
        tile(tmp_path, f"{side}/north.png")
    assert pairs(paired(tmp_path, TILING)) == {"north": "runs/north.png"}


def test_a_name_that_is_not_utf8_is_told(tmp_path):
    touch(tmp_path, "masks/a.png", "runs/a.png")
    with open(str(tmp_path / "runs").encode() + b"/caf\xe9.png", "wb"):
        pass
    assert "Their names are not UTF-8" in notices(paired(tmp_path))["name-not-utf8"]
