"""The preflight report: what the folders hold, from names, headers and a sample."""

from __future__ import annotations

import pytest

from analysis.preflight.report import check_dataset, check_run
from analysis.preflight.text import dataset_lines, notice_lines
from analysis.words.notices import REFUSED, WARNING, Notice
from analysis.workspace.load import load_workspace

from ..bench import TWO, Bench

PLACE = {"crs": "EPSG:32652", "transform": (0.5, 0, 1000, 0, -0.5, 2000)}


@pytest.fixture
def bench(tmp_path):
    bench = Bench(tmp_path)
    bench.write("masks/a.tif", [[0, 255]], **PLACE)
    bench.write("masks/b.png", [[0, 0, 0]])
    bench.text("masks/.hidden.png", "x")
    bench.text("masks/notes.txt", "x")
    bench.text("masks/c.png", "no raster")
    bench.write("runs/a.tif", [[0, 1]], **(PLACE | {"transform": (0.5, 0, 1001, 0, -0.5, 2000)}))
    bench.write("runs/x.tif", [[0, 1]])
    bench.write("pictures/a.jpg", [[7, 9]])
    bench.text("test.txt", "a\nb\nz\n")
    bench.workspace('images = "pictures"\nsplits = {test = "test.txt"}', classes=TWO)
    return bench


def test_a_dataset(bench):
    workspace = load_workspace(bench.file)
    report = check_dataset(workspace, workspace.datasets[0])
    assert (report.tiles, report.partial, report.splits, report.pictures) == (3, 0, {"": 1, "test": 2}, {"image": 1})
    truth = report.truth
    assert (truth.files, truth.unreadable) == (3, 1)
    assert truth.skipped == {"hidden": 1, "not a raster": 1}
    assert truth.sizes == {"2 x 1": 1, "3 x 1": 1}
    assert truth.drivers == {"GTiff": 1, "PNG": 1}
    assert truth.crs == {"EPSG:32652": 1, "none": 1}
    assert truth.gsd == {"0.5 m": 1, "not in the file": 1}
    assert truth.rule.coding == "0/255"
    text = "\n".join(dataset_lines(report))
    assert "3 files match" in text
    assert "(skipped: 1 hidden, 1 not a raster)" in text
    assert "2 x 1 (1), 3 x 1 (1) px (of 2 files sampled)" in text
    assert "1 files of the sample cannot be read" in text


def test_a_run(bench):
    workspace = load_workspace(bench.file)
    report = check_run(workspace, workspace.runs[0])
    assert (report.pairs, report.refused) == (1, 2)
    assert [n.tile for n in report.notices if n.level == REFUSED] == ["b", "c"]
    assert {"prediction-without-truth", "georeference-offset"} <= {n.code for n in report.notices}


def test_of_many_refusals_the_first_ten_are_shown():
    notices = [Notice("x", REFUSED, f"reason {i}", f"t{i}") for i in range(15)] + [Notice("y", WARNING, "w", count=3)]
    lines = list(notice_lines(notices))
    assert len(lines) == 12
    assert lines[10] == "  refused: … and 5 more; the JSON and CSV reports name all of them"
    assert lines[11] == "  warning: w [3 tiles]"
