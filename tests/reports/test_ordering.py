"""An exported selection can be made again from its manifest, and a link means one order."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import pytest

from analysis import open_workspace
from analysis.errors import SelectionError
from analysis.reports.csv_report import csv_bytes
from analysis.reports.manifest import manifest, manifest_bytes
from analysis.scores import ORDERS, RankBy
from analysis.selection.model import Selection, parse_selection
from analysis.selection.ordering import MOST_SEED, Ordering, ordered, parse_ordering, seed_of
from analysis.words.classes import OUTSIDE
from tests.pages.tiny import NAMES, RUN, make_tiny


@pytest.fixture
def run(tmp_path: Path):
    found = open_workspace(make_tiny(tmp_path / "tiny")).run(RUN)
    found.score(workers=1)
    return found


ORDERINGS = [
    Ordering(),
    Ordering(RankBy("damage", class_index=2), "best"),
    Ordering(RankBy("metric", metric="recall", class_index=1), "median"),
    Ordering(RankBy("metric", metric="accuracy"), "random", 7),
    Ordering(RankBy("confusion", truth_index=4, predicted_index=5), "random", 0),
    Ordering(RankBy("wrong_pixels"), "worst"),
]


@pytest.mark.parametrize("ordering", ORDERINGS)
def test_a_link_says_all_of_an_order(run, ordering: Ordering) -> None:
    classes = run.dataset.classes
    link = ordering.link(classes)
    assert parse_ordering(urlencode(link), classes) == ordering
    assert parse_ordering(urlencode({"run": RUN, "tile": "x", **link}), classes) == ordering


@pytest.mark.parametrize("ordering", ORDERINGS)
@pytest.mark.parametrize("selection", [Selection(run=RUN), Selection(run=RUN, wrong=1, classes=(NAMES[1], NAMES[2]))])
def test_the_csv_is_made_again_from_its_manifest(run, ordering: Ordering, selection: Selection) -> None:
    counts = run.counts()
    among = selection.among(counts.classes)
    entries = [(run.run.model, run.run.dataset, ordered(counts, selection, ordering))]
    content = csv_bytes(entries, among)
    query = "&".join([selection.query(), urlencode(ordering.link(counts.classes))])
    made = manifest_bytes(manifest([run], entries, content, {"query": query}, among))

    told = json.loads(made)
    again, order = (
        parse_selection(told["selection"]["query"]),
        parse_ordering(told["selection"]["query"], counts.classes),
    )
    other = open_workspace(run.workspace.path).run(told["runs"][0]["model"])
    fresh = other.counts()
    rows = [(other.run.model, other.run.dataset, ordered(fresh, again, order))]
    remade = csv_bytes(rows, again.among(fresh.classes))
    assert remade == content
    repeated = json.loads(
        manifest_bytes(manifest([other], rows, remade, told["selection"], again.among(fresh.classes)))
    )
    assert repeated | {"made": ""} == told | {"made": ""}
    assert {"settings", "scores", "content_sha256", "tiles"} <= told["runs"][0].keys()
    assert told["runs"][0]["settings"]["versions"].keys() == {"kernels", "store"}


def test_those_without_a_value_and_the_refused_come_last(run) -> None:
    counts = run.counts()
    by = RankBy("metric", metric="iou", class_index=3)
    found = ordered(counts, Selection(run=RUN), Ordering(by, "worst")).tiles
    k = counts.classes.index_of(NAMES[3])
    held = counts.confusion[:, k].sum(axis=1) + counts.confusion[:, :, k].sum(axis=1) > 0
    defined = {name for name, there in zip(counts.tiles["id"], held, strict=True) if there}
    names = found["id"].tolist()
    assert 0 < len(defined) < len(counts) - 1
    assert set(names[: len(defined)]) == defined
    assert names[-1] == "$y$"
    assert found["reason"].iloc[-1]
    assert sorted(names) == sorted(counts.tiles["id"])


@pytest.mark.parametrize("order", ORDERS)
def test_exactly_the_tiles_that_pass(run, order: str) -> None:
    counts = run.counts()
    found = ordered(counts, Selection(run=RUN, text="a"), Ordering(order=order))
    assert sorted(found.tiles["id"]) == sorted(i for i in counts.tiles["id"] if "a" in i.casefold())
    np.testing.assert_array_equal(found.confusion.sum(axis=(1, 2)) > 0, found.tiles["status"] == "scored")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("order=sideways", "sideways"),
        ("rank=worst", "worst"),
        ("rank=metric&by=dice", "dice"),
        ("cls=marsh", "marsh"),
        (f"rank=damage&cls={OUTSIDE}", OUTSIDE),
        ("order=random&seed=x", '"x"'),
        ("order=random&seed=-1", "-1"),
        (f"order=random&seed={MOST_SEED + 1}", str(MOST_SEED + 1)),
        ("order=random&seed=٣", "whole number"),
    ],
)
def test_what_a_link_names_and_is_not_there(run, query: str, said: str) -> None:
    with pytest.raises(SelectionError, match=said.replace("|", r"\|")):
        parse_ordering(query, run.dataset.classes)


def test_seeds() -> None:
    assert seed_of("0") == 0
    assert seed_of(str(MOST_SEED)) == MOST_SEED
    with pytest.raises(SelectionError):
        seed_of("9" * 5000)
