"""From an empty workspace to a score by typing alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from analysis import open_workspace
from analysis.scores import headline
from tests.browser.conftest import Watched, serving
from tests.pages.tiny import make_tiny

Open = Callable[[str], Watched]


def type_in(page: Page, label: str, value: str) -> None:
    """Type as a person does, without leaving the field."""
    field = page.get_by_label(label, exact=True)
    field.click()
    field.press_sequentially(value, delay=20)


def test_a_dataset_and_a_run_by_typing(tmp_path: Path, own_cache: Path, open_page: Open) -> None:
    make_tiny(tmp_path / "tiny").unlink()
    path = tmp_path / "mine.toml"
    with serving(ORTHOSCOPE_WORKSPACE=str(path), ORTHOSCOPE_CACHE=str(own_cache)) as address:
        watched = open_page(address)
        page = watched.page
        page.get_by_role("heading", name="Start with your first dataset").wait_for(timeout=60_000)
        page.get_by_role("button", name="Add dataset").click()
        page.get_by_role("heading", name="Add a dataset").wait_for()
        type_in(page, "Name", "My city")
        page.get_by_role("radio", name="tiny", exact=True).click()  # instead of typing the root
        page.get_by_role("radio", name="masks", exact=True).first.wait_for()
        expect(page.get_by_label("Root folder", exact=True)).to_have_value("tiny")
        type_in(page, "Ground truth", "masks")
        live = page.locator(".st-key-preflight_live")
        live.get_by_text("5 tiles with a ground truth").wait_for()
        page.get_by_role("button", name="Fill in the values").click()
        page.get_by_text("255 was put among the ignored values").wait_for()
        page.get_by_label("Name of class 5", exact=True).fill("road")
        lines = page.locator(".st-key-lines_to_write")
        lines.get_by_text('4 = "road"').wait_for()

        page.reload()  # nothing that was typed is lost
        page.get_by_text("What you typed here before is back").wait_for(timeout=60_000)
        watched.settle(1500)
        assert page.get_by_label("Name", exact=True).input_value() == "My city"
        assert page.get_by_label("Name of class 5", exact=True).input_value() == "road"
        lines.get_by_text('4 = "road"').wait_for()
        assert "tmp" not in page.url
        assert not path.exists()
        page.get_by_role("button", name="Save", exact=True).click()

        page.get_by_role("button", name="Add a run on it").click()
        page.get_by_role("heading", name="Add a run", exact=True).wait_for()
        type_in(page, "Model", "net")
        type_in(page, "Predictions", "tiny/good")
        live.get_by_text("4 of 5 tiles pair with a prediction").wait_for()
        assert "has no prediction" in live.inner_text()
        watched.settle()
        page.get_by_role("button", name="Save", exact=True).click()

        page.get_by_role("button", name="Score it now").click()
        run = open_workspace(path).run("net@My city")
        page.get_by_role("button", name="Score again").wait_for(timeout=120_000)
        scored = run.counts().scored
        value = f"{headline('pooled', scored.confusion, scored.classes).value:.4f}"
        page.get_by_text(value).first.wait_for()
        assert len(scored) == 4
        assert watched.strange == []
