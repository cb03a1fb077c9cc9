"""The counts that scores are made of, carried together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.scores.formulas import Counts, as_confusion, as_counts, class_counts, pool, valid_pixels


@dataclass(frozen=True, eq=False)
class CountsBundle:
    """Counts of tiles, of a pool or of a profile's bins, with the same leading axes in all of them.

    Parameters
    ----------
    confusion : ndarray of int, shape (..., K, K + 1), or None
        Axes (truth, prediction).
    bands : ndarray of int, shape (..., K, 2), or None
        Intersection and union px of the boundary bands.
    profile : ndarray of int, shape (..., K, 3), or None
        Truth, predicted and right px, where no confusion is at hand: edge and boundary profiles.

    Raises
    ------
    ValueError
        A shape or type is wrong, or leading axes or K differ.
    """

    confusion: NDArray[np.int64] | None = None
    bands: NDArray[np.int64] | None = None
    profile: NDArray[np.int64] | None = None

    def __post_init__(self) -> None:
        shapes = set()
        if self.confusion is not None:
            object.__setattr__(self, "confusion", as_confusion(self.confusion))
            shapes.add(self.confusion.shape[:-1])
        for name, length in (("bands", 2), ("profile", 3)):
            array = getattr(self, name)
            if array is not None:
                checked = as_counts(array, name, (None, length))
                object.__setattr__(self, name, checked)
                shapes.add(checked.shape[:-1])
        if len(shapes) > 1:
            raise ValueError(f"the counts of a bundle must share their leading axes and K, but have {sorted(shapes)}")

    def need(self, kind: str) -> Counts:
        """The array of this kind: ``classes`` (..., K, 3), ``confusion`` or ``bands``.

        ``classes`` is the profile where there is one, and is made from the confusion otherwise.

        Raises
        ------
        ValueError
            The bundle does not hold it.
        """
        if kind == "classes" and self.profile is None and self.confusion is not None:
            return class_counts(self.confusion)
        array = self.profile if kind == "classes" else {"confusion": self.confusion, "bands": self.bands}.get(kind)
        if array is None:
            raise ValueError(f"the bundle holds no {kind!r} counts")
        return array

    @property
    def has_pixels(self) -> NDArray[np.bool_]:
        """Whether there is a valid pixel, shape (...), from the confusion.

        Raises
        ------
        ValueError
            The bundle holds no confusion.
        """
        return np.asarray(valid_pixels(self.need("confusion")) > 0)

    def pooled(self) -> CountsBundle:
        """The bundle summed over its first axis."""
        arrays = (self.confusion, self.bands, self.profile)
        return CountsBundle(*(None if a is None else pool(a) for a in arrays))

    def take(self, tiles: NDArray[np.intp] | NDArray[np.bool_]) -> CountsBundle:
        """The bundle of some entries of the first axis, given as positions or as a mask."""
        arrays = (self.confusion, self.bands, self.profile)
        return CountsBundle(*(None if a is None else a[tiles] for a in arrays))
