"""A tile's pixels for the eye: images, ground truth and prediction, read as scoring reads them and reduced.

Sides over 2048 px are reduced by a whole step: images by averaging, labels by the pixel in the middle of each block.
A part of a tile is read through a window of each file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.catalogue.sides import Source
from analysis.catalogue.tiles import Tile
from analysis.catalogue.tiling import Window
from analysis.errors import TileError
from analysis.pictures.photo import Limits, Rgb, read_photo
from analysis.reading.header import Header
from analysis.reading.labels import LabelFile
from analysis.reading.raster import Raster, environment, read_header
from analysis.reading.rules import LabelRule
from analysis.workspace.model import NEAREST

MOST_SIDE = 2048
_STRIP_PIXELS = 1 << 23

Codes = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class TilePixels:
    """What can be seen of a tile, or of a part of it.

    Parameters
    ----------
    tile : str
    height, width : int
        Of the tile (or the part) in full, px.
    step : int
        So many px of the tile, each way, are one px of the arrays.
    photos : dict of str to ndarray
        Role (``image``, ``before``, ``after``) -> uint8 (rows, columns, 3).
    truth, prediction : ndarray of uint8 (rows, columns), or None
        Class indices; ``IGNORED`` in the truth, K outside the class list in the prediction. None where it cannot be
        read.
    faults : tuple of str
        Why something is missing, for people.
    limits : dict of str to (float, float)
        Role -> the values shown black and white, of images that are not 8-bit.
    """

    tile: str
    height: int
    width: int
    step: int
    photos: dict[str, Rgb] = field(default_factory=dict)
    truth: Codes | None = None
    prediction: Codes | None = None
    faults: tuple[str, ...] = ()
    limits: dict[str, Limits] = field(default_factory=dict)


def tile_pixels(
    tile: Tile,
    rules: tuple[LabelRule, LabelRule],
    roles: tuple[str, ...],
    resize: str,
    part: Window | None = None,
    limits: dict[str, Limits] | None = None,
) -> TilePixels:
    """Read a tile's files.

    Parameters
    ----------
    tile : Tile
        Of the run's catalogue.
    rules : (LabelRule, LabelRule)
        Of truth and prediction, their coding decided for the whole folder.
    roles : tuple of str
        The images that the tile should have.
    resize : {"never", "nearest"}
        The run's rule for predictions of another size.
    part : Window, optional
        Rows and columns of the tile; what lies beyond its sides is cut off. The whole tile by default.
    limits : dict, optional
        ``TilePixels.limits`` of the whole tile, for a part of it.

    Returns
    -------
    TilePixels
        What cannot be read is left out and named in ``faults``; nothing is raised for a damaged file.

    Raises
    ------
    ValueError
        The part lies outside the tile.
    """
    faults: list[str] = []
    with environment():
        truth = _attempt(lambda: _open(tile.truth, "ground truth"), faults)
        size = _size(tile.truth, truth) if truth else _other_size(tile)
        here = _within(part, size)
        height, width = _sides(here)
        step = step_of(height, width)
        codes: dict[str, Codes | None] = {"truth": None, "prediction": None}
        if tile.truth and truth:
            source = tile.truth
            codes["truth"] = _attempt(lambda: _read_codes(source, rules[0], size, here, step, None), faults)
        if tile.prediction:
            beside = tile.prediction
            to = (tile.truth, truth) if tile.truth and truth and resize == NEAREST else None
            codes["prediction"] = _attempt(lambda: _read_codes(beside, rules[1], size, here, step, to), faults)
        photos, used = {}, {}
        for role in roles:
            picture = tile.pictures.get(role)
            if picture is None:
                faults.append(f"There is no {role} file for this tile.")
                continue
            given = (limits or {}).get(role)
            shown = _attempt(lambda p=picture, g=given: _photo(p, size, here, step, g), faults)  # type: ignore[misc]
            if shown is not None:
                photos[role] = shown[0]
                if shown[1] is not None:
                    used[role] = shown[1]
    return TilePixels(tile.id, height, width, step, photos, codes["truth"], codes["prediction"], tuple(faults), used)


def step_of(height: int, width: int) -> int:
    """So many px each way become one, for no side to be over 2048 px."""
    return max(1, -(-max(height, width) // MOST_SIDE))


def files_of(tile: Tile) -> list[Path]:
    """The files that a tile's pictures are made from."""
    sources = [tile.truth, tile.prediction, *tile.pictures.values()]
    return [s.path for s in sources if s is not None]


