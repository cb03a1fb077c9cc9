"""The app in a browser: a cold link, a click on a row, pictures, keys, charts that lead on, and downloads."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

from analysis import open_workspace
from analysis.scores import CountsBundle, RankBy, headline, rank_tiles
from tests.browser.conftest import Watched, serving
from tests.pages.tiny import NAMES, RUN, make_tiny

Open = Callable[[str], Watched]
_ROW, _HEADER = 33, 35  # px of the table


def query_of(watched: Watched) -> dict[str, list[str]]:
    return parse_qs(urlsplit(watched.page.url).query)


def test_worst_tiles_from_a_cold_link(tmp_path: Path, own_cache: Path, open_page: Open) -> None:
    workspace = make_tiny(tmp_path / "tiny")
    run = open_workspace(workspace).run(RUN)
    run.score(workers=1)
    counts = run.counts()
    scored = counts.scored
    ranking = rank_tiles(CountsBundle(confusion=scored.confusion), scored.classes, RankBy("damage"))
    names = scored.tiles["id"].iloc[ranking.order].tolist()

    with serving(ORTHOSCOPE_WORKSPACE=str(workspace), ORTHOSCOPE_CACHE=str(own_cache)) as address:
        watched = open_page(f"{address}/worst_tiles?{urlencode({'tile': names[0]})}")
        page = watched.page
        page.get_by_role("heading", name="Worst tiles", exact=True).wait_for(timeout=60_000)
        page.get_by_text(f"1 of {len(names)}").wait_for()
        watched.settle()
        assert page.get_by_role("link", name="Overview").is_visible(), "the router's own navigation"
        viewer = page.locator(".viewer")
        assert viewer.locator("[data-part=title]").inner_text() == names[0]

        # a row, its pictures, and the next one by key
        table = page.locator("[class*=st-key-tiles_] canvas").first.bounding_box()
        assert table is not None
        page.mouse.click(table["x"] + 150, table["y"] + _HEADER + 1.5 * _ROW)
        page.get_by_text(f"2 of {len(names)}").wait_for()
        watched.settle()
        assert query_of(watched)["tile"] == [names[1]]
        assert viewer.get_attribute("data-tile") == names[1]
        assert viewer.locator("canvas").count() >= 4
        assert all(viewer.locator("canvas").nth(i).get_attribute("aria-label") for i in range(4))
        page.keyboard.press("ArrowRight")
        page.get_by_text(f"3 of {len(names)}").wait_for()
        watched.settle()
        assert query_of(watched)["tile"] == [names[2]]
        assert viewer.get_attribute("data-tile") == names[2]
        chips = viewer.locator("[data-part=chips]")
        assert [name for name in NAMES if not chips.get_by_text(name, exact=True).count()] == []

        # the same link elsewhere
        other = open_page(page.url)
        other.page.get_by_text(f"3 of {len(names)}").wait_for(timeout=60_000)

        # what is downloaded is what is shown
        with page.expect_download() as download:
            page.get_by_role("button", name="CSV", exact=True).click()
        content = Path(download.value.path()).read_bytes()
        rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
        assert [row["tile"] for row in rows] == [*names, *counts.tiles["id"][counts.tiles["status"] == "refused"]]
        with page.expect_download() as download:
            page.get_by_role("button", name="How it was made").first.click()
        made = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
        assert made["selection"]["rank"] == {"ranking": "damage"}

        # the overview, and a click on a confusion that leads back
        page.get_by_role("link", name="Overview").click()
        page.get_by_role("heading", name="Overview", exact=True).wait_for()
        watched.settle(1200)
        value = f"{headline('pooled', scored.confusion, scored.classes).value:.4f}"
        assert page.locator("[data-testid=stMetricValue]").first.inner_text() == value
        chart = page.locator(".st-key-confusion_truth .nsewdrag").first
        chart.scroll_into_view_if_needed()
        box = chart.bounding_box()
        assert box is not None
        columns = len(NAMES) + 1  # there are px outside the class list
        spot = box["x"] + box["width"] * 0.5 / columns, box["y"] + box["height"] * 2.5 / len(NAMES)
        page.mouse.move(*spot)
        page.wait_for_timeout(500)
        page.mouse.click(*spot)
        page.get_by_role("heading", name="Worst tiles", exact=True).wait_for()
        watched.settle()
        query = query_of(watched)
        assert (query["rank"], query["truth"]) == (["confusion"], [NAMES[2]])
        assert watched.strange == []
        assert other.strange == []


def test_the_first_launch_makes_the_demo_once_for_two_visitors(own_cache: Path, open_page: Open) -> None:
    with serving(ORTHOSCOPE_CACHE=str(own_cache)) as address:
        first, second = open_page(f"{address}/worst_tiles"), open_page(address)
        first.page.get_by_role("heading", name="Welcome to Orthoscope").wait_for(timeout=60_000)
        second.page.get_by_role("heading", name="Data", exact=True).wait_for(timeout=300_000)
        first.page.get_by_role("heading", name="Worst tiles", exact=True).wait_for(timeout=60_000)
        first.settle()
        runs = open_workspace(own_cache / "demo" / "workspace.toml").runs
        assert all(run.scored for run in runs)
        scored = runs[0].counts().scored
        value = f"{headline('pooled', scored.confusion, scored.classes).value:.4f}"
        second.page.get_by_text(value).first.wait_for(timeout=60_000)
        first.page.get_by_text(f"1 of {len(scored)}").first.wait_for(timeout=60_000)
        log = (own_cache / "demo-making" / "demo.log").read_text(encoding="utf-8")
        assert log.count("The demo is ready") == 1
        assert first.strange == []
        assert second.strange == []
