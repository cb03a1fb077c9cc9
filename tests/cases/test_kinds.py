"""Kinds of fault that people report in public, each with arrays of our own, through the command line.

The letters and numbers are those of the shared situation cases; the numbers here are worked out in comments.
"""

from __future__ import annotations

import csv
import unicodedata

import numpy as np
import pytest
import rasterio
from PIL import Image

from ..bench import TWO, Bench

UTM, OTHER = "EPSG:32652", "EPSG:5186"
PLACE = (0.25, 0, 500, 0, -0.25, 900)


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)


# K01: absent or empty class


def test_k01_a_class_in_neither_map_has_no_value(bench):
    # background: 3 of union 4; road: 2 of union 3; the others in neither
    bench.pair("a", [[0, 0, 0, 0, 4, 4]], [[0, 0, 0, 4, 4, 4]])
    bench.workspace()
    answer = bench.score()
    assert answer.pooled["iou"] == {"0": 0.75, "1": None, "2": None, "3": None, "4": pytest.approx(2 / 3)}
    assert answer.pooled["miou"] == pytest.approx(2 / 3)
    assert answer.pooled["miou_with_background"] == pytest.approx((0.75 + 2 / 3) / 2)
    assert answer.run["conventions"]["tile_mean_zero"] == pytest.approx(2 / 3 / 4)  # the card's recipe, named


def test_k01_a_class_only_in_the_prediction_counts_as_0(bench):
    # building right (1 of 1); water only predicted; woodland never hit
    bench.pair("a", [[0, 1, 0, 2]], [[0, 1, 3, 0]])
    bench.workspace()
    pooled = bench.score().pooled
    assert pooled["iou"] == {"0": pytest.approx(1 / 3), "1": 1.0, "2": 0.0, "3": 0.0, "4": None}
    assert pooled["miou"] == pytest.approx(1 / 3)
    assert (pooled["precision"]["3"], pooled["recall"]["3"]) == (0.0, None)


def test_k01_a_tile_without_a_labelled_pixel_is_not_the_worst(bench):
    bench.pair("void", [[255, 255]], [[1, 1]])
    bench.pair("half", [[0, 1]], [[0, 0]])
    bench.workspace("ignore = [255]")
    answer = bench.score()
    void = answer.tiles["void"]
    assert (void["valid_pixels"], void["ignored_pixels"], void["miou"], void["accuracy"]) == (0, 2, None, None)
    assert set(void["iou"].values()) == {None}
    assert answer.run["conventions"]["tile_mean"] == 0.0  # of the other tile alone
    assert answer.run["conventions"]["tile_mean_zero"] == 0.0
    worst = answer.out.split("worst tiles by damage")[1]
    assert "half" in worst
    assert "void" not in worst


def test_k01_no_change_anywhere_is_right_and_has_no_iou(bench):
    bench.pair("a", [[0, 0]], [[0, 0]])
    bench.workspace(task="change")
    pooled = bench.score().pooled
    assert (pooled["miou"], pooled["f1"]["1"], pooled["accuracy"]) == (None, None, 1.0)


# K02: ignore value and nodata


def test_k02_ignored_pixels_leave_all_counts(bench):
    # 4 px count: background 1 of union 2, building 2 of union 3
    bench.pair("a", [[0, 0, 1, 1, 255, 255, 9]], [[0, 1, 1, 1, 1, 4, 2]])
    bench.workspace("ignore = [255, 9]")
    answer = bench.score()
    tile = answer.tiles["a"]
    assert (tile["valid_pixels"], tile["ignored_pixels"]) == (4, 3)
    assert answer.pooled["iou"] == {"0": 0.5, "1": pytest.approx(2 / 3), "2": None, "3": None, "4": None}
    assert answer.codes == []


