"""What a raster file says about itself, without its pixels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Georeference:
    """Where a raster lies.

    Parameters
    ----------
    crs : str
        Name for people: an authority code such as ``EPSG:2180``, or the name in the file's own definition;
        empty where the file has a transform alone.
    definition : str
        The whole definition, by which two are compared.
    transform : tuple of float
        ``(a, b, c, d, e, f)``: x = a * column + b * row + c, y = d * column + e * row + f; north-up.
    metres_per_unit : float or None
        None where the unit is not a length (degrees) or not known.
    """

    crs: str
    definition: str
    transform: tuple[float, float, float, float, float, float]
    metres_per_unit: float | None

    @property
    def gsd(self) -> float | None:
        """Ground sampling distance in metres per pixel, or None."""
        if self.metres_per_unit is None:
            return None
        a, b, _, d, e, _ = self.transform
        return math.sqrt(abs(a * e - b * d)) * self.metres_per_unit


@dataclass(frozen=True)
class Header:
    """What a raster file says about itself, without its pixels.

    Parameters
    ----------
    bands : tuple of int
        The band numbers (from 1) that are not alpha.
    alpha : int or None
        The number of the alpha band.
    file_mask : bool
        Whether the file carries a mask of its own beside alpha and nodata.
    """

    path: Path
    driver: str
    width: int
    height: int
    dtype: str
    bands: tuple[int, ...]
    alpha: int | None
    file_mask: bool
    nodata: float | None
    palette: bool
    south_up: bool
    georeference: Georeference | None

    @property
    def size(self) -> str:
        """Width and height for people, in px."""
        return f"{self.width} x {self.height}"

    @property
    def gsd(self) -> float | None:
        """Ground sampling distance in metres per pixel, or None."""
        return self.georeference.gsd if self.georeference else None
