"""Which object of the other side is whose: best matches, and what became of every object."""

from __future__ import annotations

import numpy as np

from analysis.kernels.components import AREA, KIND, PLACE
from analysis.kernels.layout import IOU_UNIT, OUTCOMES
from analysis.kernels.machine import kernel
from analysis.kernels.overlaps import PARTNER, PIXELS, WHO

FOUND, MERGED, SPLIT, MISSED, PART = range(5)
"""Outcomes, the first that applies. On the prediction's side MISSED means false, and PART part right."""

NUMBER, CLASS, SIZE, HIT, BEST, BEST_PX, TAKEN, TAKEN_PX, COVERED, OUTCOME = range(10)
"""Columns of a match table: lowest number of the object, class index, area px, px of the same class on the other
side, place of the best match and px shared with it, class that most other px are taken for and how many they are,
objects of the other side of which it covers half (of truth objects: whether it is in pieces), outcome."""


@kernel
def sort_overlaps(entry, n_entries, record, n):  # type: ignore[no-untyped-def]
    """Put the entries of every object side by side.

    Parameters
    ----------
    entry, n_entries : ndarray and int
        Of `Overlaps`.
    record : ndarray
        Of `Objects`, with places.
    n : int
        Objects.

    Returns
    -------
    tuple of ndarray
        Int64 (n + 1,): entries of the object in place ``i`` are those from ``first[i]`` up to ``first[i + 1]``.
        Int32 (n_entries, 2): partner and px; the partner is a place, or ``n + class``. A pair may occur repeatedly.
    """
    first = np.zeros(n + 2, np.int64)
    for i in range(n_entries):
        first[record[entry[i, WHO], PLACE] + 2] += 1
    for i in range(2, n + 2):
        first[i] += first[i - 1]
    pairs = np.empty((n_entries, 2), np.int32)
    for i in range(n_entries):
        place = record[entry[i, WHO], PLACE] + 1
        partner = entry[i, PARTNER]
        pairs[first[place], 0] = record[partner, PLACE] if partner >= 0 else n - 1 - partner
        pairs[first[place], 1] = entry[i, PIXELS]
        first[place] += 1
    return first[: n + 1], pairs


@kernel
def new_table(objects, used, n):  # type: ignore[no-untyped-def]
    """Return a match table without matches, int32 (n, 10), of the objects made of ``used`` parts."""
    parent, record, _ = objects
    table = np.zeros((n, 10), np.int32)
    for i in range(used):
        if parent[i] == i:
            place = record[i, PLACE]
            table[place, NUMBER] = i
            table[place, CLASS] = record[i, KIND]
            table[place, SIZE] = record[i, AREA]
            table[place, BEST] = -1
            table[place, TAKEN] = -1
    return table


@kernel
def match_objects(objects, n_parts, entry, n_entries, n_truth, n, n_classes):  # type: ignore[no-untyped-def]
    """Find the best match of every object, and which are in pieces or cover several.

    Parameters
    ----------
    objects, n_parts : Objects and int
        With places.
    entry, n_entries : ndarray and int
        Of `Overlaps`.
    n_truth, n : int
        Truth objects, and objects of both sides.
    n_classes : int
        K.

    Returns
    -------
    ndarray of int32, shape (n, 10)
        Match table by place; OUTCOME is not filled in.
    """
    table = new_table(objects, n_parts, n)
    first, pairs = sort_overlaps(entry, n_entries, objects.record, n)
    shared = np.zeros(n + n_classes + 1, np.int32)
    for who in range(n):
        # A pair that was met again after its object had grown together has several entries: first their sum.
        begin, distinct = first[who], first[who]
        for i in range(begin, first[who + 1]):
            partner = pairs[i, 0]
            if shared[partner] == 0:
                pairs[distinct, 0] = partner
                distinct += 1
            shared[partner] += pairs[i, 1]
        size = np.int64(table[who, SIZE])
        pieces = 0
        pieces_px = np.int64(0)
        for i in range(begin, distinct):
            partner = pairs[i, 0]
            px = np.int64(shared[partner])
            shared[partner] = 0
            if partner >= n:
                kind, most = partner - n, table[who, TAKEN_PX]
                if px > most or (px == most and kind < table[who, TAKEN]):
                    table[who, TAKEN] = kind
                    table[who, TAKEN_PX] = px
                continue
            table[who, HIT] += px
            table[partner, HIT] += px
            if px > table[who, BEST_PX] or (px == table[who, BEST_PX] and partner < table[who, BEST]):
                table[who, BEST] = partner
                table[who, BEST_PX] = px
            # Truth objects come in the order of their places: of equals the first stays.
            if px > table[partner, BEST_PX]:
                table[partner, BEST] = who
                table[partner, BEST_PX] = px
            table[partner, COVERED] += 2 * px >= size
            if 10 * px >= size:
                pieces += 1
                pieces_px += px
        if who < n_truth:
            table[who, COVERED] = pieces >= 2 and 2 * pieces_px >= size
    return table


@kernel
def settle_outcomes(table, n_truth, n_classes):  # type: ignore[no-untyped-def]
    """Fill in the outcomes of a match table, and count them.

    Returns
    -------
    ndarray of int64, shape (2, K, OUTCOMES, 4)
        By side, class and outcome: objects, area px, hit px, and of found ones the sum of
        ``floor(IoU * IOU_UNIT + 1 / 2)``. All comparisons are of whole numbers.
    """
    counts = np.zeros((2, n_classes, OUTCOMES, 4), np.int64)
    for who in range(table.shape[0]):
        side = 1 if who >= n_truth else 0
        size, hit = np.int64(table[who, SIZE]), np.int64(table[who, HIT])
        best, px = np.int64(table[who, BEST]), np.int64(table[who, BEST_PX])
        iou = np.int64(0)
        if best < 0:
            outcome = MISSED
        else:
            both = size + table[best, SIZE]
            union = both - px
            truth, prediction = (best, who) if side else (who, best)
            # IoU > 1/2. An object has at most one such match, and it is the best of both.
            if 3 * px > both:
                outcome = FOUND
                iou = (2 * px * IOU_UNIT + union) // (2 * union)
            elif table[prediction, COVERED] >= 2:
                outcome = MERGED
            elif table[truth, COVERED] and (side == 0 or 10 * px >= table[truth, SIZE]):
                outcome = SPLIT
            else:
                outcome = PART
        table[who, OUTCOME] = outcome
        cell = counts[side, table[who, CLASS], outcome]
        cell[0] += 1
        cell[1] += size
        cell[2] += hit
        cell[3] += iou
    return counts
