"""The demo: its files, its exact truth, and models that really differ."""

from __future__ import annotations

import json
import os
import tomllib
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from analysis.demo import build, make_demo
from analysis.demo.build import fit_model, scene_rng, split_tiles, worker_pool
from analysis.demo.describe import write_note, write_workspace
from analysis.demo.grid import Grid, Line, draw_lines, smooth_curve
from analysis.demo.land import BUILDING, ROAD, WATER, WOODLAND, survey
from analysis.demo.models import MODELS
from analysis.demo.plan import lay_out
from analysis.demo.recipes import RECIPES, TILE
from analysis.errors import WorkspaceError
from analysis.reading.raster import Raster

SCENES = 2
REAL_SHEETS = {
    "M-33": "7-A-d-2-3 7-A-d-3-2 20-D-c-4-2 20-D-d-3-3 32-B-b-4-4 48-A-c-4-4",
    "M-34": "5-D-d-4-2 6-A-d-2-2 32-B-a-4-3 32-B-b-1-3 51-C-b-2-1 51-C-d-4-1 55-B-b-4-1 56-A-b-1-4 65-D-a-4-4 "
    "65-D-c-4-2 65-D-d-4-1 68-B-a-1-3 77-B-c-2-3",
    "N-33": "60-D-c-4-2 60-D-d-1-2 96-D-d-1-1 104-A-c-1-1 119-C-c-3-3 130-A-d-3-3 130-A-d-4-4 139-C-d-2-2 "
    "139-C-d-2-4 139-D-c-1-3",
    "N-34": "61-B-a-1-1 66-C-c-4-3 77-A-b-1-4 94-A-b-2-4 97-C-b-1-2 97-D-c-2-4 106-A-b-3-4 106-A-c-1-3 140-A-b-3-2 "
    "140-A-b-4-2 140-A-d-3-4 140-A-d-4-2",
}


