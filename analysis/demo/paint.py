"""The picture of a scene, painted from the same shapes as its truth, as a camera over it would have seen it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from analysis.demo.fields import paint_fields
from analysis.demo.grid import Box, Floats, Mask, Window, box_frame, inside_box
from analysis.demo.land import BUILDING, ROAD, WATER, Land, sun_direction
from analysis.demo.noise import bands, cover, grain, noise_map, smooth_noise
from analysis.demo.plan import Plan, Roof
from analysis.demo.recipes import Recipe

ROOFS = ((136, 92, 76), (116, 80, 68), (148, 146, 144), (92, 88, 88), (176, 172, 166), (160, 152, 140))
SHADOW = np.array([0.42, 0.46, 0.55], np.float32)
LAWN, YARD = (104, 122, 74), (168, 160, 142)
NEEDLES, LEAVES = (48, 64, 45), (76, 96, 58)
HIDING = 0.62  # trees with a higher tone reach over the tracks


def paint(recipe: Recipe, plan: Plan, land: Land, rng: np.random.Generator, seed: int) -> npt.NDArray[np.uint8]:
    """Paint a scene.

    Returns
    -------
    ndarray of shape (rows, columns, 3), uint8
        Red, green, blue.
    """
    picture = paint_fields(plan, recipe.warmth, rng, seed)
    brush = _Brush(recipe, plan, land, picture, rng, seed)
    brush.gardens()
    brush.roads()
    brush.waters()
    brush.shadows()
    brush.roofs()
    brush.woods()
    brush.trees()
    return _expose(recipe, plan, picture, rng, seed)


class _Brush:
    """Paints one layer after the other onto the picture, (3, rows, columns), float32, 0 to 255."""

    def __init__(
        self, recipe: Recipe, plan: Plan, land: Land, picture: Floats, rng: np.random.Generator, seed: int
    ) -> None:
        self.plan, self.land, self.picture, self.rng = plan, land, picture, rng
        self.grid = plan.grid
        self.sun = sun_direction(recipe)
        self.reach = 1.05 + 0.1 * recipe.warmth  # metres of shadow for a metre of height
        shift = (int(rng.integers(768)), int(rng.integers(768)))
        self.fine = cover(grain(0.7, seed), self.grid.shape, shift)
        self.rough = cover(grain(3.0, seed), self.grid.shape, shift)
        self.tops = [t for t in plan.trees if self._on_ground(t)]

    def _on_ground(self, tree: tuple[float, float, float]) -> bool:
        row, column = int(tree[0] // self.grid.gsd), int(tree[1] // self.grid.gsd)
        if not (0 <= row < self.grid.rows and 0 <= column < self.grid.columns):
            return False
        return self.land.truth[row, column] not in (BUILDING, WATER, ROAD)

    def _blend(self, mask: Mask, colour: npt.ArrayLike, weight: Floats | float, texture: Floats) -> None:
        """Mix a colour, with a texture on it, into the pixels of a mask; ``weight`` and ``texture`` per pixel of it."""
        for plane, value in zip(self.picture, np.asarray(colour, np.float32), strict=True):
            plane[mask] += weight * (value + texture - plane[mask])

    def gardens(self) -> None:
        """Lawns, then yards and drives on them."""
        for boxes, colour, soft, strength in ((self.plan.lawns, LAWN, 3.0, 0.75), (self.plan.yards, YARD, 1.2, 0.85)):
            for box in boxes:
                frame = box_frame(self.grid, box, soft)
                if frame is None:
                    continue
                window, along, across = frame
                rough = self.rough[window]
                inner = np.minimum(box.length / 2 - np.abs(along), box.width / 2 - np.abs(across))
                weight = np.clip((inner + 0.4 * soft * rough) / soft, 0, 1) * strength
                tint = np.array(colour, np.float32) + self.rng.normal(0, 5, 3).astype(np.float32)
                for band in range(3):
                    view = self.picture[band][window]
                    view += weight * (tint[band] + 4 * rough + 5 * self.fine[window] - view)

    def roads(self) -> None:
        """Asphalt with its markings, tracks with two ruts, and grassy verges."""
        drawn = self.land.roads
        for index, road in enumerate(self.plan.roads):
            near = (drawn.line == index) & (drawn.margin < 3.5)
            margin, fine, rough = drawn.margin[near], self.fine[near], self.rough[near]
            inner = margin + road.width / 2  # distance to the centre line
            verge = np.clip(1 - margin / (1.2 if road.kind == "track" else 3.0) + 0.35 * rough, 0, 1)
            self._blend(near, (120, 130, 84), np.where(margin > 0, 0.7 * verge, 0), 4 * fine)
            edge = np.clip(0.5 - margin / self.grid.gsd, 0, 1)
            if road.kind == "track":
                rut = np.exp(-(((inner - 0.75) / 0.38) ** 2))
                worn = np.clip(0.55 + 0.45 * rut + 0.15 * rough, 0, 1)
                colour = np.array((178, 164, 134)) + self.rng.normal(0, 8)
                self._blend(near, colour, edge * worn, 6 * fine + 10 * (rut - 0.5))
                continue
            shade = self.rng.uniform(116, 140)
            lanes = 4 * np.cos(inner * (4 * np.pi / road.width))
            worn = shade - 8 * np.clip(1 + margin / 0.5, 0, 1)
            self._blend(near, (3, 2, -4), edge, worn + lanes + 3 * fine + 2.5 * rough)
            if road.kind == "main":
                dash = (inner < 0.14) & (np.mod(drawn.along[near], 9.0) < 5.0)
                line = np.abs(margin + 0.45) < 0.12
                self._blend(near, (214, 214, 208), 0.7 * (dash | line), 0 * fine)

    def waters(self) -> None:
        """Dark, calm water, lighter in the shallows, with reeds and wet grass around it."""
        land, grid = self.land, self.grid
        stream = land.waters.margin
        shore = np.maximum(land.lake * 25, -stream)  # metres into the water, roughly
        reach = (shore > -6) & ~land.roads.inside
        depth, fine, rough = shore[reach], self.fine[reach], self.rough[reach]
        bank = np.clip(1 + (depth + 1.2 * rough) / 4.5, 0, 1) * (depth <= 0)
        self._blend(reach, (92, 104, 62), 0.8 * bank, 7 * fine + 5 * rough)
        wet = land.truth == WATER
        depth = shore[wet]
        ripple = 1.8 * self.rough[wet] + 3.5 * noise_map(grid, 60, self.rng)[wet]
        shallow = 20 * np.exp(-np.maximum(depth, 0) / 3)
        clear = self.rng.uniform(0, 1)  # from a green pond to a clear lake
        colour = (1 - clear) * np.array((56, 69, 50)) + clear * np.array((46, 65, 66))
        self._blend(wet, colour, 0.94, shallow + ripple + 2.0 * self.fine[wet])

    def shadows(self) -> None:
        """The shadows of houses, trees and the edges of woods, on everything that lies on the ground."""
        dark = np.zeros(self.grid.shape, bool)
        away = (-self.sun[0], -self.sun[1])
        for roof in self.plan.roofs:
            cast = roof.height * self.reach
            frame = box_frame(self.grid, roof.box, cast)
            if frame is not None:
                dark[frame[0]] |= _swept(roof.box, *frame[1:], (away[0] * cast, away[1] * cast))
        for y, x, radius in self.tops:
            cast = radius * 1.5 * self.reach
            for part in (0.4, 0.75, 1.0):
                centre = (y + away[0] * cast * part, x + away[1] * cast * part)
                self._disc(dark, centre, radius * (1.05 - 0.25 * part))
        wooded = self.land.canopy.wooded
        for length in (3.0, 6.0, 9.0):
            down = round(away[0] * length * self.reach / self.grid.gsd)
            right = round(away[1] * length * self.reach / self.grid.gsd)
            here, there = _overlap(down, right)
            dark[there] |= wooded[here]
        # Light hardly reaches a track between tall trees.
        dark = np.where(wooded, self.land.truth == ROAD, dark)
        strength = np.where(self.land.truth[dark] == WATER, 0.35, 0.9).astype(np.float32)
        for band in range(3):
            self.picture[band][dark] *= 1 - strength * (1 - SHADOW[band])

    def _disc(self, mask: Mask, centre: tuple[float, float], radius: float) -> None:
        window = self.grid.window(np.subtract(centre, radius), np.add(centre, radius))
        if window is not None:
            y, x = self.grid.centres(window)
            mask[window] |= (y - np.float32(centre[0])) ** 2 + (x - np.float32(centre[1])) ** 2 <= radius**2

    def roofs(self) -> None:
        """Roofs with two sides, one turned to the sun; a wing of a house comes after the house."""
        for roof in self.plan.roofs:
            frame = box_frame(self.grid, roof.box, self.grid.gsd)
            if frame is not None:
                self._roof(roof, *frame)

    def _roof(self, roof: Roof, window: Window, along: Floats, across: Floats) -> None:
        box = roof.box
        inside = inside_box(box, along, across)
        c, s = np.cos(box.angle), np.sin(box.angle)
        # The ridge runs along the longer side; what counts is how far the slopes beside it face the sun.
        ridge, slope, facing = (along, across, self.sun[0] * c - self.sun[1] * s)
        if box.length < box.width:
            ridge, slope, facing = across, along, self.sun[0] * s + self.sun[1] * c
        light = 1 + np.float32(0.3 * facing) * np.tanh(slope * 3) + 0.05 * np.sin(ridge * 7.0)
        light += 0.12 * np.exp(-((slope / 0.3) ** 2)) + 0.035 * self.fine[window] + 0.02 * self.rough[window]
        colour = np.array(ROOFS[roof.colour], np.float32) * self.rng.uniform(0.92, 1.08)
        for band in range(3):
            view = self.picture[band][window]
            view[inside] = (colour[band] * light)[inside]

    def woods(self) -> None:
        """Crowns over woodland; some reach over the tracks, which are then there and cannot be seen."""
        land, canopy = self.land, self.land.canopy
        stand = noise_map(self.grid, 45, self.rng)
        inner = canopy.wooded & ((land.truth != ROAD) | (canopy.tone + 0.3 * stand > HIDING))
        height, light, tone = canopy.height[inner], canopy.light[inner], canopy.tone[inner]
        stand = stand[inner]
        dome = np.clip(height, 0, 1)
        bright = 0.5 + 0.3 * dome + 0.24 * light * dome + 0.2 * (tone - 0.5) + 0.07 * stand
        bright += 0.11 * self.fine[inner] + 0.05 * self.rough[inner]
        leafy = canopy.broadleaved[inner]
        for band in range(3):
            colour = np.where(leafy, LEAVES[band], NEEDLES[band]) + (6, 4, -2)[band] * (tone - 0.5) * 2
            self.picture[band][inner] = colour * bright * 1.18

    def trees(self) -> None:
        """Single trees: gardens, alleys, banks and fields."""
        wooded = self.land.canopy.wooded
        for y, x, radius in self.tops:
            window = self.grid.window((y - radius, x - radius), (y + radius, x + radius))
            if window is None:
                continue
            py, px = self.grid.centres(window)
            dy, dx = (py - np.float32(y)) / radius, (px - np.float32(x)) / radius
            dome = 1 - (dy * dy + dx * dx) * (1 + 0.25 * self.rough[window])
            light = dy * self.sun[0] + dx * self.sun[1]
            inside = (dome > 0) & ~wooded[window]
            bright = 0.55 + 0.35 * np.clip(dome, 0, 1) + 0.33 * light + 0.09 * self.fine[window]
            tint = self.rng.uniform(0, 1)
            for band in range(3):
                view = self.picture[band][window]
                colour = NEEDLES[band] + tint * (1.2 * LEAVES[band] - NEEDLES[band])
                view[inside] = (colour * 1.15 * bright)[inside]


def _overlap(down: int, right: int) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
    """Slices (from, to) that move an array by some rows and columns."""
    pairs = []
    for step in (down, right):
        pairs.append((slice(0, -step), slice(step, None)) if step > 0 else (slice(-step, None), slice(0, step or None)))
    return (pairs[0][0], pairs[1][0]), (pairs[0][1], pairs[1][1])


def _swept(box: Box, along: Floats, across: Floats, move: tuple[float, float]) -> Mask:
    """True where a box passes when it is moved by ``move``, (y, x) in metres."""
    c, s = np.cos(box.angle), np.sin(box.angle)
    steps = (move[1] * c + move[0] * s, move[0] * c - move[1] * s)
    first = np.zeros_like(along)
    last = np.ones_like(along)
    for at, step, half in ((along, steps[0], box.length / 2), (across, steps[1], box.width / 2)):
        step = step if abs(step) > 1e-3 else 1e-3
        ends = ((at - half) / np.float32(step), (at + half) / np.float32(step))
        np.maximum(first, np.minimum(*ends), out=first)
        np.minimum(last, np.maximum(*ends), out=last)
    swept: Mask = first <= last
    return swept


def _expose(recipe: Recipe, plan: Plan, picture: Floats, rng: np.random.Generator, seed: int) -> npt.NDArray[np.uint8]:
    """Lens, air and sensor: blur, uneven light, a colour cast, haze and noise."""
    grid = plan.grid
    y, x = grid.centres()
    tilt = rng.normal(0, 0.035, 2).astype(np.float32)
    haze = smooth_noise(grid, 250, rng)
    shift = rng.integers(0, 768, 2).tolist()
    gain = 1 + recipe.warmth * np.array([0.045, 0.0, -0.06]) + rng.normal(0, 0.01, 3)
    result = np.empty((*grid.shape, 3), np.uint8)
    for rows in bands(grid):
        light = 1 + tilt[0] * (y[rows] / grid.extent[0] - 0.5) + tilt[1] * (x / grid.extent[1] - 0.5)
        light = (light + 0.02 * haze.rows(rows)) * np.float32(recipe.brightness * 0.93)
        around = np.clip(np.arange(rows.start - 1, rows.stop + 1), 0, grid.rows - 1)
        for band in range(3):
            plane = _blurred(picture[band, around]) * (light * np.float32(gain[band])) + np.float32((9, 10, 14)[band])
            plane += 2.8 * cover(grain(0.45, seed + 1), light.shape, (shift[0] + rows.start, shift[1] + 97 * band))
            result[rows, :, band] = np.clip(plane, 0, 255)
    return result


def _blurred(plane: Floats) -> Floats:
    """A three-pixel blur, the sharpness of a good orthophoto; the first and last row go."""
    plane = 0.6 * plane[1:-1] + 0.2 * (plane[:-2] + plane[2:])
    wide = np.pad(plane, ((0, 0), (1, 1)), mode="edge")
    blurred: Floats = 0.6 * plane + 0.2 * (wide[:, :-2] + wide[:, 2:])
    return blurred
