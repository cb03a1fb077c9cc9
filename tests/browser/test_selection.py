"""The selection on every page: cold links, the same numbers everywhere, files that changed, and the keyboard."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import numpy as np
import pytest

from analysis import OpenRun, open_workspace
from analysis.reading.raster import write_raster
from analysis.scores import headline
from analysis.selection.model import chosen, parse_selection
from tests.browser.conftest import Watched, serving
from tests.pages.tiny import NAMES, RUN, make_tiny

Open = Callable[[str], Watched]
HEADINGS = {
    "data": "Data",
    "overview": "Overview",
    "worst_tiles": "Worst tiles",
    "small_and_narrow": "Small and narrow objects",
}
QUERY = {"run": RUN, "text": "_", "classes": [NAMES[2], NAMES[4]], "wrong": "1"}


@pytest.fixture
def run(tmp_path: Path, own_cache: Path) -> OpenRun:
    opened = open_workspace(make_tiny(tmp_path / "tiny")).run(RUN)
    opened.score(workers=1)
    return opened


def served(run: OpenRun, cache: Path):
    return serving(ORTHOSCOPE_WORKSPACE=str(run.workspace.path), ORTHOSCOPE_CACHE=str(cache))


def said(run: OpenRun, query: str) -> tuple[list[str], str, str]:
    """Ids that pass a link's filters, and the scores of the selection and of all tiles as the bar says them."""
    selection, counts = parse_selection(query), run.counts()
    among = selection.among(counts.classes)
    passed = counts.take(chosen(counts, selection))
    values = [headline("pooled", c.confusion, c.classes, among=among).value for c in (passed.scored, counts.scored)]
    return passed.tiles["id"].tolist(), *(f"{value:.3f}" for value in values)


def wait_for_page(watched: Watched, page: str) -> None:
    watched.page.get_by_role("heading", name=HEADINGS[page], exact=True).wait_for(timeout=60_000)
    watched.settle()


@pytest.mark.parametrize("page", HEADINGS)
def test_a_cold_link_opens_its_page_with_its_selection(
    run: OpenRun, own_cache: Path, open_page: Open, page: str
) -> None:
    query = urlencode(QUERY, doseq=True)
    tiles, here, everywhere = said(run, query)
    with served(run, own_cache) as address:
        watched = open_page(f"{address}/{page}?{query}")
        wait_for_page(watched, page)
        text = watched.page.locator("body").inner_text()
        scored = [t for t in tiles if t != "$y$"]
        assert f"{len(scored)} of 4 tiles" in text
        assert f"{here} pooled, all tiles {everywhere}" in text
        assert watched.page.get_by_role("button", name="name contains _").is_visible()
        kept = parse_qs(urlsplit(watched.page.url).query)
        assert {name: kept[name] for name in ("text", "wrong", "classes")} == {
            "text": ["_"],
            "wrong": ["1"],
            "classes": [NAMES[2], NAMES[4]],
        }
        assert watched.strange == []


def test_a_filter_holds_on_every_page_and_in_the_csv(run: OpenRun, own_cache: Path, open_page: Open) -> None:
    with served(run, own_cache) as address:
        watched = open_page(f"{address}/overview")
        page = watched.page
        wait_for_page(watched, "overview")
        page.get_by_role("button", name="Filters").click()
        page.get_by_label("Tile name contains").fill("_")
        page.keyboard.press("Enter")
        page.keyboard.press("Escape")
        tiles, here, everywhere = said(run, "text=_")
        line = f"{here} pooled, all tiles {everywhere}"
        page.get_by_text(line).wait_for()
        watched.settle()
        shown = page.locator("[data-testid=stMetricValue]").first.inner_text()
        assert abs(float(shown) - float(here)) < 6e-4, "four digits here, three in the bar"
        page.get_by_role("link", name="Worst tiles").click()
        wait_for_page(watched, "worst_tiles")
        assert page.get_by_text(line).is_visible()
        assert page.get_by_text(f"1 of {len(tiles)}").first.is_visible()
        with page.expect_download() as download:
            page.get_by_role("button", name="CSV", exact=True).click()
        content = Path(download.value.path()).read_text(encoding="utf-8-sig")
        assert {row["tile"] for row in csv.DictReader(io.StringIO(content))} == set(tiles)

        # The link elsewhere, and a reload, show the same; the chip takes the filter away, here and in the link.
        other = open_page(page.url)
        wait_for_page(other, "worst_tiles")
        assert other.page.get_by_text(line).is_visible()
        page.reload()
        wait_for_page(watched, "worst_tiles")
        assert page.get_by_text(line).is_visible()
        page.get_by_role("button", name="name contains _").click()
        page.get_by_text("4 tiles").first.wait_for()
        watched.settle()
        assert "text" not in parse_qs(urlsplit(page.url).query)
        assert watched.strange == []
        assert other.strange == []


