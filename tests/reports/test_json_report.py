"""The JSON report: the contract for machines."""

from __future__ import annotations

import json

import numpy as np
import pytest

from ..bench import FIVE, TWO, Bench

# Truth and prediction of tile t1: background 2 of 3 right (union 3), building 0 of 1 (union 2), one px outside.
#   truth      prediction
#   0 0        0 0
#   0 1        1 9
T1 = [[0, 0], [0, 1]], [[0, 0], [1, 9]]


@pytest.fixture
def bench(tmp_path):
    bench = Bench(tmp_path)
    bench.pair("t1", *T1)
    bench.pair("t10", [[1, 1]], [[1, 1]])
    bench.write("masks/t2.png", [[0, 0]])
    bench.workspace(
        "gsd = 0.5",
        'trained_on = "elsewhere"',
        classes='0 = "background"\n1 = "building"\n7 = {name = "road", narrow = true}',
    )
    return bench


def test_the_keys_of_a_run(bench):
    run = bench.score().run
    assert bench.score().report["schema"] == 1
    assert {
        "model": "m",
        "dataset": "d",
        "trained_on": "elsewhere",
        "task": "segmentation",
        "tiles_scored": 2,
        "tiles_refused": 1,
    }.items() <= run.items()
    assert run["classes"] == [
        {"id": 0, "name": "background", "narrow": False},
        {"id": 1, "name": "building", "narrow": False},
        {"id": 7, "name": "road", "narrow": True},
    ]
    assert {"settings", "notices", "pooled", "conventions", "tiles"} <= run.keys()
    assert list(run["conventions"]) == [
        "pooled",
        "pooled_with_background",
        "tile_mean",
        "tile_mean_zero",
        "frequency_weighted",
    ]


def test_pooled(bench):
    pooled = bench.score().pooled
    # background: 2 of union 3; building: 2 of union 4 (t10 both, t1 one false, one missed); road in neither
    assert pooled["confusion"] == [[2, 1, 0, 0], [0, 2, 0, 1], [0, 0, 0, 0]]
    assert pooled["iou"] == {"0": pytest.approx(2 / 3), "1": 0.5, "7": None}
    assert pooled["precision"] == {"0": 1.0, "1": pytest.approx(2 / 3), "7": None}
    assert pooled["recall"] == {"0": pytest.approx(2 / 3), "1": pytest.approx(2 / 3), "7": None}
    assert pooled["f1"] == {"0": 0.8, "1": pytest.approx(2 / 3), "7": None}
    assert (pooled["tp"], pooled["fp"], pooled["fn"]) == (
        {"0": 2, "1": 2, "7": 0},
        {"0": 0, "1": 1, "7": 0},
        {"0": 1, "1": 1, "7": 0},
    )
    assert set(pooled["boundary_iou"]) == {"0", "1", "7"}
    assert (pooled["miou"], pooled["pixels"]) == (0.5, 6)
    assert pooled["miou_with_background"] == pytest.approx((2 / 3 + 0.5) / 2)
    assert pooled["accuracy"] == pytest.approx(4 / 6)
    # chance: background 3 * 2, building 3 * 3, of 6 * 6 px
    assert pooled["kappa"] == pytest.approx((4 / 6 - 15 / 36) / (1 - 15 / 36))


def test_tiles(bench):
    tiles = bench.score().tiles
    assert list(tiles) == ["t1", "t2", "t10"]  # natural order
    assert tiles["t1"] == {
        "status": "scored",
        "scene": "",
        "split": "",
        "valid_pixels": 4,
        "ignored_pixels": 0,
        "iou": {"0": pytest.approx(2 / 3), "1": 0.0, "7": None},
        "precision": {"0": 1.0, "1": 0.0, "7": None},
        "recall": {"0": pytest.approx(2 / 3), "1": 0.0, "7": None},
        "f1": {"0": 0.8, "1": 0.0, "7": None},
        "miou": 0.0,
        "accuracy": 0.5,
        "confusion": [[2, 1, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0]],
        "tp": {"0": 2, "1": 0, "7": 0},
        "fp": {"0": 0, "1": 1, "7": 0},
        "fn": {"0": 1, "1": 1, "7": 0},
    }
    assert set(tiles["t2"]) == {"status", "reason"}
    assert tiles["t2"]["reason"].startswith("t2 has no prediction: no file matches")


def test_nothing_in_it_is_not_a_number(bench):
    bench.score()
    text = (bench.folder / "report.json").read_text()
    json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} in the report"))


def test_it_says_how_the_numbers_were_made(bench):
    settings = bench.score().run["settings"]
    assert settings["scoring"] == {"connectivity": 8, "tolerance_m": 1.5, "boundary_px": 3}
    assert settings["readings"]["truth"]["coding"] == "classes"
    assert (settings["background"], settings["headline"], settings["threshold"]) == (0, "pooled", 0.5)


def test_every_tile_refused_still_makes_a_report(tmp_path):
    bench = Bench(tmp_path)
    bench.write("masks/a.png", [[0, 1]])
    bench.workspace(classes=TWO)
    answer = bench.score()
    assert answer.status == 3
    assert (answer.run["tiles_scored"], answer.run["tiles_refused"]) == (0, 1)
    pooled = answer.pooled
    assert pooled["iou"] == {"0": None, "1": None}
    assert [pooled[k] for k in ("miou", "accuracy", "kappa", "miou_with_background")] == [None] * 4
    assert (pooled["confusion"], pooled["pixels"]) == ([[0, 0, 0], [0, 0, 0]], 0)
    assert set(answer.run["conventions"].values()) == {None}


