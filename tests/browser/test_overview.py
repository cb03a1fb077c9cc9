"""The Overview page in a browser: scenes and curves that lead to their tiles and back, and a choice that stays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import numpy as np

from analysis import open_workspace
from analysis.reading.raster import write_raster
from analysis.scores import by_scene, concentration, wrong_by_tile
from tests.browser.conftest import Watched, serving

Open = Callable[[str], Watched]
SCENES = ("<b>west", "east & co", "south")


def make_scenes(folder: Path) -> Path:
    """Twelve tiles in three scenes, the later ones worse."""
    for name in ("truth", "found"):
        (folder / name).mkdir(parents=True)
    for i in range(12):
        truth = np.zeros((64, 64), np.uint8)
        truth[10:40, 10:50] = 1 + i % 2
        found = truth.copy()
        found[10 : 10 + 2 * i] = 0
        for name, content in (("truth", truth), ("found", found)):
            write_raster(folder / name / f"{SCENES[i // 4]}_{i}.png", content, driver="PNG")
    path = folder / "workspace.toml"
    path.write_text(
        """
[[dataset]]
name = "scenes"
task = "segmentation"
root = "."
truth = "truth/{scene}_{n}.png"
[dataset.classes]
0 = "background"
1 = "house"
2 = "field"
[[run]]
model = "m"
dataset = "scenes"
predictions = "found/{scene}_{n}.png"
""",
        encoding="utf-8",
    )
    return path


def query_of(watched: Watched) -> dict[str, list[str]]:
    return parse_qs(urlsplit(watched.page.url).query)


def click(watched: Watched, chart: str, x: float, y: float) -> None:
    """Click on a chart, at shares of its plotting area."""
    area = watched.page.locator(f".st-key-{chart} .nsewdrag").first
    area.scroll_into_view_if_needed()
    watched.page.wait_for_timeout(400)
    box = area.bounding_box()
    assert box is not None
    spot = box["x"] + box["width"] * x, box["y"] + box["height"] * y
    watched.page.mouse.move(*spot)
    watched.page.wait_for_timeout(500)
    watched.page.mouse.click(*spot)


def test_from_a_scene_and_a_curve_to_the_tiles_and_back(tmp_path: Path, own_cache: Path, open_page: Open) -> None:
    workspace = make_scenes(tmp_path / "scenes")
    run = open_workspace(workspace).runs[0]
    run.score(workers=1)
    scored = run.counts().scored
    scenes = by_scene(scored.confusion, scored.tiles["scene"], scored.classes)
    worst = scenes.scenes[int(np.argmin(scenes.values))]

    with serving(ORTHOSCOPE_WORKSPACE=str(workspace), ORTHOSCOPE_CACHE=str(own_cache)) as address:
        watched = open_page(f"{address}/overview?{urlencode({'matrix': 'px'})}")
        page = watched.page
        page.get_by_role("heading", name="Scores by scene").wait_for(timeout=60_000)
        page.locator(".st-key-scene_chart .nsewdrag").first.wait_for(timeout=60_000)
        watched.settle()

        click(watched, "scene_chart", 0.1, 0.5 / 3)
        page.get_by_role("heading", name="Worst tiles", exact=True).wait_for()
        watched.settle()
        assert query_of(watched)["scene"] == [worst]
        assert page.get_by_role("button", name=f"scene {worst}").is_visible(), "the chip"
        page.get_by_text("1 of 4").wait_for()

        # back: the filter still holds, the matrix as it was left; without the chip all scenes again
        page.get_by_role("link", name="Overview").click()
        page.get_by_text("are of one scene").wait_for()
        watched.settle()
        assert query_of(watched)["matrix"] == ["px"]
        page.get_by_role("button", name=f"scene {worst}").click()
        page.locator(".st-key-scene_chart .nsewdrag").first.wait_for()
        watched.settle()
        assert "scene" not in query_of(watched)

        # a point of the curve: the third tile of twelve by wrong px
        held = concentration(wrong_by_tile(scored.confusion))
        click(watched, "spread_chart_None", 3 / 12 / 1.01, 1 - held.shares[3] / 1.03)
        page.get_by_role("heading", name="Worst tiles", exact=True).wait_for()
        page.get_by_text("3 of 12").wait_for()
        watched.settle()
        query = query_of(watched)
        assert (query["rank"], query["tile"]) == (["wrong_pixels"], [scored.tiles["id"].iloc[held.order[2]]])

        # a sentence
        page.get_by_role("link", name="Overview").click()
        page.get_by_text("The class house costs").or_(page.get_by_text("The class field costs")).wait_for()
        watched.settle()
        page.locator(".st-key-finding_half button:visible").first.click()
        page.get_by_role("heading", name="Worst tiles", exact=True).wait_for()
        watched.settle()
        assert query_of(watched)["rank"] == ["wrong_pixels"]

        # a row of the class table
        page.get_by_role("link", name="Overview").click()
        page.get_by_role("heading", name="Scores and support by class").wait_for()
        watched.settle()
        table = page.locator("[class*=st-key-class_table] canvas").first.bounding_box()
        assert table is not None
        page.mouse.click(table["x"] + 200, table["y"] + 35 + 1.5 * 33)
        page.get_by_role("heading", name="Worst tiles", exact=True).wait_for()
        watched.settle()
        assert (query_of(watched)["rank"], query_of(watched)["cls"]) == (["damage"], ["house"])
        assert watched.strange == []
