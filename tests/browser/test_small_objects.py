"""The page of small and narrow objects in a browser: from a bar to its objects, one of them on its tile, and a file."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import numpy as np

from analysis import open_workspace
from analysis.words.outcomes import PREDICTION, UNTOUCHED
from tests.browser.conftest import Watched, serving
from tests.browser.test_overview import click
from tests.shapes import NAMES, make_shapes

Open = Callable[[str], Watched]


def query_of(watched: Watched) -> dict[str, list[str]]:
    return parse_qs(urlsplit(watched.page.url).query)


def test_from_a_bar_to_an_object_on_its_tile(tmp_path: Path, own_cache: Path, open_page: Open) -> None:
    workspace = make_shapes(tmp_path / "shapes")
    run = open_workspace(workspace).runs[0]
    run.score(workers=1)
    counts = run.counts()
    table = run.objects(counts)
    false = table[(table["cls"] == 1) & (table["side"] == PREDICTION) & (table["outcome"] == UNTOUCHED)]
    assert len(false) == 4

    with serving(ORTHOSCOPE_WORKSPACE=str(workspace), ORTHOSCOPE_CACHE=str(own_cache)) as address:
        watched = open_page(f"{address}/small_and_narrow")
        page = watched.page
        page.locator("[class*=st-key-outcome_chart] .nsewdrag").first.wait_for(timeout=60_000)
        watched.settle()
        assert page.get_by_role("button", name="Clear", exact=True).count() == 0

        # the last part of the second bar: false houses
        click(watched, "outcome_chart_0", 0.98 / 1.1, (0.9 + 0.5) / (2.3 + 0.9 + 0.9))
        page.get_by_text("4 objects of <b>house on 4 tiles").wait_for()
        watched.settle()
        query = query_of(watched)
        assert (query["of"], query["side"], query["outcome"]) == ([NAMES[1]], ["prediction"], ["untouched"])
        tiles = page.locator(".gallery .tile[data-state=ready]")
        tiles.nth(3).wait_for(timeout=30_000)
        assert tiles.count() == 4
        box = page.locator(".gallery").bounding_box()
        assert box is not None
        assert 0 < box["y"] < box["y"] + box["height"] < 900, "the browser went to the list"
        assert page.locator(".gallery img").first.evaluate("e => [e.naturalWidth, e.naturalHeight]") == [240, 240]

        with page.expect_download() as download:
            page.locator(".st-key-objects_csv button:visible").first.click()
        rows = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text(encoding="utf-8-sig"))))
        ids = counts.tiles["id"].to_numpy()
        assert [(r["tile"], int(r["object"])) for r in rows] == [
            (ids[tile], number + 1) for tile, number in zip(false["tile"], false["number"], strict=True)
        ]
        assert {r["outcome"] for r in rows} == {"false"}

        # Enter on the second one
        tiles.nth(1).focus()
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="Worst tiles", exact=True).wait_for()
        second = false.iloc[1]
        page.locator(f'.viewer[data-tile="{ids[second["tile"]]}"][data-state=ready]').wait_for(timeout=20_000)
        watched.settle()
        query = query_of(watched)
        assert (query["tile"], query["object"]) == ([ids[second["tile"]]], [str(second["number"] + 1)])
        assert page.locator(".viewer [data-part=frame]").is_visible(), "the object is framed"

        # another tile is shown without a frame, and the object leaves the link
        page.locator(".viewer").first.focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(1500)
        if query_of(watched).get("tile") == query["tile"]:
            page.keyboard.press("ArrowLeft")
            page.wait_for_timeout(1500)
        assert "object" not in query_of(watched)
        assert not page.locator(".viewer [data-part=frame]").is_visible()

        # back: the filters are as they were left
        page.get_by_role("link", name="Small and narrow objects").click()
        page.get_by_text("4 objects of <b>house on 4 tiles").wait_for()
        watched.settle()
        page.get_by_role("button", name="Clear", exact=True).click()
        total = int(np.sum(table["cls"] == 1))
        page.get_by_text(f"{total} objects of <b>house on 4 tiles").wait_for()
        assert watched.strange == []
