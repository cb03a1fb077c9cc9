"""Centre lines of narrow classes: how much of them is found, how much of what is predicted is one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.kernels.layout import WIDTH_BINS
from analysis.scores.formulas import Counts, Scores, as_counts, pool, safe_divide

STRAIGHT, DIAGONAL = 0.948, 1.343
"""Length in px of a link between neighbours. Steps of 1 and 1.414 would make digital lines too long; with these, lines
of all directions have their true length on average."""

# Positions on the last axes of the arrays.
MATCHED, INSIDE = 0, 1
GAPS, LEFT_OUT = 0, 1
ALL, NEAR, IN_TRUTH = 0, 1, 2


@dataclass(frozen=True, eq=False)
class LineCounts:
    """Counts of centre lines of tiles or of a pool, with the same leading axes in all of them; int64.

    Parameters
    ----------
    truth : ndarray, shape (..., C, 33, K + 1)
        Kept px of the truth's line by width and predicted class; last: outside the class list.
    match : ndarray, shape (..., C, 33, 2)
        Of these, px within the tolerance of the prediction's line, and px inside the predicted mask of the class.
    links : ndarray, shape (..., C, 33, 2)
        Straight and diagonal links between kept px of the truth's line.
    gaps : ndarray, shape (..., C, 2)
        Gaps, and px of the truth's line left out at the edge of a tile or at ignored px.
    prediction : ndarray, shape (..., C, 3)
        Px of the prediction's line: all, within the tolerance of the truth's line, inside the truth mask.

    Raises
    ------
    ValueError
        A shape or type is wrong, or leading axes or C differ.
    """

    truth: Counts
    match: Counts
    links: Counts
    gaps: Counts
    prediction: Counts

    def __post_init__(self) -> None:
        tails: dict[str, tuple[int | None, ...]] = {
            "truth": (WIDTH_BINS, None),
            "match": (WIDTH_BINS, 2),
            "links": (WIDTH_BINS, 2),
            "gaps": (2,),
            "prediction": (3,),
        }
        shapes = set()
        for name, tail in tails.items():
            checked = as_counts(getattr(self, name), name, (None, *tail))
            object.__setattr__(self, name, checked)
            shapes.add(checked.shape[: -len(tail)])
        if len(shapes) > 1:
            raise ValueError(f"line counts must share their leading axes and C, but have {sorted(shapes)}")

    @classmethod
    def of(cls, arrays: Mapping[str, Counts]) -> LineCounts:
        """From a run's arrays by name: ``line_truth``, ``line_match`` and so on."""
        return cls(*(arrays[f"line_{f.name}"] for f in fields(cls)))

    def pooled(self) -> LineCounts:
        """Summed over the first axis, the tiles."""
        return LineCounts(*(pool(getattr(self, f.name)) for f in fields(self)))

    def take(self, tiles: NDArray[np.intp] | NDArray[np.bool_]) -> LineCounts:
        """Some entries of the first axis, given as positions or as a mask."""
        return LineCounts(*(getattr(self, f.name)[tiles] for f in fields(self)))

    @property
    def kept(self) -> Counts:
        """Kept px of the truth's line, (..., C, 33)."""
        return np.asarray(self.truth.sum(axis=-1))

    @property
    def length_px(self) -> Scores:
        """Length of the kept truth line in px by width, (..., C, 33): 0.948 a straight link, 1.343 a diagonal one."""
        return np.asarray(self.links @ np.array([STRAIGHT, DIAGONAL]))


