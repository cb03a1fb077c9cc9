"""Rankings: the order in which tiles are worth looking at, worst first.

Each ranking answers another question; the pages show its sentence beside the choice. To add one, add
an entry to `RANKINGS`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.errors import SelectionError
from analysis.scores.bundle import CountsBundle
from analysis.scores.evaluation import evaluate, overall
from analysis.scores.formulas import Scores
from analysis.scores.headlines import classes_in_mean
from analysis.scores.metrics import METRICS, Better
from analysis.scores.registry import by_id, pick
from analysis.scores.tile_damage import damage
from analysis.words.classes import ClassList


@dataclass(frozen=True)
class RankBy:
    """What tiles are ranked by: a ranking and the parameters that it takes; None is not given.

    Parameters
    ----------
    ranking : str
        Id of an entry of `RANKINGS`.
    metric : str or None
        Id of a metric.
    class_index : int or None
        Index (not id) of one class; without it the classes in the mean count together.
    truth_index, predicted_index : int or None
        Row and column of the confusion; the column K is what is predicted outside the class list.
    """

    ranking: str = "damage"
    metric: str | None = None
    class_index: int | None = None
    truth_index: int | None = None
    predicted_index: int | None = None


@dataclass(frozen=True, eq=False)
class Ranking:
    """Tiles in order.

    Parameters
    ----------
    order : ndarray of int
        Positions of the tiles with a value, worst first; ties stay in the given (natural) order.
    undefined : ndarray of int
        Positions of the tiles without a value, in the given order: shown last and apart.
    values : ndarray of float64, shape (N,)
        The value of every tile, NaN where undefined.
    better : {"higher", "lower"}
        Which end of the values is good.
    """

    order: NDArray[np.intp]
    undefined: NDArray[np.intp]
    values: Scores
    better: Better

    @cached_property
    def best_first(self) -> NDArray[np.intp]:
        """The positions in `order`, best first; ties still in the given order."""
        return rank(self.values, "lower" if self.better == "higher" else "higher").order


def rank(values: ArrayLike, better: Better) -> Ranking:
    """Order positions by value, worst first.

    Parameters
    ----------
    values : array_like of float, shape (N,)
        NaN is undefined. N may be 0.
    better : {"higher", "lower"}
        Which end is good; the order starts at the other.
    """
    scores = np.asarray(values, np.float64)
    missing = np.isnan(scores)
    defined = np.flatnonzero(~missing)
    keys = scores[defined] if better == "higher" else -scores[defined]
    return Ranking(defined[np.argsort(keys, kind="stable")], np.flatnonzero(missing), scores, better)


@dataclass(frozen=True)
class RankingKind:
    """One way to rank tiles.

    Parameters
    ----------
    id, label : str
        For machines and for people.
    purpose : str
        One sentence on what it is for; the pages show it.
    required, optional : tuple of str
        The fields of `RankBy` that it takes.
    compute : callable
        From counts, the indices of the classes in the mean, and a `RankBy`, to values (N,) and which end is good.
    """

    id: str
    label: str
    purpose: str
    required: tuple[str, ...]
    optional: tuple[str, ...]
    compute: Callable[[CountsBundle, NDArray[np.intp], RankBy], tuple[Scores, Better]]


def _by_metric(counts: CountsBundle, members: NDArray[np.intp], by: RankBy) -> tuple[Scores, Better]:
    metric = pick(METRICS, by.metric or "", "metric")
    if by.class_index is None:
        return overall(metric, counts, members), metric.better
    if not metric.per_class:
        raise SelectionError(f"{metric.label} is one number for all classes; leave the class out.")
    return evaluate(metric, counts)[..., by.class_index], metric.better


def _by_wrong_pixels(counts: CountsBundle, members: NDArray[np.intp], by: RankBy) -> tuple[Scores, Better]:
    return evaluate("wrong_pixels", counts), "lower"


def _by_cell(counts: CountsBundle, members: NDArray[np.intp], by: RankBy) -> tuple[Scores, Better]:
    if by.truth_index == by.predicted_index:
        raise SelectionError("Pixels whose prediction is the ground truth are right; choose two different classes.")
    return counts.need("confusion")[:, by.truth_index, by.predicted_index].astype(np.float64), "lower"


def _by_damage(counts: CountsBundle, members: NDArray[np.intp], by: RankBy) -> tuple[Scores, Better]:
    one = members if by.class_index is None else np.array([by.class_index], np.intp)
    return damage(counts.need("confusion"), one), "lower"


RANKINGS = by_id(
    [
        RankingKind(
            id="damage",
            label="Damage to the pooled score",
            purpose="What the pooled score would gain if this tile were perfect: the tiles that cost the most.",
            required=(),
            optional=("class_index",),
            compute=_by_damage,
        ),
        RankingKind(
            id="metric",
            label="Score of the tile",
            purpose="The tile's own score: where the model fails outright, though often on tiles with few pixels of a "
            "class, which hardly move the headline.",
            required=("metric",),
            optional=("class_index",),
            compute=_by_metric,
        ),
        RankingKind(
            id="wrong_pixels",
            label="Wrong pixels",
            purpose="The number of wrong pixels: where most area is wrong, which is mostly in the large classes.",
            required=(),
            optional=(),
            compute=_by_wrong_pixels,
        ),
        RankingKind(
            id="confusion",
            label="One confusion",
            purpose="Pixels of one class predicted as another, or outside the class list: where to see why the two are "
            "mixed up.",
            required=("truth_index", "predicted_index"),
            optional=(),
            compute=_by_cell,
        ),
    ]
)


def rank_tiles(
    counts: CountsBundle, classes: ClassList, by: RankBy, *, among: Collection[int] | None = None
) -> Ranking:
    """Rank tiles, worst first.

    Parameters
    ----------
    counts : CountsBundle
        Confusion (N, K, K + 1), and bands (N, K, 2) where the metric needs them; tiles in natural order.
    classes : ClassList
        K classes.
    by : RankBy
    among : collection of int or None
        Class indices that means are restricted to; None is all foreground classes.

    Returns
    -------
    Ranking
        A tile without a valid pixel has no value in any ranking: it is neither good nor bad.

    Raises
    ------
    SelectionError
        The ranking, the metric or a class does not exist, or a parameter is missing or not taken.
    ValueError
        The counts do not have these shapes.
    """
    kind = pick(RANKINGS, by.ranking, "ranking")
    _check(kind, by, len(classes))
    confusion = counts.need("confusion")
    if confusion.ndim != 3 or confusion.shape[1] != len(classes):
        k = len(classes)
        raise ValueError(f"`confusion` must have the shape (N, {k}, {k + 1}), but has {confusion.shape}")
    values, better = kind.compute(counts, classes_in_mean(classes, among=among), by)
    return rank(np.where(counts.has_pixels, values, np.nan), better)


def _check(kind: RankingKind, by: RankBy, k: int) -> None:
    """Refuse parameters that are missing, not taken, or out of range."""
    for name in ("metric", "class_index", "truth_index", "predicted_index"):
        value = getattr(by, name)
        if value is None and name in kind.required:
            raise SelectionError(f"The ranking {kind.id!r} needs {name!r}.")
        if value is not None and name not in kind.required + kind.optional:
            raise SelectionError(f"The ranking {kind.id!r} does not take {name!r}.")
        if isinstance(value, int) and not 0 <= value < k + (name == "predicted_index"):
            raise SelectionError(f"There is no class at {name} {value}; there are {k} classes, counted from 0.")
