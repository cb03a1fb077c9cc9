"""What is timed: a function of one tile each, set up once in every worker."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from analysis.catalogue.tiles import Tile
from analysis.reading.raster import Raster, environment
from analysis.scoring.recipe import Recipe
from analysis.scoring.tile import TileScorer

K = 5


def _read(tile: Tile) -> tuple[np.ndarray, np.ndarray]:
    assert tile.truth is not None
    assert tile.prediction is not None
    maps = []
    for path in (tile.truth.path, tile.prediction.path):
        with Raster(path) as raster:
            h = raster.header
            maps.append(raster.read((0, h.height), (0, h.width))[0])
    return maps[0], maps[1]


def decode(tile: Tile) -> None:
    """Decode both files and do nothing: the limit."""
    _read(tile)


def bincount(tile: Tile) -> np.ndarray:
    """The snippet of most notebooks: a masked bincount of pair codes."""
    truth, prediction = _read(tile)
    valid = truth < K
    return np.bincount(K * truth[valid].astype(int) + prediction[valid], minlength=K * K).reshape(K, K)


def sklearn_matrix(tile: Tile) -> np.ndarray:
    """scikit-learn's confusion_matrix."""
    from sklearn.metrics import confusion_matrix

    truth, prediction = _read(tile)
    return np.asarray(confusion_matrix(truth.ravel(), prediction.ravel(), labels=range(K)))


_work: dict[str, Callable[[Tile], Any]] = {}


def start(pixels: Recipe, full: Recipe) -> None:
    """Prepare a worker."""
    environment().__enter__()
    _work.update(
        decode=decode,
        orthoscope=TileScorer(pixels).score,
        full=TileScorer(full).score,
        bincount=bincount,
        sklearn=sklearn_matrix,
    )


def run_batch(name: str, tiles: list[Tile]) -> list[Any]:
    """Run one contender on some tiles."""
    work = _work[name]
    return [work(tile) for tile in tiles]