def test_no_tile_at_all(tmp_path):
    bench = Bench(tmp_path)
    bench.workspace()
    answer = bench.score()
    assert answer.status == 3
    assert answer.tiles == {}
    assert answer.notice("no-truth-files")["level"] == "refused"


def test_a_notice_stands_once_with_its_count_and_first_tiles(tmp_path):
    bench = Bench(tmp_path)
    for i in range(25):
        bench.pair(f"t{i}", [[0, 1]], [[9, 1]])
    bench.workspace()
    answer = bench.score()
    notice = answer.notice("prediction-outside-classes")
    assert (notice["level"], notice["tile"], notice["count"]) == ("warning", None, 25)
    assert notice["tiles"] == [f"t{i}" for i in range(20)]
    assert "9 (1 px) in t0.png" in notice["message"]
    assert "(25 px in 25 tiles.)" in notice["message"]
    assert set(notice) == {"code", "level", "message", "tile", "count", "tiles"}


def test_refusals_and_resizes_stand_once_a_tile(tmp_path):
    bench = Bench(tmp_path)
    for i in range(3):
        bench.write(f"masks/t{i}.png", [[0, 1]])
        bench.pair(f"u{i}", [[0, 1]], [[0, 0, 1, 1]])
    bench.workspace(run='resize = "nearest"')
    notices = bench.score().run["notices"]
    assert [(n["code"], n["tile"], n["count"], n["tiles"]) for n in notices] == [
        *(("no-prediction", f"t{i}", 1, [f"t{i}"]) for i in range(3)),
        *(("resized", f"u{i}", 1, [f"u{i}"]) for i in range(3)),
    ]
    assert "u0: the prediction of 4 x 1 px was resized to the 2 x 1 px of the ground truth" in notices[3]["message"]


def test_refusals_come_first(tmp_path):
    bench = Bench(tmp_path)
    bench.pair("a", [[0, 1]], [[9, 1]])
    bench.write("masks/b.png", [[0, 1]])
    bench.write("runs/c.png", [[0, 1]])
    bench.workspace()
    levels = [n["level"] for n in bench.score().run["notices"]]
    assert levels == ["refused", "warning", "warning"]


def test_change_has_the_changed_class_as_its_headline(tmp_path):
    bench = Bench(tmp_path)
    bench.pair("a", [[0, 1, 1, 0]], [[0, 1, 0, 0]])
    bench.workspace(task="change")
    answer = bench.score()
    assert answer.run["task"] == "change"
    assert answer.pooled["miou"] == answer.pooled["iou"]["1"] == 0.5
    assert answer.pooled["miou_with_background"] == pytest.approx((2 / 3 + 0.5) / 2)


def test_partial_windows_stand_in_no_number(tmp_path):
    bench = Bench(tmp_path)
    bench.write("masks/s.png", [[0, 0, 1], [0, 0, 1]])
    bench.write("runs/s.png", [[0, 0, 0], [0, 0, 0]])
    bench.workspace("tiling = {size = 2}")
    answer = bench.score()
    assert answer.status == 0
    assert list(answer.tiles) == ["s_0"]
    assert (answer.pooled["pixels"], answer.run["tiles_partial"]) == (4, 1)
    assert answer.notice("partial-tiles")["count"] == 1


def test_one_run_of_several(bench):
    bench.pair("t2", [[0, 0]], [[0, 0]])
    text = bench.file.read_text()
    bench.toml(text + '[[run]]\nmodel = "n"\ndataset = "d"\npredictions = "masks"\n')
    assert [r["model"] for r in bench.score().report["runs"]] == ["m", "n"]
    assert [r["model"] for r in bench.score("--run", "n@d").report["runs"]] == ["n"]
    assert [r["model"] for r in bench.score("--run", "n", "--run", "m@d", "--run", "n").report["runs"]] == ["n", "m"]


def test_objects_and_centre_lines(tmp_path):
    bench = Bench(tmp_path)
    truth, predicted = np.zeros((12, 20), np.uint8), np.zeros((12, 20), np.uint8)
    truth[1:4, 1:4] = 1
    truth[6:9, 2:18] = 4
    predicted[1:4, 1:4] = 1
    predicted[6:9, 2:9] = 4
    bench.pair("a", truth, predicted)
    classes = FIVE.replace('4 = "road"', '4 = {name = "road", narrow = true}')
    bench.workspace("gsd = 0.5", classes=classes)
    run = bench.score().run
    building, road = run["objects"]["1"], run["objects"]["4"]
    assert (building["truth"], building["predicted"], building["pq"]) == (1, 1, 1)
    assert road["by_outcome"]["truth"] == {"found": 0, "merged": 0, "split": 0, "missed": 0, "part_found": 1}
    assert road["recall"] == 0
    assert run["objects"]["3"]["recall"] is None
    assert "0" not in run["objects"]
    narrow = run["narrow"]["4"]
    assert list(run["narrow"]) == ["4"]
    assert 0.4 < narrow["completeness"] < 0.9
    assert narrow["correctness"] == 1
    assert narrow["tolerance"] == "within 1.5 m (3 px at 50 cm)"
    assert sum(b["truth_line_pixels"] for b in narrow["width_bins"]["bins"]) == narrow["truth_line_pixels"]


def test_pixels_only_and_objects_later(tmp_path):
    bench = Bench(tmp_path)
    bench.pair("a", [[0, 1]], [[0, 1]])
    bench.workspace()
    run = bench.score("--no-objects").run
    assert not {"objects", "narrow"} & set(run)
    assert bench.score().run["objects"]["1"]["truth"] == 1
    # What was counted is kept when it is not asked for.
    assert bench.score("--no-objects").run["objects"]["1"]["truth"] == 1