def test_k02_a_nodata_tag_of_16_bits_is_ignored_in_the_truth_and_wrong_in_the_prediction(bench):
    # truth: 5 px count; predicted nodata on one of them is neither class
    bench.write("masks/a.tif", [[0, 1, 1, -9999, 0, 1]], "int16", nodata=-9999)
    bench.write("runs/a.tif", [[0, 1, -9999, 1, 0, 1]], "int16", nodata=-9999)
    bench.workspace()
    answer = bench.score()
    assert answer.pooled["confusion"][0] == [2, 0, 0, 0, 0, 0]
    assert answer.pooled["confusion"][1] == [0, 2, 0, 0, 0, 1]
    assert answer.pooled["iou"]["1"] == pytest.approx(2 / 3)
    assert answer.notice("prediction-nodata")["count"] == 1


def test_k02_a_tag_on_a_class_is_not_believed(bench):
    bench.write("masks/a.tif", [[0, 0, 1]], nodata=0)
    bench.write("runs/a.tif", [[0, 1, 1]], nodata=0)
    bench.workspace()
    answer = bench.score()
    assert answer.pooled["pixels"] == 3
    notice = answer.notice("nodata-not-believed-truth")
    assert "declares 0 as nodata, but 0 stands for a class" in notice["message"]
    assert "list 0 in ignore" in notice["message"]
    assert answer.notice("nodata-not-believed-prediction")["count"] == 1


def test_k02_leaving_background_out_of_the_mean_keeps_its_false_positives(bench):
    # building: 1 of union 3, because two background px were called building
    bench.pair("a", [[0, 0, 0, 1]], [[0, 1, 1, 1]])
    bench.workspace()
    assert bench.score().pooled["miou"] == pytest.approx(1 / 3)
    bench.workspace("ignore = [0]")
    assert bench.score().pooled["miou"] == 1.0  # the well-known mistake, when it is asked for


# K03: value coding


@pytest.mark.parametrize("values", [(0, 1), (0, 255), (0, 65535)])
@pytest.mark.parametrize("other", [(0, 1), (0, 255)])
def test_k03_each_side_has_its_own_coding(bench, values, other):
    # 2 of union 3
    truth, prediction = np.array([[0, 1, 1, 1]]), np.array([[0, 1, 1, 0]])
    bench.write("masks/a.png", np.array(values, np.uint16 if values[1] > 255 else np.uint8)[truth])
    bench.write("runs/a.png", np.array(other, np.uint8)[prediction])
    bench.workspace(task="change")
    assert bench.score().pooled["iou"]["1"] == pytest.approx(2 / 3)


def test_k03_one_bit_masks(bench):
    (bench.folder / "masks").mkdir()
    Image.fromarray(np.array([[False, True, True]])).save(bench.folder / "masks/a.png")
    bench.write("runs/a.png", [[0, 255, 0]])
    bench.workspace(task="change")
    assert bench.score().pooled["iou"]["1"] == 0.5


def test_k03_a_shift_by_one_is_refused_with_what_to_set(bench):
    bench.pair("a", [[1, 2], [5, 5]], [[0, 1], [4, 4]])
    bench.workspace()
    reason = bench.score().reason("a")
    assert "a.png holds values outside the class list (0..4): 5 (2 px)" in reason
    assert "truth_values" in reason
    bench.workspace("truth_values = {1 = 0, 2 = 1, 3 = 2, 4 = 3, 5 = 4}")
    assert bench.score().pooled["accuracy"] == 1.0


def test_k03_a_predicted_value_outside_the_list_is_wrong_and_told(bench):
    bench.pair("a", [[0, 1, 4]], [[0, 1, 5]])
    bench.workspace()
    answer = bench.score()
    assert answer.pooled["confusion"][4] == [0, 0, 0, 0, 0, 1]
    assert answer.pooled["accuracy"] == pytest.approx(2 / 3)
    assert "5 (1 px) in a.png" in answer.notice("prediction-outside-classes")["message"]


