"""Random fields and periodic textures, cheap enough to cover a whole scene."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from analysis.demo.grid import Floats, Grid

P = TypeVar("P", bound=np.generic)


@lru_cache(maxsize=64)
def _spread(size: int, cells: int) -> Floats:
    """Matrix of shape (size, cells) that spreads ``cells`` values over ``size`` pixels by cubic convolution."""
    at = (np.arange(size) + 0.5) * cells / size - 0.5
    weights = np.zeros((size, cells))
    first = np.floor(at).astype(int) - 1
    for tap in range(4):
        t = np.abs(at - (first + tap))
        near = 1.5 * t**3 - 2.5 * t**2 + 1
        far = -0.5 * t**3 + 2.5 * t**2 - 4 * t + 2
        np.add.at(weights, (np.arange(size), np.clip(first + tap, 0, cells - 1)), np.where(t <= 1, near, far))
    return weights.astype(np.float32)


class Smooth:
    """A small array spread smoothly over a larger shape, by rows as they are wanted; float32.

    Matrix products make this cheap at any size, and few rows at a time stay in the processor's cache.
    """

    def __init__(self, values: Floats, shape: tuple[int, int]) -> None:
        self._down = _spread(shape[0], values.shape[0])
        self._across = values @ _spread(shape[1], values.shape[1]).T

    def rows(self, rows: slice) -> Floats:
        """Some rows of the larger array."""
        band: Floats = self._down[rows] @ self._across
        return band


def enlarge(values: Floats, shape: tuple[int, int]) -> Floats:
    """A small array spread smoothly over a larger ``shape``."""
    return Smooth(values, shape).rows(slice(None))


def smooth_noise(grid: Grid, scale: float, rng: np.random.Generator, shape: tuple[int, int] | None = None) -> Smooth:
    """Noise whose bumps are about ``scale`` metres wide, mean 0, standard deviation about 1.

    Parameters
    ----------
    shape : tuple of int, optional
        Size of the array that covers the scene; that of the grid by default.
    """
    cells = [max(2, round(size / scale)) for size in grid.extent]
    return Smooth(rng.standard_normal(cells, np.float32) * np.float32(1.3), shape or grid.shape)


def noise_map(grid: Grid, scale: float, rng: np.random.Generator, shape: tuple[int, int] | None = None) -> Floats:
    """All rows of ``smooth_noise``."""
    return smooth_noise(grid, scale, rng, shape).rows(slice(None))


def bands(grid: Grid, rows: int = 128) -> Iterator[slice]:
    """Rows of a scene, some at a time: small arrays are several times faster to work on than whole scenes."""
    for start in range(0, grid.rows, rows):
        yield slice(start, min(start + rows, grid.rows))


def cover(texture: npt.NDArray[P], shape: tuple[int, int], shift: tuple[int, int]) -> npt.NDArray[P]:
    """A periodic texture repeated over ``shape``, beginning at ``shift`` (row, column)."""
    lines = texture[(np.arange(shape[0]) + shift[0]) % texture.shape[0]]
    begin = shift[1] % texture.shape[1]
    times = -(-(begin + shape[1]) // texture.shape[1])
    return np.concatenate([lines[:, begin:], *[lines] * (times - 1)], axis=1)[:, : shape[1]]


@lru_cache(maxsize=8)
def grain(blur: float, seed: int, size: int = 768) -> Floats:
    """Periodic fine noise: ``size`` px wide, bumps of about ``blur`` px, standard deviation 1."""
    values = np.random.default_rng([seed, 101]).standard_normal((size, size), np.float32)
    rows, columns = np.fft.fftfreq(size)[:, None], np.fft.rfftfreq(size)
    soft = np.exp(-2 * (np.pi * blur) ** 2 * (rows**2 + columns**2))
    values = np.fft.irfft2(np.fft.rfft2(values) * soft, (size, size)).astype(np.float32)
    scaled: Floats = values / values.std()
    return scaled


@dataclass(frozen=True)
class Crowns:
    """A periodic canopy seen from above; all arrays of shape (size, size).

    Parameters
    ----------
    height : float32
        Height of the dome over a pixel, 1 at a tree's top, 0 and below in the gaps.
    light : float32
        How far the dome is turned to the sun, about -1 to 1.
    tone : float32
        A random number of the tree, 0 to 1.
    down, right : int32
        Steps in px from a pixel to the top of the tree it belongs to.
    """

    height: Floats
    light: Floats
    tone: Floats
    down: npt.NDArray[np.int32]
    right: npt.NDArray[np.int32]


@lru_cache(maxsize=8)
def crowns(spacing: int, sun: tuple[float, float], seed: int) -> Crowns:
    """A canopy of domes.

    Parameters
    ----------
    spacing : int
        Distance of the trees in px.
    sun : tuple of float
        Direction to the sun on the ground, (y, x), length 1.
    """
    rng = np.random.default_rng([seed, 102, spacing])
    n = 768 // spacing
    size = n * spacing
    top = rng.uniform(-0.05, 1.05, (2, n, n)).astype(np.float32)
    radius = rng.uniform(0.55, 0.95, (n, n)).astype(np.float32)
    tree_tone = rng.random((n, n), np.float32)

    cell = np.arange(size) // spacing
    inner = ((np.arange(size) % spacing) + 0.5).astype(np.float32) / np.float32(spacing)
    height = np.full((size, size), -9, np.float32)
    tree = np.zeros((size, size), np.int32)
    for below in (-1, 0, 1):
        for beside in (-1, 0, 1):
            number = ((cell + below) % n)[:, None] * n + (cell + beside) % n
            dy = top[0].ravel()[number] + (np.float32(below) - inner[:, None])
            dx = top[1].ravel()[number] + (np.float32(beside) - inner)
            dome = 1 - (dy * dy + dx * dx) / (radius**2).ravel()[number]
            np.copyto(tree, number, where=dome > height)
            np.maximum(height, dome, out=height)
    # From the pixel's cell to the tree's, the short way round.
    steps = [np.mod(tree // n - cell[:, None] + 1, n) - 1, np.mod(tree % n - cell + 1, n) - 1]
    dy = top[0].ravel()[tree] + steps[0].astype(np.float32) - inner[:, None]
    dx = top[1].ravel()[tree] + steps[1].astype(np.float32) - inner
    light = -(dy * sun[0] + dx * sun[1]) / radius.ravel()[tree]
    down, right = np.rint(dy * spacing).astype(np.int32), np.rint(dx * spacing).astype(np.int32)
    return Crowns(height, light, tree_tone.ravel()[tree], down, right)
