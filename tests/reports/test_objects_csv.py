"""The object CSV: what a spreadsheet and what a program make of it."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from analysis.reports.objects_csv import COLUMNS, ObjectEntry, object_csv, objects_manifest
from analysis.scores import EDGE_SETS
from analysis.words.classes import ClassList, ClassSpec
from analysis.words.outcomes import OUTCOMES

from ..scores import masks, object_maps

K = 3
CLASSES = object_maps.classes_of(K)


def tiles(*gsd: float) -> pd.DataFrame:
    return pd.DataFrame({"id": [f"t{i}" for i in range(len(gsd))], "scene": "=s", "gsd": np.array(gsd, float)})


def entry(pairs, gsd, model: str = "m", classes: ClassList = CLASSES) -> ObjectEntry:
    found = [(object_maps.things(t, p, [1, 2]), t, p) for t, p in pairs]
    return ObjectEntry(model, "d", classes, tiles(*gsd), object_maps.table_of(found))


def read(content: bytes) -> list[dict[str, str]]:
    assert content.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


TRUTH = np.array([[0, 0, 0, 0, 0], [0, 1, 1, 0, 0], [0, 1, 1, 0, 2], [0, 0, 0, 0, 0]])
PREDICTION = np.array([[0, 0, 0, 0, 0], [0, 1, 1, 1, 0], [0, 1, 1, 0, 3], [0, 0, 0, 0, 0]])


def test_by_hand() -> None:
    one = entry([(TRUTH, PREDICTION)] * 2, [0.2, np.nan])
    one.table["line_px"][1], one.table["width_sum"][1] = 4, 10
    one.table["straight"][1], one.table["diagonal"][1] = 2, 1
    rows = read(b"".join(object_csv([one])))
    assert len(rows) == 6
    assert list(rows[0]) == list(COLUMNS)
    found, road, predicted = rows[:3]
    assert found == {
        "model": "m",
        "dataset": "d",
        "tile": "t0",
        "scene": "'=s",
        "object": "1",
        "side": "truth",
        "class": "class 1",
        "outcome": "found",
        "area_px": "4",
        "area_m2": "0.16",
        "top": "1",
        "left": "1",
        "bottom": "3",
        "right": "3",
        "centroid_row": "1.5",
        "centroid_column": "1.5",
        "edge": "false",
        "hit_px": "4",
        "covered_share": "1.0",
        "best_iou": "0.8",
        "taken_for": "",
        "width_px": "",
        "width_m": "",
        "length_px": "",
        "length_m": "",
    }
    assert (road["class"], road["outcome"], road["edge"], road["best_iou"]) == ("class 2", "missed", "true", "0.0")
    assert road["taken_for"] == "outside the class list"
    assert (road["width_px"], road["width_m"], road["length_px"], road["length_m"]) == ("2.5", "0.5", "3.239", "0.6478")
    assert (predicted["object"], predicted["side"], predicted["taken_for"]) == ("3", "prediction", "ground")
    assert predicted["covered_share"] == "0.8"
    # Numbers start again in the next tile; without a GSD there are no metres.
    assert [row["object"] for row in rows] == ["1", "2", "3"] * 2
    assert [row["area_m2"] for row in rows[3:]] == [""] * 3
    assert rows[4]["width_m"] == ""


def test_running_numbers_survive_a_filter() -> None:
    whole = entry([(TRUTH, PREDICTION)], [0.2])
    table = {name: values[1:] for name, values in whole.table.items()} | {"number": np.array([1, 2])}
    rows = read(b"".join(object_csv([ObjectEntry("m", "d", CLASSES, whole.tiles, table)])))
    assert [row["object"] for row in rows] == ["2", "3"]


@pytest.mark.parametrize("name", ["=1+1", "+x", "-x", "@x", "\tx", "\rx"])
def test_no_cell_is_a_formula(name: str) -> None:
    classes = ClassList(tuple(ClassSpec(i, name, "#000000") for i in range(K)), 0)
    one = entry([(TRUTH, PREDICTION)], [0.2], model=name, classes=classes)
    one.tiles["id"] = name
    for row in read(b"".join(object_csv([one]))):
        assert {row["model"], row["tile"], row["class"]} == {f"'{name}"}
        assert row["taken_for"] in ("", f"'{name}", "outside the class list")


def test_names_are_kept_letter_by_letter() -> None:
    name = 'Straße, "A"\n<b>'
    classes = ClassList(tuple(ClassSpec(i, name, "#000000") for i in range(K)), 0)
    assert {
        row["class"] for row in read(b"".join(object_csv([entry([(TRUTH, PREDICTION)], [1], classes=classes)])))
    } == {name}


@masks.patient
@given(object_maps.map_pairs(), object_maps.map_pairs())
def test_chunks_change_nothing_and_numbers_are_right(first, second) -> None:
    entries = [entry([first, second], [0.25, 0.5]), entry([second], [np.nan], model="n")]
    whole = b"".join(object_csv(entries))
    pieces = list(object_csv(entries, chunk=2))
    assert b"".join(pieces) == whole
    assert all(piece.count(b"\r\n") <= 2 for piece in pieces)
    rows = read(whole)
    found = [t for one in ((first, second), (second,)) for t, p in one for t in object_maps.things(t, p, [1, 2])]
    assert len(rows) == len(found)
    for row, one in zip(rows, found, strict=True):
        assert int(row["area_px"]) == len(one.pixels)
        assert row["outcome"] == OUTCOMES[one.side][one.outcome].id
        assert float(row["covered_share"]) == one.hits / len(one.pixels)
        assert float(row["centroid_row"]) == sum(r for r, _ in one.pixels) / len(one.pixels)
        if one.outcome == 0:
            assert float(row["best_iou"]) == pytest.approx(float(one.iou))


def test_no_objects_and_no_runs() -> None:
    empty = ObjectEntry("m", "d", CLASSES, tiles(), object_maps.table_of([]))
    assert read(b"".join(object_csv([empty]))) == read(b"".join(object_csv([]))) == []


def test_the_manifest_holds_the_definitions() -> None:
    content = objects_manifest(connectivity=8, rows_left_out=3, bins=[EDGE_SETS["coco"]])
    json.dumps(content, allow_nan=False)
    assert content["outcomes"]["truth"]["missed"] == OUTCOMES[0][3].definition
    assert content["outcomes"]["prediction"]["false"] == OUTCOMES[1][3].definition
    assert content["bins"][0]["edges"] == [1024, 9216]
    assert set(content["columns"]) <= set(COLUMNS)
    assert (content["connectivity"], content["rows_left_out"]) == (8, 3)
