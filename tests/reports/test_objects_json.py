"""The entries `objects` and `narrow` of the JSON report."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given

from analysis.reports.objects_json import narrow_entry, objects_entry
from analysis.scores import EDGE_SETS, object_scores

from ..scores import masks, object_maps
from ..scores.line_arrays import joined, one_tile

K = 3
CLASSES = object_maps.classes_of(K)  # ids 0, 3, 6; 0 is the background, 6 is narrow
TRUTH = np.array([[0, 0, 0, 0, 0], [0, 1, 1, 0, 0], [0, 1, 1, 0, 2], [0, 0, 0, 0, 0]])
PREDICTION = np.array([[0, 0, 0, 0, 0], [0, 1, 1, 1, 0], [0, 1, 1, 0, 0], [0, 0, 0, 0, 0]])


def counted(*pairs):
    found = [(object_maps.things(t, p, [1, 2]), t, p) for t, p in pairs]
    outcomes = [object_maps.outcomes_of(things, K) for things, _, _ in found]
    return np.array(outcomes).reshape(-1, 2, K, 5, 4), object_maps.table_of(found)


def test_by_hand() -> None:
    outcomes, table = counted((TRUTH, PREDICTION))
    entry = objects_entry(outcomes, table, [0.5], CLASSES, rows_left_out=4)
    assert list(entry) == ["3", "6"]
    building = entry["3"]
    assert (building["truth"], building["predicted"]) == (1, 1)
    assert building["by_outcome"] == {
        "truth": {"found": 1, "merged": 0, "split": 0, "missed": 0, "part_found": 0},
        "prediction": {"found": 1, "merged": 0, "split": 0, "false": 0, "part_right": 0},
    }
    assert [building[name] for name in ("precision", "recall", "f1", "sq", "rq", "pq")] == [1, 1, 1, 0.8, 1, 0.8]
    first, *others = building["size_bins"]["bins"]
    assert building["size_bins"] | {"bins": None} == {
        "unit": "m2",
        "with_edge_cut": False,
        "edge_cut": {"truth": 0, "prediction": 0},
        "no_gsd": {"truth": 0, "prediction": 0},
        "rows_left_out": 4,
        "bins": None,
    }
    assert first["by_outcome"]["truth"]["found"] == 1
    assert first | {"by_outcome": None} == {
        "from": 0,
        "to": 25,
        "truth": 1,
        "predicted": 1,
        "by_outcome": None,
        "recall": 1,
        "mean_covered_share": 1,
        "pooled_covered_share": 1,
        "precision": 1,
        "f1": 1,
    }
    assert all(b["recall"] is None and b["truth"] == 0 for b in others)
    assert others[-1]["to"] is None
    # The road touches the edge: it counts, but has no bin.
    road = entry["6"]
    assert (road["truth"], road["recall"], road["precision"], road["pq"], road["sq"]) == (1, 0, None, 0, None)
    assert road["size_bins"]["edge_cut"] == {"truth": 1, "prediction": 0}
    assert sum(b["truth"] for b in road["size_bins"]["bins"]) == 0


def test_no_tiles() -> None:
    outcomes, table = counted()
    entry = objects_entry(outcomes, table, [], CLASSES)
    assert entry["3"]["truth"] == 0
    assert entry["3"]["f1"] is None


@masks.patient
@given(object_maps.map_pairs(), object_maps.map_pairs())
def test_it_is_json_and_says_what_the_scores_say(first, second) -> None:
    outcomes, table = counted(first, second)
    entry = objects_entry(outcomes, table, [0.25, np.nan], CLASSES, edges=EDGE_SETS["coco"], with_edge_cut=True)
    json.dumps(entry, allow_nan=False)
    scores = object_scores(outcomes.sum(0))
    for cls in (1, 2):
        said = entry[str(CLASSES.ids[cls])]
        assert masks.same(scores.f1[cls], said["f1"])
        assert masks.same(scores.pq[cls], said["pq"])
        for side in ("truth", "prediction"):
            by_bin = [b["by_outcome"][side] for b in said["size_bins"]["bins"]]
            assert {o: sum(b[o] for b in by_bin) for o in by_bin[0]} == said["by_outcome"][side]


def test_narrow() -> None:
    tile = one_tile({4: ([2, 1, 6, 1], 7, 6, 9, 0), 9: ([0, 0, 10, 0], 10, 10, 9, 0)}, (1, 3), (20, 16, 15))
    entry = narrow_entry(joined(tile, tile), [0.25, 0.5], CLASSES, tolerance_m=1.5)
    json.dumps(entry, allow_nan=False)
    assert list(entry) == ["6"]
    road = entry["6"]
    assert road["tolerance"] == "within 1.5 m (6 px at 25 cm, 3 px at 50 cm)"
    assert road["completeness"] == pytest.approx(34 / 40)
    assert road["correctness"] == pytest.approx(0.8)
    assert road["quality"] == pytest.approx(32 / 46)
    assert road["km"] == pytest.approx(18 * 0.948 * 0.75 / 1000)
    assert (road["gaps"], road["left_out_pixels"]) == (2, 6)
    assert road["gaps_per_km"] == pytest.approx(2 / road["km"])
    bins = road["width_bins"]
    assert (bins["unit"], bins["length_unit"]) == ("m", "km")
    # 1 m, 2 m (4 px), 2.25 m and 4.5 m (9 px)
    assert [b["truth_line_pixels"] for b in bins["bins"]] == [10, 20, 0, 10, 0, 0]
    assert bins["bins"][0]["predicted_as"] == {"0": 2, "3": 1, "6": 6, "outside": 1}
    assert bins["bins"][0]["completeness"] == pytest.approx(0.7)
    assert bins["bins"][2]["completeness"] is None
    px = narrow_entry(tile, [np.nan], CLASSES, tolerance_m=1.5)["6"]
    assert (px["tolerance"], px["km"], px["gaps_per_km"], px["width_bins"]["unit"]) == ("within 3 px", None, None, "px")
