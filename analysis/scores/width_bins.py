"""Centre lines by width: what is found of the truth's lines, and what the rest was taken for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.kernels.layout import WIDTH_BINS
from analysis.scores.bins import EDGE_SETS, WIDTH_M, WIDTH_PX, EdgeSet, without_empty_tail
from analysis.scores.formulas import Counts, Scores, pool, safe_divide
from analysis.scores.lines import INSIDE, LEFT_OUT, MATCHED, LineCounts
from analysis.words.classes import ClassList
from analysis.words.measures import round_gsd


@dataclass(frozen=True, eq=False)
class WidthBins:
    """Px of the truth's centre lines by narrow class and width bin; a score is NaN in an empty bin.

    Parameters
    ----------
    edges : EdgeSet
        In px or in m. Edges above what is told apart (32 px) are not there.
    narrow : tuple of int
        Indices of the narrow classes, the C axis.
    kept, matched, inside : ndarray of int64, shape (C, B)
        Px of the truth's line, of these within the tolerance of the prediction's line, and inside the predicted mask.
    predicted_as : ndarray of int64, shape (C, B, K + 1)
        Kept px by predicted class; last: outside the class list.
    length : ndarray of float64, shape (C, B)
        Length of the kept line: km with edges in m, px otherwise.
    left_out : ndarray of int64, shape (C,)
        Px without a width: at the edge of a tile or at ignored px.
    no_gsd : ndarray of int64, shape (C,)
        Kept px in tiles without a GSD, that are in no bin in m.
    """

    edges: EdgeSet
    narrow: tuple[int, ...]
    kept: Counts
    matched: Counts
    inside: Counts
    predicted_as: Counts
    length: Scores
    left_out: Counts
    no_gsd: Counts

    @property
    def completeness(self) -> Scores:
        """matched / kept, (C, B)."""
        return safe_divide(self.matched, self.kept)

    @property
    def sensitivity(self) -> Scores:
        """inside / kept, (C, B): the topology sensitivity of clDice by width."""
        return safe_divide(self.inside, self.kept)

    @property
    def taken_px(self) -> Counts:
        """Kept px that are predicted as something else, by what; (C, B, K + 1), 0 at the class itself."""
        taken = self.predicted_as.copy()
        taken[np.arange(len(self.narrow)), :, list(self.narrow)] = 0
        return taken

    @property
    def taken_share(self) -> Scores:
        """Shares of these, (C, B, K + 1): they sum to 1 where something is taken for something else, NaN elsewhere."""
        taken = self.taken_px
        return safe_divide(taken, taken.sum(axis=-1, keepdims=True))


def width_bins(counts: LineCounts, gsd: ArrayLike, classes: ClassList, *, edges: EdgeSet | None = None) -> WidthBins:
    """Put the stored widths into bins.

    A width of w px is w times the GSD in metres, tile by tile, so tiles of several GSDs can share bins in m.

    Parameters
    ----------
    counts : LineCounts
        Of N tiles; N may be 0.
    gsd : array_like of float, shape (N,)
        m per px, NaN where not known. Taken to four digits, far finer than a width.
    classes : ClassList
        Its narrow classes are the C axis.
    edges : EdgeSet or None
        None: the default in m where every tile with a line has a GSD, in px otherwise. With edges in m, px in tiles
        without a GSD are in no bin, and counted in `no_gsd`. Edges above 32 px (at the smallest GSD) are left away:
        wider lines are not told apart.

    Raises
    ------
    ValueError
        The edges are not of widths, or the counts are of other classes.
    """
    narrow = classes.narrow
    if counts.truth.shape[1] != len(narrow) or counts.truth.shape[-1] != len(classes) + 1:
        raise ValueError(f"`counts` has the shape {counts.truth.shape}, but there are {len(narrow)} narrow classes")
    metres = np.array([round_gsd(value) for value in np.asarray(gsd, np.float64)])
    lines = counts.kept.sum(axis=-1)
    unknown = np.isnan(metres)
    if edges is None:
        edges = EDGE_SETS[WIDTH_PX if lines[unknown].any() else WIDTH_M]
    if edges.of != "width":
        raise ValueError(f"width bins need edges of widths, not of {edges.of}s")
    if edges.unit == "px":
        groups: list[tuple[float, NDArray[np.bool_]]] = [(1.0, np.ones(len(metres), np.bool_))]
    else:
        with_lines = lines.any(axis=1)
        groups = [(value, metres == value) for value in np.unique(metres[~unknown & with_lines])]
    edges = without_empty_tail(edges, min((value for value, _ in groups), default=1.0) * WIDTH_BINS)
    c, b = len(narrow), len(edges)
    kept, match = np.zeros((c, b, len(classes) + 1), np.int64), np.zeros((c, b, 2), np.int64)
    length = np.zeros((c, b))
    for value, tiles in groups:
        # Rounded, since 3 x 0.1 is a little more than 0.3.
        widths = np.round(np.arange(1, WIDTH_BINS + 1) * value, 9)
        bins = np.searchsorted(edges.edges, widths, side="right")
        part = counts.take(tiles).pooled()
        for w, i in enumerate(bins):
            kept[:, i] += part.truth[:, w]
            match[:, i] += part.match[:, w]
            length[:, i] += part.length_px[:, w] * (1.0 if edges.unit == "px" else value / 1000)
    return WidthBins(
        edges=edges,
        narrow=narrow,
        kept=kept.sum(axis=-1),
        matched=match[..., MATCHED],
        inside=match[..., INSIDE],
        predicted_as=kept,
        length=length,
        left_out=pool(counts.gaps[..., LEFT_OUT]),
        no_gsd=pool(lines[unknown]) if edges.unit == "m" else np.zeros(c, np.int64),
    )
