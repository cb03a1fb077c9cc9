"""The pooled table: what is known of every class over all tiles together."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike

from analysis.kernels.layout import PREDICTED, TRUTH
from analysis.scores.formulas import (
    Counts,
    Scores,
    as_confusion,
    as_counts,
    boundary_iou,
    class_counts,
    class_scores,
    pixel_outcomes,
    pool,
)


@dataclass(frozen=True, eq=False)
class PooledByClass:
    """Pooled scores and support, each an array (K,) in the order of the class list.

    Parameters
    ----------
    iou, precision, recall, f1, boundary_iou : ndarray of float64
        NaN where undefined.
    tp, fp, fn, truth_pixels, predicted_pixels : ndarray of int64
        Px over all tiles.
    tiles_in_truth, tiles_in_prediction, tiles_in_union : ndarray of int64
        Tiles that hold the class in the truth, in the prediction, in either.
    """

    iou: Scores
    precision: Scores
    recall: Scores
    f1: Scores
    boundary_iou: Scores
    tp: Counts
    fp: Counts
    fn: Counts
    truth_pixels: Counts
    predicted_pixels: Counts
    tiles_in_truth: Counts
    tiles_in_prediction: Counts
    tiles_in_union: Counts

    def row(self, index: int) -> dict[str, float | int | None]:
        """The values of one class by name as plain numbers, None where undefined (as in JSON)."""
        values = {f.name: getattr(self, f.name)[index].item() for f in fields(self)}
        # NaN is the one value that is not equal to itself.
        return {name: None if value != value else value for name, value in values.items()}


def pooled_by_class(confusion: ArrayLike, bands: ArrayLike | None = None) -> PooledByClass:
    """Scores and support of every class, from counts summed over the tiles.

    Parameters
    ----------
    confusion : array_like of int, shape (N, K, K + 1)
        Axes (tile, truth, prediction). N may be 0: scores are NaN, counts 0.
    bands : array_like of int, shape (N, K, 2), or None
        Without them Boundary IoU is NaN.

    Raises
    ------
    ValueError
        A shape or type is wrong.
    """
    matrix = as_confusion(confusion)
    if matrix.ndim != 3:
        raise ValueError(f"`confusion` must have the shape (N, K, K + 1), but has {matrix.shape}")
    n, k = matrix.shape[:2]
    tiles = class_counts(matrix)
    counts = pool(tiles)
    edge = np.full(k, np.nan)
    if bands is not None:
        checked = as_counts(bands, "bands", (k, 2))
        if checked.shape != (n, k, 2):
            raise ValueError(f"`bands` must have the shape ({n}, {k}, 2), but has {checked.shape}")
        edge = boundary_iou(pool(checked))
    scores, outcomes = class_scores(counts), pixel_outcomes(counts)
    in_truth, in_prediction = tiles[..., TRUTH] > 0, tiles[..., PREDICTED] > 0
    return PooledByClass(
        iou=scores.iou,
        precision=scores.precision,
        recall=scores.recall,
        f1=scores.f1,
        boundary_iou=edge,
        tp=outcomes.tp,
        fp=outcomes.fp,
        fn=outcomes.fn,
        truth_pixels=counts[:, TRUTH],
        predicted_pixels=counts[:, PREDICTED],
        tiles_in_truth=pool(in_truth),
        tiles_in_prediction=pool(in_prediction),
        tiles_in_union=pool(in_truth | in_prediction),
    )
