"""Which objects of a selection are looked at, in which order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.scores.bins import EdgeSet
from analysis.scores.formulas import safe_divide
from analysis.scores.gsd_groups import gsd_groups
from analysis.scores.size_bins import bin_of

Positions = npt.NDArray[np.intp]
Columns = Mapping[str, npt.NDArray[Any]]

OBJECT_ORDERS = {"lost": "most px lost first", "large": "largest first", "small": "smallest first"}
"""Ids and labels; px lost are those that are not of its class on the other side."""


@dataclass(frozen=True)
class ObjectFilter:
    """What objects must be; None lets all pass.

    Parameters
    ----------
    class_index, side, outcome, taken : int or None
        Codes as in the object table. Taken: the class on the other side of most of the px that are no hits, K outside
        the class list.
    area, width : (EdgeSet, int) or None
        A bin by area, and one by mean width along the centre line, which only narrow classes have.
    cut : bool or None
        Whether it touches the tile's edge.
    gsd : float or None
        Of its tile, to four digits; NaN: not known.
    """

    class_index: int | None = None
    side: int | None = None
    outcome: int | None = None
    taken: int | None = None
    area: tuple[EdgeSet, int] | None = None
    width: tuple[EdgeSet, int] | None = None
    cut: bool | None = None
    gsd: float | None = None

    def positions(self, table: Columns, gsd: npt.NDArray[np.float64]) -> Positions:
        """Positions of the objects that pass, ascending.

        Parameters
        ----------
        table : mapping of arrays
            Object rows: side, cls, outcome, taken, edge, area, line_px, width_sum, tile.
        gsd : ndarray of float64, shape (N,)
            m per px of the tiles, NaN where not known: there, no object is in a bin in m or m2.
        """
        kept: Positions | None = None
        for name, wanted in (
            ("cls", self.class_index),
            ("side", self.side),
            ("outcome", self.outcome),
            ("taken", self.taken),
            ("edge", self.cut),
        ):
            if wanted is not None:
                column = table[name]
                kept = np.flatnonzero(column == wanted) if kept is None else kept[column[kept] == wanted]
        if kept is None:
            kept = np.arange(len(table["cls"]))
        if self.gsd is not None:
            tiles = np.zeros(len(gsd), np.bool_)
            for group in gsd_groups(gsd):
                if group.gsd == self.gsd or (np.isnan(group.gsd) and np.isnan(self.gsd)):
                    tiles = group.tiles
            kept = kept[tiles[table["tile"][kept]]]
        if self.area is not None:
            edges, at = self.area
            pixel = np.square(gsd)[table["tile"][kept]] if edges.unit == "m2" else np.ones(len(kept))
            kept = kept[_in_bin(table["area"][kept] * pixel, edges, at)]
        if self.width is not None:
            edges, at = self.width
            mean = safe_divide(table["width_sum"][kept], table["line_px"][kept])
            # As the widths of single px are: whole px, half up, or metres to nine digits.
            size = np.floor(mean + 0.5) if edges.unit == "px" else np.round(mean * gsd[table["tile"][kept]], 9)
            kept = kept[_in_bin(size, edges, at)]
        return kept


def arrange(table: Columns, positions: Positions, order: str) -> Positions:
    """The objects in an order of `OBJECT_ORDERS`; equal ones stay as they are."""
    area = table["area"][positions].astype(np.int64)
    key = area if order == "small" else -area if order == "large" else table["hit"][positions] - area
    return positions[np.argsort(key, kind="stable")]


def _in_bin(size: npt.NDArray[np.float64], edges: EdgeSet, at: int) -> npt.NDArray[np.bool_]:
    return np.asarray(~np.isnan(size) & (bin_of(size, edges) == at), np.bool_)
