"""What the counts of a tile look like: limits, axes and codes. Nothing here touches a pixel.

Axis order is (truth, prediction) and (row, column), always. ``K`` is the number of classes,
``C`` that of the narrow ones.

========================  ==============  ====================================================
counts                    shape           meaning
========================  ==============  ====================================================
confusion                 (K, K + 1)      truth by prediction; last column: outside the class list
edges                     (E, K, 3)       truth, predicted, right px by distance to the tile's edge
boundary                  (B, K, 3)       the same by distance to another truth class
bands                     (K, 2)          intersection and union for Boundary IoU
outcomes                  (2, K, 5, 4)    objects by side, class and outcome: how many, px, hit px,
                                          and the sum of their IoU in units of 1e-9 (found ones)
line_truth                (C, W, K + 1)   px of the truth's centre lines by width and predicted class
line_match                (C, W, 2)       of these, within the tolerance, and inside the prediction
line_links                (C, W, 2)       straight and diagonal links between them
line_gaps                 (C, 2)          gaps, and px that are left out of all widths
line_prediction           (C, 3)          px of the prediction's centre lines: all, within the
                                          tolerance of the truth's line, inside the truth
========================  ==============  ====================================================

``C`` is the number of narrow classes, ``W`` that of the width bins: widths of 1 to 32 px, and one bin for
more. Objects are counted for every class but the background.

A profile's bin ``i`` holds the distances above limit ``i - 1`` up to limit ``i``; the last bin holds
what is farther than every limit. Distances are chessboard distances in px: 1 is the outermost row or
column of a tile, and a pixel that touches (also at a corner) a pixel of another class.
"""

from __future__ import annotations

from typing import NamedTuple

from analysis.words.classes import IGNORED as IGNORED

EDGE_LIMITS = (1, 2, 4, 8, 16, 32, 64, 128)
BOUNDARY_LIMITS = (1, 2, 3, 5, 10, 20)
EDGE_BINS = len(EDGE_LIMITS) + 1
BOUNDARY_BINS = len(BOUNDARY_LIMITS) + 1
SCORE_BINS = 256
OUTCOMES = 5
IOU_UNIT = 10**9
MOST_ROWS, LEAST_AREA = 2000, 4
"""Of a side with more objects than this, only rows of objects with so many px are kept."""
WIDTH_BINS = 33
"""Bins of centre lines by width: bin ``i`` is width ``i + 1`` px; the last one is open."""
MOST_WIDTH = 200
"""Width that stands for any larger one, px."""

TRUTH, PREDICTED, RIGHT = 0, 1, 2
"""Positions on the last axis of ``(..., K, 3)`` counts."""


class ObjectSettings(NamedTuple):
    """How objects and centre lines are counted.

    Parameters
    ----------
    background : int or None
        Index of the class that has no objects.
    connectivity : {8, 4}
        Neighbours that join px into an object.
    narrow : tuple of int
        Indices of the classes that have centre lines, ascending.
    """

    background: int | None
    connectivity: int
    narrow: tuple[int, ...]


KERNEL_VERSION = 1
"""Raised whenever a kernel counts differently: counts of another version are made again."""
