"""Headlines: the score of many tiles under a convention, with what must be said beside it.

A number never travels without the name of its convention, its tile count and its support.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.scores.conventions import CONVENTIONS
from analysis.scores.formulas import as_confusion, valid_pixels
from analysis.scores.registry import pick
from analysis.words.classes import ClassList

_ONE = {"classes": "class", "pairs of tile and class": "pair of tile and class"}


@dataclass(frozen=True)
class Headline:
    """A score with what must be said beside it.

    Parameters
    ----------
    convention : str
        Id of the convention.
    value : float
        In [0, 1]; NaN where undefined.
    tiles, tiles_used : int
        Tiles given, and those that took part: with a valid pixel where counts are pooled, with a term
        in the mean otherwise.
    terms : int
        Classes, or pairs of tile and class, that were averaged.
    left_out : tuple of str
        Names of the classes that are not in the mean. Their pixels still count as errors of others.
    pixels : int
        Valid px of the tiles that took part.
    reason : str
        Why the value is undefined; empty where it is defined.
    """

    convention: str
    value: float
    tiles: int
    tiles_used: int
    terms: int
    left_out: tuple[str, ...]
    pixels: int
    reason: str = ""

    @property
    def terms_text(self) -> str:
        """How many of what were averaged."""
        terms = CONVENTIONS[self.convention].terms
        return f"{self.terms:,} {terms if self.terms != 1 else _ONE[terms]}"

    @property
    def caption(self) -> str:
        """The line under the number: convention, classes left out, terms, tiles and support."""
        convention = CONVENTIONS[self.convention]
        parts = [convention.label]
        if self.left_out:
            parts.append("without " + ", ".join(self.left_out))
        parts.append(self.terms_text)
        parts.append(f"{self.tiles_used:,} of {self.tiles:,} tiles")
        parts.append(f"{self.pixels:,} px")
        return " · ".join(parts)


def classes_in_mean(
    classes: ClassList, *, background: bool = False, among: Collection[int] | None = None
) -> NDArray[np.intp]:
    """Indices of the classes that a mean runs over, ascending; may be empty.

    Parameters
    ----------
    classes : ClassList
    background : bool
        Whether the background class may be among them.
    among : collection of int or None
        Indices (not ids) that the user has chosen; None is all.

    Raises
    ------
    ValueError
        An index in `among` is not one of a class.
    """
    allowed = range(len(classes)) if background else classes.foreground
    if among is None:
        return np.array(allowed, np.intp)
    if wrong := [i for i in among if not 0 <= i < len(classes)]:
        raise ValueError(f"`among` must hold indices from 0 to {len(classes) - 1}, but holds {wrong}")
    return np.array(sorted(set(allowed) & set(among)), np.intp)


def headline(
    convention_id: str, confusion: ArrayLike, classes: ClassList, *, among: Collection[int] | None = None
) -> Headline:
    """The score under a convention, with its tile count and support.

    Parameters
    ----------
    convention_id : str
        One of `CONVENTIONS`.
    confusion : array_like of int, shape (N, K, K + 1)
        Axes (tile, truth, prediction). N may be 0: the score is undefined.
    classes : ClassList
        K classes.
    among : collection of int or None
        Class indices that the mean is restricted to; None is all. No pixel is dropped by it.

    Raises
    ------
    SelectionError
        No convention has this id.
    ValueError
        The confusion does not have the shape (N, K, K + 1) of these classes.
    """
    convention = pick(CONVENTIONS, convention_id, "convention")
    counts = as_confusion(confusion)
    if counts.ndim != 3 or counts.shape[1] != len(classes):
        k = len(classes)
        raise ValueError(f"`confusion` must have the shape (N, {k}, {k + 1}), but has {counts.shape}")
    members = classes_in_mean(classes, background=convention.background, among=among)
    left_out = tuple(name for i, name in enumerate(classes.names) if i not in members)
    tiles = len(counts)
    if not members.size:
        return Headline(convention_id, np.nan, tiles, 0, 0, left_out, 0, "No class is left in the mean.")
    if not tiles:
        return Headline(convention_id, np.nan, 0, 0, 0, left_out, 0, "There is no tile.")
    value, used, terms = convention.compute(counts, members)
    pixels = valid_pixels(counts)
    reason = ""
    if np.isnan(value):
        reason = "No class in the mean occurs in these tiles." if pixels.any() else "No tile has a valid pixel."
    return Headline(convention_id, value, tiles, int(used.sum()), terms, left_out, int(pixels[used].sum()), reason)


def score(
    convention_id: str, confusion: ArrayLike, classes: ClassList, *, among: Collection[int] | None = None
) -> float:
    """The value of `headline`: a score in [0, 1], NaN where undefined."""
    return headline(convention_id, confusion, classes, among=among).value
