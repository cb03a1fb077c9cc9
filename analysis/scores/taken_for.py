"""What missed objects were taken for, and what false ones really are."""

from __future__ import annotations

import numpy as np

from analysis.scores.formulas import Counts
from analysis.scores.size_bins import ObjectTable
from analysis.words.outcomes import SIDES, UNTOUCHED


def taken_for(table: ObjectTable, classes: int, *, outcome: int = UNTOUCHED) -> Counts:
    """Objects of one outcome by the class that holds most of their px on the other side.

    Parameters
    ----------
    table : DataFrame or dict of arrays
        Object rows: side, cls, outcome, taken.
    classes : int
        K.
    outcome : int
        Code; missed in the truth and false in the prediction, unless another is given.

    Returns
    -------
    ndarray of int64, shape (2, K, K + 1)
        By side, class, and class on the other side (last: outside the class list, of truth objects only). Objects
        whose px are all right are not in it.
    """
    side, cls, taken = (np.asarray(table[name]).astype(np.int64) for name in ("side", "cls", "taken"))
    chosen = (np.asarray(table["outcome"]) == outcome) & (taken >= 0)
    place = (side[chosen] * classes + cls[chosen]) * (classes + 1) + taken[chosen]
    shape = (len(SIDES), classes, classes + 1)
    counts = np.bincount(place, minlength=int(np.prod(shape))).reshape(shape)
    return counts.astype(np.int64)
