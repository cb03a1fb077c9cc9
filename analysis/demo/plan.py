"""Laying out a scene: where its roads, waters, houses and trees are, in metres."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from analysis.demo.grid import Box, Grid, Line, smooth_curve
from analysis.demo.recipes import Recipe

Points = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Roof:
    """A building, or one wing of it: its outline, its height in metres and its colour (index into the roof colours)."""

    box: Box
    height: float
    colour: int


@dataclass
class Plan:
    """Everything in a scene that has a place of its own.

    Parameters
    ----------
    trees : list of (y, x, radius)
        Single trees in metres; they are background, as in LandCover.ai.
    lawns, yards : list of Box
        Gardens, and paved or trodden ground.
    fields : list of (y, x, angle)
        Seeds of the field blocks and the direction of their furrows in radians.
    """

    grid: Grid
    roads: list[Line] = field(default_factory=list)
    waters: list[Line] = field(default_factory=list)
    roofs: list[Roof] = field(default_factory=list)
    lawns: list[Box] = field(default_factory=list)
    yards: list[Box] = field(default_factory=list)
    trees: list[tuple[float, float, float]] = field(default_factory=list)
    fields: list[tuple[float, float, float]] = field(default_factory=list)


def lay_out(recipe: Recipe, rng: np.random.Generator) -> Plan:
    """Lay out a scene.

    Roads come first, houses follow them, and field blocks take their direction from the nearest road, as they do
    on the ground.
    """
    plan = Plan(recipe.grid)
    _add_waters(plan, recipe, rng)
    _add_roads(plan, recipe, rng)
    free = _Clearance(plan)
    streets = [line for line in plan.roads if line.kind == "local"] or plan.roads
    _add_village(plan, recipe.plots, streets, free, rng)
    _add_farms(plan, recipe.farms, free, rng)
    _add_rows_of_trees(plan, rng)
    _add_fields(plan, rng)
    return plan


def _across(
    grid: Grid, upright: bool, rng: np.random.Generator, swing: float, middle: float | None = None, bends: int = 6
) -> Points:
    """A winding line from edge to edge; ``swing`` is how far it leaves the straight line, as a share of the scene."""
    height, width = grid.extent
    long, wide = (height, width) if upright else (width, height)
    at = np.linspace(-0.08, 1.08, bends) * long
    base = rng.uniform(0.3, 0.7) if middle is None else middle
    side = (base + rng.uniform(-swing, swing, bends) + np.linspace(-1, 1, bends) * rng.uniform(-0.12, 0.12)) * wide
    return smooth_curve(np.stack([at, side] if upright else [side, at], axis=1))


def _add_waters(plan: Plan, recipe: Recipe, rng: np.random.Generator) -> None:
    if recipe.river:
        plan.waters.append(Line(_across(plan.grid, True, rng, 0.09, None, 13), recipe.river, "river"))
    for _ in range(recipe.ditches):
        plan.waters.append(
            Line(_across(plan.grid, False, rng, 0.015, rng.uniform(0.1, 0.9)), rng.uniform(1.6, 2.6), "ditch")
        )


def _add_roads(plan: Plan, recipe: Recipe, rng: np.random.Generator) -> None:
    extent = np.array(plan.grid.extent)
    roads = plan.roads
    if recipe.main_road:
        roads.append(Line(_across(plan.grid, False, rng, 0.05), rng.uniform(7.0, 8.5), "main"))
    for index in range(recipe.local_roads):
        upright = (index % 2 == 0) == (recipe.main_road or not recipe.river)
        middle = (index + 0.5 + rng.uniform(-0.2, 0.2)) / recipe.local_roads
        roads.append(Line(_across(plan.grid, upright, rng, 0.04, middle), rng.uniform(4.2, 5.6), "local"))
    if recipe.rides:
        angle = rng.uniform(-0.3, 0.3)
        for turn in (0.0, np.pi / 2):
            along = np.array([np.sin(angle + turn), np.cos(angle + turn)])
            for offset in (-0.27, 0.24):
                middle_point = extent * (0.5, 0.5) + offset * extent.min() * along[::-1] * (1, -1)
                ends = [middle_point - along * extent.sum(), middle_point + along * extent.sum()]
                roads.append(Line(smooth_curve(_clipped(ends, extent)), rng.uniform(2.6, 3.6), "track"))
    starts = [line for line in roads if line.kind != "track"]
    for _ in range(recipe.tracks):
        origin = starts[rng.integers(len(starts))]
        k = int(rng.uniform(0.12, 0.88) * (len(origin.points) - 1))
        step = origin.points[k + 1] - origin.points[k]
        heading = np.arctan2(step[0], step[1]) + rng.choice([-1, 1]) * np.pi / 2 + rng.uniform(-0.35, 0.35)
        corners = [origin.points[k]]
        for _ in range(rng.integers(3, 6)):
            heading += rng.uniform(-0.3, 0.3)
            corners.append(
                corners[-1] + extent.mean() * rng.uniform(0.1, 0.16) * np.array([np.sin(heading), np.cos(heading)])
            )
        roads.append(Line(smooth_curve(corners), rng.uniform(2.4, 3.2), "track"))


def _clipped(ends: list[Points], extent: Points) -> Points:
    """The part of a straight line, given by two points far outside, that crosses the scene, and a little more."""
    t = np.linspace(0, 1, 2000)[:, None]
    points = ends[0] + t * (ends[1] - ends[0])
    inside = np.flatnonzero(((points > -10) & (points < extent + 10)).all(axis=1))
    if inside.size < 2:
        return np.array([[-20.0, -20.0], [-15.0, -15.0]])
    return points[inside[[0, -1]]]


class _Clearance:
    """Knows what ground is taken."""

    def __init__(self, plan: Plan) -> None:
        lines = plan.roads + plan.waters
        self._points = np.concatenate([line.points for line in lines])
        self._half = np.concatenate([np.full(len(line.points), line.width / 2) for line in lines])
        self._built: list[tuple[float, float, float]] = []

    def take(self, box: Box) -> bool:
        """Take the ground of a building if it is free: its corners and centre keep off lines and other buildings."""
        ends = [(a * box.length / 2, b * box.width / 2) for a in (-1, 0, 1) for b in (-1, 0, 1)]
        for y, x in (box.shifted(*end) for end in ends):
            if (np.hypot(self._points[:, 0] - y, self._points[:, 1] - x) < self._half + 3.0).any():
                return False
        reach = (box.length + box.width) / 4
        if any(np.hypot(box.centre[0] - y, box.centre[1] - x) < reach + other + 1.5 for y, x, other in self._built):
            return False
        self._built.append((*box.centre, reach))
        return True


def _add_village(plan: Plan, plots: int, streets: list[Line], free: _Clearance, rng: np.random.Generator) -> None:
    """Plots in a row on both sides of the streets: a house at the street, often a barn behind it."""
    extent = np.array(plan.grid.extent)
    for number, street in enumerate(streets):
        wanted = plots * (number + 1) // len(streets) - plots * number // len(streets)
        inside = np.flatnonzero(((street.points > 25) & (street.points < extent - 25)).all(axis=1))
        if wanted == 0 or inside.size < 8:
            continue
        pitch = 6  # points of about 4 m
        first = int(rng.uniform(0, max(1, inside.size - 3 - wanted // 2 * pitch)))
        for slot in range(wanted * 2):
            k = first + slot // 2 * pitch + int(rng.integers(-1, 2))
            if not 0 <= k < inside.size - 1 or rng.random() < 0.15:
                continue
            here, there = street.points[inside[k]], street.points[inside[k] + 1]
            angle = float(np.arctan2(*(there - here)))
            side = 1 if slot % 2 else -1
            frame = Box((float(here[0]), float(here[1])), angle, 1, 1)
            _add_plot(plan, frame, side, street.width / 2, free, rng)


def _add_plot(plan: Plan, frame: Box, side: int, verge: float, free: _Clearance, rng: np.random.Generator) -> None:
    back = verge + rng.uniform(8, 13)
    turn = rng.choice([0.0, np.pi / 2])
    house = Box(
        frame.shifted(0, side * back),
        frame.angle + turn + rng.normal(0, 0.05),
        rng.uniform(9, 14),
        rng.uniform(8, 10.5),
    )
    if not free.take(house):
        return
    depth = rng.uniform(40, 60)
    plan.lawns.append(Box(frame.shifted(0, side * (verge + depth / 2)), frame.angle, rng.uniform(19, 24), depth))
    drive = frame.shifted(9, side * (verge + 13))
    plan.yards.append(Box(drive, frame.angle + np.pi / 2, 28, rng.uniform(2.5, 4.0)))
    colour = int(rng.choice(5, p=[0.38, 0.24, 0.16, 0.14, 0.08]))
    height = rng.uniform(5, 8)
    plan.roofs.append(Roof(house, height, colour))
    if rng.random() < 0.3:
        wing = Box(house.shifted(house.length * 0.28, side * 4.5), house.angle + np.pi / 2, 9.5, house.width * 0.62)
        plan.roofs.append(Roof(wing, height - 1, colour))
    if rng.random() < 0.65:
        barn_turn = rng.choice([0.0, np.pi / 2])
        barn = Box(
            frame.shifted(rng.uniform(-4, 4), side * (back + rng.uniform(18, 24))),
            house.angle + barn_turn, rng.uniform(9, 18), rng.uniform(6, 9),
        )  # fmt: skip
        if free.take(barn):
            plan.roofs.append(Roof(barn, rng.uniform(4, 7), int(rng.choice([1, 2, 3, 4, 5]))))
            between = frame.shifted(2, side * (back + 11))
            plan.yards.append(Box(between, frame.angle, rng.uniform(10, 15), rng.uniform(8, 12)))
    for _ in range(rng.integers(2, 7)):
        y, x = frame.shifted(rng.uniform(-11, 11), side * (verge + rng.uniform(4, depth)))
        plan.trees.append((y, x, rng.uniform(1.3, 3.4)))


def _add_farms(plan: Plan, farms: int, free: _Clearance, rng: np.random.Generator) -> None:
    """Farms stand apart: three or four buildings around a yard, near a track or a road."""
    extent = np.array(plan.grid.extent)
    made = 0
    for _ in range(farms * 12):
        if made == farms:
            return
        road = plan.roads[rng.integers(len(plan.roads))]
        k = int(rng.integers(len(road.points) - 1))
        here, step = road.points[k], road.points[k + 1] - road.points[k]
        if ((here < 70) | (here > extent - 70)).any():
            continue
        frame = Box((float(here[0]), float(here[1])), float(np.arctan2(*step)), 1, 1)
        side = int(rng.choice([-1, 1]))
        yard = Box(frame.shifted(0, side * 32), frame.angle, rng.uniform(26, 34), rng.uniform(22, 30))
        places = [
            (-yard.length / 2, 0, np.pi / 2),
            (yard.length / 2, 0, np.pi / 2),
            (0, yard.width / 2, 0.0),
            (0, -yard.width / 2, 0.0),
        ]
        built = 0
        for along, across, turn in places[: rng.integers(3, 5)]:
            box = Box(
                yard.shifted(along, across),
                yard.angle + turn + rng.normal(0, 0.03),
                rng.uniform(13, 25),
                rng.uniform(8, 12),
            )
            if free.take(box):
                plan.roofs.append(Roof(box, rng.uniform(5, 8), int(rng.integers(6))))
                built += 1
        if built:
            made += 1
            plan.yards.append(yard)
            plan.yards.append(Box(frame.shifted(0, side * 14), frame.angle + np.pi / 2, 30, 3.5))
            plan.lawns.append(Box(yard.centre, yard.angle, yard.length + 34, yard.width + 30))
            for _ in range(8):
                y, x = yard.shifted(rng.uniform(-34, 34), rng.choice([-1, 1]) * rng.uniform(20, 30))
                plan.trees.append((y, x, rng.uniform(1.8, 4.2)))


def _add_rows_of_trees(plan: Plan, rng: np.random.Generator) -> None:
    """Trees along roads and waters, in stretches; and a few alone in the fields."""
    for line in plan.roads + plan.waters:
        share = {"main": 0.5, "local": 0.3, "track": 0.2, "river": 0.5, "ditch": 0.35}[line.kind]
        wave = np.sin(np.arange(len(line.points)) / rng.uniform(9, 16) + rng.uniform(0, 6))
        for k in range(0, len(line.points) - 1, 2):
            if wave[k] < 1 - 2 * share or rng.random() < 0.3:
                continue
            step = line.points[k + 1] - line.points[k]
            frame = Box((float(line.points[k][0]), float(line.points[k][1])), float(np.arctan2(*step)), 1, 1)
            y, x = frame.shifted(rng.uniform(-2, 2), rng.choice([-1, 1]) * (line.width / 2 + rng.uniform(2.5, 4)))
            plan.trees.append((y, x, rng.uniform(1.6, 3.8)))
    height, width = plan.grid.extent
    for _ in range(int(height * width / 12000)):
        plan.trees.append((rng.uniform(0, height), rng.uniform(0, width), rng.uniform(1.5, 4.5)))


def _add_fields(plan: Plan, rng: np.random.Generator) -> None:
    """Seeds in pairs on both sides of the roads: the border of two blocks then follows the road."""
    height, width = plan.grid.extent
    wanted = int(np.clip(height * width / 45000, 6, 18))
    for _ in range(wanted * 6):
        if len(plan.fields) >= wanted:
            break
        road = plan.roads[rng.integers(len(plan.roads))]
        k = int(rng.integers(len(road.points) - 1))
        angle = float(np.arctan2(*(road.points[k + 1] - road.points[k])))
        frame = Box((float(road.points[k][0]), float(road.points[k][1])), angle, 1, 1)
        turn = np.pi / 2 if rng.random() < 0.7 else 0.0
        off = rng.uniform(60, 120)
        pair = [frame.shifted(0, side * off) for side in (-1, 1)]
        near = [abs(y - fy) + abs(x - fx) < 150 for y, x in pair for fy, fx, _ in plan.fields]
        if not any(near) and 0 <= frame.centre[0] <= height and 0 <= frame.centre[1] <= width:
            plan.fields += [(y, x, angle + turn + rng.normal(0, 0.04)) for y, x in pair]
    if not plan.fields:
        plan.fields.append((height / 2, width / 2, 0.3))
