"""From cells to truth, predicted and right."""

from __future__ import annotations

import numpy as np

from analysis.kernels.layout import PREDICTED, RIGHT, TRUTH
from analysis.kernels.machine import kernel


@kernel
def marginals(cells, n_classes):  # type: ignore[no-untyped-def]
    """Sum cells to what each class has in truth, in the prediction, and in both.

    Parameters
    ----------
    cells : ndarray of int64, shape (K * (K + 1), B)
        Px by cell and bin.
    n_classes : int
        K.

    Returns
    -------
    ndarray of int64, shape (B, K, 3)
        Truth, predicted, right px by bin. A pixel whose prediction is outside the class list is a truth
        pixel of its class and predicted as none.
    """
    bins = cells.shape[1]
    counts = np.zeros((bins, n_classes, 3), np.int64)
    for truth in range(n_classes):
        for prediction in range(n_classes + 1):
            cell = truth * (n_classes + 1) + prediction
            for i in range(bins):
                px = cells[cell, i]
                counts[i, truth, TRUTH] += px
                if prediction < n_classes:
                    counts[i, prediction, PREDICTED] += px
                if prediction == truth:
                    counts[i, truth, RIGHT] += px
    return counts
