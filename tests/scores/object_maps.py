"""Objects of small label maps, counted slowly: components with scikit-image, outcomes with sets and fractions.

Written from the definitions alone; it shares no code with the kernels or the scores.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st
from skimage.measure import label

from analysis.words.classes import ClassList, ClassSpec

IGNORED = 255
COLUMNS = (
    *("tile", "side", "cls", "area", "top", "left", "bottom", "right", "row_sum", "column_sum", "edge", "hit"),
    *("best_px", "best_area", "outcome", "taken", "line_px", "straight", "diagonal", "width_sum"),
)
Pixel = tuple[int, int]


@dataclass
class Thing:
    """One object as a set of pixels."""

    side: int
    cls: int
    pixels: set[Pixel]
    hits: int = 0
    outcome: int = -1
    iou: Fraction = Fraction(0)


def classes_of(k: int) -> ClassList:
    """``ground`` as background, then k - 1 classes; the last one is narrow."""
    specs = [ClassSpec(3 * i, "ground" if i == 0 else f"class {i}", "#0072b2", narrow=i == k - 1) for i in range(k)]
    return ClassList(tuple(specs), background=0)


@st.composite
def map_pairs(draw, *, most: int = 9, k: int = 3):
    """(truth, prediction): maps of blocks, the prediction a truth with noise; ignored px and px outside the list."""
    height, width = draw(st.integers(1, most)), draw(st.integers(1, most))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    coarse = random.integers(0, k, (height // 2 + 1, width // 2 + 1))
    truth = np.kron(coarse, np.ones((2, 2), int))[:height, :width]
    prediction = np.where(random.random(truth.shape) < draw(st.sampled_from([0.05, 0.2, 0.6])), 0, truth)
    noise = random.random(truth.shape) < draw(st.sampled_from([0.0, 0.1, 0.4]))
    prediction = np.where(noise, random.integers(0, k + 1, truth.shape), prediction)
    truth = np.where(random.random(truth.shape) < 0.05, IGNORED, truth)
    return truth, prediction


def things(truth: np.ndarray, prediction: np.ndarray, members: list[int]) -> list[Thing]:
    """Objects of both sides with their outcomes."""
    prediction = np.where(truth == IGNORED, IGNORED, prediction)
    found = []
    for side, labels in enumerate((truth, prediction)):
        for cls in members:
            parts = label(labels == cls, connectivity=2)
            for i in range(1, parts.max() + 1):
                pixels = {(int(r), int(c)) for r, c in np.argwhere(parts == i)}
                found.append(Thing(side, cls, pixels))
    for one in found:
        decide(one, [t for t in found if t.cls == one.cls])
    return found


def first_pixel(one: Thing) -> Pixel:
    return min(one.pixels)


def best_of(one: Thing, others: list[Thing]) -> Thing | None:
    """The other side's object with the largest overlap; of equal ones the first in row-major order."""
    touching = [t for t in others if t.pixels & one.pixels]
    return min(touching, key=lambda t: (-len(t.pixels & one.pixels), first_pixel(t))) if touching else None


def merges(prediction: Thing, truths: list[Thing]) -> bool:
    return sum(1 for t in truths if 2 * len(t.pixels & prediction.pixels) >= len(t.pixels)) >= 2


def is_split(truth: Thing, predictions: list[Thing]) -> bool:
    overlaps = [len(truth.pixels & p.pixels) for p in predictions]
    large = [o for o in overlaps if 10 * o >= len(truth.pixels)]
    return len(large) >= 2 and 2 * sum(large) >= len(truth.pixels)


def is_piece(one: Thing, best: Thing, predictions: list[Thing]) -> bool:
    large = 10 * len(best.pixels & one.pixels) >= len(best.pixels)
    return large and is_split(best, predictions)


def decide(one: Thing, same: list[Thing]) -> None:
    """Set hits, IoU and outcome."""
    others = [t for t in same if t.side != one.side]
    mine = [t for t in same if t.side == one.side]
    one.hits = len(one.pixels & set().union(*(t.pixels for t in others)))
    best = best_of(one, others)
    ious = [Fraction(len(one.pixels & t.pixels), len(one.pixels | t.pixels)) for t in others]
    one.iou = max(ious, default=Fraction())
    if one.iou > Fraction(1, 2):
        one.outcome = 0
    elif best is not None and (merges(best, mine) if one.side == 0 else merges(one, others)):
        one.outcome = 1
    elif is_split(one, others) if one.side == 0 else best is not None and is_piece(one, best, mine):
        one.outcome = 2
    elif not one.hits:
        one.outcome = 3
    else:
        one.outcome = 4


def outcomes_of(found: list[Thing], k: int) -> np.ndarray:
    """The array (2, K, 5, 4) that a tile stores."""
    array = np.zeros((2, k, 5, 4), np.int64)
    for one in found:
        cell = array[one.side, one.cls, one.outcome]
        cell += [1, len(one.pixels), one.hits, round(one.iou * 10**9) if one.outcome == 0 else 0]
    return array


def table_of(tiles: list[tuple[list[Thing], np.ndarray, np.ndarray]]) -> dict[str, np.ndarray]:
    """Object rows of several tiles (objects, truth, prediction), with the columns that scores and files read."""
    rows = []
    for position, (found, truth, prediction) in enumerate(tiles):
        last = (truth.shape[0] - 1, truth.shape[1] - 1)
        for one in found:
            others = [t for t in found if t.side != one.side and t.cls == one.cls]
            best = best_of(one, others)
            other_map = prediction if one.side == 0 else truth
            wrong = [int(other_map[p]) for p in one.pixels if other_map[p] != one.cls]
            r, c = [p[0] for p in one.pixels], [p[1] for p in one.pixels]
            rows.append(
                {
                    "tile": position,
                    "side": one.side,
                    "cls": one.cls,
                    "area": len(one.pixels),
                    "top": min(r),
                    "left": min(c),
                    "bottom": max(r) + 1,
                    "right": max(c) + 1,
                    "row_sum": sum(r),
                    "column_sum": sum(c),
                    "edge": min(r) == 0 or min(c) == 0 or max(r) == last[0] or max(c) == last[1],
                    "hit": one.hits,
                    "best_px": len(best.pixels & one.pixels) if best else 0,
                    "best_area": len(best.pixels) if best else 0,
                    "outcome": one.outcome,
                    "taken": max(sorted(set(wrong)), key=wrong.count) if wrong else -1,
                    "line_px": 0,
                    "straight": 0,
                    "diagonal": 0,
                    "width_sum": 0,
                }
            )
    return {name: np.array([row[name] for row in rows], bool if name == "edge" else np.int32) for name in COLUMNS}
