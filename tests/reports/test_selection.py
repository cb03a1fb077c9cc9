"""Selections: from a link and back, and which tiles pass; `export` writes those."""

from __future__ import annotations

import csv
import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.api import open_workspace
from analysis.errors import SelectionError
from analysis.selection.model import Selection, chosen, parse_selection

from ..bench import Bench, command

TWO_SCENES = '0 = "background"\n1 = "building"\n2 = "road"'


@pytest.fixture
def bench(tmp_path):
    bench = Bench(tmp_path)
    bench.pair("a_0", [[0, 1]], [[0, 1]])  # mean IoU 1
    bench.pair("a_1", [[0, 1]], [[0, 0]])  # 0, one px wrong
    bench.pair("b_0", [[0, 2]], [[0, 2]])  # road only
    bench.pair("b_1", [[0, 0]], [[0, 0]])  # no mean
    bench.write("masks/b_2.png", [[0, 0]])  # refused
    bench.text("train.txt", "a_0\n")
    bench.workspace('tiling = {size = 2}\nsplits = {train = "train.txt"}', classes=TWO_SCENES)
    assert bench.score().status == 3
    return bench


def passed(bench, query):
    counts = open_workspace(bench.file).runs[0].counts()
    return counts.tiles["id"][chosen(counts, parse_selection(query))].tolist()


@pytest.mark.parametrize(
    ("query", "tiles"),
    [
        ("", ["a_0", "a_1", "b_0", "b_1", "b_2"]),
        ("scene=a", ["a_0", "a_1"]),
        ("?scene=a&scene=b", ["a_0", "a_1", "b_0", "b_1", "b_2"]),
        ("split=train", ["a_0"]),
        ("present=building", ["a_0", "a_1"]),
        ("present=road&present=background", ["b_0"]),
        ("absent=building", ["b_0", "b_1"]),  # a refused tile holds nothing that is known
        ("text=_1", ["a_1", "b_1"]),
        ("text=B_", ["b_0", "b_1", "b_2"]),
        ("low=0.5", ["a_0", "b_0"]),
        ("high=0.5", ["a_1"]),  # a tile without a mean passes neither bound
        ("low=0&high=1", ["a_0", "a_1", "b_0"]),
        ("wrong=1", ["a_1"]),
        ("wrong=0", ["a_0", "a_1", "b_0", "b_1"]),
        ("scene=a&low=0.5", ["a_0"]),
        ("low=0.5&classes=road", ["b_0"]),  # the mean is that of the road alone
        ("classes=building", ["a_0", "a_1", "b_0", "b_1", "b_2"]),
        ("scene=", ["a_0", "a_1", "b_0", "b_1", "b_2"]),
        ("tile=x&rank=miou&show=1", ["a_0", "a_1", "b_0", "b_1", "b_2"]),  # how a page shows it
    ],
)
def test_filters(bench, query, tiles):
    assert passed(bench, query) == tiles


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("scenes=a", '"scenes" is no filter. Known filters: absent, classes, high'),
        ("scene=c", 'no scene is named "c" in this run. Known: a, b.'),
        ("split=val", 'no split is named "val" in this run. Known: train.'),
        ("present=roof", 'no class is named "roof" in this run. Known: background, building, road.'),
        ("low=half", 'the filter low must be a number; found "half"'),
        ("high=nan", "the filter high must be a number"),
        ("wrong=1.5", 'the filter wrong must be a number; found "1.5"'),
    ],
)
def test_mistakes_are_named(bench, query, said):
    with pytest.raises(SelectionError):
        passed(bench, query)
    status, out, err = command("export", bench.file, "--selection", query, "--csv", bench.folder / "x.csv")
    assert (status, out) == (2, "")
    assert err.startswith("orthoscope: ")
    assert said in err
    assert err.count("\n") == 1
    assert not (bench.folder / "x.csv").exists()


def test_export_writes_the_tiles_that_pass_and_says_how(bench):
    target = bench.folder / "x.csv"
    status, out, _ = command("export", bench.file, "--selection", "run=m@d&scene=b", "--csv", target)
    assert (status, out.splitlines()[0][:16]) == (0, "3 tiles written ")
    with target.open(encoding="utf-8-sig", newline="") as file:
        assert [row["tile"] for row in csv.DictReader(file)] == ["b_0", "b_1", "b_2"]
    manifest = json.loads((bench.folder / "x.json").read_text())
    assert manifest["selection"] == {"scene": ["b"]}
    assert manifest["runs"][0]["tiles"] == {"scored": 2, "refused": 1, "partial": 0}


