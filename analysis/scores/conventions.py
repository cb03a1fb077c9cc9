"""Conventions: the named rules that turn the counts of many tiles into one IoU.

They answer different questions and give different numbers on the same counts. A rule here gets the
classes of its mean; which classes those are, and what is said beside the number, is in `headlines`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.kernels.layout import TRUTH
from analysis.scores.formulas import (
    Counts,
    class_counts,
    class_scores,
    mean_defined,
    pool,
    safe_divide,
    valid_pixels,
)
from analysis.scores.registry import by_id


class Outcome(NamedTuple):
    """What a rule gives: the score, the tiles that took part (N,), and how many terms were averaged."""

    value: float
    used: NDArray[np.bool_]
    terms: int


@dataclass(frozen=True)
class Convention:
    """A rule that turns counts into a score.

    Parameters
    ----------
    id, label : str
        For machines and for people.
    rule, differs, used_by : str
        A sentence each: what is done, why it is not the pooled score, and who does it (source).
    background : bool
        Whether the background class is in the mean.
    terms : {"classes", "pairs of tile and class"}
        What is averaged.
    compute : callable
        From a confusion (N, K, K + 1) and the indices of the classes in the mean (at least one).
    """

    id: str
    label: str
    rule: str
    differs: str
    used_by: str
    background: bool
    terms: Literal["classes", "pairs of tile and class"]
    compute: Callable[[Counts, NDArray[np.intp]], Outcome]


def _with_pixels(confusion: Counts) -> NDArray[np.bool_]:
    return np.asarray(valid_pixels(confusion) > 0)


def _pooled(confusion: Counts, members: NDArray[np.intp]) -> Outcome:
    iou = class_scores(class_counts(pool(confusion))).iou[members]
    return Outcome(float(mean_defined(iou)), _with_pixels(confusion), int((~np.isnan(iou)).sum()))


def _frequency_weighted(confusion: Counts, members: NDArray[np.intp]) -> Outcome:
    counts = class_counts(pool(confusion))[members]
    truth, iou = counts[:, TRUTH], class_scores(counts).iou
    # A class without truth has weight 0; its IoU may be NaN and must not spread.
    weighted = np.where(truth > 0, iou, 0.0) * truth
    value = float(safe_divide(weighted.sum(), truth.sum()))
    return Outcome(value, _with_pixels(confusion), int((truth > 0).sum()))


def _tile_mean(confusion: Counts, members: NDArray[np.intp]) -> Outcome:
    iou = class_scores(class_counts(confusion)).iou[:, members]
    defined = ~np.isnan(iou)
    return Outcome(float(mean_defined(iou.ravel())), np.asarray(defined.any(axis=1)), int(defined.sum()))


def _tile_mean_zero(confusion: Counts, members: NDArray[np.intp]) -> Outcome:
    iou = class_scores(class_counts(confusion)).iou[:, members]
    # Every tile has as many terms, so the mean over tiles of their means is the mean over all terms.
    filled = np.where(np.isnan(iou), 0.0, iou)
    return Outcome(float(mean_defined(filled.ravel())), np.ones(len(confusion), np.bool_), filled.size)


CONVENTIONS = by_id(
    [
        Convention(
            id="pooled",
            label="Pooled",
            rule="Counts are summed over the tiles; then IoU per class, and the mean over the foreground classes "
            "that occur in truth or prediction.",
            differs="It is the reference: every pixel weighs the same, so large objects and full tiles decide.",
            used_by="FOTBCD (abdelpy/FOTBCD-datasets, metrics.py: counts summed over the whole test set); how the "
            "published LandCover.ai figure (arXiv 2005.02264) pools is not known.",
            background=False,
            terms="classes",
            compute=_pooled,
        ),
        Convention(
            id="pooled_with_background",
            label="Pooled, with background",
            rule="As pooled, with the background in the mean.",
            differs="The background is large and easy, so this is usually the higher of the two.",
            used_by="mmsegmentation IoUMetric (mmseg/evaluation/metrics/iou_metric.py) and Open-CD, whose mIoU "
            "includes 'unchanged'.",
            background=True,
            terms="classes",
            compute=_pooled,
        ),
        Convention(
            id="tile_mean",
            label="Mean over tiles",
            rule="IoU per tile and foreground class; the mean over all pairs of tile and class with a non-empty union.",
            differs="Every pair weighs the same however few pixels it holds, so small objects and nearly empty tiles "
            "decide; a single wrong pixel of an absent class is a 0.",
            used_by="torchmetrics 1.9.0 segmentation.MeanIoU (functional/segmentation/mean_iou.py).",
            background=False,
            terms="pairs of tile and class",
            compute=_tile_mean,
        ),
        Convention(
            id="tile_mean_zero",
            label="Mean over tiles, absent class = 0",
            rule="On each tile the mean over all foreground classes, an empty union counting as 0; then the mean over "
            "the tiles.",
            differs="A class that is rightly absent counts as a failure, so even a perfect model stays below 1 unless "
            "every tile holds every class.",
            used_by="The scoring recipes of the LandCover.ai and FOTBCD benchmark cards, applied to each tile.",
            background=False,
            terms="pairs of tile and class",
            compute=_tile_mean_zero,
        ),
        Convention(
            id="frequency_weighted",
            label="Frequency weighted",
            rule="Pooled IoU of all classes, background included, weighted by their share of the truth.",
            differs="Common classes decide and rare ones hardly count; a class without truth has no weight, though its "
            "false pixels still lower the others.",
            used_by="Long et al. 2015 (arXiv 1411.4038), there 'frequency weighted IU'.",
            background=True,
            terms="classes",
            compute=_frequency_weighted,
        ),
    ]
)
