"""The CSV report: what a spreadsheet and what a program make of it."""

from __future__ import annotations

import csv
import io

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.reports.csv_report import safe_text

from ..bench import TWO, Bench, command


def rows(bench):
    """The CSV of a score, as raw bytes and as rows."""
    target = bench.folder / "table.csv"
    bench.score("--csv", target)
    content = target.read_bytes()
    return content, list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def test_the_columns_and_a_row_a_tile_in_natural_order(tmp_path):
    bench = Bench(tmp_path)
    bench.pair("t10", [[0, 1, 1, 0]], [[0, 1, 0, 0]])
    bench.pair("t9", [[0, 255]], [[0, 0]])
    bench.write("masks/t1.png", [[0, 1]])
    bench.workspace("ignore = [255]", classes=TWO)
    content, (header, *found) = rows(bench)
    assert header == [
        *[
            "model",
            "dataset",
            "tile",
            "scene",
            "status",
            "reason",
            "valid_pixels",
            "ignored_pixels",
            "miou",
            "accuracy",
        ],
        *("iou background", "tp background", "fp background", "fn background"),
        *("iou building", "tp building", "fp building", "fn building"),
    ]
    reason = f"t1 has no prediction: no file matches {bench.folder}/runs."
    assert found == [
        ["m", "d", "t1", "", "refused", reason, *[""] * 12],
        # background: 1 of 1; building in neither: no value, and so no mean
        ["m", "d", "t9", "", "scored", "", "1", "1", "", "1.0", "1.0", "1", "0", "0", "", "0", "0", "0"],
        # background 2 of union 3, building 1 of union 2
        ["m", "d", "t10", "", "scored", "", "4", "0", "0.5", "0.75", repr(2 / 3), "2", "1", "0", "0.5", "1", "0", "1"],
    ]
    assert content.startswith(b"\xef\xbb\xbfmodel,")
    assert content.count(b"\r\n") == 4
    assert content.count(b"\n") == 4


def test_ids_are_text_and_come_back_as_they_are(tmp_path):
    bench = Bench(tmp_path)
    names = [
        "007",
        "0007",
        "1e5",
        "field, north_1",
        'roof "red"_2',
        "G\u00e9n\u00e9ral-\u5730\u56fe",
        "-1",
        "=1+1",
        "+2",
        "@x",
    ]
    for name in names:
        bench.pair(name, [[0, 1]], [[0, 1]])
    bench.workspace(classes=TWO)
    _, (_, *found) = rows(bench)
    assert {row[2] for row in found} == {f"'{n}" if n[0] in "=+-@" else n for n in names}
    assert len({len(row) for row in found}) == 1
    frame = pd.read_csv(bench.folder / "table.csv", dtype={"tile": str})
    assert set(frame["tile"]) == {row[2] for row in found}
    assert (frame["miou"] == 1).all()


def test_text_from_the_workspace_is_guarded_too(tmp_path):
    bench = Bench(tmp_path)
    bench.pair("a", [[0, 1]], [[0, 1]])
    bench.workspace(classes='0 = "background"\n1 = "=cmd|x"')
    bench.toml(bench.file.read_text().replace('"m"', '"@model"').replace('"d"', '"+data"'))
    _, (header, row) = rows(bench)
    assert row[:2] == ["'@model", "'+data"]
    assert "iou =cmd|x" in header  # a header begins with the name of its number


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_what_could_be_a_formula_gets_an_apostrophe(start):
    assert safe_text(f"{start}x") == f"'{start}x"


@given(st.text(max_size=5))
def test_all_other_text_is_unchanged(text):
    assert safe_text(text) == (f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") and text else text)


def test_runs_with_other_classes_share_a_table_with_empty_cells(tmp_path):
    bench = Bench(tmp_path)
    for folder in ("a", "b"):
        bench.write(f"{folder}/x.png", [[0, 1]])
    bench.toml(
        '[[dataset]]\nname = "A"\ntask = "segmentation"\nroot = "."\ntruth = "a"\n'
        '[dataset.classes]\n0 = "background"\n1 = "road"\n'
        '[[dataset]]\nname = "B"\ntask = "change"\nroot = "."\ntruth = "b"\n'
        '[[run]]\nmodel = "m"\ndataset = "A"\npredictions = "a"\n'
        '[[run]]\nmodel = "m"\ndataset = "B"\npredictions = "b"\n'
    )
    _, (header, first, second) = rows(bench)
    names = [h.removeprefix("iou ") for h in header if h.startswith("iou ")]
    assert names == ["background", "road", "unchanged", "changed"]
    assert first[10:] == ["1.0", "1", "0", "0", "1.0", "1", "0", "0", *[""] * 8]
    assert second[10:] == [*[""] * 8, "1.0", "1", "0", "0", "1.0", "1", "0", "0"]


def test_decimals_are_points_and_nothing_is_lost(tmp_path):
    bench = Bench(tmp_path)
    bench.pair("a", [[0, 0, 1, 1, 1, 1, 1]], [[0, 0, 1, 0, 0, 0, 0]])
    bench.workspace(classes=TWO)
    _, (header, row) = rows(bench)
    assert float(row[header.index("iou background")]) == 2 / 6
    assert float(row[header.index("accuracy")]) == 3 / 7


def test_the_csv_of_an_export_is_the_csv_of_a_score(tmp_path):
    bench = Bench(tmp_path)
    bench.pair("a", [[0, 1]], [[0, 0]])
    bench.workspace(classes=TWO)
    content, _ = rows(bench)
    target = bench.folder / "export.csv"
    assert command("export", bench.file, "--csv", target)[0] == 0
    assert target.read_bytes() == content
