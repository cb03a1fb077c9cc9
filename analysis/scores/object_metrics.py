"""Metrics of objects and centre lines as data, as `METRICS` are for pixels.

Their ids are apart from those of `METRICS`, so that one link or export can hold both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from analysis.scores.formulas import Scores
from analysis.scores.lines import LineScores
from analysis.scores.object_scores import ObjectScores
from analysis.scores.registry import by_id
from analysis.scores.size_bins import SizeBins

From = TypeVar("From")

_PANOPTIC = "Kirillov et al. 2019, arXiv 1801.00868; cocodataset/panopticapi, evaluation.py (there 0 instead of NaN)"
_HEIPKE = "Heipke et al. 1997; Wiedemann et al. 1998 (px of the lines for their lengths)"
_CLDICE = "Shit et al. 2021, arXiv 2003.07311 (their example code has the two names the other way round)"
_NO_LINES = "neither map has a line of the class, or all of the ground truth's line is left out"


@dataclass(frozen=True)
class ShapeMetric(Generic[From]):
    """One metric of objects, of their sizes or of centre lines.

    Parameters
    ----------
    id, label : str
        For machines and for people.
    formula, undefined_when, source : str
        Plain text, as in `Metric`.
    better : {"higher", "lower"}
        Which end is good.
    unit : {"ratio", "per km"}
    compute : callable
        From the scores to values, a class or a bin each.
    tolerant : bool
        Whether it depends on the tolerance of centre lines; its label says it then (`label_with`).
    """

    id: str
    label: str
    formula: str
    better: Literal["higher", "lower"]
    undefined_when: str
    unit: Literal["ratio", "per km"]
    source: str
    compute: Callable[[From], Scores]
    tolerant: bool = False

    def label_with(self, tolerance: str) -> str:
        """The label, with the tolerance (`analysis.words.measures.tolerance_words`) where it matters."""
        return f"{self.label} {tolerance}" if self.tolerant else self.label


OBJECT_METRICS = by_id(
    [
        ShapeMetric[ObjectScores](
            "object_precision",
            "Object precision",
            "found / predicted objects, at IoU > 0.5",
            "higher",
            "no object is predicted",
            "ratio",
            _PANOPTIC,
            lambda s: s.precision,
        ),
        ShapeMetric[ObjectScores](
            "object_recall",
            "Object recall",
            "found / ground truth objects, at IoU > 0.5",
            "higher",
            "there is no ground truth object",
            "ratio",
            _PANOPTIC,
            lambda s: s.recall,
        ),
        ShapeMetric[ObjectScores](
            "object_f1",
            "Object F1",
            "2 found / (predicted + ground truth objects), at IoU > 0.5",
            "higher",
            "there is no object in either map",
            "ratio",
            _PANOPTIC,
            lambda s: s.f1,
        ),
        ShapeMetric[ObjectScores](
            "sq",
            "Segmentation quality",
            "sum of the IoU of found objects / found",
            "higher",
            "no object is found",
            "ratio",
            _PANOPTIC,
            lambda s: s.sq,
        ),
        ShapeMetric[ObjectScores](
            "rq",
            "Recognition quality",
            "found / (found + FP / 2 + FN / 2), FP and FN being objects that were not matched; the same as object F1",
            "higher",
            "there is no object in either map",
            "ratio",
            _PANOPTIC,
            lambda s: s.rq,
        ),
        ShapeMetric[ObjectScores](
            "pq",
            "Panoptic quality",
            "SQ x RQ = sum of the IoU of found objects / (found + FP / 2 + FN / 2)",
            "higher",
            "there is no object in either map; 0 where no object is found",
            "ratio",
            _PANOPTIC,
            lambda s: s.pq,
        ),
    ]
)
"""From `object_scores`."""

SIZE_METRICS = by_id(
    [
        ShapeMetric[SizeBins](
            "size_recall",
            "Recall",
            "found / ground truth objects whose area is in the bin",
            "higher",
            "the bin has no ground truth object",
            "ratio",
            "COCO's areaRng (cocodataset/cocoapi, cocoeval.py)",
            lambda s: s.recall,
        ),
        ShapeMetric[SizeBins](
            "covered_share",
            "Mean covered share",
            "mean over the bin's ground truth objects of px predicted as their class / px",
            "higher",
            "the bin has no ground truth object",
            "ratio",
            "recall of the pixels, an object each; needs no match",
            lambda s: s.mean_covered,
        ),
        ShapeMetric[SizeBins](
            "pooled_covered_share",
            "Pooled covered share",
            "px predicted as their class / px, of all ground truth objects of the bin together",
            "higher",
            "the bin has no ground truth object",
            "ratio",
            "recall of the pixels",
            lambda s: s.pooled_covered,
        ),
        ShapeMetric[SizeBins](
            "size_precision",
            "Precision",
            "found / predicted objects whose predicted area is in the bin",
            "higher",
            "the bin has no predicted object",
            "ratio",
            "COCO's areaRng (cocodataset/cocoapi, cocoeval.py), by predicted area",
            lambda s: s.precision,
        ),
        ShapeMetric[SizeBins](
            "size_f1",
            "F1",
            "harmonic mean of the bin's recall and precision: of ground truth objects of this size and of predicted "
            "objects of this size, which need not be matches of each other",
            "higher",
            "the bin has no ground truth or no predicted object",
            "ratio",
            "van Rijsbergen 1979",
            lambda s: s.f1,
        ),
    ]
)
"""From `size_bins`."""

LINE_METRICS = by_id(
    [
        ShapeMetric[LineScores](
            "completeness",
            "Completeness",
            "px of the ground truth's centre line within the tolerance of the prediction's / px of that line",
            "higher",
            "no px of the ground truth's line counts",
            "ratio",
            _HEIPKE,
            lambda s: s.completeness,
            tolerant=True,
        ),
        ShapeMetric[LineScores](
            "correctness",
            "Correctness",
            "px of the prediction's centre line within the tolerance of the ground truth's / px of that line",
            "higher",
            "the prediction has no line",
            "ratio",
            _HEIPKE,
            lambda s: s.correctness,
            tolerant=True,
        ),
        ShapeMetric[LineScores](
            "quality",
            "Quality",
            "matched px of the prediction's line / (px of the prediction's line + unmatched px of the ground truth's)",
            "higher",
            _NO_LINES,
            "ratio",
            _HEIPKE,
            lambda s: s.quality,
            tolerant=True,
        ),
        ShapeMetric[LineScores](
            "line_f1",
            "Line F1",
            "harmonic mean of completeness and correctness; 0 where only one map has a line",
            "higher",
            _NO_LINES,
            "ratio",
            "van Rijsbergen 1979; relaxed precision and recall of Mnih and Hinton 2010",
            lambda s: s.f1,
            tolerant=True,
        ),
        ShapeMetric[LineScores](
            "topology_precision",
            "Topology precision",
            "px of the prediction's line inside the ground truth's mask / px of that line",
            "higher",
            "the prediction has no line",
            "ratio",
            _CLDICE,
            lambda s: s.topology_precision,
        ),
        ShapeMetric[LineScores](
            "topology_sensitivity",
            "Topology sensitivity",
            "px of the ground truth's line inside the predicted mask / px of that line",
            "higher",
            "no px of the ground truth's line counts",
            "ratio",
            _CLDICE,
            lambda s: s.topology_sensitivity,
        ),
        ShapeMetric[LineScores](
            "cldice",
            "clDice",
            "harmonic mean of topology precision and topology sensitivity; 0 where only one map has a line",
            "higher",
            _NO_LINES,
            "ratio",
            _CLDICE,
            lambda s: s.cldice,
        ),
        ShapeMetric[LineScores](
            "gaps_per_km",
            "Gaps per km",
            "stretches of the ground truth's line that are not found and touch one that is / km of that line, over "
            "tiles whose GSD is known",
            "lower",
            "no GSD is known, or the line has no length",
            "per km",
            "count; length = 0.948 px a straight and 1.343 px a diagonal step",
            lambda s: s.gaps_per_km,
            tolerant=True,
        ),
    ]
)
"""From `line_scores` and `tile_line_scores`."""
