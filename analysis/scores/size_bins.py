"""Objects by size: truth objects by their own area, predicted ones by the predicted area."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd
from numpy.typing import ArrayLike

from analysis.scores.bins import AREA_M2, AREA_PX, EDGE_SETS, EdgeSet
from analysis.scores.formulas import Counts, Scores, safe_divide
from analysis.scores.gsd_groups import GsdGroup, gsd_groups
from analysis.words.outcomes import FOUND, PREDICTION, TRUTH

ObjectTable: TypeAlias = "pd.DataFrame | dict[str, Any]"
"""Columns side, cls, area, edge, hit, outcome and tile: the position of the tile among those of `gsd`."""

_COLUMNS = ("side", "cls", "area", "edge", "hit", "outcome", "tile")


@dataclass(frozen=True, eq=False)
class SizeBins:
    """Objects by size bin: counts (..., B), or (K, B) by class; the scores follow from them and sum as they do.

    Parameters
    ----------
    edges : EdgeSet
        Their unit says whether areas are m2 or px.
    objects : ndarray of int64, shape (..., 2, B, 5)
        Objects by side, bin and outcome code.
    area, hit : ndarray of int64, shape (..., 2, B)
        Their px, and those of them that are the class on the other side.
    share_sum : ndarray of float64, shape (..., 2, B)
        Sum of hit / area over the objects.
    edge_cut : ndarray of int64, shape (..., 2)
        Objects by side that are cut by a tile's edge: left out of the bins, or among them where `with_edge_cut`.
    no_gsd : ndarray of int64, shape (..., 2)
        Objects by side in tiles without a GSD, that are left out where bins are in m2.
    with_edge_cut : bool
        Whether objects that are cut by a tile's edge are in the bins.
    """

    edges: EdgeSet
    objects: Counts
    area: Counts
    hit: Counts
    share_sum: Scores
    edge_cut: Counts
    no_gsd: Counts
    with_edge_cut: bool

    @property
    def truth(self) -> Counts:
        """Truth objects, the support of recall and covered share, (..., B)."""
        return np.asarray(self.objects[..., TRUTH, :, :].sum(axis=-1))

    @property
    def predicted(self) -> Counts:
        """Predicted objects, the support of precision, (..., B)."""
        return np.asarray(self.objects[..., PREDICTION, :, :].sum(axis=-1))

    @property
    def found(self) -> Counts:
        """Truth objects that were found, (..., B)."""
        return self.objects[..., TRUTH, :, FOUND]

    @property
    def right(self) -> Counts:
        """Predicted objects that match a truth object, of whatever area, (..., B)."""
        return self.objects[..., PREDICTION, :, FOUND]

    @property
    def recall(self) -> Scores:
        """found / truth; NaN in an empty bin."""
        return safe_divide(self.found, self.truth)

    @property
    def precision(self) -> Scores:
        """right / predicted; NaN in an empty bin."""
        return safe_divide(self.right, self.predicted)

    @property
    def f1(self) -> Scores:
        """Harmonic mean of the bin's recall and precision; NaN where one of them is.

        It mixes two sets of objects: truth objects of this area, and predicted ones of this area. A match may be in
        another bin than its truth object.
        """
        recall, precision = self.recall, self.precision
        both = recall + precision
        return np.asarray(np.where(both == 0, 0.0, safe_divide(2 * recall * precision, both)))

    @property
    def mean_covered(self) -> Scores:
        """Mean covered share: hit / area of each truth object, then the mean over objects; NaN in an empty bin."""
        return safe_divide(self.share_sum[..., TRUTH, :], self.truth)

    @property
    def pooled_covered(self) -> Scores:
        """Pooled covered share: hit px / px of all truth objects of the bin; NaN in an empty bin."""
        return safe_divide(self.hit[..., TRUTH, :], self.area[..., TRUTH, :])

    def together(self, classes: Collection[int] | None = None) -> SizeBins:
        """Summed over the first axis, the classes, or over some of them: without that axis."""
        chosen = slice(None) if classes is None else sorted(set(classes))
        arrays = {f.name: v for f in fields(self) if isinstance(v := getattr(self, f.name), np.ndarray)}
        return replace(self, **{name: values[chosen].sum(axis=0) for name, values in arrays.items()})

    @property
    def caption(self) -> str:
        """Support and rule in one line, all leading axes together."""
        sides = [f"{int(n.sum()):,}" for n in (self.truth, self.predicted)]
        parts = [f"{sides[0]} ground truth and {sides[1]} predicted objects"]
        cut = self.edge_cut.reshape(-1, 2).sum(axis=0)
        if cut.any():
            what = "counted" if self.with_edge_cut else "left out"
            parts.append(f"{cut[TRUTH]:,} and {cut[PREDICTION]:,} cut by a tile's edge {what}")
        unknown = self.no_gsd.reshape(-1, 2).sum(axis=0)
        if unknown.any():
            parts.append(f"{unknown[TRUTH]:,} and {unknown[PREDICTION]:,} in tiles without a GSD left out")
        return " · ".join(parts)


class GsdBins(NamedTuple):
    """Size bins of the tiles of one GSD."""

    group: GsdGroup
    bins: SizeBins


def unit_of(table: ObjectTable, gsd: ArrayLike) -> Literal["m2", "px"]:
    """The unit that suits a selection: m2 where every tile with objects has a GSD, px otherwise."""
    unknown = np.isnan(np.asarray(gsd, np.float64))
    return "px" if unknown.any() and unknown[np.asarray(table["tile"])].any() else "m2"


def bin_of(size: npt.NDArray[Any], edges: EdgeSet) -> Counts:
    """The bin of each size, which is in the unit of the edges; one that is not known (NaN) is in the first."""
    found = np.zeros(size.shape, np.int64)
    for edge in edges.edges:
        # An area in m2 is a product of decimals: what misses an edge by rounding alone is on it.
        found += size >= edge * (1 - 1e-9)
    return found


def size_bins(
    table: ObjectTable,
    gsd: ArrayLike,
    classes: int,
    *,
    edges: EdgeSet | None = None,
    with_edge_cut: bool = False,
) -> SizeBins:
    """Count objects by class and size.

    Parameters
    ----------
    table : DataFrame or dict of arrays
        Object rows: side, cls, area, edge, hit, outcome, tile. May be empty.
    gsd : array_like of float, shape (N,)
        m per px of the tiles, NaN where not known.
    classes : int
        K.
    edges : EdgeSet or None
        None: the default for m2 where every tile with objects has a GSD, for px otherwise. With edges in m2, objects
        in tiles without a GSD are left out, and counted in `no_gsd`.
    with_edge_cut : bool
        Whether objects that a tile's edge cuts are binned too: their area is false, so is their bin.

    Returns
    -------
    SizeBins
        Arrays (K, ...); `SizeBins.together` sums over classes.

    Raises
    ------
    ValueError
        The edges are not of areas.
    """
    if edges is None:
        edges = EDGE_SETS[AREA_M2 if unit_of(table, gsd) == "m2" else AREA_PX]
    if edges.of != "area":
        raise ValueError(f"size bins need edges of areas, not of {edges.of}s")
    column = {name: np.asarray(table[name]) for name in _COLUMNS}
    group = column["side"].astype(np.int64) + 2 * column["cls"].astype(np.int64)
    cut = column["edge"].astype(bool)
    known = np.ones(len(group), np.bool_)
    size: npt.NDArray[Any] = column["area"]
    if edges.unit == "m2":
        pixel = np.square(np.asarray(gsd, np.float64))[column["tile"]]
        known, size = ~np.isnan(pixel), size * pixel
    used = known if with_edge_cut else known & ~cut
    if not used.all():
        chosen = np.flatnonzero(used)
        size, kept, column = size[chosen], group[chosen], {n: v[chosen] for n, v in column.items()}
    else:
        kept = group
    bins, k = len(edges), classes
    place = kept * bins + bin_of(size, edges)
    area, hit = column["area"].astype(np.float64), column["hit"].astype(np.float64)
    cells, sides = 2 * k * bins, 2 * k

    def total(weights: npt.NDArray[np.float64]) -> Scores:
        return np.asarray(np.bincount(place, weights, cells).reshape(k, 2, bins), np.float64)

    return SizeBins(
        edges=edges,
        objects=np.bincount(place * 5 + column["outcome"], minlength=5 * cells).reshape(k, 2, bins, 5),
        area=total(area).astype(np.int64),
        hit=total(hit).astype(np.int64),
        share_sum=total(safe_divide(hit, area)),
        edge_cut=np.bincount(group[known & cut], minlength=sides).reshape(k, 2),
        no_gsd=np.bincount(group[~known], minlength=sides).reshape(k, 2),
        with_edge_cut=with_edge_cut,
    )


def size_bins_by_gsd(
    table: ObjectTable,
    gsd: ArrayLike,
    classes: int,
    *,
    edges: EdgeSet | None = None,
    with_edge_cut: bool = False,
) -> list[GsdBins]:
    """The same for the tiles of each GSD apart, ascending, those without one last; the unit is one for all of them.

    GSDs that agree to four digits are one. With edges in m2 there is no group of tiles without a GSD.
    """
    edges = edges or EDGE_SETS[AREA_M2 if unit_of(table, gsd) == "m2" else AREA_PX]
    tile = np.asarray(table["tile"])
    found = []
    for group in gsd_groups(gsd):
        if np.isnan(group.gsd) and edges.unit == "m2":
            continue
        rows = np.flatnonzero(group.tiles[tile])
        part = {name: np.asarray(table[name])[rows] for name in _COLUMNS}
        found.append(GsdBins(group, size_bins(part, gsd, classes, edges=edges, with_edge_cut=with_edge_cut)))
    return found
