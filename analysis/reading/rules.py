"""How the raw values of label files become classes: the rule of one side, fixed for its folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from analysis.words.classes import ClassList

TRUTH, PREDICTION = "truth", "prediction"

CLASSES = "classes"
VALUES = "values"
COLORS = "colors"
ZERO_ONE = "0/1"
ZERO_255 = "0/255"
GREY = "grey"
PROBABILITY = "probability"

Color = tuple[int, int, int]

HALF = 0.5
GREY_TOP = 255
SLACK = 1e-3
"""Probabilities may lie so far outside 0 to 1, as averages and interpolations leave them."""


def color_name(color: Color) -> str:
    """``#rrggbb``."""
    return "#{:02x}{:02x}{:02x}".format(*color)


@dataclass(frozen=True)
class LabelRule:
    """How the files of one side are read.

    Parameters
    ----------
    side : {"truth", "prediction"}
    classes : ClassList
    values : mapping of int to int
        Raw value -> class id; complete: a raw value that it lacks is outside the class list. Empty: none.
    colors : mapping of color to int
        (red, green, blue) -> class id, in the same way.
    ignore_values, ignore_colors : frozenset
        Raw truth values and colours that no count may see.
    threshold : float
        Probabilities from here on are class 1.
    coding : str
        ``classes`` (the raw value is the class id), ``values`` or ``colors`` (a map says so), or, for binary
        datasets, ``0/1``, ``0/255``, ``grey`` or ``probability``, once ``coding.decide`` has read a sample.
    evidence : str
        What the coding was decided from, for the report.
    """

    side: str
    classes: ClassList
    values: Mapping[int, int] = field(default_factory=dict)
    colors: Mapping[Color, int] = field(default_factory=dict)
    ignore_values: frozenset[int] = frozenset()
    ignore_colors: frozenset[Color] = frozenset()
    threshold: float = HALF
    coding: str = CLASSES
    evidence: str = ""

    @property
    def grey_cut(self) -> float:
        """Grey levels above this are class 1: half-way for truth, at the threshold for predictions."""
        threshold = HALF if self.side == TRUTH else self.threshold
        return threshold * GREY_TOP

    @cached_property
    def tables(self) -> dict[float | None, tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]]:
        """Tables for 8-bit files by their believed nodata tag, filled by `codes.byte_tables`: most files share one."""
        return {}

    @cached_property
    def known(self) -> dict[int, int]:
        """Raw value -> class id, for the codings that name their values; empty for grey, probability and colours."""
        if self.coding == VALUES:
            return dict(self.values)
        if self.coding == ZERO_ONE:
            return {0: 0, 1: 1}
        if self.coding == ZERO_255:
            return {0: 0, GREY_TOP: 1}
        if self.coding == CLASSES:
            return {i: i for i in self.classes.ids}
        return {}

    def is_class(self, raw: float) -> bool:
        """Whether a raw value (of a nodata tag) stands for a class, so that the tag cannot be believed."""
        if self.coding == COLORS:
            return float(raw).is_integer() and (int(raw),) * 3 in self.colors
        if self.coding == PROBABILITY:
            return 0 <= raw <= 1
        if self.coding == GREY:
            return 0 <= raw <= GREY_TOP
        return raw in self.known

    def describe(self) -> str:
        """The reading in a sentence, for reports."""
        listed = ", ".join(f"{raw} = {self.classes.names[self.classes.ids.index(c)]}" for raw, c in self.known.items())
        if self.coding == CLASSES:
            return "the value is the class id"
        if self.coding == VALUES:
            return f"values mapped: {listed}"
        if self.coding == COLORS:
            return f"{len(self.colors)} colours mapped"
        if self.coding == GREY:
            return f"grey levels, class 1 above {self.grey_cut:g}"
        if self.coding == PROBABILITY:
            return f"probabilities, class 1 from {self.threshold:g} on"
        return self.coding
