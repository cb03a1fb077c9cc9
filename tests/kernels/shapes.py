"""Shapes whose width and length are known, and how to count them."""

from __future__ import annotations

import numpy as np

from analysis.kernels.runs import extract_runs
from analysis.kernels.segments import SegmentBuffer

LUT = np.arange(256, dtype=np.uint8)


def feed(tally, truth, prediction, k, tolerance, cuts=()):
    """Give a pair to a tally, in strips that end at ``cuts``, and return what it found."""
    height, width = truth.shape
    tally.reset(height, width, tolerance)
    segments = SegmentBuffer()
    first = 0
    for stop in (*cuts, height):
        of_truth, _ = extract_runs(np.ascontiguousarray(truth[first:stop]), LUT)
        of_prediction, _ = extract_runs(np.ascontiguousarray(prediction[first:stop]), np.minimum(LUT, np.uint8(k)))
        tally.add(segments.overlay(of_truth, of_prediction, 0, stop - first, k), stop - first, first)
        first = stop
    return tally.finish()


def bar(width, angle, length=160, size=240, shift=(0.0, 0.0)):
    """Return a bar in the middle of a tile: the pixels whose centre lies in it.

    ``width`` and ``length`` in px, ``angle`` in degrees from the rows' direction, ``shift`` (down, right) in px.
    """
    y, x = np.indices((size, size)) - (size - 1) / 2
    y, x = y - shift[0], x - shift[1]
    turn = np.radians(angle)
    along, across = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
    # Half-open, so that a straight bar has exactly the width that it should.
    inside = (across >= -width / 2) & (across < width / 2) & (along >= -length / 2) & (along < length / 2)
    return inside.astype(np.uint8)
