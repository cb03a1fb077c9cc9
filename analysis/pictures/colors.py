"""Colours of classes and of errors, as numbers and as legends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from analysis.words.classes import ClassList

Rgb = npt.NDArray[np.uint8]
Fill = Literal["plain", "stripes"]

# Okabe and Ito's orange and sky blue lie apart for every kind of colour vision, and both stand out on dark grey.
FALSE_ALARM, MISSED, FOUND = "#e69f00", "#56b4e9", "#f4f4f4"
OTHER_ERROR, DIMMED = "#8c8c8c", "#2b2b2b"
IGNORED_COLORS = ("#6b6b6b", "#a8a8a8")
OUTSIDE_COLORS = ("#ff2fd0", "#1a1a1a")


@dataclass(frozen=True)
class Swatch:
    """An entry of a legend.

    Parameters
    ----------
    color : str
        ``#rrggbb``.
    label : str
        Plain text.
    second : str
        The colour of the stripes; empty for a plain fill.
    """

    color: str
    label: str
    second: str = ""


def rgb(color: str) -> tuple[int, int, int]:
    """``#rrggbb`` as three numbers from 0 to 255."""
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def class_table(classes: ClassList) -> Rgb:
    """Colour of each class index; shape (256, 3), black where there is no class."""
    table = np.zeros((256, 3), np.uint8)
    for i, c in enumerate(classes.classes):
        table[i] = rgb(c.color)
    return table


def class_legend(classes: ClassList, *, ignored: bool, outside: bool) -> list[Swatch]:
    """Legend of ground truth and prediction; ignored px and px outside the class list where there are any."""
    legend = [Swatch(c.color, c.name) for c in classes.classes]
    if ignored:
        legend.append(Swatch(IGNORED_COLORS[0], "ignored", IGNORED_COLORS[1]))
    if outside:
        legend.append(Swatch(OUTSIDE_COLORS[0], "outside the class list", OUTSIDE_COLORS[1]))
    return legend


def luminance(color: str) -> float:
    """Relative luminance of ``#rrggbb`` from 0 to 1, as WCAG defines it."""
    channels = np.array(rgb(color)) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ np.array([0.2126, 0.7152, 0.0722]))
