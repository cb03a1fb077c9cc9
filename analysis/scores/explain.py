"""Why a class has the IoU that it has: its wrong px by what became of the objects that they belong to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.scores.formulas import Counts, Scores, as_counts, class_scores, pixel_outcomes, safe_divide
from analysis.scores.object_scores import as_outcomes
from analysis.words.classes import ClassList
from analysis.words.outcomes import AREA, HIT, OBJECTS, PREDICTION, REASONS, TRUTH, Reason

LEAST_OBJECTS = 10
"""Objects of both sides together, below which nothing is said about a class."""
_SMALLEST = 0.0005
"""A loss that would be shown as 0.000 is not told."""


@dataclass(frozen=True, eq=False)
class Explanation:
    """The wrong px of classes by reason; every array has leading axes (..., K).

    Classes without objects (the background) have NaN in `loss` and `mended`, and zeros in the counts.

    Parameters
    ----------
    iou : ndarray of float64, shape (..., K)
    tp, union : ndarray of int64, shape (..., K)
        Right px, and right px + false positives + false negatives.
    missing, extra : ndarray of int64, shape (..., K, 6)
        False negatives and false positives by reason (`analysis.words.outcomes.REASONS`). They sum to all false
        negatives and all false positives of the class.
    objects : ndarray of int64, shape (..., K)
        Objects of both sides.
    loss : ndarray of float64, shape (..., K, 6)
        Share of the union: these and the IoU add up to 1.
    mended : ndarray of float64, shape (..., K, 6)
        The IoU if all px of the reason were right: its false negatives become right px, its false positives leave the
        union. They would go to the class that they really are; what that class gains is not in here. NaN where
        nothing would be left in the union.
    """

    iou: Scores
    tp: Counts
    union: Counts
    missing: Counts
    extra: Counts
    objects: Counts
    loss: Scores
    mended: Scores

    @property
    def px(self) -> Counts:
        """Wrong px by reason, of both sides together, (..., K, 6)."""
        return np.asarray(self.missing + self.extra)


class Part(NamedTuple):
    """One reason of one class: IoU lost, its px, and the IoU if it were mended."""

    reason: Reason
    loss: float
    px: int
    mended: float


def explain(outcomes: ArrayLike, counts: ArrayLike, classes: ClassList) -> Explanation:
    """Split the false negatives and false positives of every class by reason, exactly.

    A false negative lies in one truth object, a false positive in one predicted object; each counts where its
    object's outcome belongs. Px predicted outside the class list are false negatives of their class, and in its
    objects too. Works tile by tile, and on sums.

    Parameters
    ----------
    outcomes : array_like of int, shape (..., 2, K, 5, 4)
    counts : array_like of int, shape (..., K, 3)
        Truth, predicted and right px (`analysis.scores.class_counts`) of the same tiles.
    classes : ClassList
        K classes; all but the background have objects.

    Raises
    ------
    ValueError
        A shape or type is wrong, or the two are not of the same tiles: they do not add up.
    """
    o, c = as_outcomes(outcomes), as_counts(counts, "counts", (len(classes), 3))
    pixels, wrong = pixel_outcomes(c), o[..., AREA] - o[..., HIT]
    members: NDArray[np.bool_] = np.isin(np.arange(len(classes)), classes.foreground)
    missing = _by_reason(wrong[..., TRUTH, :, :], [r.truth for r in REASONS])
    extra = _by_reason(wrong[..., PREDICTION, :, :], [r.prediction for r in REASONS])
    for parts, total, name in ((missing, pixels.fn, "negatives"), (extra, pixels.fp, "positives")):
        if parts.shape[:-1] != total.shape or (parts.sum(axis=-1) != total)[..., members].any():
            raise ValueError(f"the objects' wrong px are not the false {name} of `counts`: they are of other tiles")
    union = pixels.tp + pixels.fp + pixels.fn
    loss = safe_divide(missing + extra, union[..., np.newaxis])
    mended = safe_divide(pixels.tp[..., np.newaxis] + missing, union[..., np.newaxis] - extra)
    loss[..., ~members, :] = mended[..., ~members, :] = np.nan
    objects = o[..., OBJECTS].sum(axis=(-3, -1))
    return Explanation(class_scores(c).iou, pixels.tp, union, missing, extra, objects, loss, mended)


def main_reasons(explanation: Explanation, index: int, most: int = 3) -> list[Part]:
    """The reasons that cost a class most, the largest first, without those that cost nothing.

    Parameters
    ----------
    explanation : Explanation
        Without leading axes.
    index : int
        Index of the class.
    """
    parts = [
        Part(reason, float(loss), int(px), float(mended))
        for reason, loss, px, mended in zip(
            REASONS, explanation.loss[index], explanation.px[index], explanation.mended[index], strict=True
        )
        if px > 0 and loss == loss
    ]
    return sorted(parts, key=lambda part: -part.px)[:most]


def sentence(explanation: Explanation, index: int, classes: ClassList, *, least: int = LEAST_OBJECTS) -> str:
    """One sentence for a class: where its IoU goes. Empty where there are too few objects to say it.

    Parameters
    ----------
    explanation : Explanation
        Without leading axes.
    index : int
        Index of the class.
    least : int
        Objects of both sides that there must be.

    Examples
    --------
    ``IoU of road is 0.680: 0.170 is lost to the boundaries of found objects, 0.110 to missed objects and 0.040 to
    false objects.``
    """
    iou = float(explanation.iou[index])
    if np.isnan(iou) or np.isnan(explanation.loss[index]).all() or explanation.objects[index] < least:
        return ""
    start = f"IoU of {classes.names[index]} is {iou:.3f}"
    told = [part for part in main_reasons(explanation, index) if part.loss >= _SMALLEST]
    if not told:
        return f"{start}: next to nothing is lost." if iou < 1 else f"{start}: nothing is lost."
    words = [f"{part.loss:.3f} to {part.reason.lost_to}" for part in told]
    if (rest := 1 - iou - sum(part.loss for part in told)) >= _SMALLEST:
        words.append(f"{rest:.3f} to the rest")
    words[0] = words[0].replace(" to ", " is lost to ", 1)
    return f"{start}: {words[0]}." if len(words) == 1 else f"{start}: {', '.join(words[:-1])} and {words[-1]}."


def _by_reason(wrong: Counts, codes: list[int | None]) -> Counts:
    """Px (..., K, 5) by outcome -> (..., K, 6) by reason."""
    found = np.zeros((*wrong.shape[:-1], len(codes)), np.int64)
    for i, code in enumerate(codes):
        if code is not None:
            found[..., i] = wrong[..., code]
    return found
