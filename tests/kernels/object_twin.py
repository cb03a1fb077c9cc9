"""The objects' slow twin: components by scikit-image, overlaps in dictionaries, rules as they are written down."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from math import floor

import numpy as np
from skimage.measure import label

from analysis.kernels.layout import IGNORED

FOUND, MERGED, SPLIT, MISSED, PART = range(5)


def components(labels, valid, classes, connectivity):
    """Objects of one side, each (class, list of px), in row-major order of their first px."""
    found = []
    for kind in classes:
        numbers = label(valid & (labels == kind), connectivity=connectivity // 4)
        for number in range(1, numbers.max() + 1):
            found.append((kind, list(zip(*(a.tolist() for a in np.nonzero(numbers == number)), strict=True))))
    return sorted(found, key=lambda item: item[1][0])


def outcome(side, name, size, shared, best):
    """Outcome of one object; ``shared`` holds the px of the objects that it shares some with, by side and name."""

    def covers(truth, prediction):
        return Fraction(shared[0, truth][prediction], size[0][truth])

    def in_pieces(truth):
        pieces = [covers(truth, p) for p in shared[0, truth] if covers(truth, p) >= Fraction(1, 10)]
        return len(pieces) >= 2 and sum(pieces) >= Fraction(1, 2)

    mates = shared[side, name]
    if any(Fraction(px, size[side][name] + size[1 - side][m] - px) > Fraction(1, 2) for m, px in mates.items()):
        return FOUND
    if not mates:
        return MISSED
    truth, prediction = (name, best) if side == 0 else (best, name)
    if sum(covers(t, prediction) >= Fraction(1, 2) for t in shared[1, prediction]) >= 2:
        return MERGED
    if in_pieces(truth) and (side == 0 or covers(truth, prediction) >= Fraction(1, 10)):
        return SPLIT
    return PART


def twin(truth, prediction, k, background, connectivity):
    """Outcomes (2, K, 5, 4), rows as a list of dictionaries, objects without a row, and the place of every px."""
    valid = truth != IGNORED
    height, width = truth.shape
    classes = [c for c in range(k) if c != background]
    sides = [components(labels, valid, classes, connectivity) for labels in (truth, prediction)]
    place = [{px: n for n, (_, pxs) in enumerate(side) for px in pxs} for side in sides]
    size = [[len(pxs) for _, pxs in side] for side in sides]
    shared, taken = defaultdict(Counter), defaultdict(Counter)
    for y, x in zip(*np.nonzero(valid), strict=True):
        px = int(y), int(x)
        t, p = int(truth[px]), int(prediction[px])
        if t == p and t != background:
            shared[0, place[0][px]][place[1][px]] += 1
            shared[1, place[1][px]][place[0][px]] += 1
        if t != p:
            if px in place[0]:
                taken[0, place[0][px]][p] += 1
            if px in place[1]:
                taken[1, place[1][px]][t] += 1
    outcomes = np.zeros((2, k, 5, 4), np.int64)
    everything = []
    for side in (0, 1):
        for n, (kind, pxs) in enumerate(sides[side]):
            mates = shared[side, n]
            best = min(mates, key=lambda m: (-mates[m], m)) if mates else -1
            found = outcome(side, n, size, shared, best)
            wrong = taken[side, n]
            most = min(wrong, key=lambda c: (-wrong[c], c)) if wrong else -1
            rows, columns = zip(*pxs, strict=True)
            box = min(rows), min(columns), max(rows) + 1, max(columns) + 1
            everything.append(
                {
                    "side": side, "cls": kind, "area": len(pxs),
                    "top": box[0], "left": box[1], "bottom": box[2], "right": box[3],
                    "row_sum": sum(rows), "column_sum": sum(columns),
                    "edge": box[0] == 0 or box[1] == 0 or box[2] == height or box[3] == width,
                    "hit": sum(mates.values()), "best": (1 - side, best), "best_px": mates[best] if mates else 0,
                    "best_area": size[1 - side][best] if mates else 0,
                    "outcome": found, "taken": most, "taken_px": wrong[most] if wrong else 0,
                }
            )  # fmt: skip
            cell = outcomes[side, kind, found]
            iou = Fraction(0)
            if found == FOUND:
                iou = Fraction(mates[best], len(pxs) + size[1 - side][best] - mates[best])
            cell += (1, len(pxs), sum(mates.values()), floor(iou * 10**9 + Fraction(1, 2)))
    many = [len(side) > 2000 for side in sides]
    kept = {}
    place_of = [(row["side"], n if n < len(sides[0]) else n - len(sides[0])) for n, row in enumerate(everything)]
    for n, row in enumerate(everything):
        if row["area"] >= 4 or not many[row["side"]]:
            kept[place_of[n]] = len(kept)
    rows = [row for n, row in enumerate(everything) if place_of[n] in kept]
    for row in rows:
        row["best"] = kept.get(row["best"], -1)
    places = [{px: n + (len(sides[0]) if side else 0) for px, n in place[side].items()} for side in (0, 1)]
    return outcomes, rows, len(everything) - len(rows), places
