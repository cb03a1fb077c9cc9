"""Objects: how many there are, what became of them, and the scores that follow."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from analysis.scores.formulas import Counts, Scores, as_counts, safe_divide
from analysis.words.outcomes import AREA, FOUND, HIT, IOU, IOU_UNIT, OBJECTS, OUTCOMES, PREDICTION, TRUTH


@dataclass(frozen=True, eq=False)
class ObjectScores:
    """Numbers of objects and their scores, of a class each: arrays (..., K), NaN where undefined.

    Objects that a tile's edge cuts are among them.

    Parameters
    ----------
    truth, predicted, found : ndarray of int64
        Objects in the truth, in the prediction, and matched pairs (IoU > 0.5).
    by_outcome : ndarray of int64, shape (..., 2, K, 5)
        Objects by side, class and outcome code (`analysis.words.outcomes.OUTCOMES`).
    precision, recall, f1 : ndarray of float64
        found / predicted, found / truth, 2 found / (predicted + truth).
    sq, rq, pq : ndarray of float64
        Segmentation quality, recognition quality (the same number as `f1`) and panoptic quality.
    covered, right_share : ndarray of float64
        Share of the truth objects' px that are predicted as their class, and share of the predicted objects' px
        that are right: the recall and precision of the pixels.
    """

    truth: Counts
    predicted: Counts
    found: Counts
    by_outcome: Counts
    precision: Scores
    recall: Scores
    f1: Scores
    sq: Scores
    rq: Scores
    pq: Scores
    covered: Scores
    right_share: Scores


def as_outcomes(outcomes: ArrayLike) -> Counts:
    """The array as (..., 2, K, 5, 4) int64.

    Raises
    ------
    ValueError
        It does not hold integers, or has other axes.
    """
    return as_counts(outcomes, "outcomes", (len(OUTCOMES), None, len(OUTCOMES[TRUTH]), 4))


def object_scores(outcomes: ArrayLike) -> ObjectScores:
    """Scores of objects from their counts, with n = matched pairs, t = truth and p = predicted objects.

    * precision = n / p, recall = n / t, F1 = 2 n / (p + t). A pair matches where its IoU is above 0.5, so that no
      object can be in two pairs.
    * SQ = sum of the pairs' IoU / n; RQ = n / (n + FP / 2 + FN / 2) with FP = p - n and FN = t - n, which is F1;
      PQ = sum of IoU / (n + FP / 2 + FN / 2) = SQ x RQ (Kirillov et al. 2019, arXiv 1801.00868; panopticapi,
      evaluation.py). Other than there, a number without objects is NaN instead of 0. Where there are objects but no
      pair, PQ is 0 and SQ is NaN.

    Parameters
    ----------
    outcomes : array_like of int, shape (..., 2, K, 5, 4)
        Of tiles, or summed over tiles; axes (side, class, outcome, count).

    Returns
    -------
    ObjectScores

    Raises
    ------
    ValueError
        A shape or type is wrong.
    """
    o = as_outcomes(outcomes)
    by_outcome = o[..., OBJECTS]
    objects = by_outcome.sum(axis=-1)
    truth, predicted = objects[..., TRUTH, :], objects[..., PREDICTION, :]
    found = by_outcome[..., TRUTH, :, FOUND]
    iou = o[..., TRUTH, :, FOUND, IOU] / IOU_UNIT
    px, hits = o[..., AREA].sum(axis=-1), o[..., HIT].sum(axis=-1)
    shares = safe_divide(hits, px)
    f1 = safe_divide(2 * found, truth + predicted)
    return ObjectScores(
        truth=truth,
        predicted=predicted,
        found=found,
        by_outcome=by_outcome,
        precision=safe_divide(by_outcome[..., PREDICTION, :, FOUND], predicted),
        recall=safe_divide(found, truth),
        f1=f1,
        sq=safe_divide(iou, found),
        rq=f1,
        pq=np.asarray(safe_divide(2 * iou, truth + predicted)),
        covered=shares[..., TRUTH, :],
        right_share=shares[..., PREDICTION, :],
    )