def test_k03_faint_files_of_a_grey_folder_are_not_taken_for_0_1(bench):
    # a holds only 0 and 1: by itself a 0/1 mask, in its folder the noise of a JPEG
    bench.pair("a", [[0, 0]], [[0, 1]])
    bench.pair("b", [[255, 0]], [[250, 3]])
    bench.workspace(task="change")
    answer = bench.score()
    assert answer.tiles["a"]["fp"]["1"] == 0
    assert answer.pooled["iou"]["1"] == 1.0


def test_k03_codings_that_disagree_are_refused(bench):
    for i in range(64):
        bench.pair(f"t{i:02}", [[0, 1]], [[0, 1]])
    bench.pair("z", [[0, 1]], [[0, 255]])
    bench.workspace(task="change")
    answer = bench.score()
    assert answer.status == 3
    assert answer.run["tiles_scored"] == 64
    reason = answer.reason("z")
    assert "z.png holds 255 (1 px), while the folder of this prediction was read as 0/1" in reason
    assert "map the values with prediction_values" in reason


def test_k03_a_sample_of_empty_tiles_does_not_decide(bench):
    for i in range(70):
        bench.pair(f"t{i:02}", [[0, 0]], [[0, 0]])
    bench.pair("z", [[255, 0]], [[255, 0]])
    bench.workspace(task="change")
    answer = bench.score()
    assert (answer.status, answer.pooled["iou"]["1"], answer.codes) == (0, 1.0, [])


# K04: decoding of masks


def test_k04_palette_bands_alpha_and_depth_all_give_the_same(bench):
    labels = np.array([[0, 1, 2], [4, 4, 3]], np.uint8)
    wrong = np.array([[0, 1, 2], [4, 0, 3]], np.uint8)
    reversed_palette = {i: (4 - i, 9, 9) for i in range(5)}
    alpha = np.full_like(labels, 255)
    bench.write("masks/palette.png", labels, palette=reversed_palette)
    bench.write("masks/palette_tif.tif", labels, palette=reversed_palette)
    bench.write("masks/three.png", np.dstack([labels] * 3))
    bench.write("masks/rgba.png", np.dstack([labels] * 3 + [alpha]))
    (bench.folder / "masks/la.png").parent.mkdir(exist_ok=True)
    Image.fromarray(np.dstack([labels, alpha]), "LA").save(bench.folder / "masks/la.png")
    for dtype in ("uint16", "int32", "float32"):
        bench.write(f"masks/{dtype}.tif", labels.astype(dtype))
    bench.write("masks/sixteen.png", labels.astype(np.uint16))
    names = [p.stem for p in (bench.folder / "masks").iterdir()]
    for name in names:
        bench.write(f"runs/{name}.png", wrong)
    bench.workspace()
    answer = bench.score()
    assert answer.status == 0
    assert len(answer.tiles) == len(names) == 9
    for name, tile in answer.tiles.items():
        # road: 1 of union 2; background: 1 of union 2; all else right
        assert tile["iou"] == {"0": 0.5, "1": 1.0, "2": 1.0, "3": 1.0, "4": 0.5}, name


def test_k04_colour_coded_masks(bench):
    colors = np.array([[0, 0, 0], [97, 74, 74], [207, 207, 207], [1, 2, 3]], np.uint8)
    bench.write("masks/a.png", colors[[[0, 1, 2, 3]]])
    bench.write("runs/a.png", [[0, 1, 1, 1]])
    keys = 'truth_colors = {"#000000" = 0, "#614a4a" = 1, "#cfcfcf" = 4}'
    bench.workspace(keys)
    assert "a.png holds colours outside truth_colors: #010203 (1 px). Add them" in bench.score().reason("a")
    bench.workspace(keys + '\nignore = ["#010203"]')
    answer = bench.score()
    assert answer.tiles["a"]["ignored_pixels"] == 1
    assert answer.pooled["iou"] == {"0": 1.0, "1": 0.5, "2": None, "3": None, "4": 0.0}
    bench.workspace()
    assert "three bands that differ" in bench.score().reason("a")


