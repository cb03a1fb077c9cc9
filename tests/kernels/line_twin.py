"""Centre lines the slow and obvious way: scikit-image, scipy and plain loops. Test only."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from scipy.ndimage import distance_transform_edt
from skimage.morphology import skeletonize

from analysis.kernels.layout import IGNORED, MOST_WIDTH, WIDTH_BINS

STRAIGHT = [(0, -1), (-1, 0), (0, 1), (1, 0)]
DIAGONAL = [(-1, -1), (-1, 1), (1, 1), (1, -1)]


@dataclass
class TwinCounts:
    line_truth: np.ndarray
    line_match: np.ndarray
    line_links: np.ndarray
    line_gaps: np.ndarray
    line_prediction: np.ndarray
    px: list[tuple[int, int, int, int, int, bool]] = field(default_factory=list)
    """Side, class, row, column, width, kept."""
    links: set[tuple[int, int, bool]] = field(default_factory=set)
    """Places of two px among ``px``, and whether they share a corner only."""


def distance_to(where: np.ndarray) -> np.ndarray:
    """Distance of every pixel to the nearest one of ``where``; infinite where there is none."""
    return distance_transform_edt(~where) if where.any() else np.full(where.shape, np.inf)


def distance_to_outside(shape: tuple[int, int]) -> np.ndarray:
    rows, columns = np.indices(shape)
    return np.minimum.reduce([rows + 1, columns + 1, shape[0] - rows, shape[1] - columns])


def rounded(distance: float) -> int:
    return MOST_WIDTH if math.isinf(distance) else min(math.floor(2 * distance - 1 + 0.5), MOST_WIDTH)


def links_of(line: np.ndarray) -> list[tuple[tuple[int, int], tuple[int, int], bool]]:
    """Pairs of linked pixels, the earlier one first, and whether they share a corner only."""
    on = {(int(y), int(x)) for y, x in np.argwhere(line)}
    found = []
    for y, x in on:
        for dy, dx in [(0, 1), (1, 0)]:
            if (y + dy, x + dx) in on:
                found.append(((y, x), (y + dy, x + dx), False))
        for dx in (-1, 1):
            if (y + 1, x + dx) in on and not {(y + 1, x), (y, x + dx)} & on:
                found.append(((y, x), (y + 1, x + dx), True))
    return found


def count_gaps(kept: np.ndarray, near: np.ndarray) -> int:
    """Flood the stretches of kept pixels that are not near; those that touch a near one are gaps."""
    open_, todo, gaps = kept & ~near, kept & ~near, 0
    height, width = kept.shape
    for start in np.argwhere(open_):
        if not todo[tuple(start)]:
            continue
        stack, touches = [tuple(start)], False
        todo[tuple(start)] = False
        while stack:
            y, x = stack.pop()
            for dy, dx in STRAIGHT + DIAGONAL:
                v, u = y + dy, x + dx
                if 0 <= v < height and 0 <= u < width and kept[v, u]:
                    touches |= bool(near[v, u])
                    if todo[v, u]:
                        todo[v, u] = False
                        stack.append((v, u))
        gaps += touches
    return gaps


def count_lines(
    truth: np.ndarray, prediction: np.ndarray, k: int, narrow: tuple[int, ...], tolerance: float
) -> TwinCounts:
    ignored = truth == IGNORED
    outside = distance_to_outside(truth.shape)
    c = len(narrow)
    counts = TwinCounts(
        np.zeros((c, WIDTH_BINS, k + 1), np.int64),
        np.zeros((c, WIDTH_BINS, 2), np.int64),
        np.zeros((c, WIDTH_BINS, 2), np.int64),
        np.zeros((c, 2), np.int64),
        np.zeros((c, 3), np.int64),
    )
    for at, index in enumerate(narrow):
        masks = truth == index, (prediction == index) & ~ignored
        lines = skeletonize(masks[0]), skeletonize(masks[1])
        near = distance_to(lines[1]) <= tolerance, distance_to(lines[0]) <= tolerance
        other = distance_to(~masks[0] & ~ignored)
        known = (outside > other) & (distance_to(ignored) > other)
        kept = lines[0] & known, lines[1]
        widths = [distance_to(~mask) for mask in masks]
        places = {}
        for side in (0, 1):
            for y, x in np.argwhere(lines[side]):
                places[side, y, x] = len(counts.px)
                width = rounded(widths[side][y, x])
                counts.px.append((side, index, int(y), int(x), width, bool(kept[side][y, x])))
        for y, x in np.argwhere(kept[0]):
            width = min(rounded(widths[0][y, x]), WIDTH_BINS) - 1
            counts.line_truth[at, width, min(prediction[y, x], k)] += 1
            counts.line_match[at, width] += near[0][y, x], masks[1][y, x]
        for side in (0, 1):
            for first, second, diagonal in links_of(lines[side]):
                counts.links.add((places[side, *first], places[side, *second], diagonal))
                if side == 0 and kept[0][first] and kept[0][second]:
                    width = min(rounded(widths[0][first]), WIDTH_BINS) - 1
                    counts.line_links[at, width, int(diagonal)] += 1
        counts.line_gaps[at] = count_gaps(kept[0], near[0]), (lines[0] & ~known).sum()
        counts.line_prediction[at] = lines[1].sum(), (lines[1] & near[1]).sum(), (lines[1] & masks[0]).sum()
    return counts
