"""Images as 8-bit RGB for the eye, whatever bands and types the file has."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.reading.raster import Raster

_STRIP_PIXELS = 1 << 23
_LOW, _HIGH = 2, 98  # percentiles between which values that are not 8-bit are stretched

Rgb = npt.NDArray[np.uint8]
Limits = tuple[float, float]


def read_photo(
    raster: Raster, corner: tuple[int, int], size: tuple[int, int], step: int, limits: Limits | None = None
) -> tuple[Rgb, Limits | None]:
    """A part of an image, reduced by averaging.

    Parameters
    ----------
    raster : Raster
        Open.
    corner, size : (int, int)
        Top left row and column of the part, its rows and columns, px.
    step : int
        Side of the blocks that are averaged, px.
    limits : (float, float), optional
        Values that become black and white, where the image is not 8-bit: those of the whole tile, so that a part of
        it is as bright as the whole.

    Returns
    -------
    photo : ndarray of uint8, shape (ceil(rows / step), ceil(columns / step), 3)
        The first three bands as they are where they are 8-bit; other types are stretched between ``limits``, by
        default their 2nd and 98th percentile; a single band is grey.
    limits : (float, float) or None
        Those that were used; None where the image is 8-bit.
    """
    (top, left), (height, width) = corner, size
    palette = _palette(raster)
    bands = raster.header.bands[:3] if len(raster.header.bands) >= 3 else raster.header.bands[:1]
    many = max(step, _STRIP_PIXELS // max(1, width) // step * step)
    is_byte = raster.header.dtype == "uint8"
    strips = []
    for start in range(0, height, many):
        rows = (top + start, top + min(height, start + many))
        pixels: npt.NDArray[Any] = raster.read(rows, (left, left + width), bands)
        if palette is not None:
            pixels = np.moveaxis(palette[pixels[0].astype(np.intp).clip(0, 255)], 2, 0)
        strips.append(_averaged(pixels, step))
    whole = np.concatenate(strips, axis=1)
    if not is_byte:
        limits = limits or _limits(whole)
        whole = _stretched(whole, limits)
    rgb = np.moveaxis(whole, 0, 2)
    photo = np.ascontiguousarray(np.repeat(rgb, 3, axis=2) if rgb.shape[2] == 1 else rgb).astype(np.uint8)
    return photo, None if is_byte else limits


def _palette(raster: Raster) -> npt.NDArray[np.uint8] | None:
    if not raster.header.palette:
        return None
    table = np.zeros((256, 3), np.uint8)
    for index, color in raster.palette().items():
        if 0 <= index <= 255:
            table[index] = color
    return table


def _averaged(pixels: npt.NDArray[Any], step: int) -> npt.NDArray[Any]:
    """Means of blocks of step x step px, (bands, rows, columns); blocks at the edges may be smaller."""
    if step == 1:
        return pixels
    rows, columns = (np.arange(0, n, step) for n in pixels.shape[1:])
    sums = np.add.reduceat(np.add.reduceat(pixels.astype(np.float64), rows, axis=1), columns, axis=2)
    high, wide = (np.diff(np.append(edges, n)) for edges, n in zip((rows, columns), pixels.shape[1:], strict=True))
    means: npt.NDArray[Any] = sums / (high[:, np.newaxis] * wide[np.newaxis])
    return means


def _limits(pixels: npt.NDArray[Any]) -> Limits:
    finite = np.isfinite(pixels)
    if not finite.any():
        return 0.0, 0.0
    low, high = np.percentile(pixels[finite], [_LOW, _HIGH])
    return float(low), float(high)


def _stretched(pixels: npt.NDArray[Any], limits: Limits) -> npt.NDArray[np.uint8]:
    low, high = limits
    stretched = np.empty(pixels.shape, np.uint8)
    for band, values in zip(stretched, pixels, strict=True):  # one at a time: as floats they are eight times as large
        scaled = np.where(np.isfinite(values), (values - low) / max(high - low, 1e-12), 0.0)
        band[:] = np.rint(scaled.clip(0, 1) * 255)
    return stretched