def test_k04_probability_maps(bench):
    bench.write("masks/a.png", [[0, 0, 1, 1, 1]])
    bench.write("runs/a.tif", [[0.2, 0.5, 0.5, 0.9, 0.3]], "float32")
    bench.workspace(task="change")
    answer = bench.score()
    # equal to the threshold is class 1: 2 of union 4
    assert answer.pooled["iou"]["1"] == 0.5
    assert "threshold 0.5" in answer.notice("probability-threshold")["message"]
    bench.workspace(run="threshold = 0.6", task="change")
    assert bench.score().pooled["iou"]["1"] == pytest.approx(1 / 3)


def test_k04_logits_and_score_bands(bench):
    bench.write("masks/a.png", [[0, 1]])
    bench.write("runs/a.tif", [[-4.5, 3.5]], "float32")
    bench.workspace(task="change")
    assert "values from -4.5 to 3.5" in bench.score().reason("a")
    bench.write("masks/a.png", [[0, 1, 2]])
    scores = np.array([[[5, 1, 1], [1, 5, 1], [1, 5, 1]]], np.float32)
    bench.write("runs/a.tif", scores, photometric="MINISBLACK")
    bench.workspace(classes='0 = "background"\n1 = "building"\n2 = "road"')
    answer = bench.score()
    assert answer.pooled["iou"] == {"0": 1.0, "1": 0.5, "2": 0.0}
    assert "3 bands of scores" in answer.notice("argmax")["message"]


# K05: lossy or resampled labels


def test_k05_a_jpeg_mask_is_cut_half_way_and_its_grey_pixels_are_counted(bench):
    mask = np.kron(np.array([[0, 255, 0], [255, 255, 0]], np.uint8), np.ones((9, 9), np.uint8))
    bench.write("masks/a.jpg", mask, QUALITY=60)
    with rasterio.open(bench.folder / "masks/a.jpg") as dataset:
        stored = dataset.read(1)
    bench.write("runs/a.png", mask)
    bench.workspace(task="change")
    answer = bench.score()
    grey = int(((stored != 0) & (stored != 255)).sum())
    assert grey > 0
    assert f"({grey} px in 1 tile.)" in answer.notice("grey-truth")["message"]
    cut = stored > 127
    assert answer.pooled["iou"]["1"] == pytest.approx((cut & (mask > 0)).sum() / (cut | (mask > 0)).sum())


def test_k05_values_that_smoothing_made_are_refused_and_not_moved(bench):
    bench.pair("a", [[0, 1, 3, 4]], [[0, 0, 4, 4]])
    bench.workspace(classes='0 = "background"\n4 = "road"')
    reason = bench.score().reason("a")
    assert "a.png holds values outside the class list (0, 4): 1 (1 px), 3 (1 px)" in reason
    bench.workspace("ignore = [1, 3]", classes='0 = "background"\n4 = "road"')
    assert bench.score().pooled["iou"] == {"0": 1.0, "4": 1.0}


# K06: pairing


def test_k06_by_name_and_what_is_left_over(bench):
    for name, value in (("tile_2", 1), ("tile_10", 0), ("tile_3", 1)):
        bench.write(f"masks/{name}.png", [[value, 0]])
    for name, value in (("tile_2", 1), ("tile_10", 0), ("tile_11", 1), ("overview", 1)):
        bench.write(f"runs/{name}.png", [[value, 0]])
    bench.workspace()
    answer = bench.score()
    assert answer.pooled["accuracy"] == 1.0
    assert answer.reason("tile_3").startswith("tile_3 has no prediction")
    notice = answer.notice("prediction-without-truth")
    assert (notice["count"], notice["tiles"]) == (2, ["overview", "tile_11"])
    assert list(answer.tiles) == ["tile_2", "tile_3", "tile_10"]


