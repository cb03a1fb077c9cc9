"""What stands out in a selection: sentences that are computed from its counts, each with its support.

A sentence is said only where its support is enough; what is enough stands here. Names are plain text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from analysis.scores import ByScene, Concentration, NoChange, PooledByClass, Recovery, safe_divide
from analysis.scores.formulas import Counts
from analysis.words.classes import ClassList

CLASS_PIXELS, CLASS_TILES = 1000, 3
"""Px and tiles of ground truth from which on a sentence speaks of a class."""
TILES = 10
"""Tiles from which on a sentence speaks of how they share the wrong px."""
SCENES, SCENE_TILES, SCENE_TIMES = 3, 3, 1.5
"""Scenes, tiles of one, and how many times its share of all px its share of the wrong px must be."""


@dataclass(frozen=True)
class Finding:
    """One sentence or two.

    Parameters
    ----------
    id : str
        What it is about, for machines.
    text : str
        Plain text, without markup.
    support : str
        What it rests on, in a few words.
    link : mapping of str to str
        Keys of a link to the tiles behind it; the key ``scene`` is the filter.
    """

    id: str
    text: str
    support: str
    link: Mapping[str, str] = field(default_factory=dict)


def percent(share: float) -> str:
    """A share in whole per cent; what is not quite nothing or all does not look like it."""
    if 0 < share < 0.01:
        return "less than 1 %"
    if 0.99 < share < 1:
        return "more than 99 %"
    return f"{100 * share:.0f} %"


def costliest_class(
    table: PooledByClass, total: Counts, classes: ClassList, members: NDArray[np.intp]
) -> Finding | None:
    """The class of the mean with the lowest pooled IoU, and where its pixels go.

    In a mean every class weighs the same, so the class with the lowest IoU costs most. None where no class of the mean
    has enough ground truth, or where the lowest IoU is 1.

    Parameters
    ----------
    total : ndarray of int64, shape (K, K + 1)
        The pooled confusion.
    """
    occurring = [int(k) for k in members if not np.isnan(table.iou[k])]
    enough = [k for k in occurring if table.truth_pixels[k] >= CLASS_PIXELS and table.tiles_in_truth[k] >= CLASS_TILES]
    if not enough:
        return None
    k = min(enough, key=lambda i: float(table.iou[i]))
    if table.iou[k] == 1:
        return None
    name, parts = classes.names[k], []
    if len(occurring) > 1:
        all_of_them = len(enough) == len(occurring)
        start = "The" if all_of_them else f"Of the classes with {CLASS_PIXELS:,} px of ground truth or more, the"
        parts.append(f"{start} class {name} costs the mean IoU most: its IoU is {table.iou[k]:.3f}.")
    parts.append(_where_it_goes(table, total, classes, k))
    support = f"{table.truth_pixels[k]:,} px of ground truth in {table.tiles_in_truth[k]:,} tiles, pooled"
    return Finding("class", " ".join(parts), support, {"rank": "damage", "cls": name})


def _where_it_goes(table: PooledByClass, total: Counts, classes: ClassList, k: int) -> str:
    """The larger of the two kinds of error, missed or falsely found, and the class behind most of it."""
    names = [*classes.names, "something outside the class list"]
    missed, false = total[k].copy(), total[:, k].copy()
    missed[k] = false[k] = 0
    name = names[k]
    if table.fn[k] >= table.fp[k]:
        other = int(missed.argmax())
        share = percent(float(missed[other] / table.truth_pixels[k]))
        return f"{share[:1].upper()}{share[1:]} of the ground truth of {name} is predicted as {names[other]}."
    other = int(false.argmax())
    share = percent(float(false[other] / table.predicted_pixels[k]))
    return f"{share[:1].upper()}{share[1:]} of what is predicted as {name} is {names[other]} in the ground truth."


def half_of_the_wrong(spread: Concentration) -> Finding | None:
    """How few tiles hold half of all wrong px; None below 10 tiles or where no px is wrong."""
    n = spread.holding(0.5)
    if n is None or len(spread) < TILES:
        return None
    lie = "lie in 1" if n == 1 else f"lie in {n:,}"
    text = f"Half of all wrong pixels {lie} of {len(spread):,} tiles ({percent(n / len(spread))})."
    return Finding("half", text, f"{spread.total:,} wrong px", {"rank": "wrong_pixels"})


def uneven_scene(scenes: ByScene) -> Finding | None:
    """The scene with the most wrong px beyond its share of all px.

    None where there are fewer than three scenes, or where no scene of three tiles or more has a share of the wrong px
    that is at least 1.5 times its share of the valid px.
    """
    named = np.array([bool(name) for name in scenes.scenes])
    if named.sum() < SCENES:
        return None
    times = safe_divide(scenes.wrong_shares, scenes.valid_shares)
    fit = named & (scenes.tiles >= SCENE_TILES) & (np.nan_to_num(times) >= SCENE_TIMES)
    if not fit.any():
        return None
    i = int(np.where(fit, scenes.wrong_shares - scenes.valid_shares, -1).argmax())
    text = (
        f"The scene {scenes.scenes[i]} holds {percent(float(scenes.wrong_shares[i]))} of all wrong pixels "
        f"and {percent(float(scenes.valid_shares[i]))} of all pixels."
    )
    support = f"{scenes.wrong_pixels[i]:,} wrong of {scenes.valid_pixels[i]:,} px in {scenes.tiles[i]:,} tiles"
    return Finding("scene", text, support, {"rank": "wrong_pixels", "scene": scenes.scenes[i]})


def worst_tenth(tiles: int) -> int:
    """A tenth of the tiles, rounded, and at least one; 0 where there are none."""
    return max(1, round(tiles / 10)) if tiles else 0


def without_the_worst(repaired: Recovery, what: str) -> Finding | None:
    """What the score would be if the tenth of the tiles that cost most were perfect.

    None below 10 tiles, and where it would be the same. `worst_tenth` must be among the steps.

    Parameters
    ----------
    what : str
        What the score is called, such as "mean IoU".
    """
    if len(repaired.order) < TILES:
        return None
    n = worst_tenth(len(repaired.order))
    now, then = float(repaired.values[0]), repaired.at(n)
    if not then > now:
        return None
    which = "tile that costs most was" if n == 1 else f"{n:,} tiles that cost most were"
    text = f"If the {which} perfect, {what} would be {then:.3f} instead of {now:.3f}."
    return Finding("repair", text, f"pooled, {n:,} of {len(repaired.order):,} tiles", {"rank": "damage"})


def alarms(found: NoChange, name: str) -> Finding | None:
    """How many tiles without change get a false alarm; None where fewer than three tiles are without change."""
    tiles, alarmed, pixels = found.tiles, found.alarmed, found.pixels
    if tiles < CLASS_TILES:
        return None
    if not alarmed:
        text = f"None of the {tiles:,} tiles without {name} has a false alarm."
    else:
        has = "has" if alarmed == 1 else "have"
        text = f"{alarmed:,} of {tiles:,} tiles without {name} {has} a false alarm."
    link = {"rank": "metric", "by": "fp", "cls": name} if alarmed else {}
    return Finding("alarms", text, f"{pixels:,} false px in them", link)
