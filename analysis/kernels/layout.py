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
line_truth                (C, W, K + 1)   px of the truth's centre line by width and predicted class
line_match                (C, W, 2)       of these, within the tolerance; inside the predicted mask
line_links                (C, W, 2)       straight and diagonal links between them
line_gaps                 (C, 2)          gaps; px of the truth's line whose width is not known
line_prediction           (C, 3)          px of the prediction's line; within the tolerance; inside the truth's mask
========================  ==============  ====================================================

A profile's bin ``i`` holds the distances above limit ``i - 1`` up to limit ``i``; the last bin holds
what is farther than every limit. Distances are chessboard distances in px: 1 is the outermost row or
column of a tile, and a pixel that touches (also at a corner) a pixel of another class.
"""

from __future__ import annotations

from analysis.words.classes import IGNORED as IGNORED

EDGE_LIMITS = (1, 2, 4, 8, 16, 32, 64, 128)
BOUNDARY_LIMITS = (1, 2, 3, 5, 10, 20)
EDGE_BINS = len(EDGE_LIMITS) + 1
BOUNDARY_BINS = len(BOUNDARY_LIMITS) + 1
SCORE_BINS = 256
WIDTH_BINS = 33
"""Bins of centre lines by width: bin ``i`` is width ``i + 1`` px; the last one is open."""
MOST_WIDTH = 200
"""Width that stands for any larger one, px."""

TRUTH, PREDICTED, RIGHT = 0, 1, 2
"""Positions on the last axis of ``(..., K, 3)`` counts."""

KERNEL_VERSION = 1
"""Raised whenever a kernel counts differently: counts of another version are made again."""