def _attempt(read: Callable[[], Any], faults: list[str]) -> Any:
    try:
        return read()
    except TileError as error:
        faults.append(str(error))
        return None


def _open(source: Source | None, what: str) -> Header:
    if source is None:
        raise TileError("missing", f"There is no {what} file for this tile.")
    return read_header(source.path)


def _size(source: Source | None, header: Header) -> tuple[int, int]:
    window = source.window if source else None
    if window is None:
        return header.height, header.width
    return window.rows[1] - window.rows[0], window.columns[1] - window.columns[0]


def _other_size(tile: Tile) -> tuple[int, int]:
    """Size of the first file that can be read, where there is no truth."""
    for source in (tile.prediction, *tile.pictures.values()):
        if source is None:
            continue
        try:
            return _size(source, read_header(source.path))
        except TileError:
            continue
    return 1, 1


def _within(part: Window | None, size: tuple[int, int]) -> Window:
    """The part without what lies beyond the tile's sides."""
    if part is None:
        return Window((0, size[0]), (0, size[1]))
    rows, columns = (
        (max(0, start), min(most, stop)) for (start, stop), most in zip((part.rows, part.columns), size, strict=True)
    )
    if rows[0] >= rows[1] or columns[0] >= columns[1]:
        raise ValueError(f"{part} holds no pixel of a tile of {size[0]} x {size[1]} px")
    return Window(rows, columns)


def _sides(part: Window) -> tuple[int, int]:
    return part.rows[1] - part.rows[0], part.columns[1] - part.columns[0]


def _read_codes(
    source: Source,
    rule: LabelRule,
    size: tuple[int, int],
    part: Window,
    step: int,
    resize_to: tuple[Source, Header] | None,
) -> Codes:
    """Class indices of the middle pixel of each block, in strips of bounded memory.

    A file of another size is resized to the whole ground truth file, and read where the tile lies in that: as scoring
    does it, and only where both are whole files or both are sheets.
    """
    with Raster(source.path) as raster:
        own, to = _size(source, raster.header), None
        if resize_to is not None and (source.window is None) == (resize_to[0].window is None):
            to = (resize_to[1].height, resize_to[1].width)
        if to is not None and to != (raster.header.height, raster.header.width):
            assert resize_to is not None
            source = resize_to[0]
        elif own == size:
            to = None
        else:
            raise TileError(
                "size-mismatch",
                f"{source.path.name} has {own[1]} x {own[0]} px and the ground truth {size[1]} x {size[0]} px; "
                "it is not shown.",
            )
        file = LabelFile(raster, rule, to)
        top, left = _corner(source, part)
        height, width = _sides(part)
        rows, columns = middles(height, step), middles(width, step)
        found = np.empty((len(rows), len(columns)), np.uint8)
        many = max(step, _STRIP_PIXELS // max(1, width) // step * step)
        for start in range(0, height, many):
            stop = min(height, start + many)
            here = np.flatnonzero((rows >= start) & (rows < stop))
            block = file.read((top + start, top + stop), (left, left + width))
            found[here] = file.table[block.codes[np.ix_(rows[here] - start, columns)]]
    return found


def _corner(source: Source, part: Window) -> tuple[int, int]:
    """Row and column of the file at which a part of the tile begins."""
    top, left = (source.window.rows[0], source.window.columns[0]) if source.window else (0, 0)
    return top + part.rows[0], left + part.columns[0]


def middles(size: int, step: int) -> npt.NDArray[np.intp]:
    """Row (or column) in the middle of each block of ``step`` px; the last block may be smaller."""
    starts = np.arange(0, size, step)
    ends = np.minimum(starts + step, size)
    return np.asarray((starts + ends - 1) // 2, np.intp)


def _photo(
    source: Source, size: tuple[int, int], part: Window, step: int, limits: Limits | None
) -> tuple[Rgb, Limits | None]:
    with Raster(source.path) as raster:
        own = _size(source, raster.header)
        if own != size:
            raise TileError(
                "image-size",
                f"{source.path.name} has {own[1]} x {own[0]} px and the ground truth {size[1]} x {size[0]} px; "
                "it is not shown.",
            )
        return read_photo(raster, _corner(source, part), _sides(part), step, limits)
