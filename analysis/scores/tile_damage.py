"""Damage: what the pooled score would gain if one tile were perfect.

The idea of weighing an error by the score regained when it is put right is TIDE's (Bolya et al. 2020,
arXiv 2008.08115), there for kinds of error, here for tiles.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.kernels.layout import PREDICTED, RIGHT, TRUTH
from analysis.scores.formulas import Counts, Scores, as_confusion, class_counts, pool, safe_divide


def damage(confusion: ArrayLike, members: NDArray[np.intp]) -> Scores:
    """Gain in the pooled mean IoU if a tile's prediction were its truth, for each tile alone.

    Every valid px of the tile becomes right, also where the prediction was outside the class list;
    the other tiles stay as they are. Gain = pooled score after - pooled score before, both as the
    convention `pooled` gives them: means over the `members` that occur. With one member it is the
    gain in the IoU of that class.

    A class that exists only as false positives of this tile occurs no more afterwards and leaves the
    mean. Its IoU was 0, so the mean rises by that as well: the gain is never negative, because no
    class's intersection shrinks, no union grows, and only zeros leave.

    Parameters
    ----------
    confusion : array_like of int, shape (N, K, K + 1)
        Axes (tile, truth, prediction).
    members : ndarray of int
        Indices of the classes in the mean, such as `classes_in_mean` gives.

    Returns
    -------
    ndarray of float64, shape (N,)
        In [0, 1], and an exact 0 where the tile has no error that touches a member. NaN where none of
        the members occurs before or after. O(N K^2) work, without a loop over tiles.

    Raises
    ------
    ValueError
        The confusion does not have the shape (N, K, K + 1).
    """
    matrix = as_confusion(confusion)
    if matrix.ndim != 3:
        raise ValueError(f"`confusion` must have the shape (N, K, K + 1), but has {matrix.shape}")
    tiles = class_counts(matrix)
    whole = pool(tiles)
    return mean_iou(whole + replaced(tiles), members) - mean_iou(whole, members)


# Replacing a prediction changes predicted and right px into truth px; the truth itself stays.
_REPLACED = np.zeros(3, np.int64)
_REPLACED[[PREDICTED, RIGHT]] = 1


def replaced(tiles: Counts) -> Counts:
    """What each tile adds to the pooled counts once its prediction is its truth; class counts (N, K, 3) in and out."""
    return np.asarray((tiles[..., [TRUTH]] - tiles) * _REPLACED)


def mean_iou(counts: Counts, members: NDArray[np.intp]) -> Scores:
    """Mean IoU over the members that occur, of counts (..., K, 3); NaN where none does.

    Classes are added one by one: the order of the sum is then the same for one pool and for many, so
    equal counts give equal floats and rounding can never make a gain negative.
    """
    total, occurring = np.zeros(counts.shape[:-2]), np.zeros(counts.shape[:-2], np.int64)
    for k in members:
        right = counts[..., k, RIGHT]
        union = counts[..., k, TRUTH] + counts[..., k, PREDICTED] - right
        iou = safe_divide(right, union)
        total += np.where(union > 0, iou, 0.0)
        occurring += union > 0
    return safe_divide(total, occurring)
