"""Metrics as data: one entry says what a number is called, how it is made and when it does not exist.

Tables, tooltips, CSV headers and the documentation read these entries. To add a metric, add an entry
to `METRICS`; nothing else changes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from analysis.scores import formulas
from analysis.scores.formulas import Counts, Scores, class_scores, pixel_outcomes
from analysis.scores.registry import by_id

Better = Literal["higher", "lower"]


@dataclass(frozen=True)
class Metric:
    """One metric.

    Parameters
    ----------
    id, label : str
        For machines and for people.
    formula : str
        One line of plain text.
    better : {"higher", "lower"}
        Which end is good.
    undefined_when : str
        When the value is NaN; "never" where it always exists.
    unit : {"ratio", "px"}
        Over several classes ratios are averaged and px are summed.
    source : str
        Where the definition comes from.
    per_class : bool
        Whether there is one value a class, or one for all classes together.
    needs : {"classes", "confusion", "bands"}
        The counts that `compute` takes.
    compute : callable
        From those counts to values (..., K), or (...) where not per class.
    """

    id: str
    label: str
    formula: str
    better: Better
    undefined_when: str
    unit: Literal["ratio", "px"]
    source: str
    per_class: bool
    needs: Literal["classes", "confusion", "bands"]
    compute: Callable[[Counts], Scores | Counts]


METRICS = by_id(
    [
        Metric(
            id="iou",
            label="IoU",
            formula="TP / (TP + FP + FN)",
            better="higher",
            undefined_when="the class is in neither the ground truth nor the prediction",
            unit="ratio",
            source="Jaccard 1912; PASCAL VOC segmentation (Everingham et al. 2010)",
            per_class=True,
            needs="classes",
            compute=lambda counts: class_scores(counts).iou,
        ),
        Metric(
            id="precision",
            label="Precision",
            formula="TP / (TP + FP)",
            better="higher",
            undefined_when="the class is not predicted",
            unit="ratio",
            source="van Rijsbergen 1979, Information Retrieval",
            per_class=True,
            needs="classes",
            compute=lambda counts: class_scores(counts).precision,
        ),
        Metric(
            id="recall",
            label="Recall",
            formula="TP / (TP + FN)",
            better="higher",
            undefined_when="the class is not in the ground truth",
            unit="ratio",
            source="van Rijsbergen 1979, Information Retrieval",
            per_class=True,
            needs="classes",
            compute=lambda counts: class_scores(counts).recall,
        ),
        Metric(
            id="f1",
            label="F1",
            formula="2 TP / (2 TP + FP + FN)",
            better="higher",
            undefined_when="the class is in neither the ground truth nor the prediction",
            unit="ratio",
            source="Dice 1945; van Rijsbergen 1979",
            per_class=True,
            needs="classes",
            compute=lambda counts: class_scores(counts).f1,
        ),
        Metric(
            id="boundary_iou",
            label="Boundary IoU",
            formula="intersection / union of the bands along the class's boundaries",
            better="higher",
            undefined_when="neither map has a boundary band of the class",
            unit="ratio",
            source="Cheng et al. 2021, arXiv 2103.16562",
            per_class=True,
            needs="bands",
            compute=formulas.boundary_iou,
        ),
        Metric(
            id="accuracy",
            label="Accuracy",
            formula="right px / valid px",
            better="higher",
            undefined_when="there is no valid pixel",
            unit="ratio",
            source="overall accuracy; Congalton 1991",
            per_class=False,
            needs="confusion",
            compute=formulas.accuracy,
        ),
        Metric(
            id="kappa",
            label="Cohen's kappa",
            formula="(accuracy - chance) / (1 - chance), chance = sum over classes of truth share x predicted share",
            better="higher",
            undefined_when="there is no valid pixel, or one class is all there is in both maps",
            unit="ratio",
            source="Cohen 1960",
            per_class=False,
            needs="confusion",
            compute=formulas.kappa,
        ),
        Metric(
            id="wrong_pixels",
            label="Wrong px",
            formula="valid px whose prediction is not the ground truth, predictions outside the class list included",
            better="lower",
            undefined_when="never",
            unit="px",
            source="count",
            per_class=False,
            needs="confusion",
            compute=formulas.wrong_pixels,
        ),
        Metric(
            id="tp",
            label="TP",
            formula="px of the class that are predicted as it (true positives)",
            better="higher",
            undefined_when="never",
            unit="px",
            source="count",
            per_class=True,
            needs="classes",
            compute=lambda counts: pixel_outcomes(counts).tp,
        ),
        Metric(
            id="fp",
            label="FP",
            formula="px predicted as the class that are another (false positives)",
            better="lower",
            undefined_when="never",
            unit="px",
            source="count",
            per_class=True,
            needs="classes",
            compute=lambda counts: pixel_outcomes(counts).fp,
        ),
        Metric(
            id="fn",
            label="FN",
            formula="px of the class that are predicted as something else (false negatives)",
            better="lower",
            undefined_when="never",
            unit="px",
            source="count",
            per_class=True,
            needs="classes",
            compute=lambda counts: pixel_outcomes(counts).fn,
        ),
        Metric(
            id="errors",
            label="FP + FN",
            formula="FP + FN: wrong px that the class has a part in",
            better="lower",
            undefined_when="never",
            unit="px",
            source="count",
            per_class=True,
            needs="classes",
            compute=lambda counts: pixel_outcomes(counts).fp + pixel_outcomes(counts).fn,
        ),
    ]
)
