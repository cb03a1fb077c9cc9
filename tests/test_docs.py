"""The documentation says what the code does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from analysis.commands.main import main
from analysis.reports.metrics_page import PAGE, metrics_page
from analysis.workspace.load import DATASET_KEYS, RUN_KEYS
from analysis.workspace.presets import PRESETS

PROJECT = Path(__file__).resolve().parents[1]
PAGES = [PROJECT / "README.md", PROJECT / "CHANGELOG.md", *sorted((PROJECT / "docs").glob("*.md"))]


def test_the_metrics_page_is_made_from_the_registries() -> None:
    assert PAGE.read_text(encoding="utf-8") == metrics_page(), "run: python -m analysis.reports.metrics_page"


@pytest.mark.parametrize("key", [*DATASET_KEYS, *RUN_KEYS, "connectivity", "tolerance_m", "boundary_px"])
def test_every_key_of_the_workspace_file_is_documented(key: str) -> None:
    assert f"`{key}`" in (PROJECT / "docs/workspace.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_documented(preset: str) -> None:
    assert f"`{preset}`" in (PROJECT / "docs/workspace.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", ["score", "check", "demo", "export"])
def test_every_option_is_documented(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    for option in set(re.findall(r"--[a-z]+", capsys.readouterr().out)) - {"--help"}:
        assert option in text, f"{option} of {command} is documented nowhere"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"