@dataclass(frozen=True, eq=False)
class LineScores:
    """Scores of centre lines of a narrow class each: arrays (..., C), NaN where undefined.

    Parameters
    ----------
    kept, left_out, predicted : ndarray of int64
        Support in px: truth line that counts, truth line left out, prediction's line.
    completeness, correctness, quality, f1 : ndarray of float64
        After Heipke et al. 1997 and Wiedemann et al. 1998, with px for lengths.
    topology_precision, topology_sensitivity, cldice : ndarray of float64
        After Shit et al. 2021.
    gaps : ndarray of int64
        Stretches of the truth's line that are not found, between such that are.
    km : ndarray of float64
        Length of the kept truth line, over the tiles whose GSD is known; NaN where none is.
    gaps_per_km : ndarray of float64
        Gaps in the tiles whose GSD is known, by km; NaN without a length.
    """

    kept: Counts
    left_out: Counts
    predicted: Counts
    completeness: Scores
    correctness: Scores
    quality: Scores
    f1: Scores
    topology_precision: Scores
    topology_sensitivity: Scores
    cldice: Scores
    gaps: Counts
    km: Scores
    gaps_per_km: Scores


def line_scores(counts: LineCounts, gsd: ArrayLike) -> LineScores:
    """Pooled scores of narrow classes, (C,). See `tile_line_scores` for formulas.

    Parameters
    ----------
    counts : LineCounts
        Of N tiles; N may be 0.
    gsd : array_like of float, shape (N,)
        m per px, NaN where not known.
    """
    metres = np.asarray(gsd, np.float64)
    known = ~np.isnan(metres)
    km = counts.length_px.sum(axis=-1)[known].T @ metres[known] / 1000
    gaps = pool(counts.gaps[known, :, GAPS])
    return _scores(counts.pooled(), km if known.any() else np.full(km.shape, np.nan), gaps)


def tile_line_scores(counts: LineCounts, gsd: ArrayLike) -> LineScores:
    """Scores of every tile, (N, C).

    * completeness = kept truth line px within the tolerance of the prediction's line / kept truth line px.
    * correctness = prediction's line px within the tolerance of the truth's line / prediction's line px.
    * quality = matched prediction px / (prediction px + unmatched kept truth px).
    * F1 = harmonic mean of completeness and correctness.
    * topology precision = prediction's line px inside the truth mask / prediction's line px; topology sensitivity =
      kept truth line px inside the predicted mask / kept truth line px; clDice = their harmonic mean.

    Quality, F1 and clDice are 0 where one map has a line and the other has none, and undefined where both have none
    or where all of the truth's line is left out.
    """
    metres = np.asarray(gsd, np.float64)[:, np.newaxis]
    return _scores(counts, counts.length_px.sum(axis=-1) * metres / 1000, counts.gaps[..., GAPS])


def _scores(counts: LineCounts, km: Scores, gaps_with_length: Counts) -> LineScores:
    kept, match = counts.kept.sum(axis=-1), counts.match.sum(axis=-2)
    left_out, predicted = counts.gaps[..., LEFT_OUT], counts.prediction[..., ALL]
    near = counts.prediction[..., NEAR]
    unknown = (kept == 0) & ((left_out > 0) | (predicted == 0))
    completeness, correctness = safe_divide(match[..., MATCHED], kept), safe_divide(near, predicted)
    precision = safe_divide(counts.prediction[..., IN_TRUTH], predicted)
    sensitivity = safe_divide(match[..., INSIDE], kept)
    quality = safe_divide(near, predicted + kept - match[..., MATCHED])
    return LineScores(
        kept=kept,
        left_out=left_out,
        predicted=predicted,
        completeness=completeness,
        correctness=correctness,
        quality=np.where(unknown, np.nan, quality),
        f1=np.where(unknown, np.nan, _harmonic(completeness, correctness)),
        topology_precision=precision,
        topology_sensitivity=sensitivity,
        cldice=np.where(unknown, np.nan, _harmonic(precision, sensitivity)),
        gaps=counts.gaps[..., GAPS],
        km=km,
        gaps_per_km=safe_divide(gaps_with_length, km),
    )


def _harmonic(a: Scores, b: Scores) -> Scores:
    """Harmonic mean; 0 where a value is not defined or both are 0."""
    return np.nan_to_num(safe_divide(2 * a * b, a + b))