@pytest.fixture(scope="session")
def demo(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made") / "demo"
    stages: list[tuple[str, float]] = []
    make_demo(folder, scenes=SCENES, report=lambda stage, share: stages.append((stage, share)))
    return folder, stages


@pytest.fixture(scope="session")
def scenes():
    """Plans and labels, drawn in this process; one is enough, and quick."""
    rng = scene_rng(0, 7)
    plan = lay_out(RECIPES[0], rng)
    return [(plan, survey(RECIPES[0], plan, rng, 7))]


def read(path: Path) -> np.ndarray:
    with Raster(path) as raster:
        pixels = raster.read((0, raster.header.height), (0, raster.header.width))
    return pixels[0] if len(pixels) == 1 else np.moveaxis(pixels, 0, 2)


def labels(folder: Path) -> dict[str, np.ndarray]:
    return {p.stem[:-2]: read(p) for p in sorted((folder / "landcover" / "output").glob("*_m.png"))}


def lists(folder: Path) -> dict[str, list[str]]:
    return {n: (folder / "landcover" / f"{n}.txt").read_text().split() for n in ("train", "val", "test")}


def test_ids_follow_the_tiling_rule_and_edge_tiles_are_left_out(demo):
    wanted = set()
    for recipe in RECIPES[:SCENES]:
        across = int(np.ceil(recipe.width / TILE))
        k = 0
        for top in range(0, recipe.height, TILE):
            for left in range(0, recipe.width, TILE):
                if top + TILE <= recipe.height and left + TILE <= recipe.width:
                    wanted.add(f"{recipe.sheet}_{k}")
                    assert k == top // TILE * across + left // TILE
                k += 1
    found = labels(demo[0])
    assert set(found) == wanted
    assert {p.stem for p in (demo[0] / "landcover" / "output").glob("*.jpg")} == wanted
    assert {a.shape for a in found.values()} == {(TILE, TILE)}
    assert {a.dtype for a in found.values()} == {np.dtype(np.uint8)}


def test_sheets_are_none_of_the_real_ones_and_there_are_about_a_hundred_tiles():
    real = {f"{zone}-{rest}" for zone, rests in REAL_SHEETS.items() for rest in rests.split()}
    assert len(real) == 41
    assert not {r.sheet for r in RECIPES} & real
    ids = [tile for recipe in RECIPES for tile in recipe.tiles()]
    assert 90 <= len(ids) <= 125
    assert all(r.width % TILE and r.height % TILE for r in RECIPES)
    assert len(split_tiles(ids, 7)["test"]) >= 40


def test_lists_are_disjoint_and_cover_all_tiles(demo):
    found = lists(demo[0])
    for one, other in combinations(found.values(), 2):
        assert not set(one) & set(other)
    assert set().union(*found.values()) == set(labels(demo[0]))
    assert len(found["train"]) > len(found["test"]) > len(found["val"]) > 0


def test_workspace_names_files_that_exist(demo):
    folder = demo[0]
    workspace = tomllib.loads((folder / "workspace.toml").read_text(encoding="utf-8"))
    (dataset,) = workspace["dataset"]
    root = folder / dataset["root"]
    for name, ids in lists(folder).items():
        assert (root / dataset["splits"][name]).is_file()
        for tile in ids:
            assert (root / dataset["images"].format(id=tile)).is_file()
            assert (root / dataset["truth"].format(id=tile)).is_file()
    gsd = dataset["gsd"]
    assert {r.sheet: r.gsd for r in RECIPES[:SCENES]} == {
        r.sheet: gsd.get(r.sheet, gsd["default"]) for r in RECIPES[:SCENES]
    }
    assert dataset["classes"]["4"]["narrow"] is True
    assert dataset["background"] == 0
    assert [run["model"] for run in workspace["run"]] == [m.name for m in MODELS]
    for run in workspace["run"]:
        assert run["dataset"] == run["trained_on"] == dataset["name"]
        predicted = {p.stem for p in (folder / run["predictions"]).glob("*.png")}
        assert predicted == set(lists(folder)["val"]) | set(lists(folder)["test"])


def test_class_shares_are_like_land_cover_and_every_class_is_missing_somewhere(demo):
    found = labels(demo[0])
    counts = np.array([np.bincount(a.ravel(), minlength=5) for a in found.values()])
    assert counts.shape[1] == 5
    share = counts.sum(axis=0) / counts.sum()
    low, high = [0.45, 0.005, 0.2, 0.03, 0.01], [0.75, 0.02, 0.45, 0.12, 0.035]
    assert (share >= low).all(), share
    assert (share <= high).all(), share
    for k in (BUILDING, WATER, ROAD, WOODLAND):
        assert (counts[:, k] == 0).any()
        assert (counts[:, k] > 0).any()


def test_truth_is_what_the_seed_draws_in_any_process(demo, scenes):
    found = labels(demo[0])
    for recipe, (_, land) in zip(RECIPES, scenes, strict=False):
        for tile, (row, column) in recipe.tiles().items():
            window = np.s_[row * TILE : (row + 1) * TILE, column * TILE : (column + 1) * TILE]
            np.testing.assert_array_equal(found[tile], land.truth[window])


def test_another_seed_is_another_scene(scenes):
    other = lay_out(RECIPES[0], scene_rng(0, 8))
    assert not np.array_equal(other.roads[0].points, scenes[0][0].roads[0].points)
    ids = list(RECIPES[0].tiles())
    assert split_tiles(ids, 7) == split_tiles(ids, 7) != split_tiles(ids, 8)


def test_pictures_show_what_the_truth_says(demo):
    """Water and woods are darker than open ground, and the pictures have the size of the truth."""
    light = np.zeros(5)
    count = np.zeros(5)
    for tile, truth in labels(demo[0]).items():
        image = read(demo[0] / "landcover" / "output" / f"{tile}.jpg")
        assert image.shape == (TILE, TILE, 3)
        light += np.bincount(truth.ravel(), image.mean(axis=2).ravel(), minlength=5)
        count += np.bincount(truth.ravel(), minlength=5)
    light /= count
    assert light[[WOODLAND, WATER]].max() < light[[0, BUILDING, ROAD]].min() - 20


def test_roads_have_the_width_that_was_asked_for(scenes):
    """Across a road, on ground that no other road or building touches, the mask is as wide as the road."""
    measured = []
    for recipe, (plan, land) in zip(RECIPES, scenes, strict=False):
        grid = recipe.grid
        for index, road in enumerate(plan.roads):
            others = [p for i, line in enumerate(plan.roads) if i != index for p in line.points]
            for k in range(2, len(road.points) - 2, 3):
                here, step = road.points[k], road.points[k + 1] - road.points[k - 1]
                inside = ((here > 15) & (here < np.array(grid.extent) - 15)).all()
                if not inside or np.hypot(*(np.array(others) - here).T).min() < 25:
                    continue
                across = np.array([step[1], -step[0]]) / np.hypot(*step)
                at = here + np.arange(-12, 12, 0.02)[:, None] * across
                row, column = (at / grid.gsd).astype(int).T
                found = land.truth[row, column]
                if (found != BUILDING).all():
                    measured.append(((found == ROAD).sum() * 0.02 - road.width) / grid.gsd)
    assert len(measured) > 30
    # Along a slanted line pixel corners stick out by up to 0.71 px on each side.
    assert np.abs(measured).max() < 1.5
    assert abs(np.mean(measured)) < 0.25
    widths: dict[str, list[float]] = {}
    for plan, _ in scenes:
        for road in plan.roads:
            widths.setdefault(road.kind, []).append(road.width)
    assert max(widths["track"]) < min(widths["local"]) <= max(widths["local"]) < min(widths["main"])


def test_a_straight_line_is_drawn_exactly():
    grid = Grid(40, 60, 0.5)
    line = Line(smooth_curve([(10.0, -5.0), (10.0, 40.0)]), 3.0, "local")
    drawn = draw_lines(grid, [line], 2.0)
    assert drawn.inside.sum(axis=0).tolist() == [6] * 60
    rows = (np.arange(40) + 0.5) * 0.5
    np.testing.assert_allclose(drawn.margin[:, 30], np.minimum(np.abs(rows - 10) - 1.5, 2), atol=1e-4)
    assert set(np.unique(drawn.line)) == {-1, 0}
    np.testing.assert_allclose(drawn.along[20], (np.arange(60) + 0.5) * 0.5 + 5, atol=1e-3)


def test_buildings_are_their_outlines(scenes):
    """A pixel is a building when its centre lies on the same side of all four walls of one."""
    plan, land = scenes[0]
    gsd = plan.grid.gsd
    row, column = np.indices(plan.grid.shape)
    y, x = (row[::3, ::3] + 0.5) * gsd, (column[::3, ::3] + 0.5) * gsd
    inside = np.zeros(y.shape, bool)
    for roof in plan.roofs:
        box = roof.box
        ends = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        corners = [box.shifted(a * box.length / 2, b * box.width / 2) for a, b in ends]
        sides = []
        for (ay, ax), (by, bx) in zip(corners, corners[1:] + corners[:1], strict=True):
            sides.append((bx - ax) * (y - ay) - (by - ay) * (x - ax) >= 0)
        inside |= np.all(sides, axis=0) | ~np.any(sides, axis=0)
    assert inside.sum() > 1000
    assert ((land.truth[::3, ::3] == BUILDING) != inside).sum() <= 5  # rounding on the walls


def test_better_models_score_better(demo):
    folder = demo[0]
    means = []
    for model in MODELS:
        confusion = np.zeros((5, 5))
        for tile in lists(folder)["test"]:
            truth = read(folder / "landcover" / "output" / f"{tile}_m.png").astype(int)
            predicted = read(folder / "runs" / model.slug / f"{tile}.png")
            confusion += np.bincount((truth * 5 + predicted).ravel(), minlength=25).reshape(5, 5)
        right = np.diag(confusion)
        iou = right / (confusion.sum(axis=0) + confusion.sum(axis=1) - right)
        means.append(iou[1:].mean())
    # What is small or narrow is hard for the best model too.
    assert max(iou[BUILDING], iou[ROAD]) < min(iou[WOODLAND], iou[WATER])
    assert means[0] + 0.03 < means[1] < means[2] - 0.03
    assert 0.2 < means[0] < 0.6
    assert 0.55 < means[2] < 0.9


def test_fitting_again_gives_the_same_predictions(demo):
    folder = demo[0]
    tile = lists(folder)["test"][0]
    with worker_pool() as pool:
        model = pool.submit(fit_model, folder, len(MODELS) - 1, lists(folder)["train"], 7).result()
    predicted = model.predict(read(folder / "landcover" / "output" / f"{tile}.jpg"))
    np.testing.assert_array_equal(predicted, read(folder / "runs" / model.slug / f"{tile}.png"))


def test_progress_goes_from_nought_to_one(demo):
    shares = [share for _, share in demo[1]]
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert shares[-1] == pytest.approx(1)
    assert len({stage for stage, _ in demo[1]}) == 3


def test_a_whole_demo_is_left_alone(demo):
    before = {p: p.stat().st_mtime_ns for p in demo[0].rglob("*")}
    assert make_demo(demo[0], scenes=SCENES) == demo[0] / "workspace.toml"
    assert before == {p: p.stat().st_mtime_ns for p in demo[0].rglob("*")}
    note = json.loads((demo[0] / "demo.json").read_text())
    assert note["seed"] == 7
    assert sum(note["tiles"].values()) == len(labels(demo[0]))


@pytest.fixture
def quick(monkeypatch):
    """Making a demo takes no time, and fails once: half-way."""
    calls = []

    def make(folder, seed, scenes, report):
        (folder / "landcover").mkdir()
        calls.append(folder)
        if len(calls) == 1:
            raise KeyboardInterrupt
        write_workspace(folder / "workspace.toml", scenes)
        write_note(folder / "demo.json", seed, scenes, {"test": []})

    monkeypatch.setattr(build, "_make", make)


def test_an_interrupted_demo_is_made_again(tmp_path, quick):
    folder = tmp_path / "demo"
    with pytest.raises(KeyboardInterrupt):
        make_demo(folder)
    assert list(tmp_path.iterdir()) == []  # nothing that looks like a demo, and nothing left over

    # A killed process leaves its unfinished folder; an old one goes, a young one may be somebody's.
    old, young = tmp_path / ".demo.making-old", tmp_path / ".demo.making-young"
    for left in (old, young):
        (left / "landcover").mkdir(parents=True)
    os.utime(old, (0, 0))
    folder.mkdir()  # an empty folder is as good as none
    assert make_demo(folder) == folder / "workspace.toml"
    assert (folder / "demo.json").is_file()
    assert sorted(p.name for p in tmp_path.iterdir()) == [young.name, "demo"]
    with pytest.raises(WorkspaceError, match="another demo"):
        make_demo(folder, seed=8)


@pytest.mark.parametrize("content", ["demo.json", "notes.txt"])
def test_other_files_are_never_touched(tmp_path, content):
    (tmp_path / content).write_text('{"version": 0}')
    with pytest.raises(WorkspaceError, match=r"new or an empty folder"):
        make_demo(tmp_path, scenes=1)
    assert [p.name for p in tmp_path.iterdir()] == [content]


def test_a_file_in_the_way_is_a_clear_error(tmp_path):
    (tmp_path / "taken").write_text("")
    with pytest.raises(WorkspaceError, match="taken"):
        make_demo(tmp_path / "taken", scenes=1)
    with pytest.raises(WorkspaceError, match="cannot be written"):
        make_demo(tmp_path / "taken" / "below", scenes=1)


def test_number_of_scenes_is_checked(tmp_path):
    with pytest.raises(ValueError, match="scenes"):
        make_demo(tmp_path / "demo", scenes=0)
