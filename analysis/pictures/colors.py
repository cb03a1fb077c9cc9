"""Colours of errors and of pixels without a class, and how light a colour is."""

from __future__ import annotations

import numpy as np

# Okabe and Ito's orange and sky blue lie apart for every kind of colour vision, and both stand out on dark grey.
FALSE_ALARM, MISSED, FOUND = "#e69f00", "#56b4e9", "#f4f4f4"
# Their reddish purple: one class taken for another, where neither is background.
MIXED_UP = "#cc79a7"
OTHER_ERROR, DIMMED = "#8c8c8c", "#2b2b2b"
IGNORED_COLORS = ("#6b6b6b", "#a8a8a8")
OUTSIDE_COLORS = ("#ff2fd0", "#1a1a1a")


def rgb(color: str) -> tuple[int, int, int]:
    """``#rrggbb`` as three numbers from 0 to 255."""
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def luminance(color: str) -> float:
    """Relative luminance of ``#rrggbb`` from 0 to 1, as WCAG defines it."""
    channels = np.array(rgb(color)) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ np.array([0.2126, 0.7152, 0.0722]))
