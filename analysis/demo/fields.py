"""Farmland: blocks of long fields with one crop each, furrows along them and grassy borders between them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from analysis.demo.grid import Floats
from analysis.demo.noise import bands, cover, grain, smooth_noise
from analysis.demo.plan import Plan

# Red, green, blue; how strong furrows, blotches and grain are; how common the crop is.
CROPS = np.array(
    [
        (186, 172, 132, 5, 5, 4, 0.16),  # ripe grain
        (172, 160, 128, 7, 6, 5, 0.10),  # stubble
        (118, 130, 84, 4, 6, 4, 0.14),  # green grain
        (92, 112, 66, 6, 6, 5, 0.13),  # beet, potatoes
        (108, 122, 78, 1, 10, 5, 0.21),  # meadow
        (138, 138, 96, 1, 10, 6, 0.10),  # dry pasture
        (142, 122, 100, 6, 7, 4, 0.10),  # ploughed
        (150, 148, 106, 2, 11, 7, 0.06),  # fallow
    ],
    np.float32,
)
GRASS = (118, 126, 82)
BLOCKS, REACH = 8, 3000  # blocks along, and metres across, for which a region has fields


class Pattern:
    """Cuts the ground into blocks around the seeds of a plan, and the blocks into fields."""

    def __init__(self, plan: Plan, rng: np.random.Generator) -> None:
        self._grid, self._seeds = plan.grid, plan.fields
        self._wave = smooth_noise(plan.grid, 90, rng)
        angles = np.array([angle for _, _, angle in plan.fields], np.float32)
        self._cos, self._sin = np.cos(angles), np.sin(angles)
        self._length = rng.uniform(150, 320, len(angles)).astype(np.float32)
        self._phase = rng.uniform(0, 1, len(angles)).astype(np.float32)
        widths = rng.uniform(16, 58, (len(angles) * BLOCKS, REACH // 16))
        ends = np.cumsum(widths, axis=1).round().astype(np.float32)
        self.count = ends.size
        self._upper = ends.ravel()
        self._lower = np.pad(ends[:, :-1], ((0, 0), (1, 0))).ravel()
        at = np.arange(REACH)
        self._number = np.concatenate(
            [np.searchsorted(row, at, side="right") + i * ends.shape[1] for i, row in enumerate(ends)]
        ).astype(np.int32)

    def at(self, rows: slice) -> tuple[npt.NDArray[np.int32], Floats, Floats]:
        """The fields in some rows of the scene.

        Returns
        -------
        (number, across, border)
            Of shape (rows, columns): index of the field, int32; position across the furrows and distance to the
            nearest border of the field, float32, metres.
        """
        y, x = self._grid.centres((rows, slice(0, self._grid.columns)))
        region = np.zeros((len(y), x.size), np.int32)
        closest = np.full(region.shape, np.inf, np.float32)
        for index, (fy, fx, _) in enumerate(self._seeds):
            distance = (y - np.float32(fy)) ** 2 + (x - np.float32(fx)) ** 2
            np.copyto(region, index, where=distance < closest)
            np.minimum(closest, distance, out=closest)
        cos, sin, length = self._cos[region], self._sin[region], self._length[region]
        wave = 1.5 * self._wave.rows(rows)
        across = y * cos - x * sin + wave
        place = (x * cos + y * sin + wave) / length + self._phase[region]
        block = np.floor(place)
        place -= block
        end = np.minimum(place, 1 - place) * length
        position = across + np.float32(REACH / 2)
        slot = (region * BLOCKS + block.astype(np.int32) % BLOCKS) * REACH
        number = self._number[slot + np.clip(position, 0, REACH - 1).astype(np.int32)]
        border = np.minimum(np.minimum(position - self._lower[number], self._upper[number] - position), end)
        return number, across, border


def paint_fields(plan: Plan, warmth: float, rng: np.random.Generator, seed: int) -> Floats:
    """The picture of the farmland: (3, rows, columns), float32, 0 to 255."""
    grid = plan.grid
    pattern = Pattern(plan, rng)
    crop = rng.choice(len(CROPS), size=pattern.count, p=CROPS[:, 6] / CROPS[:, 6].sum())
    colour = CROPS[crop, :3] * rng.normal(1, 0.05, (len(crop), 1)) + rng.normal(0, 3, (len(crop), 3))
    colour = (colour + warmth * np.array([5, 1, -5])).astype(np.float32)
    furrow, blotch, fine = (CROPS[crop, 3:6].T * rng.uniform(0.6, 1.3, len(crop))).astype(np.float32)
    frequency = (2 * np.pi / rng.choice([1.6, 2.4, 3.2, 6.0], size=len(crop))).astype(np.float32)
    wide, small = smooth_noise(grid, 26, rng), smooth_noise(grid, 7, rng)
    shift = rng.integers(0, 768, 2).tolist()

    picture = np.empty((3, *grid.shape), np.float32)
    for rows in bands(grid):
        number, across, border = pattern.at(rows)
        blotches = wide.rows(rows) + 0.6 * small.rows(rows)
        speckle = cover(grain(0.8, seed), number.shape, (shift[0] + rows.start, shift[1]))
        # Tramlines: the tractor's own wheel tracks, every 15 m in the crops that have furrows.
        tram = np.abs(np.mod(across, np.float32(15)) - np.float32(7.5)) < 0.45
        relief = furrow[number] * (np.sin(across * frequency[number]) - np.float32(1.6) * tram)
        relief += blotch[number] * blotches + fine[number] * speckle
        grass = 0.75 * np.clip(1.2 - border / 0.7 + 0.3 * blotches * (border < 2), 0, 1)
        for band in range(3):
            plane = colour[:, band][number] + relief * np.float32((1.0, 0.95, 0.75)[band])
            plane += grass * (GRASS[band] - plane)
            picture[band, rows] = plane
    return picture
