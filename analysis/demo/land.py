"""From a plan to the exact truth: one set of shapes draws the labels here and the picture in ``paint``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.demo.grid import Bands, Floats, Grid, Line, Mask, box_frame, draw_lines, inside_box
from analysis.demo.noise import Smooth, bands, cover, crowns, enlarge, noise_map, smooth_noise
from analysis.demo.plan import Plan
from analysis.demo.recipes import Recipe

BACKGROUND, BUILDING, WOODLAND, WATER, ROAD = range(5)
SUN_AZIMUTH = np.radians(152.0)
CELL = 4.0  # metres: woods and lakes take their shape on cells of this size
SPACING = (3.6, 6.0)  # metres between conifers and between broadleaved trees
CLEARING = {"main": 7.0, "local": 3.5, "track": -9.0, "river": 2.5, "ditch": 0.5}  # metres from a line's edge to a wood


@dataclass
class Canopy:
    """The trees over every pixel: arrays of shape (rows, columns), see ``noise.Crowns``."""

    height: Floats
    light: Floats
    tone: Floats
    broadleaved: Mask
    wooded: Mask


@dataclass
class Land:
    """What lies where.

    Parameters
    ----------
    truth : ndarray of shape (rows, columns), uint8
        Class ids.
    lake : ndarray of shape (rows, columns), float32
        Above 0 in a lake; rises away from the shore.
    """

    truth: npt.NDArray[np.uint8]
    roads: Bands
    waters: Bands
    lake: Floats
    canopy: Canopy


def sun_direction(recipe: Recipe) -> tuple[float, float]:
    """Direction to the sun on the ground, (y, x), length 1."""
    east = float(np.sin(SUN_AZIMUTH))
    return float(-np.cos(SUN_AZIMUTH)), -east if recipe.mirrored else east


def survey(recipe: Recipe, plan: Plan, rng: np.random.Generator, seed: int) -> Land:
    """Draw the labels of a scene.

    Where classes meet, buildings win over roads, roads over water (bridges) and water over woodland. A track under
    the trees is a road, hidden in the picture or not.
    """
    grid = plan.grid
    roads = draw_lines(grid, plan.roads, 8.0)
    waters = draw_lines(grid, plan.waters, 8.0)
    built = np.zeros(grid.shape, bool)
    for roof in plan.roofs:
        frame = box_frame(grid, roof.box, 0)
        if frame is not None:
            built[frame[0]] |= inside_box(roof.box, *frame[1:])

    lake_cells = _lake(recipe, plan, rng)
    lake = enlarge(lake_cells, grid.shape)
    wood = Smooth(_wood(recipe, plan, lake_cells, rng), grid.shape)
    canopy = _canopy(recipe, grid, wood, rng, seed)

    water = (lake > 0) | waters.inside
    canopy.wooded &= ~(_near(plan.roads, roads) | _near(plan.waters, waters) | (lake > -0.1) | built)
    truth = np.full(grid.shape, BACKGROUND, np.uint8)
    truth[canopy.wooded] = WOODLAND
    truth[water] = WATER
    truth[roads.inside] = ROAD
    truth[built] = BUILDING
    return Land(truth, roads, waters, lake, canopy)


def _near(lines: list[Line], drawn: Bands) -> Mask:
    """Where no trees stand because of a road or a water."""
    clearing = np.array([CLEARING[line.kind] for line in lines] + [-9.0], np.float32)
    near: Mask = drawn.margin < clearing[drawn.line]
    return near


def _pushed_off(plan: Plan, kinds: tuple[str, ...], road_reach: float, house_reach: float) -> tuple[Floats, Floats]:
    """How near each coarse cell lies to roads of some kinds, and to houses: 1 at them, falling off with the reach."""
    grid = Grid(*_coarse(plan.grid), CELL)
    lines = [line for line in plan.roads if line.kind in kinds]
    houses = np.zeros(grid.shape, np.float32)
    y, x = grid.centres()
    for roof in plan.roofs:
        far_y, far_x = (y - np.float32(roof.box.centre[0])) ** 2, (x - np.float32(roof.box.centre[1])) ** 2
        np.maximum(houses, np.exp(-far_y / house_reach**2) * np.exp(-far_x / house_reach**2), out=houses)
    margin = np.maximum(draw_lines(grid, lines, 2.5 * road_reach).margin, 0)
    return np.exp(-((margin / np.float32(road_reach)) ** 2)), houses


def _coarse(grid: Grid) -> tuple[int, int]:
    return round(grid.extent[0] / CELL), round(grid.extent[1] / CELL)


def _level(values: Floats, share: float) -> Floats:
    """Shift values so that ``share`` of them lie above 0."""
    return (values - np.quantile(values, 1 - share)).astype(np.float32) if share > 0 else np.full_like(values, -9)


def _lake(recipe: Recipe, plan: Plan, rng: np.random.Generator) -> Floats:
    coarse = _coarse(plan.grid)
    values = noise_map(plan.grid, 210, rng, coarse) + 0.35 * noise_map(plan.grid, 55, rng, coarse)
    if recipe.lakes == 0:
        return np.full(coarse, -9, np.float32)
    roads, houses = _pushed_off(plan, ("main", "local", "track"), 26, 40)
    values -= 4 * roads + 4 * houses
    return _level(values, recipe.lakes)


def _wood(recipe: Recipe, plan: Plan, lake: Floats, rng: np.random.Generator) -> Floats:
    grid, coarse = plan.grid, _coarse(plan.grid)
    values = noise_map(grid, 190, rng, coarse) + 0.5 * noise_map(grid, 60, rng, coarse)
    values += 0.2 * noise_map(grid, 16, rng, coarse)
    roads, houses = _pushed_off(plan, ("main", "local"), 23, 38)
    values -= 5 * houses + 0.8 * roads
    values[lake > 0] = -9
    return _level(values, recipe.woods)


def _canopy(recipe: Recipe, grid: Grid, wood: Smooth, rng: np.random.Generator, seed: int) -> Canopy:
    """Trees stand where the wood is at their top, so that its edge follows the crowns."""
    away, beside = sun_direction(recipe)
    stands, mixed = smooth_noise(grid, 70, rng), smooth_noise(grid, 11, rng)
    kinds = [crowns(round(spacing / grid.gsd), (away, abs(beside)), seed) for spacing in SPACING]
    shifts = rng.integers(0, 1024, (2, 2)).tolist()
    level = wood.rows(slice(None))
    height, light, tone = np.empty((3, *grid.shape), np.float32)
    broadleaved, wooded = np.empty((2, *grid.shape), bool)
    side = -1 if recipe.mirrored else 1
    columns = np.arange(grid.columns, dtype=np.int32)
    for rows in bands(grid):
        here = stands.rows(rows) + 0.9 * mixed.rows(rows) > 0.4
        size = here.shape

        def layer(name: str, at: int = rows.start, here: Mask = here, size: tuple[int, int] = size) -> npt.NDArray[Any]:
            fine, large = (
                cover(getattr(kind, name), size, (shift[0] + at, shift[1]))[:, ::side]
                for kind, shift in zip(kinds, shifts, strict=True)
            )
            return np.where(here, large, fine)

        height[rows], light[rows], tone[rows] = layer("height"), layer("light"), layer("tone")
        top = np.arange(rows.start, rows.stop, dtype=np.int32)[:, None] + layer("down")
        top = np.clip(top, 0, grid.rows - 1) * grid.columns
        top += np.clip(columns + side * layer("right"), 0, grid.columns - 1)
        at_top = level.ravel()[top] > 0
        wooded[rows] = at_top & ((height[rows] > 0.1) | (level[rows] > 0.12))
        broadleaved[rows] = here
    return Canopy(height, light, tone, broadleaved, wooded)
