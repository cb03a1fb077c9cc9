"""A tile's pixels for the eye: images, ground truth and prediction, read as scoring reads them and reduced.

Sides over 2048 px are reduced by a whole step: images by averaging, labels by the pixel in the middle of each block.
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
from analysis.errors import TileError
from analysis.pictures.photo import read_photo
from analysis.reading.header import Header
from analysis.reading.labels import LabelFile
from analysis.reading.raster import Raster, environment, read_header
from analysis.reading.rules import LabelRule
from analysis.workspace.model import NEAREST

MOST_SIDE = 2048
_STRIP_PIXELS = 1 << 23

Codes = npt.NDArray[np.uint8]
Rgb = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class TilePixels:
    """What can be seen of a tile.

    Parameters
    ----------
    tile : str
    height, width : int
        Of the tile in full, px.
    step : int
        So many px of the tile, each way, are one px of the arrays.
    photos : dict of str to ndarray
        Role (``image``, ``before``, ``after``) -> uint8 (rows, columns, 3).
    truth, prediction : ndarray of uint8 (rows, columns), or None
        Class indices; ``IGNORED`` in the truth, K outside the class list in the prediction. None where it cannot be
        read.
    faults : tuple of str
        Why something is missing, for people.
    """

    tile: str
    height: int
    width: int
    step: int
    photos: dict[str, Rgb] = field(default_factory=dict)
    truth: Codes | None = None
    prediction: Codes | None = None
    faults: tuple[str, ...] = ()


def tile_pixels(tile: Tile, rules: tuple[LabelRule, LabelRule], roles: tuple[str, ...], resize: str) -> TilePixels:
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

    Returns
    -------
    TilePixels
        What cannot be read is left out and named in ``faults``; nothing is raised for a damaged file.
    """
    faults: list[str] = []
    with environment():
        truth = _attempt(lambda: _open(tile.truth, "ground truth"), faults)
        height, width = _size(tile.truth, truth) if truth else _other_size(tile)
        step = max(1, -(-max(height, width) // MOST_SIDE))
        codes: dict[str, Codes | None] = {"truth": None, "prediction": None}
        if tile.truth and truth:
            source, whole = tile.truth, (truth.height, truth.width)
            codes["truth"] = _attempt(lambda: _read_codes(source, rules[0], (height, width), step, None), faults)
        if tile.prediction:
            beside = tile.prediction
            to = whole if truth and resize == NEAREST else None
            codes["prediction"] = _attempt(lambda: _read_codes(beside, rules[1], (height, width), step, to), faults)
        photos = {}
        for role in roles:
            picture = tile.pictures.get(role)
            if picture is None:
                faults.append(f"There is no {role} file for this tile.")
                continue
            shown = _attempt(lambda p=picture: _photo(p, (height, width), step), faults)  # type: ignore[misc]
            if shown is not None:
                photos[role] = shown
    return TilePixels(tile.id, height, width, step, photos, codes["truth"], codes["prediction"], tuple(faults))


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


def _read_codes(
    source: Source, rule: LabelRule, size: tuple[int, int], step: int, resize_to: tuple[int, int] | None
) -> Codes:
    """Class indices of the middle pixel of each block, in strips of bounded memory."""
    with Raster(source.path) as raster:
        own = _size(source, raster.header)
        if own != size and resize_to is None:
            raise TileError(
                "size-mismatch",
                f"{source.path.name} has {own[1]} x {own[0]} px and the ground truth {size[1]} x {size[0]} px; "
                "it is not shown.",
            )
        file = LabelFile(raster, rule, resize_to if own != size else None)
        top, left = (source.window.rows[0], source.window.columns[0]) if source.window else (0, 0)
        rows, columns = middles(size[0], step), middles(size[1], step)
        found = np.empty((len(rows), len(columns)), np.uint8)
        many = max(step, _STRIP_PIXELS // max(1, size[1]) // step * step)
        for start in range(0, size[0], many):
            stop = min(size[0], start + many)
            here = np.flatnonzero((rows >= start) & (rows < stop))
            block = file.read((top + start, top + stop), (left, left + size[1]))
            found[here] = file.table[block.codes[np.ix_(rows[here] - start, columns)]]
    return found


def middles(size: int, step: int) -> npt.NDArray[np.intp]:
    """Row (or column) in the middle of each block of ``step`` px; the last block may be smaller."""
    starts = np.arange(0, size, step)
    ends = np.minimum(starts + step, size)
    return np.asarray((starts + ends - 1) // 2, np.intp)


def _photo(source: Source, size: tuple[int, int], step: int) -> Rgb:
    with Raster(source.path) as raster:
        own = _size(source, raster.header)
        if own != size:
            raise TileError(
                "image-size",
                f"{source.path.name} has {own[1]} x {own[0]} px and the ground truth {size[1]} x {size[0]} px; "
                "it is not shown.",
            )
        corner = (source.window.rows[0], source.window.columns[0]) if source.window else (0, 0)
        return read_photo(raster, corner, size, step)
