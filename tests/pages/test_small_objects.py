"""The page of small and narrow objects: its numbers are those of the core, under filters too; states; bad links."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from analysis import OpenRun, open_workspace
from analysis.scores import (
    EDGE_SETS,
    LineCounts,
    class_counts,
    explain,
    line_scores,
    object_scores,
    pool,
    sentence,
    size_bins,
    size_bins_by_gsd,
    width_bins,
)
from analysis.store.load import SHAPE_ARRAYS, RunCounts
from tests.shapes import NAMES, make_shapes

Open = Callable[..., AppTest]
PAGE = "small_and_narrow"


@pytest.fixture
def shapes(tmp_path: Path, own_cache: Path, app: Open, monkeypatch: pytest.MonkeyPatch) -> OpenRun:
    path = make_shapes(tmp_path / "shapes")
    monkeypatch.setenv("ORTHOSCOPE_WORKSPACE", str(path))
    run = open_workspace(path).runs[0]
    run.score(workers=1)
    return run


def frame_with(at: AppTest, column: str) -> pd.DataFrame:
    return next(d.value for d in at.dataframe if column in d.value)


def said(at: AppTest) -> list[str]:
    found = [*at.caption, *at.markdown, *at.info, *at.warning, *at.error]
    return [element.value.replace("\\", "").replace("\u2060", "") for element in found]


def listed(at: AppTest) -> int:
    """How many objects the list has, as it says."""
    text = next(t for t in said(at) if "Click a picture" in t)
    return int(text.split()[0].replace(",", ""))


def counted(run: OpenRun, scene: str | None) -> tuple[RunCounts, pd.DataFrame]:
    counts = run.counts(("confusion", *SHAPE_ARRAYS)).scored
    if scene is not None:
        counts = counts.take((counts.tiles["scene"] == scene).to_numpy())
    return counts, run.objects(counts)


@pytest.mark.parametrize("scene", [None, "east"])
def test_numbers_of_the_core(app: Open, shapes: OpenRun, scene: str | None) -> None:
    query = {} if scene is None else {"scene": scene}
    at = app(PAGE, of=NAMES[1], **query)
    counts, table = counted(shapes, scene)
    classes, gsd = counts.classes, counts.tiles["gsd"].to_numpy()
    outcomes = pool(counts.arrays["outcomes"])
    explanation = explain(outcomes, class_counts(pool(counts.confusion)), classes)
    assert any(t == f"**{sentence(explanation, 1, classes)}**" for t in said(at))
    parts = frame_with(at, "iou_points")
    np.testing.assert_array_equal(parts["iou_points"], [explanation.iou[1], *explanation.loss[1]])
    np.testing.assert_array_equal(parts["iou_if_mended"][1:], explanation.mended[1])
    assert abs(parts["iou_points"].sum() - 1) < 1e-12

    scores, frame = object_scores(outcomes), frame_with(at, "pq")
    assert frame["Class"].tolist() == list(NAMES[1:])
    for name in ("precision", "recall", "f1"):
        np.testing.assert_array_equal(frame[f"object_{name}"], getattr(scores, name)[1:])
    for name in ("sq", "rq", "pq", "truth", "predicted"):
        np.testing.assert_array_equal(frame[name], getattr(scores, name)[1:])
    by_outcome = frame_with(at, "outcome_0")
    assert by_outcome.iloc[0, 2:].sum() == scores.truth[1]

    sizes, frame = size_bins(table, gsd, 3), frame_with(at, "size_recall")
    np.testing.assert_array_equal(frame["truth"], sizes.truth[1:].ravel())
    np.testing.assert_array_equal(frame["size_recall"], sizes.recall[1:].ravel())
    assert frame["size_recall"].isna().any(), "an empty bin is empty"
    assert sizes.edge_cut[1, 0] == len(counts)
    assert any(f"{len(counts)} and {len(counts)} more that a tile's edge cuts are left out" in t for t in said(at))

    lines = LineCounts.of(counts.arrays)
    found = line_scores(lines, gsd)
    values = dict(zip(frame_with(at, "measure")["measure"], frame_with(at, "measure")["value"], strict=True))
    tolerance = "within 1.5 m (6 px at 25 cm" + (", 3 px at 50 cm)" if scene is None else ")")
    assert values[f"Completeness {tolerance}"] == f"{found.completeness[0]:.3f}"
    assert values[f"Gaps per km {tolerance}"] == f"{found.gaps_per_km[0]:.2f}"
    assert found.gaps[0] == len(counts)
    widths = width_bins(lines, gsd, classes)
    np.testing.assert_array_equal(frame_with(at, "taken")["px"], widths.kept[0])

    assert listed(at) == int((table["cls"] == 1).sum())


@pytest.mark.parametrize(
    ("query", "passes"),
    [
        ({"side": "truth"}, lambda t, gsd: t["side"] == 0),
        ({"side": "truth", "outcome": "untouched"}, lambda t, gsd: (t["side"] == 0) & (t["outcome"] == 3)),
        ({"outcome": "part"}, lambda t, gsd: t["outcome"] == 4),
        ({"edge": "whole"}, lambda t, gsd: ~t["edge"]),
        ({"edge": "cut", "side": "prediction"}, lambda t, gsd: t["edge"] & (t["side"] == 1)),
        ({"taken": "road"}, lambda t, gsd: t["taken"] == 2),
        ({"size": "1"}, lambda t, gsd: t["area"] * gsd[t["tile"]] ** 2 < 25),
        ({"size": "2", "bins": "area_px"}, lambda t, gsd: (t["area"] >= 16) & (t["area"] < 64)),
        ({"size": "1", "bins": "own_px", "edges": "40"}, lambda t, gsd: t["area"] < 40),
        ({"gsd": "0.5"}, lambda t, gsd: gsd[t["tile"]] == 0.5),
    ],
)
def test_filters_of_the_list(app: Open, shapes: OpenRun, query: dict[str, str], passes: Callable) -> None:
    at = app(PAGE, of=NAMES[1], **query)
    counts, table = counted(shapes, None)
    expected = passes(table, counts.tiles["gsd"].to_numpy()) & (table["cls"] == 1)
    assert 0 < expected.sum() < (table["cls"] == 1).sum()
    assert listed(at) == expected.sum()
    assert not at.error


def test_width_and_all_classes(app: Open, shapes: OpenRun) -> None:
    counts, table = counted(shapes, None)
    assert listed(app(PAGE, who="all")) == len(table)
    assert listed(app(PAGE)) == (table["cls"] == 2).sum(), "the narrow class comes first"
    width = table["width_sum"] / table["line_px"] * counts.tiles["gsd"].to_numpy()[table["tile"]]
    expected = (table["cls"] == 2) & (width >= 1.5) & (width < 2.5)
    assert 0 < expected.sum() < (table["cls"] == 2).sum()
    assert listed(app(PAGE, width="2")) == expected.sum()


def test_resolutions_apart_bins_and_cut_objects(app: Open, shapes: OpenRun) -> None:
    counts, table = counted(shapes, None)
    gsd, coco = counts.tiles["gsd"].to_numpy(), EDGE_SETS["coco"]
    at = app(PAGE, of=NAMES[1], series="gsd", bins="coco", cut="with")
    frame = frame_with(at, "size_recall")
    apart = size_bins_by_gsd(table, gsd, 3, edges=coco, with_edge_cut=True)
    assert frame["series"].tolist() == ["25 cm"] * 3 + ["50 cm"] * 3
    np.testing.assert_array_equal(frame["truth"], np.concatenate([g.bins.truth[1] for g in apart]))
    assert any("that a tile's edge cuts are among them" in t for t in said(at))


def test_bad_links(app: Open, shapes: OpenRun) -> None:
    at = app(PAGE, of="marsh")
    assert any("names a class without objects here: marsh" in t for t in said(at))
    at = app(PAGE, bins="own_m2", edges="5, 3")
    assert any("do not ascend" in t and "Until then" in t for t in said(at))
    for query in (
        {"outcome": "lost"},
        {"size": "99"},
        {"taken": "../x"},
        {"leaf": "77"},
        {"first": "x"},
        {"gsd": "nan"},
    ):
        at = app(PAGE, of=NAMES[1], **query)
        assert not at.error
        assert listed(at) == (counted(shapes, None)[1]["cls"] == 1).sum()


@pytest.mark.parametrize("wanted", ["0", "999", "-1", "x", "1e3"])
def test_an_object_that_is_not_there(app: Open, shapes: OpenRun, wanted: str) -> None:
    at = app("worst_tiles", tile="east_0", object=wanted)
    assert any("an object that this tile does not have" in t for t in said(at))


def test_no_object_passes(app: Open, shapes: OpenRun) -> None:
    at = app(PAGE, of=NAMES[1], side="truth", outcome="untouched", edge="cut")
    assert any("No object is like that" in t for t in said(at))


def test_no_tile_passes(app: Open, shapes: OpenRun) -> None:
    at = app(PAGE, text="nowhere")
    assert any("No scored tile passes" in t for t in said(at))
    assert not at.dataframe


def test_scored_without_objects(app: Open, run: OpenRun, tiny: Path, own_cache: Path) -> None:
    opened = open_workspace(tiny).runs[1]
    opened.score(workers=1, objects=False)
    at = app(PAGE, run=opened.key)
    assert any("scored without objects (--no-objects)" in t for t in said(at))
    assert [b.label for b in at.button if b.key == f"score {opened.key}"] == ["Score again"]
    assert not at.dataframe


def test_not_scored(app: Open, tiny: Path) -> None:
    assert any("is not scored yet" in t for t in said(app(PAGE)))


def test_without_narrow_classes_one_line_says_how_to_mark_one(
    app: Open, tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_shapes(tmp_path / "broad", narrow=False, gsd=False)
    monkeypatch.setenv("ORTHOSCOPE_WORKSPACE", str(path))
    open_workspace(path).runs[0].score(workers=1)
    at = app(PAGE)
    assert any("narrow = true" in t for t in said(at))
    assert not any("taken" in d.value for d in at.dataframe)
    assert frame_with(at, "size_recall")["bin"].iloc[0] == "under 16 px"


def test_a_run_without_any_object(app: Open, run: OpenRun, tiny: Path) -> None:
    opened = open_workspace(tiny).runs[1]
    opened.score(workers=1)  # predicts background alone
    at = app(PAGE, run=opened.key, text="north")
    names = frame_with(at, "pq")["Class"].tolist()
    absent = names[3]
    at = app(PAGE, run=opened.key, text="north", of=absent)
    assert any(t.startswith(f"Neither map has an object of {absent}") for t in said(at))
