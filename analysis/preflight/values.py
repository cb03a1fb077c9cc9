"""The values or colours that ground truth files hold, as a proposal for a class list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.catalogue.listing import list_files
from analysis.errors import TileError
from analysis.reading.bands import JPEG_TOLERANCE
from analysis.reading.coding import SAMPLE_FILES
from analysis.reading.raster import Raster, environment
from analysis.words.classes import MAX_CLASSES
from analysis.workspace.model import Dataset

_SIDE = 1024  # px of each file that are read, from its top left


@dataclass(frozen=True)
class FoundValues:
    """What a sample of ground truth files holds.

    Parameters
    ----------
    values : tuple of int
        Whole numbers in one band, or in equal bands; ascending.
    colors : tuple of str
        ``#rrggbb`` where the bands differ; the most frequent first.
    files : int
        So many were read.
    """

    values: tuple[int, ...] = ()
    colors: tuple[str, ...] = ()
    files: int = 0


def find_values(dataset: Dataset) -> FoundValues:
    """Read the top left of the first files, in natural order; empty where there are none that can be read."""
    listing = list_files(dataset.root, dataset.truth)
    values: set[int] = set()
    colors: dict[int, int] = {}
    files = 0
    with environment():
        for found in listing.files[:SAMPLE_FILES]:
            try:
                with Raster(found.path) as raster:
                    h, w = min(raster.header.height, _SIDE), min(raster.header.width, _SIDE)
                    pixels = raster.read((0, h), (0, w))
            except TileError:
                continue
            files += 1
            if len(pixels) >= 3 and pixels.dtype == np.uint8 and _differ(pixels):
                packed = (pixels[0].astype(np.int64) << 16) | (pixels[1].astype(np.int64) << 8) | pixels[2]
                for color, n in zip(*np.unique(packed, return_counts=True), strict=True):
                    colors[int(color)] = colors.get(int(color), 0) + int(n)
            elif pixels.dtype.kind in "iub":
                values |= {int(v) for v in np.unique(pixels[0])}
    values -= dataset.rule.ignore_values
    most = sorted(colors, key=lambda color: (-colors[color], color))
    return FoundValues(tuple(sorted(values))[:MAX_CLASSES], tuple(f"#{c:06x}" for c in most[:MAX_CLASSES]), files)


def _differ(pixels: npt.NDArray[Any]) -> bool:
    """Whether three bands are colours, and not one band written three times (JPEG moves them apart a little)."""
    apart = np.ptp(pixels[:3].astype(np.int16), axis=0)
    return bool((apart > JPEG_TOLERANCE).any())
