"""Small pictures of objects: what is around one, with the outlines of its class in the ground truth and prediction."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PIL import Image
from skimage.measure import label

from analysis.catalogue.tiling import Window
from analysis.pictures.colors import FALSE_ALARM, MISSED, rgb
from analysis.pictures.photo import Rgb
from analysis.pictures.pixels import TilePixels
from analysis.pictures.small import Small, encoded, missing, photo_of

CROP_VERSION = 1
"""Raised whenever crops are drawn differently."""
TRUTH_LINE, PREDICTION_LINE = MISSED, FALSE_ALARM
"""Blue and orange, which every kind of colour vision parts; that of the ground truth is thicker besides."""
LEAST_MARGIN = 16
"""Px of the tile around an object, at least; half its longer side where that is more."""
CROP_SIDE = 240
"""The longer side of a picture, px."""
_THICK = (7, 3)  # lines of the truth and of the prediction, in px of the picture
_BEYOND = 0.45  # opacity of outlines outside the object's box
_PAPER = "#8a969b"  # behind the outlines where there is no image

Box = tuple[int, int, int, int]


@dataclass(frozen=True)
class Crop:
    """An object and what is seen around it.

    Parameters
    ----------
    side, class_index : int
        Truth or prediction, and the class of the object.
    box : (int, int, int, int)
        Top, left, bottom and right of the object in px of its tile, half-open.
    window : Window
        What is shown of the tile.
    """

    side: int
    class_index: int
    box: Box
    window: Window


def crop_of(side: int, class_index: int, box: Box, height: int, width: int) -> Crop:
    """An object with a margin on all sides, as a square where the tile is large enough.

    Parameters
    ----------
    height, width : int
        Of the tile, px.
    """
    top, left, bottom, right = box
    longer = max(bottom - top, right - left)
    shown = longer + 2 * max(LEAST_MARGIN, -(-longer // 2))
    rows, columns = _around(top, bottom, shown, height), _around(left, right, shown, width)
    return Crop(side, class_index, box, Window(rows, columns))


def _around(start: int, stop: int, length: int, most: int) -> tuple[int, int]:
    """So many px with start to stop in the middle; at the tile's edge they lie beside it."""
    length = min(length, most)
    first = max(0, min(most - length, start - (length - (stop - start)) // 2))
    return first, first + length


def crop_picture(pixels: TilePixels, crop: Crop) -> Small:
    """Draw an object: the image, and over it the outlines of its class, thick in the truth and thin as predicted.

    Pale are those of other objects of its side, and those of the other side outside its box. Without an image they lie
    on plain grey.

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
    scale = CROP_SIDE / max(masks[0].shape)
    picture = _resized(photo, scale)
    box = _near(crop, scale / pixels.step, picture.shape)
    own = itself(masks[crop.side], crop, pixels.step)
    near = box if own is None else _grown(_resized_mask(own, scale), max(_THICK) // 2)
    for side, (color, thick) in enumerate(zip((TRUTH_LINE, PREDICTION_LINE), _THICK, strict=True)):
        line = outline(_resized_mask(masks[side], scale), thick)
        _paint(picture, line, near if side == crop.side else box, color)
    return encoded(picture, exact=False)


def itself(mask: npt.NDArray[np.bool_], crop: Crop, step: int = 1) -> npt.NDArray[np.bool_] | None:
    """The px of the object among those of its class; None where they cannot be told, as on reduced pictures.

    Parameters
    ----------
    mask : ndarray of bool
        The class on the object's side, in the crop's window.
    step : int
        So many px of the tile, each way, are one px of the mask.
    """
    if step > 1:
        return None
    top, left, bottom, right = crop.box
    first = crop.window.rows[0], crop.window.columns[0]
    rows, columns = slice(top - first[0], bottom - first[0]), slice(left - first[1], right - first[1])
    for connectivity in (2, 1):
        labels: npt.NDArray[np.intp] = label(mask, connectivity=connectivity)  # type: ignore[no-untyped-call]
        for one in np.unique(labels[rows.start, columns]):
            found: npt.NDArray[np.bool_] = labels == one
            r, c = np.flatnonzero(found.any(axis=1)), np.flatnonzero(found.any(axis=0))
            if one and (r[0], r[-1] + 1, c[0], c[-1] + 1) == (rows.start, rows.stop, columns.start, columns.stop):
                return found
    return None


def outline(mask: npt.NDArray[np.bool_], thick: int) -> npt.NDArray[np.bool_]:
    """The px of a mask that touch what is not of it, and as many on both sides as make the line thick.

    The picture's edge is no outline.

    Parameters
    ----------
    thick : int
        Width of the line in px, odd: 1 lies inside the mask, 3 has a px on each side of that.
    """
    return _grown(mask & ~_shrunk(mask), thick // 2)


def _grown(mask: npt.NDArray[np.bool_], by: int) -> npt.NDArray[np.bool_]:
    for _ in range(by):
        mask = ~_shrunk(~mask)
    return mask


def _shrunk(mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Without the px whose neighbours to the four sides are not all of the mask."""
    around = np.pad(mask, 1, mode="edge")
    inner: npt.NDArray[np.bool_] = mask & around[:-2, 1:-1] & around[2:, 1:-1] & around[1:-1, :-2] & around[1:-1, 2:]
    return inner


def _resized(picture: Rgb, scale: float) -> Rgb:
    """Larger with sharp pixels, or smaller by averaging."""
    height, width = (max(1, round(n * scale)) for n in picture.shape[:2])
    how = Image.Resampling.NEAREST if scale > 1 else Image.Resampling.BOX
    return np.array(Image.fromarray(np.ascontiguousarray(picture)).resize((width, height), how))


def _resized_mask(mask: npt.NDArray[np.bool_], scale: float) -> npt.NDArray[np.bool_]:
    """The same for a mask; where it becomes smaller, what any px of the mask falls on: narrow things stay whole."""
    return np.asarray(_resized(np.where(mask, 255, 0).astype(np.uint8), scale) > 0, np.bool_)


def _near(crop: Crop, scale: float, size: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """The object's box and a little around it, in px of the picture."""
    top, left, bottom, right = crop.box
    first = crop.window.rows[0], crop.window.columns[0]
    near = np.zeros(size[:2], np.bool_)
    rows, columns = (
        slice(max(0, int((start - at) * scale) - 3), int((stop - at) * scale) + 4)
        for start, stop, at in ((top, bottom, first[0]), (left, right, first[1]))
    )
    near[rows, columns] = True
    return near


def _paint(picture: Rgb, line: npt.NDArray[np.bool_], near: npt.NDArray[np.bool_], color: str) -> None:
    ink = np.array(rgb(color), np.float64)
    for where, opacity in ((line & near, 1.0), (line & ~near, _BEYOND)):
        picture[where] = np.rint(opacity * ink + (1 - opacity) * picture[where]).astype(np.uint8)
