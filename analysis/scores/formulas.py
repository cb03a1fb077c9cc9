"""Formulas: integers in, scores out, on any leading axes. Every score of the project is one of these.

Counts come in three shapes: a confusion matrix ``(..., K, K + 1)`` with axes (truth, prediction),
whose last column holds predictions outside the class list; class counts ``(..., K, 3)`` = truth,
predicted and right px; and bands ``(..., K, 2)`` = intersection and union px. The leading axes are
free: none for a pool, tiles, edge bands, boundary bands.

Undefined is NaN. No function warns, and none changes its input.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.kernels.layout import PREDICTED, RIGHT, TRUTH

Counts = NDArray[np.int64]
Scores = NDArray[np.float64]


class ClassScores(NamedTuple):
    """Scores of classes, each ``(..., K)`` float64 in [0, 1], NaN where undefined."""

    iou: Scores
    precision: Scores
    recall: Scores
    f1: Scores


class PixelOutcomes(NamedTuple):
    """True positives, false positives and false negatives of classes, each ``(..., K)`` int64 px."""

    tp: Counts
    fp: Counts
    fn: Counts


def safe_divide(numerator: ArrayLike, denominator: ArrayLike) -> Scores:
    """Quotient as float64; NaN where the denominator is 0, without a warning.

    Parameters
    ----------
    numerator, denominator : array_like
        Shapes that broadcast against each other.

    Returns
    -------
    ndarray of float64
        The broadcast shape; two scalars give an array without axes.
    """
    top, bottom = np.asarray(numerator, np.float64), np.asarray(denominator, np.float64)
    quotient = np.full(np.broadcast_shapes(top.shape, bottom.shape), np.nan)
    np.divide(top, bottom, out=quotient, where=bottom != 0)
    return quotient


def mean_defined(values: ArrayLike, axis: int = -1) -> Scores:
    """Mean over the values that are defined; NaN where none is.

    Parameters
    ----------
    values : array_like of float
        NaN is undefined.
    axis : int
        The axis that is averaged away; it may have no entries.
    """
    scores = np.asarray(values, np.float64)
    defined = ~np.isnan(scores)
    return safe_divide(np.where(defined, scores, 0.0).sum(axis=axis), defined.sum(axis=axis))


def as_counts(array: ArrayLike, name: str, tail: tuple[int | None, ...]) -> Counts:
    """The array as int64, after a look at its type and its last axes.

    Parameters
    ----------
    array : array_like of int
        Counts in px.
    name : str
        What the message calls it.
    tail : tuple of int or None
        Lengths that the last axes must have; None is any length.

    Raises
    ------
    ValueError
        The array does not hold integers, or its last axes are of other lengths.
    """
    counts = np.asarray(array)
    if not np.issubdtype(counts.dtype, np.integer):
        raise ValueError(f"`{name}` must hold integers, but is {counts.dtype}")
    lengths = counts.shape[-len(tail) :]
    if len(lengths) < len(tail) or any(t not in (None, n) for t, n in zip(tail, lengths, strict=True)):
        wanted = ", ".join("any" if t is None else str(t) for t in tail)
        raise ValueError(f"`{name}` must end in the axes ({wanted}), but has the shape {counts.shape}")
    return counts.astype(np.int64, copy=False)


def as_confusion(confusion: ArrayLike) -> Counts:
    """The confusion matrices as ``(..., K, K + 1)`` int64.

    Raises
    ------
    ValueError
        The array does not hold integers, or its last axes are not K and K + 1.
    """
    counts = as_counts(confusion, "confusion", (None, None))
    if counts.shape[-1] != counts.shape[-2] + 1:
        raise ValueError(f"`confusion` must end in the axes (K, K + 1), but has the shape {counts.shape}")
    return counts


def pool(counts: ArrayLike) -> Counts:
    """Counts summed over their first axis, the tiles; no tiles give zeros. int64 px, exact."""
    return np.asarray(np.asarray(counts).sum(axis=0, dtype=np.int64))


def class_counts(confusion: ArrayLike) -> Counts:
    """Truth, predicted and right px of every class.

    Parameters
    ----------
    confusion : array_like of int, shape (..., K, K + 1)
        Axes (truth, prediction). The last column counts as truth of its row and as a prediction of
        no class.

    Returns
    -------
    ndarray of int64, shape (..., K, 3)
        On the last axis: truth, predicted, right px.
    """
    matrix = as_confusion(confusion)
    inside = matrix[..., :-1]
    counts = np.empty((*matrix.shape[:-1], 3), np.int64)
    counts[..., TRUTH] = matrix.sum(axis=-1)
    counts[..., PREDICTED] = inside.sum(axis=-2)
    counts[..., RIGHT] = np.diagonal(inside, axis1=-2, axis2=-1)
    return counts


def class_scores(counts: ArrayLike) -> ClassScores:
    """IoU, precision, recall and F1, with t = truth, p = predicted and r = right px.

    * IoU = r / (t + p - r), the index of Jaccard (1912). Undefined where the class is in neither
      map; 0 where it is in one of them only, or never hit.
    * precision = r / p. Undefined where nothing is predicted.
    * recall = r / t. Undefined where there is no truth.
    * F1 = 2 r / (t + p), the coefficient of Dice (1945). Undefined where IoU is.

    Parameters
    ----------
    counts : array_like of int, shape (..., K, 3)
        Truth, predicted and right px: of tiles, a pool, or the bins of a profile.

    Returns
    -------
    ClassScores
        Each of shape (..., K).
    """
    c = as_counts(counts, "counts", (3,))
    truth, predicted, right = c[..., TRUTH], c[..., PREDICTED], c[..., RIGHT]
    return ClassScores(
        iou=safe_divide(right, truth + predicted - right),
        precision=safe_divide(right, predicted),
        recall=safe_divide(right, truth),
        f1=safe_divide(2 * right, truth + predicted),
    )


def pixel_outcomes(counts: ArrayLike) -> PixelOutcomes:
    """True positives r, false positives p - r and false negatives t - r of ``(..., K, 3)`` counts."""
    c = as_counts(counts, "counts", (3,))
    right = c[..., RIGHT]
    return PixelOutcomes(tp=right, fp=c[..., PREDICTED] - right, fn=c[..., TRUTH] - right)


def valid_pixels(confusion: ArrayLike) -> Counts:
    """Px with a truth: the sum of ``(..., K, K + 1)`` matrices, shape (...), int64."""
    return np.asarray(as_confusion(confusion).sum(axis=(-2, -1)))


def wrong_pixels(confusion: ArrayLike) -> Counts:
    """Valid px off the diagonal, predictions outside the class list among them, shape (...), int64."""
    matrix = as_confusion(confusion)
    return np.asarray(matrix.sum(axis=(-2, -1)) - np.trace(matrix, axis1=-2, axis2=-1))


def accuracy(confusion: ArrayLike) -> Scores:
    """Right px over valid px of ``(..., K, K + 1)`` matrices, shape (...); NaN without a valid px."""
    total = valid_pixels(confusion)
    return safe_divide(total - wrong_pixels(confusion), total)


def kappa(confusion: ArrayLike) -> Scores:
    """Cohen's kappa (1960): agreement beyond what the two class shares alone would give.

    kappa = (a - e) / (1 - e), where a is the accuracy and e = sum over classes of truth share times
    predicted share. What is predicted outside the class list is a category without truth.

    Parameters
    ----------
    confusion : array_like of int, shape (..., K, K + 1)

    Returns
    -------
    ndarray of float64, shape (...)
        In [-1, 1]; NaN without a valid px and where e = 1 (one class is all there is in both maps).
    """
    matrix = as_confusion(confusion)
    counts = class_counts(matrix)
    total = valid_pixels(matrix)[..., np.newaxis]
    # 1 - (1 - a) / (1 - e), with n (1 - e) = sum of (t / n) (n - p): the terms are never negative,
    # so nothing cancels, e = 1 is an exact 0, and no square of a pixel count can overflow.
    chance = (safe_divide(counts[..., TRUTH], total) * (total - counts[..., PREDICTED])).sum(axis=-1)
    return np.asarray(1.0 - safe_divide(wrong_pixels(matrix), chance))


def boundary_iou(bands: ArrayLike) -> Scores:
    """Boundary IoU (Cheng et al. 2021, arXiv 2103.16562) from the px of the boundary bands.

    Parameters
    ----------
    bands : array_like of int, shape (..., K, 2)
        Intersection and union px of the bands of truth and prediction.

    Returns
    -------
    ndarray of float64, shape (..., K)
        NaN where neither map has a boundary band of the class.
    """
    b = as_counts(bands, "bands", (2,))
    return safe_divide(b[..., 0], b[..., 1])
