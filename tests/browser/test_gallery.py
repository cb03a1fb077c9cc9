"""The gallery in a browser: it fills, a picked tile is shown, keys, pages, orders, and a cold link."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Page

from analysis import OpenRun, open_workspace
from analysis.scores import RankBy
from analysis.selection.model import Selection
from analysis.selection.ordering import Ordering, ordered
from tests.browser.conftest import Watched, serving
from tests.datasets import land_cover

Open = Callable[[str], Watched]
MANY, SIDE = 85, 64
FOCUSED = """() => {
  let found = document.activeElement;
  while (found?.shadowRoot) found = found.shadowRoot.activeElement;
  return found?.dataset.tile ?? null;
}"""


@pytest.fixture
def run(tmp_path: Path) -> OpenRun:
    found = open_workspace(land_cover(tmp_path / "many", MANY, size=SIDE, distinct=MANY)).runs[0]
    found.score(workers=1)
    return found


def in_order(run: OpenRun, order: str, seed: int = 1, by: RankBy | None = None) -> list[str]:
    return ordered(run.counts(), Selection(), Ordering(by or RankBy(), order, seed)).tiles["id"].tolist()


def shown(page: Page) -> list[str]:
    return page.locator(".gallery .tile").evaluate_all("found => found.map((e) => e.dataset.tile)")


def outlined(page: Page) -> str | None:
    return page.locator(".gallery .tile[aria-current=true]").get_attribute("data-tile")


def wait_for_gallery(page: Page, first: str) -> None:
    page.locator(f'.gallery li:first-child .tile[data-tile="{first}"]').wait_for(timeout=60_000)
    page.locator(".gallery .tile:not([data-state=ready])").first.wait_for(state="detached", timeout=30_000)


def wait_for_tile(page: Page, tile: str) -> None:
    page.locator(f'.viewer[data-tile="{tile}"][data-state=ready]').wait_for(timeout=20_000)
    page.locator(f'.gallery .tile[data-tile="{tile}"][aria-current=true]').wait_for(timeout=20_000)


def query_of(page: Page) -> dict[str, list[str]]:
    page.wait_for_timeout(300)
    return parse_qs(urlsplit(page.url).query)


def choose(page: Page, name: str, option: str) -> None:
    page.locator(f".st-key-choice_{name} [role=combobox], .st-key-choice_{name} input").first.click()
    page.get_by_role("option", name=option, exact=True).click()


def test_the_gallery(run: OpenRun, own_cache: Path, open_page: Open) -> None:
    names = in_order(run, "worst")
    with serving(ORTHOSCOPE_WORKSPACE=str(run.workspace.path), ORTHOSCOPE_CACHE=str(own_cache)) as address:
        watched = open_page(f"{address}/worst_tiles?show=gallery")
        page = watched.page
        wait_for_gallery(page, names[0])
        assert shown(page) == names[:40]
        image = page.locator(".gallery img").nth(2)
        assert image.evaluate("(e) => [e.naturalWidth, e.naturalHeight]") == [SIDE, SIDE]
        assert (image.get_attribute("alt") or "").startswith(f"tile {names[2]}, Damage +")
        assert len(list((run.store.folder / "thumbnails").iterdir())) == 40

        # a picked tile is shown beside; left and right go on, up and down move by rows, Enter picks
        page.locator(".gallery .tile").nth(6).click()
        wait_for_tile(page, names[6])
        assert query_of(page)["tile"] == [names[6]]
        page.keyboard.press("ArrowRight")
        wait_for_tile(page, names[7])
        page.keyboard.press("ArrowLeft")
        wait_for_tile(page, names[6])
        page.wait_for_timeout(300)
        assert page.evaluate(FOCUSED) == names[6]
        columns = page.locator(".gallery .grid").evaluate(
            "e => getComputedStyle(e).gridTemplateColumns.split(' ').length"
        )
        page.keyboard.press("ArrowDown")
        assert page.evaluate(FOCUSED) == names[6 + columns]
        assert outlined(page) == names[6]
        page.keyboard.press("Enter")
        wait_for_tile(page, names[6 + columns])
        page.keyboard.press("ArrowUp")
        assert page.evaluate(FOCUSED) == names[6]
        stops = page.locator('.gallery .tile[tabindex="0"]').evaluate_all("found => found.length")
        assert stops == 1, "one stop of the Tab key"

        # pages; a step that leaves the page takes the gallery along
        page.get_by_role("button", name="Next page").click()
        wait_for_gallery(page, names[40])
        assert query_of(page)["page"] == ["2"]
        page.locator(".gallery .tile").last.click()
        wait_for_tile(page, names[79])
        page.keyboard.press("ArrowRight")
        wait_for_tile(page, names[80])
        wait_for_gallery(page, names[80])
        assert shown(page) == names[80:]
        assert "page" not in query_of(page)

        # another order keeps the tile, and its page
        choose(page, "order", "best first")
        best = in_order(run, "best")
        at = best.index(names[80]) // 40 * 40
        wait_for_gallery(page, best[at])
        wait_for_tile(page, names[80])
        page.get_by_role("heading", name="Best tiles", exact=True).wait_for()
        choose(page, "order", "random")
        page.get_by_role("heading", name="Random tiles (seed 1)").wait_for()
        wait_for_tile(page, names[80])
        with page.expect_download() as download:
            page.get_by_role("button", name="CSV", exact=True).click()
        content = Path(download.value.path()).read_text(encoding="utf-8-sig")
        assert [row["tile"] for row in csv.DictReader(io.StringIO(content))] == in_order(run, "random", 1)

        # what it shows survives a reload, and a link opens it elsewhere
        choose(page, "thumbs", "ground truth")
        page.wait_for_timeout(500)
        query = query_of(page)
        assert {k: query[k] for k in ("show", "thumbs", "order", "seed", "tile")} == {
            "show": ["gallery"],
            "thumbs": ["truth"],
            "order": ["random"],
            "seed": ["1"],
            "tile": [names[80]],
        }
        other = open_page(page.url)
        wait_for_tile(other.page, names[80])
        other.page.locator(".gallery .tile[data-state=ready]").first.wait_for()
        assert shown(other.page) == shown(page)

        # away and back: the browser was told what it has; what it lost is sent again
        page.get_by_role("link", name="Overview").click()
        page.get_by_role("heading", name="Overview", exact=True).wait_for()
        watched.settle()
        page.get_by_role("link", name="Worst tiles").click()
        wait_for_tile(page, names[80])
        page.locator(".gallery .tile:not([data-state=ready])").first.wait_for(state="detached")
        assert watched.strange == []
        assert other.strange == []


def test_the_chosen_tile_stays_chosen(run: OpenRun, own_cache: Path, open_page: Open) -> None:
    by = RankBy("metric", metric="iou", class_index=4)
    names = in_order(run, "worst", by=by)
    tile = names[30]
    query = urlencode({"show": "gallery", "tile": tile})
    with serving(ORTHOSCOPE_WORKSPACE=str(run.workspace.path), ORTHOSCOPE_CACHE=str(own_cache)) as address:
        watched = open_page(f"{address}/worst_tiles?{query}")
        page = watched.page
        wait_for_tile(page, tile)
        choose(page, "rank", "Score of the tile")
        wait_for_tile(page, tile)
        choose(page, "cls", "road")
        wait_for_gallery(page, names[0])
        wait_for_tile(page, tile)
        assert shown(page) == names[:40]
        assert query_of(page)["tile"] == [tile]
        assert watched.strange == []


def test_a_tile_that_cannot_be_read_says_so(run: OpenRun, own_cache: Path, open_page: Open) -> None:
    names = in_order(run, "worst")
    broken = run.dataset.root / "masks" / f"{names[1]}.png"
    broken.write_bytes(broken.read_bytes()[:60])
    with serving(ORTHOSCOPE_WORKSPACE=str(run.workspace.path), ORTHOSCOPE_CACHE=str(own_cache)) as address:
        watched = open_page(f"{address}/worst_tiles?show=gallery")
        page = watched.page
        tile = page.locator(f'.gallery .tile[data-tile="{names[1]}"]')
        tile.and_(page.locator("[data-state=fault]")).wait_for(timeout=60_000)
        assert f"{names[1]}.png" in tile.inner_text()
        page.locator(".gallery .tile[data-state=waiting]").first.wait_for(state="detached", timeout=30_000)
        assert page.locator(".gallery .tile[data-state=ready]").count() == 39
        boxes = page.locator(".gallery .tile").evaluate_all("found => [...new Set(found.map((e) => e.offsetHeight))]")
        assert len(boxes) == 1, "nothing jumps: each tile takes the same room"
        assert watched.strange == []
