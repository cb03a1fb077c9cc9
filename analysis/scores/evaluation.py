"""Metrics applied to counts, of one class each or of several together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from analysis.scores.bundle import CountsBundle
from analysis.scores.formulas import Scores, mean_defined
from analysis.scores.metrics import METRICS, Metric
from analysis.scores.registry import pick


def evaluate(metric: Metric | str, counts: CountsBundle) -> Scores:
    """The values of a metric.

    Parameters
    ----------
    metric : Metric or str
        An entry, or its id.
    counts : CountsBundle
        Of tiles, of a pool (`CountsBundle.pooled`) or of a profile's bins.

    Returns
    -------
    ndarray of float64
        Shape (..., K) for a metric per class, (...) otherwise; NaN where undefined. Px are whole
        numbers, exact up to 2**53.

    Raises
    ------
    SelectionError
        No metric has this id.
    ValueError
        The bundle lacks the counts that the metric needs.
    """
    entry = pick(METRICS, metric, "metric") if isinstance(metric, str) else metric
    return np.asarray(entry.compute(counts.need(entry.needs)), np.float64)


def overall(metric: Metric | str, counts: CountsBundle, members: NDArray[np.intp]) -> Scores:
    """One value for several classes: the mean of the defined ratios, or the sum of px. Shape (...).

    A metric that is not per class is given as it is.

    Parameters
    ----------
    metric, counts
        As in `evaluate`.
    members : ndarray of int
        Indices of the classes, such as `classes_in_mean` gives; none make a ratio NaN and px 0.
    """
    entry = pick(METRICS, metric, "metric") if isinstance(metric, str) else metric
    values = evaluate(entry, counts)
    if not entry.per_class:
        return values
    chosen = values[..., members]
    return mean_defined(chosen) if entry.unit == "ratio" else np.asarray(chosen.sum(axis=-1))
