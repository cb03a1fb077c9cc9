"""Tiles of a binary dataset on which nothing is to be found: what a model predicts there is false alarm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from analysis.scores.formulas import as_confusion, pool, valid_pixels


@dataclass(frozen=True)
class NoChange:
    """Tiles whose ground truth holds no px of class 1.

    Parameters
    ----------
    tiles : int
        Such tiles, of those with a valid px.
    alarmed : int
        Those among them with at least one px predicted as class 1.
    pixels : int
        False px of class 1 in them.
    """

    tiles: int
    alarmed: int
    pixels: int


def no_change(confusion: ArrayLike) -> NoChange:
    """Count the tiles without class 1, and the false alarms on them.

    Parameters
    ----------
    confusion : array_like of int, shape (N, 2, 3)
        Axes (tile, truth, prediction) of a binary dataset.

    Raises
    ------
    ValueError
        There are not two classes.
    """
    matrix = as_confusion(confusion)
    if matrix.ndim != 3 or matrix.shape[1] != 2:
        raise ValueError(f"`confusion` must have the shape (N, 2, 3), but has {matrix.shape}")
    without = (matrix[:, 1].sum(axis=-1) == 0) & (valid_pixels(matrix) > 0)
    false = matrix[without, 0, 1]
    return NoChange(int(without.sum()), int((false > 0).sum()), int(pool(np.asarray(false))))
