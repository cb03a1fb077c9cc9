"""The Overview page: its numbers are those of the core, also under filters; links keep its choices."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from analysis import OpenRun, open_workspace
from analysis.reading.raster import write_raster
from analysis.scores import accuracy, by_scene, concentration, headline, no_change, pool, pooled_by_class, wrong_by_tile
from tests.pages.tiny import NAMES

Open = Callable[..., AppTest]


def frame_with(at: AppTest, column: str):
    return next(d.value for d in at.dataframe if column in d.value)


@pytest.mark.parametrize(
    ("query", "ids", "among"),
    [
        ({}, None, None),
        ({"text": "_"}, ["north_0", "_a_"], None),
        ({"classes": ["$x$", "_a_"]}, None, [2, 4]),
        ({"text": "_", "classes": ["$x$"]}, ["north_0", "_a_"], [2]),
    ],
)
def test_numbers_of_the_core(
    app: Open, run: OpenRun, query: dict, ids: list[str] | None, among: list[int] | None
) -> None:
    at = app("overview", **query)
    everything = run.counts().scored
    kept = everything if ids is None else everything.take(everything.tiles["id"].isin(ids).to_numpy())
    head = headline("pooled", kept.confusion, kept.classes, among=among)
    values = {m.label: m for m in at.metric}
    assert values["Mean IoU"].value == f"{head.value:.4f}"
    assert values["Accuracy"].value == f"{float(accuracy(pool(kept.confusion))):.4f}"
    of_all = headline("pooled", everything.confusion, kept.classes, among=among).value
    assert values["Mean IoU"].delta == ("" if ids is None else f"{head.value - of_all:+.4f}")
    table = pooled_by_class(kept.confusion, kept.arrays["bands"])
    np.testing.assert_array_equal(frame_with(at, "iou")["iou"], table.iou)
    held = concentration(wrong_by_tile(kept.confusion))
    half = held.holding(0.5)
    captions = [c.value.replace("\\", "") for c in at.caption]
    assert any(f"of {len(kept)} " in c and f"half of the {held.total:,} wrong px" in c for c in captions)
    assert any(c.startswith(f"{half} tile") for c in captions)


def test_choices_are_kept_in_the_link(app: Open, run: OpenRun) -> None:
    at = app("overview", matrix="px", loss="$x$")
    assert at.selectbox(key="choice_loss").value == 1 + NAMES.index("$x$")
    captions = [c.value.replace("\\", "") for c in at.caption]
    assert any(c.startswith("Pixels, of the ground truth in rows") for c in captions)
    scored = run.counts().scored
    held = concentration(wrong_by_tile(scored.confusion, NAMES.index("$x$")))
    assert any(f"half of the {held.total:,} wrong px" in c for c in captions)
    assert not at.error
    for name, value in (("matrix", "sideways"), ("loss", "marsh"), ("sort", "colour")):
        assert not app("overview", **{name: value}).error


def test_without_scenes_one_line_says_so(app: Open, run: OpenRun) -> None:
    at = app("overview")
    assert any("carry no scene" in c.value for c in at.caption)
    assert not any("scene" in d.value for d in at.dataframe)


@pytest.fixture
def change(tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> OpenRun:
    """A change dataset of 12 tiles in three scenes; three without change, one of them with a false alarm."""
    folder = tmp_path / "change"
    for name in ("truth", "found"):
        (folder / name).mkdir(parents=True)
    for i in range(12):
        truth = np.zeros((64, 64), np.uint8)
        if i >= 3:
            truth[10:40, 10:50] = 255
        found = truth.copy()
        found[10 : 10 + 2 * i, 10:50] = 0
        if i in (1, 5):
            found[60:, 60:] = 255
        name = f"{('west', 'east', 'south')[i % 3]}_{i}.png"
        write_raster(folder / "truth" / name, truth, driver="PNG")
        write_raster(folder / "found" / name, found, driver="PNG")
    path = folder / "workspace.toml"
    path.write_text(
        """
[[dataset]]
name = "pairs"
task = "change"
root = "."
truth = "truth/{scene}_{n}.png"
[[run]]
model = "m"
dataset = "pairs"
predictions = "found/{scene}_{n}.png"
""",
        encoding="utf-8",
    )
    monkeypatch.setenv("ORTHOSCOPE_WORKSPACE", str(path))
    opened = open_workspace(path).runs[0]
    opened.score(workers=1)
    return opened


def test_change(change: OpenRun, app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORTHOSCOPE_WORKSPACE", str(change.workspace.path))
    at = app("overview")
    scored = change.counts().scored
    table = pooled_by_class(scored.confusion)
    values = {m.label: m.value for m in at.metric}
    assert values["IoU of changed"] == f"{table.iou[1]:.4f}"
    assert (values["Precision"], values["Recall"]) == (f"{table.precision[1]:.4f}", f"{table.recall[1]:.4f}")
    quiet = no_change(scored.confusion)
    assert values["False alarms"] == f"{quiet.alarmed} of {quiet.tiles}" == "1 of 3"
    said = [m.value.replace("\\", "") for m in at.markdown]
    assert any("of the ground truth of changed is predicted as unchanged" in m for m in said)
    assert any(m.startswith("Half of all wrong pixels lie in") for m in said)
    assert any(m.startswith("1 of 3 tiles without changed has a false alarm.") for m in said)
    scenes = by_scene(scored.confusion, scored.tiles["scene"], scored.classes)
    frame = frame_with(at, "scene")
    order = np.argsort(scenes.values, kind="stable")
    assert frame["scene"].tolist() == [scenes.scenes[i] for i in order]
    np.testing.assert_array_equal(frame["score"], scenes.values[order])
    np.testing.assert_array_equal(frame["wrong"], scenes.wrong_pixels[order])
    assert frame_with(app("overview", sort="name"), "scene")["scene"].tolist() == ["east", "south", "west"]


def test_one_scene_is_one_line(change: OpenRun, app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORTHOSCOPE_WORKSPACE", str(change.workspace.path))
    at = app("overview", scene="east")
    assert any("are of one scene, east" in c.value for c in at.caption)
    assert not any("scene" in d.value for d in at.dataframe)


def test_a_selection_without_tiles_ends_after_the_headline(app: Open, run: OpenRun) -> None:
    at = app("overview", text="nowhere")
    assert at.metric[0].value == "–"
    assert any("No scored tile passes" in i.value for i in at.info)
    assert not at.table
