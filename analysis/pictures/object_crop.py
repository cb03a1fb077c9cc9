"""Small pictures of objects: what is around one, with the outlines of its class in the ground truth and prediction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.catalogue.tiling import Window
from analysis.pictures.colors import FALSE_ALARM, MISSED, rgb
from analysis.pictures.photo import Rgb
from analysis.pictures.pixels import TilePixels
from analysis.pictures.small import SIDE, Small, averaged, encoded, missing, photo_of

CROP_VERSION = 1
"""Raised whenever crops are drawn differently."""
TRUTH_LINE, PREDICTION_LINE = MISSED, FALSE_ALARM
"""Blue and orange, which every kind of colour vision parts; the line of the ground truth is twice as thick besides."""
LEAST_MARGIN = 16
"""Px of the tile around an object, at least; half its longer side where that is more."""
_BEYOND = 0.45  # opacity of outlines outside the object's box
_PAPER = "#8a969b"  # behind the outlines where there is no image

Box = tuple[int, int, int, int]


@dataclass(frozen=True)
class Crop:
    """An object and what is seen around it.

    Parameters
    ----------
    class_index : int
    box : (int, int, int, int)
        Top, left, bottom and right of the object in px of its tile, half-open.
    window : Window
        What is shown of the tile.
    """

    class_index: int
    box: Box
    window: Window


def crop_of(class_index: int, box: Box, height: int, width: int) -> Crop:
    """An object with a margin on all sides, as a square where the tile is large enough.

    Parameters
    ----------
    height, width : int
        Of the tile, px.
    """
    top, left, bottom, right = box
    longer = max(bottom - top, right - left)
    side = longer + 2 * max(LEAST_MARGIN, -(-longer // 2))
    rows, columns = _around(top, bottom, side, height), _around(left, right, side, width)
    return Crop(class_index, box, Window(rows, columns))


def _around(start: int, stop: int, side: int, most: int) -> tuple[int, int]:
    """So many px with start to stop in the middle; at the tile's edge they lie beside it."""
    side = min(side, most)
    first = max(0, min(most - side, start - (side - (stop - start)) // 2))
    return first, first + side


def crop_picture(pixels: TilePixels, crop: Crop) -> Small:
    """Draw an object: the image, and over it the outlines of its class, thick in the truth and thin as predicted.

    Those of other objects of the class are pale. Without an image they lie on plain grey.

    Parameters
    ----------
    pixels : TilePixels
        Of the crop's window.
    crop : Crop
    """
    if pixels.truth is None or pixels.prediction is None:
        return Small(fault=" ".join(pixels.faults) or missing(pixels))
    masks = [codes == crop.class_index for codes in (pixels.truth, pixels.prediction)]
    photo = photo_of(pixels, "after")
    if photo is None or photo.shape[:2] != masks[0].shape:
        photo = np.empty((*masks[0].shape, 3), np.uint8)
        photo[:] = rgb(_PAPER)
    longer = max(masks[0].shape)
    step, times = max(1, round(longer / SIDE)), max(1, SIDE // longer)
    picture = _enlarged(averaged(photo, step), times)
    near = _near(crop, step * pixels.step, times, picture.shape)
    for mask, color, thick in zip(masks, (TRUTH_LINE, PREDICTION_LINE), (3, 1), strict=True):
        line = outline(_enlarged(_any(mask, step), times), thick)
        _paint(picture, line, near, color)
    return encoded(picture, exact=times > 1)


def outline(mask: npt.NDArray[np.bool_], thick: int) -> npt.NDArray[np.bool_]:
    """The px of a mask that touch what is not of it, and as many beyond on both sides as make the line thick.

    The picture's edge is no outline.

    Parameters
    ----------
    thick : int
        Width of the line in px: 1 lies inside the mask, 3 has a px on each side of that.
    """
    found = mask & ~_shrunk(mask)
    for _ in range(thick // 2):
        found = ~_shrunk(~found)
    return found


def _shrunk(mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Without the px whose neighbours to the four sides are not all of the mask."""
    around = np.pad(mask, 1, mode="edge")
    inner: npt.NDArray[np.bool_] = mask & around[:-2, 1:-1] & around[2:, 1:-1] & around[1:-1, :-2] & around[1:-1, 2:]
    return inner


def _enlarged(array: npt.NDArray[Any], times: int) -> npt.NDArray[Any]:
    return array if times == 1 else np.repeat(np.repeat(array, times, axis=0), times, axis=1)


def _any(mask: npt.NDArray[np.bool_], step: int) -> npt.NDArray[np.bool_]:
    """Whether any px of each block of step x step is of the mask: narrow things stay whole."""
    if step == 1:
        return mask
    padded = np.pad(mask, [(0, -n % step) for n in mask.shape])
    blocks = padded.reshape(padded.shape[0] // step, step, padded.shape[1] // step, step)
    return np.asarray(blocks.any(axis=(1, 3)), np.bool_)


def _near(crop: Crop, step: int, times: int, size: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """The object's box and a little around it, in px of the picture."""
    top, left, bottom, right = crop.box
    first = crop.window.rows[0], crop.window.columns[0]
    near = np.zeros(size[:2], np.bool_)
    (r0, r1), (c0, c1) = (
        (max(0, (start - at) * times // step - 3), -(-(stop - at) * times // step) + 3)
        for start, stop, at in ((top, bottom, first[0]), (left, right, first[1]))
    )
    near[r0:r1, c0:c1] = True
    return near


def _paint(picture: Rgb, line: npt.NDArray[np.bool_], near: npt.NDArray[np.bool_], color: str) -> None:
    ink = np.array(rgb(color), np.float64)
    for where, opacity in ((line & near, 1.0), (line & ~near, _BEYOND)):
        picture[where] = np.rint(opacity * ink + (1 - opacity) * picture[where]).astype(np.uint8)
