"""What the page shows, computed once for a selection and kept: a rerun only draws."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import streamlit as st

from analysis.scores import (
    EDGE_SETS,
    EdgeSet,
    Explanation,
    GsdBins,
    GsdGroup,
    LineCounts,
    LineScores,
    ObjectScores,
    SizeBins,
    WidthBins,
    class_counts,
    explain,
    gsd_groups,
    line_scores,
    object_scores,
    pool,
    size_bins,
    size_bins_by_gsd,
    width_bins,
)
from analysis.scores.bins import WIDTH_PX
from analysis.selection.objects import ObjectFilter, Positions, arrange
from analysis.store.load import RunCounts
from analysis.words.classes import ClassList
from analysis.words.measures import tolerance_words
from ui import loaders
from ui.selection import View

_COARSE = 2.5  # m per px: a pixel is as wide as a track, and seven of them as large as a house


@dataclass(frozen=True, eq=False)
class Shapes:
    """Everything on the page that depends on the selection only.

    Parameters
    ----------
    counts : RunCounts
        The scored tiles of the selection on which objects were counted.
    uncounted : int
        Scored tiles on which they were not.
    table : dict of ndarray
        Object rows of these tiles; ``tile`` is the position among them.
    gsd : ndarray of float64
        m per px of the tiles, NaN where not known.
    groups : list of GsdGroup
        The tiles by GSD.
    objects : ObjectScores
    explanation : Explanation
    lines : LineScores or None
        Of the narrow classes; None where there are none.
    widths : WidthBins or None
    tolerance : str
        Of the centre lines, in words.
    rowless : int
        Objects without a row.
    """

    counts: RunCounts
    uncounted: int
    table: loaders.ObjectColumns
    gsd: npt.NDArray[np.float64]
    groups: list[GsdGroup]
    objects: ObjectScores
    explanation: Explanation
    lines: LineScores | None
    widths: WidthBins | None
    tolerance: str
    rowless: int

    @property
    def coarse(self) -> bool:
        """Whether pixels are so large that sizes in px say more than bins in metres."""
        known = self.gsd[~np.isnan(self.gsd)]
        return len(known) > 0 and float(known.min()) > _COARSE

    @property
    def classes(self) -> ClassList:
        """Of the dataset."""
        return self.counts.classes

    def first_class(self) -> int:
        """The class that is looked at unless the user says otherwise: a narrow one, or the one with most wrong px."""
        held = self.objects.truth + self.objects.predicted > 0
        narrow = [k for k in self.classes.narrow if held[k]]
        if narrow:
            return narrow[0]
        wrong = self.explanation.px.sum(axis=-1)
        return max(self.classes.foreground, key=lambda k: int(wrong[k]))


def shapes(view: View) -> Shapes:
    """The numbers of a view."""
    return _shapes(view, *_key(view))


def sizes(view: View, edges: EdgeSet, with_edge_cut: bool) -> SizeBins:
    """Objects by class and size, (K, ...)."""
    return _sizes(view, edges, with_edge_cut, *_key(view))


def sizes_by_gsd(view: View, edges: EdgeSet, with_edge_cut: bool) -> list[GsdBins]:
    """The same for the tiles of each GSD."""
    return _sizes_by_gsd(view, edges, with_edge_cut, *_key(view))


def listed(view: View, wanted: ObjectFilter, order: str) -> Positions:
    """Positions of objects in `Shapes.table`, in order."""
    return _listed(view, wanted, order, *_key(view))


def _key(view: View) -> tuple[loaders.Stamp, str]:
    return loaders.stamp_of_run(view.run), view.selection.query()


@st.cache_resource(max_entries=6, show_spinner="Adding up objects")
def _shapes(_view: View, stamp: loaders.Stamp, query: str) -> Shapes:
    run = _view.run
    whole = loaders.shapes(run)
    chosen = np.isin(whole.tiles["id"].to_numpy(), _view.scored.tiles["id"].to_numpy())
    at = np.flatnonzero(chosen & whole.with_objects_mask)
    counts = whole.take(at)
    gsd = counts.tiles["gsd"].to_numpy(np.float64)
    table = _of_tiles(loaders.objects(run), at, len(whole))
    outcomes = pool(counts.arrays["outcomes"])
    narrow = bool(counts.classes.narrow) and "line_truth" in counts.arrays
    lines = LineCounts.of(counts.arrays) if narrow else None
    found = Shapes(
        counts=counts,
        uncounted=int(chosen.sum()) - len(at),
        table=table,
        gsd=gsd,
        groups=gsd_groups(gsd),
        objects=object_scores(outcomes),
        explanation=explain(outcomes, class_counts(pool(counts.confusion)), counts.classes),
        lines=line_scores(lines, gsd) if lines else None,
        widths=None,
        tolerance=tolerance_words(run.workspace.scoring.tolerance_m, gsd),
        rowless=int(outcomes[..., 0].sum()) - len(table["tile"]),
    )
    if lines is None:
        return found
    edges = EDGE_SETS[WIDTH_PX] if found.coarse else None
    return replace(found, widths=width_bins(lines, gsd, counts.classes, edges=edges))


def _of_tiles(every: loaders.ObjectColumns, at: npt.NDArray[np.intp], tiles: int) -> loaders.ObjectColumns:
    """The objects of some tiles, their tile counted among these."""
    if len(at) == tiles:
        return every
    place = np.full(tiles, -1, np.int32)
    place[at] = np.arange(len(at))
    tile = place[every["tile"]]
    kept = np.flatnonzero(tile >= 0)
    found = {name: values[kept] for name, values in every.items()}
    found["tile"] = tile[kept]
    return found


@st.cache_resource(max_entries=24, show_spinner=False)
def _sizes(_view: View, edges: EdgeSet, with_edge_cut: bool, stamp: loaders.Stamp, query: str) -> SizeBins:
    found = shapes(_view)
    return size_bins(found.table, found.gsd, len(found.classes), edges=edges, with_edge_cut=with_edge_cut)


@st.cache_resource(max_entries=24, show_spinner=False)
def _sizes_by_gsd(_view: View, edges: EdgeSet, with_edge_cut: bool, stamp: loaders.Stamp, query: str) -> list[GsdBins]:
    found = shapes(_view)
    return size_bins_by_gsd(found.table, found.gsd, len(found.classes), edges=edges, with_edge_cut=with_edge_cut)


@st.cache_resource(max_entries=24, show_spinner=False)
def _listed(_view: View, wanted: ObjectFilter, order: str, stamp: loaders.Stamp, query: str) -> Positions:
    found = shapes(_view)
    return arrange(found.table, wanted.positions(found.table, found.gsd), order)
