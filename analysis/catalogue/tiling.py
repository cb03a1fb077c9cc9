"""LandCover.ai's tiling rule: sheets are cut from the top left, row by row, and k counts every window."""

from __future__ import annotations

import re
from dataclasses import dataclass

_CUT = re.compile(r"(?P<scene>.+)_(?P<k>[0-9]+)")


@dataclass(frozen=True, slots=True)
class Window:
    """A tile's place in its sheet, in px: half-open ranges of rows and columns."""

    rows: tuple[int, int]
    columns: tuple[int, int]


def split_id(tile: str) -> tuple[str, int] | None:
    """Scene and k of a tile id ``{scene}_{k}``, or None where it is none."""
    match = _CUT.fullmatch(tile)
    return (match["scene"], int(match["k"])) if match else None


def columns_of(width: int, size: int) -> int:
    """Tiles in a row of a sheet, the partial one at the right included."""
    return -(-width // size)


def window_of(k: int, size: int, height: int, width: int) -> Window | None:
    """The window of tile k in a sheet of ``height`` x ``width`` px; None where the sheet ends before it."""
    row, column = divmod(k, columns_of(width, size))
    top, left = row * size, column * size
    if top >= height:
        return None
    return Window((top, min(height, top + size)), (left, min(width, left + size)))


def windows(size: int, height: int, width: int) -> list[Window]:
    """All windows of a sheet, in order of k."""
    count = columns_of(width, size) * -(-height // size)
    return [w for k in range(count) if (w := window_of(k, size, height, width)) is not None]
