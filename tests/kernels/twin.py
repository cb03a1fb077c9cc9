"""The kernels' slow twin: the same counts the obvious way, pixel by pixel."""

from __future__ import annotations

import numpy as np

from analysis.kernels.layout import BOUNDARY_LIMITS, EDGE_LIMITS, IGNORED


def bin_of(distance, limits):
    return next((i for i, limit in enumerate(limits) if distance <= limit), len(limits))


def other_class_distance(labels, valid):
    """Chessboard distance of each valid pixel to the nearest valid pixel of another label; inf if none."""
    ys, xs = np.nonzero(valid)
    kind = labels[ys, xs]
    away = np.full(labels.shape, np.inf)
    for y, x in zip(ys, xs, strict=True):
        other = kind != labels[y, x]
        if other.any():
            away[y, x] = np.maximum(abs(ys[other] - y), abs(xs[other] - x)).min()
    return away


def edge_distance(shape):
    height, width = shape
    y, x = np.mgrid[:height, :width]
    return np.minimum.reduce([y, height - 1 - y, x, width - 1 - x]) + 1


def confusion(truth, prediction, k):
    counts = np.zeros((k, k + 1), np.int64)
    for t, p in zip(truth.flat, prediction.flat, strict=True):
        if t != IGNORED:
            counts[t, p] += 1
    return counts


def profile(truth, prediction, k, distance, limits):
    counts = np.zeros((len(limits) + 1, k, 3), np.int64)
    for t, p, d in zip(truth.flat, prediction.flat, distance.flat, strict=True):
        if t != IGNORED:
            i = bin_of(d, limits)
            counts[i, t, 0] += 1
            if p < k:
                counts[i, p, 1] += 1
            if t == p:
                counts[i, t, 2] += 1
    return counts


def edges(truth, prediction, k):
    return profile(truth, prediction, k, edge_distance(truth.shape), EDGE_LIMITS)


def boundary(truth, prediction, k):
    return profile(truth, prediction, k, other_class_distance(truth, truth != IGNORED), BOUNDARY_LIMITS)


def bands(truth, prediction, k, boundary_px):
    valid = truth != IGNORED
    in_truth = other_class_distance(truth, valid) <= boundary_px
    in_prediction = other_class_distance(prediction, valid) <= boundary_px
    counts = np.zeros((k, 2), np.int64)
    for c in range(k):
        a, b = in_truth & (truth == c) & valid, in_prediction & (prediction == c) & valid
        counts[c] = (a & b).sum(), (a | b).sum()
    return counts


def runs(labels):
    """(row, start, end, label) of every run."""
    found = []
    for y, line in enumerate(labels):
        cuts = [0, *(np.flatnonzero(np.diff(line.astype(int))) + 1).tolist(), len(line)]
        found += [(y, a, b, int(line[a])) for a, b in zip(cuts[:-1], cuts[1:], strict=True)]
    return found
