"""Label files: the truth or the prediction of a tile, read as codes for the kernels."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.errors import TileError
from analysis.reading import codes as coder
from analysis.reading.bands import check_bands, one_band, takes_argmax
from analysis.reading.raster import Raster
from analysis.reading.rules import COLORS, GREY, PREDICTION, PROBABILITY, SLACK, Color, LabelRule, color_name
from analysis.reading.tally import MOST_VALUES, tally

Range = tuple[int, int]


@dataclass(frozen=True)
class Block:
    """Some rows of a label map.

    Parameters
    ----------
    codes : ndarray of shape (rows, columns), uint8
    scores : ndarray of the same shape, or None
        float32 probabilities (NaN: none) or 8-bit grey levels, for binary predictions that hold them.
    """

    codes: npt.NDArray[np.uint8]
    scores: npt.NDArray[Any] | None = None


class LabelFile:
    """One label file under its rule.

    Parameters
    ----------
    raster : Raster
        Open; it is not closed here.
    rule : LabelRule
    size : (int, int), optional
        Rows and columns to which the file is resized by the nearest pixel.

    Raises
    ------
    TileError
        ``band-count``, ``unequal-bands``, ``unreadable`` or ``not-probabilities``, here or while reading.
    """

    def __init__(self, raster: Raster, rule: LabelRule, size: tuple[int, int] | None = None) -> None:
        self.raster, self.rule = raster, rule
        self.header = raster.header
        self.height, self.width = size or (self.header.height, self.header.width)
        self.resized = (self.height, self.width) != (self.header.height, self.header.width)
        self.argmax = takes_argmax(self.header, rule)
        self.unknown: Counter[str] = Counter()
        self.grey = 0
        check_bands(self.header, rule)
        tag = self.header.nodata
        self.nodata_doubted = tag is not None and rule.is_class(tag)
        self.nodata = None if self.nodata_doubted else tag
        self.nodata_pixels = 0
        self._masked = self.header.alpha is not None or self.header.file_mask
        self._byte_codes: npt.NDArray[np.uint8] | None = None
        self._palette: dict[int, Color] | None = None
        if self._bytes_will_do():
            if self.header.palette and rule.coding == COLORS:
                self._palette = raster.palette()
            self._byte_codes, self.table = coder.byte_tables(rule, self.nodata, self._palette)
        else:
            self.table = coder.plain_table(rule)

    def read(self, rows: Range, columns: Range) -> Block:
        """Codes of a window; turn them into class indices with ``table``."""
        if not self.resized:
            return self._read(rows, columns)
        row = _nearest(rows, self.height, self.header.height)
        column = _nearest(columns, self.width, self.header.width)
        block = self._read((int(row[0]), int(row[-1]) + 1), (int(column[0]), int(column[-1]) + 1))
        at = np.ix_(row - row[0], column - column[0])
        return Block(
            np.ascontiguousarray(block.codes[at]),
            None if block.scores is None else np.ascontiguousarray(block.scores[at]),
        )

    def note_counts(self, counts: npt.NDArray[np.int64]) -> None:
        """Take in how many px of each code the kernels counted; shape (256,)."""
        if self._byte_codes is None:
            return
        for raw in np.flatnonzero((self._byte_codes == coder.UNKNOWN) & (counts > 0)):
            color = (self._palette or {}).get(int(raw), (int(raw),) * 3)
            self.unknown[color_name(color) if self.rule.coding == COLORS else str(raw)] += int(counts[raw])
        if self.rule.coding == GREY:
            self.grey += coder.grey_pixels(counts)
        if self.nodata_doubted and self.header.nodata is not None and 0 <= self.header.nodata <= 255:
            self.nodata_pixels += int(counts[int(self.header.nodata)])

    # What a file holds and how it is taken

    def _bytes_will_do(self) -> bool:
        one = len(self.header.bands) == 1 or self.rule.coding != COLORS
        return (
            self.header.dtype == "uint8"
            and one
            and not self._masked
            and not self.argmax
            and self.rule.coding != PROBABILITY
        )

    def _read(self, rows: Range, columns: Range) -> Block:
        pixels = self.raster.read(rows, columns)
        if self.argmax:
            block = self._argmax(pixels)
        elif self.rule.coding == COLORS and len(pixels) == 3:
            block = self._colors(pixels)
        else:
            band = one_band(pixels, self.header, self.rule)
            if self._byte_codes is not None:
                return Block(band, band if self._is_graded(band) else None)
            block = self._values(band)
        return self._without_masked(block, rows, columns) if self._masked else block

    def _is_graded(self, band: npt.NDArray[Any]) -> bool:
        return self.rule.coding == GREY and self.rule.side == PREDICTION and band.dtype == np.uint8

    def _argmax(self, pixels: npt.NDArray[Any]) -> Block:
        empty = np.isnan(pixels).any(axis=0)
        if self.nodata is not None and not np.isnan(self.nodata):
            empty |= (pixels == self.nodata).all(axis=0)
        codes = pixels.argmax(axis=0).astype(np.uint8)
        codes[empty] = coder.nowhere(self.rule)
        scores = None
        if (
            len(pixels) == 2
            and self.rule.classes.binary
            and np.nanmin(pixels, initial=0) >= 0
            and np.nanmax(pixels, initial=0) <= 1
        ):
            scores = np.where(empty, np.nan, pixels[1]).astype(np.float32)
        return Block(codes, scores)

    def _colors(self, pixels: npt.NDArray[Any]) -> Block:
        if pixels.dtype != np.uint8:
            raise TileError(
                "band-count", f"{self.header.path.name} holds colours of {pixels.dtype}; expected 8-bit colours."
            )
        codes, packed = coder.color_codes(self.rule, pixels)
        if self.nodata is not None:
            codes[(pixels == self.nodata).all(axis=0)] = coder.nowhere(self.rule)
        for color, n in tally(packed[codes == coder.UNKNOWN]):
            self._note_unknown(color_name((color >> 16, color >> 8 & 255, color & 255)), n)
        return Block(codes)

    def _values(self, band: npt.NDArray[Any]) -> Block:
        empty = np.isnan(band) if band.dtype.kind == "f" else np.zeros(band.shape, bool)
        if self.nodata is not None and not np.isnan(self.nodata):
            empty |= band == self.nodata
        elif self.nodata_doubted:
            self.nodata_pixels += int((band == self.header.nodata).sum())
        scores: npt.NDArray[Any] | None = None
        if self.rule.coding == PROBABILITY:
            outside = ~empty & ((band < -SLACK) | (band > 1 + SLACK))
            if outside.any():
                low, high = float(band[~empty].min()), float(band[~empty].max())
                raise TileError(
                    "not-probabilities",
                    f"{self.header.path.name} holds values from {low:g} to {high:g}, while its folder was read as "
                    "probabilities (0 to 1). If these are logits, write them through a sigmoid first.",
                )
            codes = (band >= self.rule.threshold).astype(np.uint8)
            if self.rule.side == PREDICTION:
                scores = np.where(empty, np.nan, np.clip(band, 0, 1)).astype(np.float32)
        elif self.rule.coding == COLORS:
            table, _ = coder.byte_tables(self.rule, None, None)
            codes = np.where(
                (band >= 0) & (band <= 255), table[np.clip(band, 0, 255).astype(np.uint8)], np.uint8(coder.UNKNOWN)
            )
        else:
            codes = coder.value_codes(self.rule, band)
            if self.rule.coding == GREY:
                self._check_grey(band[~empty])
                self.grey += int(((band != 0) & (band != 255) & ~empty).sum())
                if self._is_graded(band):
                    scores = np.where(empty, np.nan, band / np.float32(255)).astype(np.float32)
        codes[empty] = coder.nowhere(self.rule)
        for value, n in tally(band[codes == coder.UNKNOWN]):
            self._note_unknown(f"{value:g}" if band.dtype.kind == "f" else str(value), n)
        return Block(codes, scores)

    def _check_grey(self, band: npt.NDArray[Any]) -> None:
        """Refuse probabilities in a folder of grey levels: all of them lie below the cut."""
        if band.dtype.kind == "f" and band.size and band.max() <= 1 and (band != np.floor(band)).any():
            raise TileError(
                "coding-mismatch",
                f"{self.header.path.name} holds fractions up to {float(band.max()):g}, while its folder was read as "
                f"grey levels from 0 to 255 ({self.rule.evidence}). Write all files alike.",
            )

    def _note_unknown(self, value: str, n: int) -> None:
        if value in self.unknown or len(self.unknown) < MOST_VALUES:
            self.unknown[value] += n

    def _without_masked(self, block: Block, rows: Range, columns: Range) -> Block:
        masked = self.raster.read_mask(rows, columns)
        if not masked.any() or (masked.all() and self._everything_is_masked()):
            return block
        codes = block.codes.copy()
        codes[masked] = coder.nowhere(self.rule)
        scores = block.scores
        if scores is not None:
            scores = np.where(masked, np.nan, scores / 255 if scores.dtype == np.uint8 else scores).astype(np.float32)
        return Block(codes, scores)

    def _everything_is_masked(self) -> bool:
        """An alpha band that is 0 all over the file means nothing; it must not empty it."""
        h, w = self.header.height, self.header.width
        step = max(1, (1 << 24) // max(1, w))
        return all(self.raster.read_mask((r, min(h, r + step)), (0, w)).all() for r in range(0, h, step))


def _nearest(wanted: Range, size: int, source: int) -> npt.NDArray[np.intp]:
    """Source rows (or columns) whose centres lie nearest to those of the wanted ones."""
    at = ((np.arange(*wanted) + 0.5) * source / size).astype(np.intp)
    return np.minimum(at, source - 1)
