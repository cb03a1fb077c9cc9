"""Scores by scene: tiles of a scene are not independent, so where a model fails is asked of scenes first."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from analysis.kernels.layout import TRUTH
from analysis.scores.conventions import CONVENTIONS
from analysis.scores.formulas import (
    Counts,
    Scores,
    as_confusion,
    class_counts,
    class_scores,
    mean_defined,
    safe_divide,
    valid_pixels,
    wrong_pixels,
)
from analysis.scores.headlines import classes_in_mean
from analysis.scores.registry import pick
from analysis.words.classes import ClassList
from analysis.words.order import natural_key


@dataclass(frozen=True, eq=False)
class ByScene:
    """Scores and support of S scenes, in natural order of their names.

    Parameters
    ----------
    scenes : tuple of str
        Names; "" is the group of the tiles without a scene and stands last.
    values : ndarray of float64, shape (S,)
        Score under the convention, NaN where undefined.
    iou : ndarray of float64, shape (S, K)
        Pooled IoU by class, NaN where undefined.
    tiles, valid_pixels, wrong_pixels : ndarray of int64, shape (S,)
    truth_pixels : ndarray of int64, shape (S, K)
        Support of every class: px in the ground truth.
    wrong_shares, valid_shares : ndarray of float64, shape (S,)
        Share of all wrong and of all valid px; NaN where there are none at all.
    """

    scenes: tuple[str, ...]
    values: Scores
    iou: Scores
    tiles: Counts
    valid_pixels: Counts
    wrong_pixels: Counts
    truth_pixels: Counts
    wrong_shares: Scores
    valid_shares: Scores

    def __len__(self) -> int:
        return len(self.scenes)


def by_scene(
    confusion: ArrayLike,
    scenes: Sequence[str] | pd.Series[Any],
    classes: ClassList,
    *,
    convention: str = "pooled",
    among: Collection[int] | None = None,
) -> ByScene:
    """The score of every scene under a convention, as `headline` would give it for the scene's tiles alone.

    Parameters
    ----------
    confusion : array_like of int, shape (N, K, K + 1)
        Axes (tile, truth, prediction). N may be 0: there is no scene then.
    scenes : sequence of str, or Series, length N
        The scene of every tile; "" is none.
    classes : ClassList
        K classes.
    convention : str
        One of `CONVENTIONS`.
    among : collection of int or None
        Class indices that the mean is restricted to; None is all.

    Raises
    ------
    SelectionError
        No convention has this id.
    ValueError
        The confusion does not have the shape (N, K, K + 1) of these classes and scenes.
    """
    rule = pick(CONVENTIONS, convention, "convention")
    tiles = as_confusion(confusion)
    k = len(classes)
    if tiles.shape != (len(scenes), k, k + 1):
        raise ValueError(f"`confusion` must have the shape ({len(scenes)}, {k}, {k + 1}), but has {tiles.shape}")
    names, groups = _groups(scenes)
    sizes = np.bincount(groups, minlength=len(names))
    pooled = _summed(tiles, groups, len(names))
    members = classes_in_mean(classes, background=rule.background, among=among)
    counts = class_counts(pooled)
    valid, wrong = valid_pixels(pooled), wrong_pixels(pooled)
    return ByScene(
        scenes=names,
        values=_RULES[rule.id](tiles, groups, counts, sizes, members),
        iou=class_scores(counts).iou,
        tiles=sizes,
        valid_pixels=valid,
        wrong_pixels=wrong,
        truth_pixels=counts[..., TRUTH],
        wrong_shares=safe_divide(wrong, wrong.sum()),
        valid_shares=safe_divide(valid, valid.sum()),
    )


def _groups(scenes: Sequence[str] | pd.Series[Any]) -> tuple[tuple[str, ...], NDArray[np.intp]]:
    """Names in natural order, the empty one last, and the place of every tile's scene among them."""
    codes, found = pd.factorize(pd.Series(scenes, dtype="str").fillna(""))
    names = [str(name) for name in found]
    order = sorted(range(len(names)), key=lambda i: (not names[i], natural_key(names[i])))
    place = np.empty(len(names), np.intp)
    place[order] = np.arange(len(names))
    return tuple(names[i] for i in order), place[codes]


def _summed(values: NDArray[Any], groups: NDArray[np.intp], count: int) -> NDArray[np.int64]:
    """Whole numbers (N, ...) summed by group, shape (count, ...); exact below 2**53.

    Tiles of a scene mostly follow each other: such runs are summed first. The rest goes column by column, which is
    several times faster than sorting the tiles or `np.add.at`.
    """
    starts = np.flatnonzero(np.diff(groups, prepend=-1))
    if 2 * len(starts) < len(groups):
        values, groups = np.add.reduceat(values, starts, axis=0), groups[starts]
    flat = values.reshape(len(values), math.prod(values.shape[1:]))
    sums = np.empty((count, flat.shape[1]), np.int64)
    for i in range(flat.shape[1]):
        sums[:, i] = np.bincount(groups, flat[:, i], count)
    return sums.reshape(count, *values.shape[1:])


_Rule = Callable[[Counts, NDArray[np.intp], Counts, Counts, NDArray[np.intp]], Scores]


def _pooled(
    tiles: Counts, groups: NDArray[np.intp], counts: Counts, sizes: Counts, members: NDArray[np.intp]
) -> Scores:
    return mean_defined(class_scores(counts).iou[:, members])


def _frequency_weighted(
    tiles: Counts, groups: NDArray[np.intp], counts: Counts, sizes: Counts, members: NDArray[np.intp]
) -> Scores:
    truth, iou = counts[:, members, TRUTH], class_scores(counts).iou[:, members]
    # A class without truth has weight 0; its IoU may be NaN and must not spread.
    return safe_divide((np.where(truth > 0, iou, 0.0) * truth).sum(axis=1), truth.sum(axis=1))


def _tile_mean(
    tiles: Counts, groups: NDArray[np.intp], counts: Counts, sizes: Counts, members: NDArray[np.intp]
) -> Scores:
    total, defined = _tile_sums(tiles, groups, len(sizes), members)
    return safe_divide(total, defined)


def _tile_mean_zero(
    tiles: Counts, groups: NDArray[np.intp], counts: Counts, sizes: Counts, members: NDArray[np.intp]
) -> Scores:
    total, _ = _tile_sums(tiles, groups, len(sizes), members)
    return safe_divide(total, sizes * len(members))


def _tile_sums(
    tiles: Counts, groups: NDArray[np.intp], count: int, members: NDArray[np.intp]
) -> tuple[Scores, NDArray[np.int64]]:
    """Sum of the IoU of all pairs of tile and class with a non-empty union, and their number, by group."""
    iou = class_scores(class_counts(tiles)).iou[:, members]
    defined = ~np.isnan(iou)
    total = np.bincount(groups, np.where(defined, iou, 0.0).sum(axis=1), count).astype(np.float64)
    return total, _summed(defined.sum(axis=1), groups, count)


_RULES: dict[str, _Rule] = {
    "pooled": _pooled,
    "pooled_with_background": _pooled,
    "tile_mean": _tile_mean,
    "tile_mean_zero": _tile_mean_zero,
    "frequency_weighted": _frequency_weighted,
}
