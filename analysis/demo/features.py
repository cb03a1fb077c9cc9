"""What a model sees of a tile: colours, texture and lines at several scales."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from analysis.demo.grid import Floats
from analysis.demo.noise import enlarge


def colour_index(image: npt.NDArray[np.uint8]) -> npt.NDArray[np.int32]:
    """The colour of each pixel, cut to 6 bits a band, as one number below 2**18; shape (rows, columns)."""
    cut = (image >> 2).astype(np.int32)
    index: npt.NDArray[np.int32] = (cut[..., 0] << 12) | (cut[..., 1] << 6) | cut[..., 2]
    return index


def halved(values: Floats) -> Floats:
    """Means of 2 x 2 pixels; shape (..., rows, columns), even sides."""
    mean: Floats = 0.25 * (
        values[..., ::2, ::2] + values[..., 1::2, ::2] + values[..., ::2, 1::2] + values[..., 1::2, 1::2]
    )
    return mean


def doubled(values: Floats) -> Floats:
    """Twice the resolution, between the pixels by their distance; shape (..., rows, columns)."""
    *planes, rows, columns = values.shape
    near, far = 0.75 * values, 0.25 * np.pad(values, [(0, 0)] * len(planes) + [(0, 0), (1, 1)], mode="edge")
    wide = np.empty((*planes, rows, 2 * columns), np.float32)
    wide[..., ::2] = near + far[..., :-2]
    wide[..., 1::2] = near + far[..., 2:]
    near, far = 0.75 * wide, 0.25 * np.pad(wide, [(0, 0)] * len(planes) + [(1, 1), (0, 0)], mode="edge")
    result = np.empty((*planes, 2 * rows, 2 * columns), np.float32)
    result[..., ::2, :] = near + far[..., :-2, :]
    result[..., 1::2, :] = near + far[..., 2:, :]
    return result


def smoothed(values: Floats) -> Floats:
    """Means of 3 x 3 pixels; shape (..., rows, columns)."""
    pad = np.pad(values, [(0, 0)] * (values.ndim - 2) + [(1, 1), (1, 1)], mode="edge")
    down = pad[..., :-2, :] + pad[..., 1:-1, :] + pad[..., 2:, :]
    mean: Floats = (down[..., :-2] + down[..., 1:-1] + down[..., 2:]) * np.float32(1 / 9)
    return mean


def tile_features(image: npt.NDArray[np.uint8], levels: int, lines: bool) -> Floats:
    """Features of a tile at half its resolution.

    The tile is halved again and again; each level gives the mean colour and the contrast inside its cells, and,
    with ``lines``, how bright and dark ridges lie there. Nothing is known beyond the tile's edge.

    Parameters
    ----------
    image : ndarray of shape (rows, columns, 3), uint8
        Both sides must be divisible by ``2**levels``.
    levels : int
        Number of scales; the first has cells of 2 px.
    lines : bool
        Whether to add the ridges and valleys of brightness.

    Returns
    -------
    ndarray of shape (features, rows / 2, columns / 2), float32
    """
    red, green, blue = (image[..., band].astype(np.float32) / np.float32(64) for band in range(3))
    # Brightness and two colour differences: closer to what tells the classes apart than the bands.
    light: Floats = (red + green + blue) / np.float32(3)
    mean = np.stack([light, green - red, green - blue])
    squares = light * light
    shape = (image.shape[0] // 2, image.shape[1] // 2)
    features: list[Floats] = []
    for level in range(levels):
        mean, squares = halved(mean), halved(squares)
        contrast = np.sqrt(np.maximum(squares - mean[0] ** 2, 0))
        layer = [*mean, contrast]
        if lines and level < 4:
            layer += _ridges(mean[0])
        features += layer if level == 0 else [enlarge(plane, shape) for plane in layer]
    return np.stack(features)


def _ridges(light: Floats) -> list[Floats]:
    """The two principal curvatures of brightness: strongly negative on bright lines, positive on dark ones."""
    padded = np.pad(light, 1, mode="edge")
    middle = 2 * light
    dyy: Floats = padded[:-2, 1:-1] + padded[2:, 1:-1] - middle
    dxx: Floats = padded[1:-1, :-2] + padded[1:-1, 2:] - middle
    dxy: Floats = 0.25 * (padded[2:, 2:] + padded[:-2, :-2] - padded[2:, :-2] - padded[:-2, 2:])
    half: Floats = 0.5 * (dyy + dxx)
    spread = np.hypot(0.5 * (dyy - dxx), dxy)
    return [(half - spread).astype(np.float32), (half + spread).astype(np.float32)]