def test_names_are_shown_letter_by_letter(run: OpenRun, own_cache: Path, open_page: Open) -> None:
    with served(run, own_cache) as address:
        watched = open_page(
            f"{address}/worst_tiles?{urlencode({'tile': '<b>z<b>', 'text': '<b>', 'present': NAMES[1]})}"
        )
        wait_for_page(watched, "worst_tiles")
        page = watched.page
        assert page.locator(".viewer [data-part=title]").inner_text() == "<b>z<b>"
        assert page.get_by_role("button", name="name contains <b>").is_visible()
        assert page.get_by_role("button", name=f"with {NAMES[1]}").is_visible()
        assert page.locator("b", has_text="x").count() == 0
        assert [n for n in NAMES if not page.locator(".chip", has_text=n).count()] == []
        assert watched.strange == []


def test_files_that_changed_are_scored_again_without_a_restart(run: OpenRun, own_cache: Path, open_page: Open) -> None:
    with served(run, own_cache) as address:
        watched = open_page(address)
        page = watched.page
        wait_for_page(watched, "data")
        before = f"{headline('pooled', run.counts().scored.confusion, run.dataset.classes).value:.4f}"
        assert page.get_by_text(before).first.is_visible()
        wrong = run.workspace.path.parent / "good" / "north_0.png"
        write_raster(wrong, np.zeros((32, 32), np.uint8), driver="PNG")
        page.get_by_role("button", name="Score again").first.click()
        page.get_by_text(before).first.wait_for(state="hidden", timeout=90_000)
        page.get_by_role("button", name="Score again").first.wait_for(timeout=60_000)
        watched.settle()
        after = f"{headline('pooled', run.counts().scored.confusion, run.dataset.classes).value:.4f}"
        assert after != before
        page.get_by_text(after).first.wait_for(timeout=30_000)
        page.get_by_role("link", name="Overview").click()
        wait_for_page(watched, "overview")
        assert page.locator("[data-testid=stMetricValue]").first.inner_text() == after
        page.get_by_role("link", name="Worst tiles").click()
        wait_for_page(watched, "worst_tiles")
        page.locator(".viewer[data-tile=north_0]").wait_for(timeout=30_000)  # it costs the most now
        assert watched.strange == []


def test_the_keyboard_reaches_the_bar_and_the_page(run: OpenRun, own_cache: Path, open_page: Open) -> None:
    with served(run, own_cache) as address:
        watched = open_page(f"{address}/worst_tiles")
        wait_for_page(watched, "worst_tiles")
        page = watched.page
        reached = set()
        for _ in range(60):
            page.keyboard.press("Tab")
            reached.add(
                page.evaluate(
                    """() => {
                      let at = document.activeElement;
                      while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
                      return at?.getAttribute("aria-label") || at?.textContent?.trim() || at?.tagName;
                    }"""
                )
            )
        text = " | ".join(str(r) for r in reached)
        for control in ("Overview", "All classes", "Filters", "Next tile", "Full screen", "CSV", "How it was made"):
            assert control in text, f"{control} is not among: {text}"
