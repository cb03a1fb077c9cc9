"""Tiles through the objects kernel, whole or in strips."""

from __future__ import annotations

import numpy as np

from analysis.kernels.layout import IGNORED
from analysis.kernels.objects import ObjectTally
from analysis.kernels.runs import RunBuffer
from analysis.kernels.segments import SegmentBuffer

LUT = np.arange(256, dtype=np.uint8)


def tile(*rows):
    """A map drawn by hand: ``.`` is class 0, ``-`` ignored."""
    return np.array([[IGNORED if v == "-" else 0 if v == "." else int(v) for v in row] for row in rows], np.uint8)


def add_strips(tally, truth, prediction, k, cuts=()):
    """Give a tile to a tally, cut above the rows ``cuts``."""
    tally.reset(*truth.shape)
    sides, segments, unused = (RunBuffer(), RunBuffer()), SegmentBuffer(), np.zeros(256, np.int64)
    inner = sorted({int(c) for c in cuts if 0 < c < len(truth)})
    for first, last in zip([0, *inner], [*inner, len(truth)], strict=True):
        strips = [np.array(labels[first:last], order="C") for labels in (truth, prediction)]
        runs = [side.extract(strip, LUT, unused) for side, strip in zip(sides, strips, strict=True)]
        tally.add(segments.overlay(*runs, 0, last - first, k), last - first, first)


def objects_of(truth, prediction, k=2, background=0, connectivity=8):
    """Objects of one tile."""
    tally = ObjectTally(k, background, connectivity)
    add_strips(tally, truth, prediction, k)
    return tally.finish()


def side_rows(found, side):
    """Rows of one side, each a dictionary."""
    of_side = np.flatnonzero(found.rows["side"] == side)
    return [{name: values[i].item() for name, values in found.rows.items()} for i in of_side]
