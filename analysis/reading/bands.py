"""Which bands of a label file speak, and files whose bands no rule reads."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.errors import TileError
from analysis.reading.header import Header
from analysis.reading.rules import PREDICTION, LabelRule

JPEG_TOLERANCE = 3
"""Equal bands come back from JPEG this far apart."""


def takes_argmax(header: Header, rule: LabelRule) -> bool:
    """Whether a prediction holds one float band a class, of which the highest decides."""
    bands = len(header.bands)
    return rule.side == PREDICTION and header.dtype.startswith("float") and bands > 1 and bands == len(rule.classes)


def check_bands(header: Header, rule: LabelRule) -> None:
    """Refuse files whose bands are neither class ids, nor colours, nor scores.

    Raises
    ------
    TileError
        ``band-count`` or ``unreadable``.
    """
    bands, name = len(header.bands), header.path.name
    if header.dtype.startswith("complex"):
        raise TileError("unreadable", f"{name} holds complex numbers. Write class ids as integers.")
    if bands == 1 or takes_argmax(header, rule):
        return
    if bands == 3 and not header.dtype.startswith("float"):
        return
    wanted = "one band of class ids, three equal bands"
    if rule.side == PREDICTION:
        wanted += f", or {len(rule.classes)} bands of float probabilities, one a class"
    raise TileError(
        "band-count",
        f"{name} has {bands} bands of {header.dtype}, which no rule reads. Expected {wanted}. "
        "Write the class ids as one band.",
    )


def one_band(pixels: npt.NDArray[Any], header: Header, rule: LabelRule) -> npt.NDArray[Any]:
    """The one band that all bands of (bands, rows, columns) are.

    Raises
    ------
    TileError
        ``unequal-bands``.
    """
    first: npt.NDArray[Any] = pixels[0]
    if len(pixels) == 1:
        return first
    tolerance = JPEG_TOLERANCE if header.driver == "JPEG" else 0
    for other in pixels[1:]:
        if tolerance:
            apart = bool((np.abs(first.astype(np.int32) - other) > tolerance).any())
        else:
            apart = not np.array_equal(first, other)
        if apart:
            raise TileError(
                "unequal-bands",
                f"{header.path.name} has three bands that differ, so it holds colours and not class ids. If it is "
                f"colour-coded, say with {rule.side}_colors which colour is which class; a picture is the wrong file.",
            )
    return np.ascontiguousarray(first)
