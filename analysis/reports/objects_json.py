"""The entries `objects` and `narrow` of the JSON report: by class id, undefined numbers as null."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from analysis.reports.numbers import plain
from analysis.scores.bins import EdgeSet
from analysis.scores.formulas import Scores
from analysis.scores.lines import LineCounts, line_scores
from analysis.scores.object_scores import ObjectScores, object_scores
from analysis.scores.size_bins import ObjectTable, SizeBins, size_bins
from analysis.scores.width_bins import WidthBins, width_bins
from analysis.words.classes import ClassList
from analysis.words.measures import tolerance_words
from analysis.words.outcomes import OUTCOMES, PREDICTION, SIDES, TRUTH


def objects_entry(
    outcomes: ArrayLike,
    table: ObjectTable,
    gsd: ArrayLike,
    classes: ClassList,
    *,
    rows_left_out: int = 0,
    edges: EdgeSet | None = None,
    with_edge_cut: bool = False,
) -> dict[str, Any]:
    """What the report says of objects: class id -> numbers, for every class but the background.

    Parameters
    ----------
    outcomes : array_like of int, shape (N, 2, K, 5, 4)
        Of N tiles.
    table : DataFrame or dict of arrays
        Object rows of the same tiles, for the size bins.
    gsd : array_like of float, shape (N,)
        m per px, NaN where not known.
    classes : ClassList
    rows_left_out : int
        Objects under 4 px that have no row, and so are in no size bin.
    edges, with_edge_cut
        As in `analysis.scores.size_bins`.
    """
    scores = object_scores(np.asarray(outcomes).sum(axis=0, dtype=np.int64))
    bins = size_bins(table, gsd, len(classes), edges=edges, with_edge_cut=with_edge_cut)
    return {
        str(classes.ids[k]): {
            **_of_class(scores, k),
            "size_bins": _size_bins(bins, k) | {"rows_left_out": rows_left_out},
        }
        for k in classes.foreground
    }


def narrow_entry(
    counts: LineCounts,
    gsd: ArrayLike,
    classes: ClassList,
    *,
    tolerance_m: float,
    edges: EdgeSet | None = None,
) -> dict[str, Any]:
    """What the report says of centre lines: class id -> numbers, for every narrow class.

    Parameters
    ----------
    counts : LineCounts
        Of N tiles.
    gsd : array_like of float, shape (N,)
    tolerance_m : float
        Only for the words that say it.
    """
    scores = line_scores(counts, gsd)
    bins = width_bins(counts, gsd, classes, edges=edges)
    tolerance = tolerance_words(tolerance_m, np.asarray(gsd, np.float64).tolist())
    ratios = ("completeness", "correctness", "quality", "f1", "topology_precision", "topology_sensitivity", "cldice")
    found = {}
    for c, k in enumerate(bins.narrow):
        found[str(classes.ids[k])] = {
            "tolerance": tolerance,
            **{name: plain(getattr(scores, name)[c]) for name in ratios},
            "gaps": plain(scores.gaps[c]),
            "km": plain(scores.km[c]),
            "gaps_per_km": plain(scores.gaps_per_km[c]),
            "truth_line_pixels": plain(scores.kept[c]),
            "left_out_pixels": plain(scores.left_out[c]),
            "predicted_line_pixels": plain(scores.predicted[c]),
            "width_bins": _width_bins(bins, c, classes),
        }
    return found


def _of_class(scores: ObjectScores, k: int) -> dict[str, Any]:
    return {
        "truth": plain(scores.truth[k]),
        "predicted": plain(scores.predicted[k]),
        "by_outcome": {
            SIDES[side]: {o.id: plain(scores.by_outcome[side, k, o.code]) for o in OUTCOMES[side]}
            for side in (TRUTH, PREDICTION)
        },
        **{name: plain(getattr(scores, name)[k]) for name in ("precision", "recall", "f1", "pq", "sq", "rq")},
    }


def _bounds(edges: EdgeSet) -> list[dict[str, Any]]:
    return [{"from": low, "to": None if math.isinf(high) else high} for low, high in edges.bounds]


def _size_bins(bins: SizeBins, k: int) -> dict[str, Any]:
    values: dict[str, Scores] = {
        "recall": bins.recall[k],
        "mean_covered_share": bins.mean_covered[k],
        "pooled_covered_share": bins.pooled_covered[k],
        "precision": bins.precision[k],
        "f1": bins.f1[k],
    }
    rows = _bounds(bins.edges)
    for b, row in enumerate(rows):
        row |= {"truth": plain(bins.truth[k, b]), "predicted": plain(bins.predicted[k, b])}
        row["by_outcome"] = {
            SIDES[side]: {o.id: plain(bins.objects[k, side, b, o.code]) for o in OUTCOMES[side]}
            for side in (TRUTH, PREDICTION)
        }
        row |= {name: plain(value[b]) for name, value in values.items()}
    return {
        "unit": bins.edges.unit,
        "with_edge_cut": bins.with_edge_cut,
        "edge_cut": dict(zip(SIDES, bins.edge_cut[k].tolist(), strict=True)),
        "no_gsd": dict(zip(SIDES, bins.no_gsd[k].tolist(), strict=True)),
        "bins": rows,
    }


def _width_bins(bins: WidthBins, c: int, classes: ClassList) -> dict[str, Any]:
    rows = _bounds(bins.edges)
    keys = [*map(str, classes.ids), "outside"]
    for b, row in enumerate(rows):
        row |= {
            "truth_line_pixels": plain(bins.kept[c, b]),
            "length": plain(bins.length[c, b]),
            "completeness": plain(bins.completeness[c, b]),
            "topology_sensitivity": plain(bins.sensitivity[c, b]),
            "predicted_as": dict(zip(keys, bins.predicted_as[c, b].tolist(), strict=True)),
        }
    return {
        "unit": bins.edges.unit,
        "length_unit": "km" if bins.edges.unit == "m" else "px",
        "no_gsd_pixels": plain(bins.no_gsd[c]),
        "bins": rows,
    }