def test_k06_names_of_landcover_ai(bench):
    for k in (0, 2, 10):  # gaps where windows are partial
        bench.write(f"output/N-33_{k}_m.png", np.dstack([np.full((2, 2), 1, np.uint8)] * 3))
        bench.write(f"output/N-33_{k}.jpg", np.zeros((2, 2, 3), np.uint8))
        bench.write(f"runs/N-33_{k}.png", [[1, 1], [1, 0]])
    bench.text("test.txt", "N-33_0\nN-33_2\nN-33_10\n")
    bench.workspace('preset = "landcover-ai"\nsplit = "test"')
    answer = bench.score()
    assert (answer.status, list(answer.tiles), answer.codes) == (0, ["N-33_0", "N-33_2", "N-33_10"], [])
    assert {t["scene"] for t in answer.tiles.values()} == {"N-33"}
    assert answer.pooled["iou"]["1"] == 0.75


def test_k06_extensions_and_side_files(bench):
    for i, (mask, run) in enumerate([("PNG", "TIF"), ("tiff", "png"), ("TIFF", "PNG")]):
        bench.write(f"masks/t{i}.{mask}", [[0, 1]])
        bench.write(f"runs/t{i}.{run}", [[0, 1]])
    for junk in ("._t0.png", ".DS_Store", "t0.PNG.aux.xml", "t0.tfw", "Thumbs.db", "readme.md"):
        bench.text(f"masks/{junk}", "x")
        bench.text(f"runs/{junk}", "x")
    (bench.folder / "masks/t9.png").mkdir()
    bench.workspace(classes=TWO)
    answer = bench.score()
    assert (answer.status, list(answer.tiles), answer.codes) == (0, ["t0", "t1", "t2"], [])


# K07: size and georeference


def test_k07_another_size_is_refused_or_resized_by_the_nearest_pixel(bench):
    bench.pair("a", [[0, 0, 1, 1], [0, 0, 1, 1]], [[0, 1]])
    bench.workspace()
    reason = bench.score().reason("a")
    assert "a.png has 4 x 2 px, the prediction a.png has 2 x 1 px" in reason
    assert 'resize = "nearest"' in reason
    bench.workspace(run='resize = "nearest"')
    answer = bench.score()
    assert (answer.status, answer.pooled["accuracy"], answer.codes) == (0, 1.0, ["resized"])


def test_k07_another_crs_and_a_shift_are_told(bench):
    for name in ("crs", "shift", "same"):
        bench.write(f"masks/{name}.tif", [[0, 1]], crs=UTM, transform=PLACE)
    bench.write("runs/crs.tif", [[0, 1]], crs=OTHER, transform=PLACE)
    bench.write("runs/shift.tif", [[0, 1]], crs=UTM, transform=(0.25, 0, 500.1, 0, -0.25, 900))
    bench.write("runs/same.tif", [[0, 1]], crs=UTM, transform=PLACE)
    bench.workspace()
    answer = bench.score()
    assert (answer.status, answer.pooled["accuracy"]) == (0, 1.0)
    crs, shift = answer.notice("crs-differs"), answer.notice("georeference-offset")
    assert UTM in crs["message"]
    assert OTHER in crs["message"]
    assert (crs["tiles"], shift["tiles"]) == (["crs"], ["shift"])
    assert "0.4 px (0.1 m)" in shift["message"]


def test_k07_one_side_without_a_georeference_is_one_note_a_run(bench):
    for i in range(5):
        bench.write(f"masks/t{i}.png", [[0, 1]])
        bench.write(f"runs/t{i}.tif", [[0, 1]], crs=UTM, transform=PLACE)
    bench.workspace()
    answer = bench.score()
    (notice,) = answer.run["notices"]
    assert (notice["code"], notice["level"], notice["count"]) == ("one-side-georeferenced", "info", 5)


def test_k07_south_up_is_turned(bench):
    # seen from the north the building is the upper right px
    bench.write("masks/a.tif", [[0, 0], [0, 1]], crs=UTM, transform=(0.25, 0, 500, 0, 0.25, 899.5))
    bench.write("runs/a.tif", [[0, 1], [0, 0]], crs=UTM, transform=PLACE)
    bench.workspace()
    answer = bench.score()
    assert (answer.pooled["accuracy"], answer.codes) == (1.0, [])


