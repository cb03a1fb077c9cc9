"""What a worker runs. Making it is put off until it is used, so that the parent does not wait for numba."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from analysis.catalogue.tiles import Tile
from analysis.scoring.recipe import Recipe


def make_scorer(recipe: Recipe) -> Callable[[Tile], dict[str, Any]]:
    """What turns a tile into its row; made once in each worker."""
    from analysis.scoring.tile import TileScorer  # the kernels are loaded where they are used

    return TileScorer(recipe).score
