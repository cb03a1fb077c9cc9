"""Scores of a binary prediction by truth value."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from analysis.kernels.layout import SCORE_BINS
from analysis.kernels.machine import kernel


@kernel
def tally_probabilities(truth, scores, counts):  # type: ignore[no-untyped-def]
    """Add pixels to the bin ``floor(p * 256)`` of their truth value; 1.0 falls into the last bin."""
    for i in range(truth.size):
        score = scores[i]
        if truth[i] <= 1 and not np.isnan(score):
            at = np.int64(min(max(score * np.float32(SCORE_BINS), np.float32(0)), np.float32(SCORE_BINS - 1)))
            counts[truth[i], at] += 1


@kernel
def tally_grey(truth, scores, counts):  # type: ignore[no-untyped-def]
    """Add pixels to the bin of their grey value."""
    for i in range(truth.size):
        if truth[i] <= 1:
            counts[truth[i], scores[i]] += 1


def score_histogram(truth_idx: NDArray[np.uint8], scores: NDArray[np.float32] | NDArray[np.uint8]) -> NDArray[np.int64]:
    """Count the pixels of a binary tile, or of a strip of it, by truth value and score.

    Parameters
    ----------
    truth_idx : ndarray of uint8, shape (height, width)
        Class indices; pixels that are neither 0 nor 1 (``IGNORED``) are left out.
    scores : ndarray of float32 or uint8, shape (height, width)
        Probability of class 1, 0 to 1 (NaN is left out, values beyond go to the first or last bin), or grey
        values 0 to 255. A probability's bin is ``floor(p * 256)``: the scaling is exact in float32, so no
        probability crosses a bin's edge by rounding.

    Returns
    -------
    ndarray of int64, shape (2, SCORE_BINS)
        Additive over strips; all 0 for an empty tile.

    Raises
    ------
    ValueError
        If the shapes differ.
    TypeError
        If the scores are of another type; what a float64 is rounded to is the caller's decision.
    """
    if truth_idx.shape != scores.shape:
        raise ValueError(f"Truth is {truth_idx.shape}, scores are {scores.shape}.")
    counts = np.zeros((2, SCORE_BINS), np.int64)
    truth = _flat(truth_idx)
    if truth.dtype != np.uint8:
        raise TypeError(f"Class indices are uint8, not {truth.dtype}.")
    if scores.dtype == np.float32:
        tally_probabilities(truth, _flat(scores), counts)
    elif scores.dtype == np.uint8:
        tally_grey(truth, _flat(scores), counts)
    else:
        raise TypeError(f"Scores are float32 or uint8, not {scores.dtype}.")
    return counts


def _flat(array: NDArray[np.generic]) -> NDArray[np.generic]:
    """Return a flat, contiguous, writable view or copy: the one type that the kernels are compiled for."""
    flat = array.reshape(-1)
    return flat if flat.flags.c_contiguous and flat.flags.writeable else flat.copy()
