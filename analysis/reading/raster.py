"""Opening, reading and writing raster files: the only module that uses rasterio.

A file stored south-up is turned while it is read, so every row number here counts from the north.
Datasets are not thread-safe: open, read and close within one call.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import rasterio
from rasterio.enums import ColorInterp, MaskFlags
from rasterio.env import hasenv
from rasterio.errors import NotGeoreferencedWarning, RasterioError
from rasterio.io import DatasetReader
from rasterio.transform import Affine
from rasterio.windows import Window

from analysis.errors import TileError
from analysis.reading.damage import ends_as_png, why_unreadable
from analysis.reading.header import Georeference, Header

# What GDAL finds wrong reaches the user as our own message; its log lines would only repeat it.
logging.getLogger("rasterio").setLevel(logging.CRITICAL + 1)
warnings.filterwarnings("ignore", category=NotGeoreferencedWarning)

_OPTIONS: dict[str, Any] = {
    # Listing the folder at every open costs 1.6 times the reading once it holds a thousand files.
    "GDAL_DISABLE_READDIR_ON_OPEN": "EMPTY_DIR",
    # A cut-off JPEG is an error and not a grey picture.
    "GDAL_ERROR_ON_LIBJPEG_WARNING": "YES",
    "GDAL_CACHEMAX": 128,  # MB
    "GDAL_PAM_ENABLED": "NO",
}
_READ_ERRORS = (RasterioError, OSError, ValueError, MemoryError)


@contextmanager
def environment() -> Iterator[None]:
    """Hold one GDAL environment around many reads; opening one for each file costs 5 to 10 %."""
    with rasterio.Env(**_OPTIONS):
        yield


class Raster:
    """An open raster file. Use it as a context manager.

    Raises
    ------
    TileError
        Code ``unreadable``: the file is missing, empty, cut off or no raster.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._dataset = _open(path)
            # GDAL's fast way to load a PNG takes a cut-off file for a whole one; its slow way does not.
            self._careful = self._dataset.driver == "PNG" and not ends_as_png(path)
            if self._careful:
                self._dataset.close()
                with _slow_png():
                    self._dataset = _open(path)
            self.header = _header(path, self._dataset)
        except _READ_ERRORS as error:
            raise TileError("unreadable", why_unreadable(path, error)) from None

    def __enter__(self) -> Raster:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._dataset.close()

    def read(
        self, rows: tuple[int, int], columns: tuple[int, int], bands: tuple[int, ...] | None = None
    ) -> npt.NDArray[Any]:
        """Pixels of a window.

        Parameters
        ----------
        rows, columns : (int, int)
            Half-open ranges, north-up.
        bands : tuple of int, optional
            Band numbers; all but alpha by default.

        Returns
        -------
        ndarray of shape (bands, rows, columns), dtype of the file, C-contiguous
        """
        chosen = self.header.bands if bands is None else bands
        indexes = chosen[0] if len(chosen) == 1 else list(chosen)  # reading one band by its number skips a copy
        pixels = self._read(indexes=indexes, window=self._window(rows, columns))
        return self._turned(pixels.reshape(len(chosen), *pixels.shape[-2:]))

    def read_mask(self, rows: tuple[int, int], columns: tuple[int, int]) -> npt.NDArray[np.bool_]:
        """True where the alpha band or the file's mask leaves a pixel out; shape (rows, columns)."""
        window = self._window(rows, columns)
        if self.header.alpha is not None:
            values = self._read(indexes=self.header.alpha, window=window)
        else:
            values = self._read(indexes=1, window=window, masks=True)
        masked: npt.NDArray[np.bool_] = self._turned((values == 0)[np.newaxis])[0]
        return masked

    def palette(self) -> dict[int, tuple[int, int, int]]:
        """Colours of a palette file: index -> (red, green, blue)."""
        return {i: (c[0], c[1], c[2]) for i, c in self._dataset.colormap(1).items()}

    def _read(self, *, masks: bool = False, **arguments: Any) -> npt.NDArray[Any]:
        read = self._dataset.read_masks if masks else self._dataset.read
        try:
            with _slow_png() if self._careful else nullcontext():
                pixels: npt.NDArray[Any] = read(**arguments)
        except _READ_ERRORS as error:
            raise TileError("unreadable", why_unreadable(self.header.path, error)) from None
        return pixels

    def _window(self, rows: tuple[int, int], columns: tuple[int, int]) -> Window | None:
        h, w = self.header.height, self.header.width
        if rows == (0, h) and columns == (0, w):
            return None
        top = h - rows[1] if self.header.south_up else rows[0]
        return Window(columns[0], top, columns[1] - columns[0], rows[1] - rows[0])

    def _turned(self, pixels: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return np.ascontiguousarray(pixels[:, ::-1]) if self.header.south_up else pixels


def read_header(path: Path) -> Header:
    """The header of a raster file.

    Raises
    ------
    TileError
        Code ``unreadable``.
    """
    with Raster(path) as raster:
        return raster.header


def write_raster(
    path: Path,
    array: npt.NDArray[Any],
    *,
    driver: str,
    crs: str | None = None,
    transform: tuple[float, float, float, float, float, float] | None = None,
    nodata: float | None = None,
    palette: dict[int, tuple[int, int, int]] | None = None,
    **options: Any,
) -> None:
    """Write a raster file, for the demo and for tests.

    Parameters
    ----------
    array : ndarray of shape (rows, columns) or (rows, columns, bands)
    driver : str
        GDAL's name, such as ``PNG``, ``JPEG`` or ``GTiff``; ``options`` are its creation options.
    """
    bands = array[np.newaxis] if array.ndim == 2 else np.moveaxis(array, 2, 0)
    profile: dict[str, Any] = {
        "driver": driver,
        "width": array.shape[1],
        "height": array.shape[0],
        "count": len(bands),
        "dtype": array.dtype,
        **options,
    }
    given = {"crs": crs, "transform": transform and Affine(*transform), "nodata": nodata}
    profile |= {key: value for key, value in given.items() if value is not None}
    with rasterio.Env(GDAL_PAM_ENABLED="NO"), rasterio.open(path, "w", **profile) as dataset:
        if palette is not None:
            dataset.write_colormap(1, {i: (*color, 255) for i, color in palette.items()})
        dataset.write(bands)


def _open(path: Path) -> Any:
    if path.suffix.lower() in (".tif", ".tiff") and path.with_name(path.name + ".msk").exists():
        # A mask that was written beside the file is found only where GDAL may look for it.
        with rasterio.Env(GDAL_DISABLE_READDIR_ON_OPEN="FALSE"):
            return DatasetReader(path)
    # `rasterio.open` makes an environment around each call: a sixth of the time that reading a tile takes.
    return DatasetReader(path) if hasenv() else rasterio.open(path)


def _slow_png() -> Any:
    """The setting under which a cut-off PNG is found; it must hold while a file is opened and while it is read."""
    return rasterio.Env(GDAL_PNG_WHOLE_IMAGE_OPTIM="NO")


def _header(path: Path, dataset: Any) -> Header:
    kinds = dataset.colorinterp
    alpha = next((i for i, kind in enumerate(kinds, 1) if kind == ColorInterp.alpha), None)
    bands = tuple(i for i in range(1, dataset.count + 1) if i != alpha)
    dtypes = {dataset.dtypes[i - 1] for i in bands}
    raw = dataset.transform
    placed = raw != Affine.identity() and not (dataset.crs is None and raw.a == 1 and raw.e == 1)
    south_up = bool(placed and raw.e > 0 and raw.b == 0 and raw.d == 0)
    # A PNG has no mask beside alpha and nodata, and asking costs as much as opening it.
    file_mask = dataset.driver != "PNG" and alpha is None and MaskFlags.per_dataset in dataset.mask_flag_enums[0]
    return Header(
        path=path,
        driver=dataset.driver,
        width=dataset.width,
        height=dataset.height,
        dtype=dtypes.pop() if len(dtypes) == 1 else " and ".join(sorted(dtypes)),
        bands=bands,
        alpha=alpha,
        file_mask=file_mask,
        nodata=dataset.nodata,
        palette=bool(bands) and kinds[bands[0] - 1] == ColorInterp.palette,
        south_up=south_up,
        georeference=_georeference(dataset, south_up) if placed else None,
    )


def _georeference(dataset: Any, south_up: bool) -> Georeference:
    t = dataset.transform
    if south_up:
        t = Affine(t.a, t.b, t.c, t.d, -t.e, t.f + t.e * dataset.height)
    crs = dataset.crs
    name, definition, metres = "", "", None
    if crs:
        definition = crs.to_wkt()
        code = crs.to_epsg()
        name = f"EPSG:{code}" if code else definition.split('"')[1] if '"' in definition else definition[:40]
        if crs.is_projected:
            metres = float(crs.linear_units_factor[1])
    return Georeference(name, definition, (t.a, t.b, t.c, t.d, t.e, t.f), metres)
