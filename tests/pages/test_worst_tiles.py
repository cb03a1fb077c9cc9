"""The Worst tiles page: orders, the chosen tile that stays chosen, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from analysis import OpenRun, open_workspace
from analysis.scores import ORDERS
from analysis.selection.model import Selection
from analysis.selection.ordering import Ordering, ordered
from tests.datasets import land_cover, write_labels, write_workspace
from ui.worst_tiles import table
from ui.worst_tiles.ranking import Ranked

Open = Callable[..., AppTest]


def in_link(at: AppTest, name: str) -> str | None:
    found = at.query_params.get(name)
    return found[-1] if isinstance(found, list) else found


def listed(at: AppTest) -> list[str]:
    return [str(name) for name in at.dataframe[0].value["tile"]]


def apart(at: AppTest) -> list[str]:
    frames = [frame.value for frame in at.dataframe if list(frame.value.columns) == ["tile"]]
    return [str(name) for name in frames[0]["tile"]] if frames else []


def chosen_row(at: AppTest) -> str | None:
    """The tile whose row is picked in the table, or among those without a value."""
    for frame in at.dataframe:
        key = frame.proto.id.split("-", 2)[-1]
        if "tile" in frame.value and (rows := at.session_state[key]["selection"]["rows"]):
            return str(frame.value["tile"].iloc[rows[0]])
    return None


def headings(at: AppTest) -> list[str]:
    return [s.value.replace("\\", "") for s in at.subheader]


@pytest.mark.parametrize("order", ORDERS)
def test_each_order_is_that_of_the_core(app: Open, run: OpenRun, order: str) -> None:
    at = app("worst_tiles", order=order)
    found = ordered(run.counts(), Selection(), Ordering(order=order)).tiles
    assert listed(at) == found["id"][found["status"] == "scored"].tolist()
    heading = ORDERS[order].heading
    assert headings(at)[0] == (f"{heading} (seed 1)" if order == "random" else heading)
    assert (in_link(at, "seed") == "1") == (order == "random")


def test_a_seed_in_the_link_and_a_new_one(app: Open, run: OpenRun) -> None:
    at = app("worst_tiles", order="random", seed="7")
    assert headings(at)[0] == "Random tiles (seed 7)"
    assert listed(at) == list(ordered(run.counts(), Selection(), Ordering(order="random", seed=7)).tiles["id"])[:4]
    at.button(key="shuffle").click().run()
    seed = in_link(at, "seed")
    assert seed != "7"
    assert headings(at)[0] == f"Random tiles (seed {seed})"
    at.selectbox(key="choice_order").set_value(0).run()
    assert headings(at)[0] == "Worst tiles"
    assert "seed" not in at.query_params


def test_a_seed_that_is_none_is_said(app: Open, run: OpenRun) -> None:
    at = app("worst_tiles", order="random", seed="x7")
    assert any("x7" in w.value for w in at.warning)
    assert headings(at)[0] == "Random tiles (seed 1)"


@pytest.fixture
def three(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OpenRun:
    """Three tiles; each class is in some of them only."""
    folder = tmp_path / "three"
    rows = {
        "plain": ([[0, 0, 2, 2]], [[0, 0, 2, 2]]),
        "houses": ([[0, 0, 1, 1]], [[0, 0, 0, 0]]),
        "mixed": ([[0, 0, 2, 2]], [[0, 0, 0, 2]]),
    }
    for name, (truth, prediction) in rows.items():
        write_labels(folder / "masks" / f"{name}.png", np.repeat(np.array(truth, np.uint8), 4, axis=0))
        write_labels(folder / "predictions" / f"{name}.png", np.repeat(np.array(prediction, np.uint8), 4, axis=0))
    path = write_workspace(folder)
    monkeypatch.setenv("ORTHOSCOPE_WORKSPACE", str(path))
    found = open_workspace(path).runs[0]
    found.score(workers=1)
    return found


def test_the_chosen_tile_stays_chosen(app: Open, three: OpenRun) -> None:
    at = app("worst_tiles", rank="metric", by="iou")
    assert listed(at) == ["houses", "mixed", "plain"]
    at = app("worst_tiles", rank="metric", by="iou", tile="plain")
    assert chosen_row(at) == "plain"
    at.selectbox(key="choice_cls").set_value(3).run()  # woodland
    assert (listed(at), apart(at), chosen_row(at)) == (["mixed", "plain"], ["houses"], "plain")
    at.selectbox(key="choice_cls").set_value(2).run()  # building
    assert (listed(at), apart(at), chosen_row(at)) == (["houses"], ["mixed", "plain"], "plain")
    assert any("plain stays chosen" in c.value for c in at.caption)
    assert not at.warning
    for order in range(len(ORDERS)):
        at.selectbox(key="choice_order").set_value(order).run()
        assert chosen_row(at) == "plain"
    at.text_input(key="text").set_value("i").run()  # plain and mixed pass
    assert chosen_row(at) == "plain"
    at.text_input(key="text").set_value("mix").run()
    assert any("plain does not pass the filters" in w.value for w in at.warning)
    at.text_input(key="text").set_value("").run()
    assert chosen_row(at) == "plain"
    assert not at.exception


def test_the_gallery_of_a_link(app: Open, run: OpenRun) -> None:
    at = app("worst_tiles", show="gallery", thumbs="truth")
    assert at.selectbox(key="choice_thumbs").value == 3
    assert not at.dataframe or list(at.dataframe[0].value.columns) != ["tile", "value"]
    assert (run.store.folder / "thumbnails").is_dir()


def test_the_display_survives_another_page(app: Open, run: OpenRun) -> None:
    at = app("worst_tiles", show="gallery", thumbs="errors", order="random", seed="9", tile="_a_")
    at.switch_page("pages/overview.py").run()
    for name in list(at.query_params):
        del at.query_params[name]
    at.run()
    at.switch_page("pages/worst_tiles.py").run()
    kept = {name: in_link(at, name) for name in ("show", "thumbs", "order", "seed", "tile")}
    assert kept == {"show": "gallery", "thumbs": "errors", "order": "random", "seed": "9", "tile": "_a_"}


def test_pages_of_the_gallery(app: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = land_cover(tmp_path / "many", 90, size=16)
    monkeypatch.setenv("ORTHOSCOPE_WORKSPACE", str(path))
    opened = open_workspace(path).runs[0]
    opened.score(workers=1)
    names = ordered(opened.counts(), Selection(), Ordering()).tiles["id"].tolist()
    at = app("worst_tiles", show="gallery", page="2")
    assert in_link(at, "page") == "2"
    kept = len(list((opened.store.folder / "thumbnails").iterdir()))
    assert kept == 40, "of the page that is looked at, and no other"
    app("worst_tiles", show="gallery", tile=names[-1])
    assert len(list((opened.store.folder / "thumbnails").iterdir())) == 50, "the page of the chosen tile"
    at.selectbox(key="choice_order").set_value(1).run()
    assert "page" not in at.query_params


def test_what_the_table_says_it_has() -> None:
    def said(order: str, many: int) -> str:
        ranking = type("R", (), {"order": np.arange(many)})()
        return table.what_is_shown(Ranked(Ordering(order=order, seed=3), ranking, [], [], ""))  # type: ignore[arg-type]

    assert said("worst", 7470).startswith("The worst 500 of 7,470 tiles.")
    assert said("best", 7470).startswith("The best 500 of 7,470 tiles.")
    assert "nearest to the median" in said("median", 501)
    assert "seed 3" in said("random", 501)
    assert said("worst", 1) == "1 tile, worst first."
