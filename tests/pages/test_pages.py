"""Every page through the entry file: numbers of the core, links, names, and what is said where there is nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from analysis import OpenRun
from analysis.scores import CONVENTIONS, CountsBundle, RankBy, headline, pooled_by_class, rank_tiles
from tests.pages.conftest import ENTRY
from tests.pages.tiny import DATASET, MODEL, NAMES, TILES

PAGES = ("data", "overview", "worst_tiles")
Open = Callable[..., AppTest]


def texts(at: AppTest) -> Iterator[str]:
    """Everything on the page that is read as Markdown."""
    for kind in ("markdown", "caption", "title", "header", "subheader", "info", "warning", "error"):
        for element in at.get(kind):
            yield str(element.value)
    for box in at.expander:
        yield box.label


@pytest.mark.parametrize("page", PAGES)
def test_page_of_a_scored_run(app: Open, run: OpenRun, page: str) -> None:
    at = app(page)
    assert not at.error


@pytest.mark.parametrize("page", PAGES)
def test_page_without_its_frame(run: OpenRun, page: str) -> None:
    at = AppTest.from_file(ENTRY, default_timeout=60).run()
    at.switch_page(f"pages/{page}.py").run()
    assert not at.exception
    assert not at.error


@pytest.mark.parametrize("page", PAGES)
def test_names_are_never_markup(app: Open, run: OpenRun, page: str) -> None:
    at = app(page)
    shown = [text.replace("`", "") if text.count("`") > 1 else text for text in texts(at)]
    for name in (*NAMES[1:], *TILES[1:], MODEL, DATASET):
        for text in shown:
            assert name not in text, f"{name!r} stands unescaped in {text!r}"


def test_overview_says_what_the_core_says(app: Open, run: OpenRun) -> None:
    at = app("overview")
    scored = run.counts().scored
    head = headline("pooled", scored.confusion, scored.classes)
    assert at.metric[0].label == "Mean IoU"
    assert at.metric[0].value == f"{head.value:.4f}"
    captions = [c.value.replace("\\", "") for c in at.caption]
    assert head.caption.replace("\\", "") in captions
    table = at.table[0].value
    wanted = [headline(c, scored.confusion, scored.classes).value for c in CONVENTIONS]
    assert [float(v.strip("*")) for v in table["Score"]] == pytest.approx(wanted, abs=5e-5)
    frame = at.dataframe[0].value
    pooled = pooled_by_class(scored.confusion, scored.arrays["bands"])
    assert list(frame["Class"]) == list(NAMES)
    for name in ("iou", "precision", "recall", "f1", "boundary_iou", "truth_pixels", "predicted_pixels"):
        np.testing.assert_array_equal(frame[name], getattr(pooled, name))


def test_filters_of_a_link_give_the_score_of_the_subset(app: Open, run: OpenRun) -> None:
    at = app("overview", text="north")
    scored = run.counts().scored
    kept = scored.take((scored.tiles["id"] == "north_0").to_numpy())
    assert at.metric[0].value == f"{headline('pooled', kept.confusion, kept.classes).value:.4f}"
    assert at.metric[-1].value == "1"


def test_refused_tiles_are_named(app: Open, run: OpenRun) -> None:
    at = app("data")
    refused = next(d.value for d in at.dataframe if "reason" in d.value)
    assert list(refused["tile"]) == ["$y$"]
    assert any("1 tile refused" in m.value for m in app("overview").markdown)


def test_worst_tiles_in_the_order_of_the_core(app: Open, run: OpenRun) -> None:
    at = app("worst_tiles")
    scored = run.counts().scored
    ranking = rank_tiles(CountsBundle(confusion=scored.confusion), scored.classes, RankBy("damage"))
    names = scored.tiles["id"].iloc[ranking.order].tolist()
    table = at.dataframe[0].value
    assert table["tile"].tolist() == names
    np.testing.assert_array_equal(table["value"], ranking.values[ranking.order])
    assert not at.exception


def test_a_link_opens_its_ranking_and_tile(app: Open, run: OpenRun) -> None:
    at = app("worst_tiles", rank="metric", by="recall", cls="$x$", tile="_a_")
    scored = run.counts().scored
    by = RankBy("metric", metric="recall", class_index=NAMES.index("$x$"))
    ranking = rank_tiles(CountsBundle(confusion=scored.confusion), scored.classes, by)
    assert at.dataframe[0].value["tile"].tolist() == scored.tiles["id"].iloc[ranking.order].tolist()
    assert at.selectbox(key="choice_by").value == 2
    assert any("without a value" in box.label for box in at.expander)


def test_a_link_to_a_confusion(app: Open, run: OpenRun) -> None:
    at = app("worst_tiles", rank="confusion", truth="_a_", predicted="outside the class list")
    assert any("One confusion" in str(box.options) for box in at.selectbox)
    scored = run.counts().scored
    assert at.dataframe[0].value["value"].max() == scored.confusion[:, 4, 5].max()


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"run": "nobody@nowhere"}, "nobody"),
        ({"present": "marsh"}, "marsh"),
        ({"tile": "$y$"}, "was refused"),
        ({"tile": "elsewhere"}, "is not in this run"),
    ],
)
def test_what_a_link_names_and_is_not_there_is_said(app: Open, run: OpenRun, query: dict[str, str], said: str) -> None:
    at = app("worst_tiles", **query)
    assert any(said in w.value for w in at.warning)
    assert at.dataframe[0].value["tile"].tolist()


def test_a_filter_that_no_tile_passes(app: Open, run: OpenRun) -> None:
    assert any("No scored tile passes" in i.value for i in app("worst_tiles", text="nowhere").info)
    assert app("overview", text="nowhere").metric[0].value == "–"


@pytest.mark.parametrize("page", ["overview", "worst_tiles"])
def test_an_unscored_run_offers_to_score(app: Open, tiny: Path, page: str) -> None:
    at = app(page, run=f"second@{DATASET}")
    assert any("not scored yet" in i.value for i in at.info)
    assert any(b.label == "Score" for b in at.button)


def test_preflight_of_an_unscored_run_is_open(app: Open, tiny: Path) -> None:
    at = app("data")
    values = {m.label: m.value for m in at.metric}
    assert values["Pairs"] == "4"
    assert values["Without a pair"] == "1"


def test_a_broken_workspace_is_one_clear_line(tiny: Path) -> None:
    tiny.write_text('[[dataset]]\nname = "x"\ncolour = 3\n', encoding="utf-8")
    at = AppTest.from_file(ENTRY, default_timeout=60).run()
    assert not at.exception
    assert len(at.error) == 1
    assert "workspace" in at.error[0].value
    assert "Traceback" not in at.error[0].value


def test_a_missing_workspace_is_the_beginning_of_one(app: Open, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORTHOSCOPE_WORKSPACE", str(tiny.with_name("none.toml")))
    at = app("data")
    assert any("There is no file" in m.value and "none.toml" in m.value for m in at.markdown)
    assert [b.label for b in at.button] == ["Add dataset"]
    assert len(at.code) == 5, "every preset is explained"
    assert any("describes no run yet" in i.value for i in app("overview").info)


def test_a_workspace_without_runs_helps(app: Open, tiny: Path) -> None:
    text = tiny.read_text(encoding="utf-8")
    tiny.write_text(text[: text.index("[[run]]")], encoding="utf-8")
    assert any(b.label == "Add the first run" for b in app("data").button)
    tiny.write_text("", encoding="utf-8")
    assert any("describes no dataset yet" in m.value for m in app("data").markdown)


def test_an_unforeseen_error_shows_no_traceback(app: Open, run: OpenRun, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr("ui.overview.classes.draw", fail)
    at = app("overview")
    assert len(at.error) == 1
    assert "did not foresee" in at.error[0].value
    assert any("a fault of ours" in c.value for c in at.code)


def test_the_bar_says_the_score_of_the_selection_beside_that_of_all(app: Open, run: OpenRun) -> None:
    scored = run.counts().scored
    kept = scored.take((scored.tiles["id"] == "north_0").to_numpy())
    among = [NAMES.index("$x$"), NAMES.index("_a_")]
    here, everywhere = (headline("pooled", c.confusion, c.classes, among=among) for c in (kept, scored))
    for page in PAGES:
        at = app(page, text="north", classes=[NAMES[i] for i in among])
        said = next(m.value for m in at.markdown if "all tiles" in m.value)
        assert f"**{len(kept)}** of {len(scored)} tiles" in said
        assert f"**{here.value:.3f}**" in said
        assert f"all tiles {everywhere.value:.3f}" in said
    assert app("overview", text="north", classes=[NAMES[i] for i in among]).metric[0].value == f"{here.value:.4f}"


def test_a_chip_takes_its_filter_away(app: Open, run: OpenRun) -> None:
    at = app("overview", text="north", present=["$x$", "_a_"])
    assert at.button(key="chip text ").label.replace("\\", "") == "name contains north"
    at.button(key="chip text ").click().run()
    at.button(key="chip present $x$").click().run()
    assert at.text_input(key="text").value == ""
    assert at.multiselect(key="present").value == ["_a_"]
    assert [b.key for b in at.button if b.key and b.key.startswith("chip ")] == ["chip present _a_"]
