"""Tiles of one resolution."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.words.measures import gsd_label, round_gsd


class GsdGroup(NamedTuple):
    """The tiles of one GSD (m per px; NaN where not known), as a mask (N,)."""

    gsd: float
    label: str
    tiles: NDArray[np.bool_]


def gsd_groups(gsd: ArrayLike) -> list[GsdGroup]:
    """Tiles by GSD, ascending, those without one last. GSDs that agree to four digits are one; no tiles, no group.

    Parameters
    ----------
    gsd : array_like of float, shape (N,)
    """
    values, place = np.unique(np.asarray(gsd, np.float64), return_inverse=True)
    rounded = np.array([round_gsd(value) for value in values], np.float64)[place]
    groups = []
    for value in np.unique(rounded).tolist():
        tiles = np.isnan(rounded) if value != value else rounded == value
        groups.append(GsdGroup(value, gsd_label(value), tiles))
    return groups