def test_the_classes_of_the_mean_are_chosen(bench):
    target = bench.folder / "x.csv"
    assert command("export", bench.file, "--selection", "classes=road", "--csv", target)[0] == 0
    with target.open(encoding="utf-8-sig", newline="") as file:
        assert [row["miou"] for row in csv.DictReader(file)] == ["", "", "1.0", "", ""]
    manifest = json.loads((bench.folder / "x.json").read_text())
    assert manifest["selection"] == {"classes": ["road"]}
    assert manifest["convention_of_miou"].startswith("mean over the chosen classes")
    assert manifest["runs"][0]["scores"]["pooled"] == 1
    classes = open_workspace(bench.file).runs[0].dataset.classes
    assert Selection().among(classes) is None
    assert Selection(classes=("road", "building")).among(classes) == (1, 2)
    assert not Selection(classes=("road",)).narrows


def test_export_needs_scores(bench):
    bench.text("workspace.toml", bench.file.read_text() + '[[run]]\nmodel = "new"\ndataset = "d"\npredictions = "x"\n')
    status, _, err = command("export", bench.file, "--selection", "run=new", "--csv", bench.folder / "x.csv")
    assert status == 2
    assert "new@d is not scored yet. Run: python -m analysis score" in err
    status, _, err = command("export", bench.file, "--selection", "run=none", "--csv", bench.folder / "x.csv")
    assert (status, 'no run is named "none". Known: "m@d", "new@d"' in err) == (2, True)


def test_partial_windows_are_asked_for(tmp_path):
    bench = Bench(tmp_path)
    bench.pair("s", [[0, 1, 1], [0, 1, 1]], [[0, 1, 1], [0, 1, 1]])
    bench.workspace("tiling = {size = 2}")
    bench.score()
    assert passed(bench, "") == ["s_0"]
    assert passed(bench, "partial=1") == ["s_0", "s_1"]
    assert passed(bench, "partial=0") == ["s_0"]


names = st.text(st.characters(exclude_categories=("C",)), min_size=1, max_size=6)


@given(
    st.builds(
        Selection,
        run=names,
        scene=st.lists(names, unique=True, max_size=3).map(tuple),
        split=st.lists(names, unique=True, max_size=2).map(tuple),
        present=st.lists(names, unique=True, max_size=2).map(tuple),
        absent=st.lists(names, unique=True, max_size=2).map(tuple),
        text=names,
        low=st.none() | st.integers(0, 1000).map(lambda n: n / 1000),
        high=st.none() | st.integers(0, 1000).map(lambda n: n / 1000),
        wrong=st.none() | st.integers(0, 10**9),
        partial=st.booleans(),
        classes=st.lists(names, unique=True, max_size=2).map(tuple),
    )
)
def test_a_link_brings_the_selection_back(selection):
    assert parse_selection(selection.query()) == selection


def test_export_of_objects(bench):
    target = bench.folder / "objects.csv"
    status, out, _ = command("export", bench.file, "--selection", "scene=a", "--objects", "--csv", target)
    assert (status, out.splitlines()[0][:25]) == (0, "3 objects of 2 tiles writ")
    with target.open(encoding="utf-8-sig", newline="") as file:
        rows = [(r["tile"], r["object"], r["side"], r["class"], r["outcome"]) for r in csv.DictReader(file)]
    assert rows == [
        ("a_0", "1", "truth", "building", "found"),
        ("a_0", "2", "prediction", "building", "found"),
        ("a_1", "1", "truth", "building", "missed"),
    ]
    manifest = json.loads((bench.folder / "objects.json").read_text())
    assert manifest["csv_sha256"] == hashlib.sha256(target.read_bytes()).hexdigest()
    assert manifest["selection"] == {"scene": ["a"]}
    assert manifest["objects"]["connectivity"] == 8
    assert set(manifest["objects"]["outcomes"]) == {"truth", "prediction"}


def test_objects_that_were_not_counted_are_not_exported(tmp_path):
    bench = Bench(tmp_path)
    bench.pair("a", [[0, 1]], [[0, 1]])
    bench.workspace()
    bench.score("--no-objects")
    status, _, err = command("export", bench.file, "--objects", "--csv", bench.folder / "x.csv")
    assert (status, "scored with --no-objects" in err) == (2, True)
    assert not (bench.folder / "x.csv").exists()
