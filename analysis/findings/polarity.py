"""Is a binary prediction read the wrong way round?"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from analysis.scores.formulas import class_counts, class_scores, pool
from analysis.words.classes import ClassList
from analysis.words.notices import WARNING, Notice

ENOUGH = 0.3
TIMES = 2.0


def polarity_notice(confusion: npt.NDArray[np.int64], classes: ClassList) -> Notice | None:
    """A notice where the opposite reading of the predictions would fit far better.

    Of predictions that are all of one class nothing can be said. Polarity is never guessed: the numbers stay as they
    are. "Far better" is a pooled IoU above 0.3 and more than twice the plain one.

    Parameters
    ----------
    confusion : ndarray of shape (tiles, 2, 3)
    """
    if not classes.binary or not len(confusion):
        return None
    pooled = pool(confusion)
    if not pooled[:, :2].sum(axis=0).all():
        return None
    opposite = pooled[:, [1, 0, 2]]
    plain, turned = (float(class_scores(class_counts(m)).iou[1]) for m in (pooled, opposite))
    if np.isnan(turned) or turned <= ENOUGH or turned <= TIMES * (0.0 if np.isnan(plain) else plain):
        return None
    message = (
        f"Read the opposite way, the predictions would fit far better: IoU of {classes.names[1]} {turned:.3f} instead "
        f"of {plain:.3f}. If 0 and 1 mean the opposite in these files, invert them with prediction_values (such as "
        "{0 = 1, 255 = 0}) in the run, or with truth_values in the dataset."
    )
    return Notice("polarity", WARNING, message, count=len(confusion))