# K08: averages


def test_k08_the_conventions_differ_and_are_all_there(bench):
    # tile a: building 3 of union 4, background 0 of union 1; tile b: building 0 of union 1, road 1 of 1
    bench.pair("a", [[1, 1, 1, 0]], [[1, 1, 1, 1]])
    bench.pair("b", [[1, 4]], [[0, 4]])
    bench.workspace()
    found = bench.score().run["conventions"]
    # pooled: building 3 of 5, road 1 of 1, background 0 of 2
    assert found["pooled"] == pytest.approx((3 / 5 + 1) / 2)
    assert found["pooled_with_background"] == pytest.approx((3 / 5 + 1 + 0) / 3)
    assert found["tile_mean"] == pytest.approx((3 / 4 + 0 + 1) / 3)
    assert found["tile_mean_zero"] == pytest.approx((3 / 4 / 4 + 1 / 4) / 2)
    # by truth share: 1 background, 4 building, 1 road of 6 px
    assert found["frequency_weighted"] == pytest.approx((0 + 4 * 3 / 5 + 1) / 6)


def test_k08_a_mean_over_classes_is_not_one_ratio(bench):
    # building 8 of 8, road 1 of union 2: not 9 of 10
    bench.pair("a", [[1] * 8 + [4, 0]], [[1] * 8 + [4, 4]])
    bench.workspace('background = "none"')
    pooled = bench.score().pooled
    assert pooled["miou"] == pytest.approx((1 + 0.5 + 0) / 3)


# K10: the CSV


def test_k10_names_of_any_kind_survive(bench):
    composed, apart = (unicodedata.normalize(f, "Köln_3") for f in ("NFC", "NFD"))
    for name in ("0007", "007", "1e5", 'x, "y"', "Łódź 地図"):
        bench.pair(name, [[0, 1]], [[0, 1]])
    bench.write(f"masks/{composed}.png", [[0, 1]])
    bench.write(f"runs/{apart}.png", [[0, 1]])
    bench.workspace(classes='0 = "tło"\n1 = "budynek"')
    target = bench.folder / "out.csv"
    assert bench.score("--csv", target).status == 0
    with target.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {r["tile"] for r in rows} == {"0007", "007", "1e5", 'x, "y"', "Łódź 地図", composed}
    assert {r["iou budynek"] for r in rows} == {"1.0"}


# K12: damaged and overflowing input


def test_k12_damaged_files_are_named_and_the_rest_is_scored(bench):
    labels = np.random.default_rng(0).integers(0, 2, (64, 64), dtype=np.uint8)
    for name in ("good", "cut", "empty", "fake"):
        bench.pair(name, labels, labels)
    cut = bench.folder / "runs/cut.png"
    cut.write_bytes(cut.read_bytes()[:-200])
    (bench.folder / "masks/empty.png").write_bytes(b"")
    (bench.folder / "runs/fake.png").write_text("not found")
    bench.workspace(classes=TWO)
    answer = bench.score()
    assert answer.status == 3
    assert (answer.run["tiles_scored"], answer.run["tiles_refused"]) == (1, 3)
    assert "cut.png cannot be read" in answer.reason("cut")
    assert "empty.png is empty (0 bytes)" in answer.reason("empty")
    assert "fake.png cannot be read as a raster (9 bytes)" in answer.reason("fake")
    assert answer.pooled["accuracy"] == 1.0


def test_k12_many_classes_do_not_wrap_around(bench):
    # 250 classes, each right once: 8 bits would wrap in truth * K + prediction
    labels = np.arange(250, dtype=np.uint8)[None]
    bench.pair("a", labels, labels)
    bench.workspace('background = "none"', classes="\n".join(f'{i} = "c{i}"' for i in range(250)))
    answer = bench.score()
    assert set(answer.pooled["iou"].values()) == {1.0}
    assert answer.pooled["pixels"] == 250
