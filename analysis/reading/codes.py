"""From raw values to 8-bit codes and the table that turns a code into a class index.

The kernels take codes and a table, so that a plain 8-bit file is never copied: its raw values are the
codes. Everything else (16 bits, floats, colours, masks) is turned into class indices here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.reading.rules import COLORS, GREY, GREY_TOP, TRUTH, Color, LabelRule
from analysis.words.classes import IGNORED

Codes = npt.NDArray[np.uint8]

FULL_16_BITS = 65535
UNKNOWN = 254
"""Code of a raw value that the rule does not know; a truth that holds one is refused."""


def nowhere(rule: LabelRule) -> int:
    """Code of a pixel without a value: ignored in a truth, outside the class list in a prediction."""
    return IGNORED if rule.side == TRUTH else len(rule.classes)


def code_of(rule: LabelRule, raw: int) -> int:
    """Code of one raw value, the nodata tag left aside."""
    if rule.side == TRUTH and raw in rule.ignore_values:
        return IGNORED
    if rule.coding == GREY:
        if raw == FULL_16_BITS:
            return 1
        return int(raw > rule.grey_cut) if 0 <= raw <= GREY_TOP else UNKNOWN
    known = rule.known
    return rule.classes.ids.index(known[raw]) if raw in known else UNKNOWN


def byte_tables(rule: LabelRule, nodata: float | None, palette: dict[int, Color] | None) -> tuple[Codes, Codes]:
    """Tables of an 8-bit band: the code of each of the 256 values, and the class index of each for the kernels.

    In the second, values that the rule does not know are made harmless; the first tells them.

    Parameters
    ----------
    nodata : float or None
        The tag, where it is believed.
    palette : dict or None
        Index -> colour, where the rule maps colours; without one, value v is the colour (v, v, v).
    """
    if palette is None and nodata in rule.tables:
        return rule.tables[nodata]
    codes = _byte_codes(rule, nodata, palette)
    tables = codes, np.where(codes == UNKNOWN, np.uint8(nowhere(rule)), codes)
    if palette is None:
        rule.tables[nodata] = tables
    return tables


def _byte_codes(rule: LabelRule, nodata: float | None, palette: dict[int, Color] | None) -> Codes:
    if rule.coding == COLORS:
        table = [color_code(rule, palette.get(v, (v, v, v)) if palette else (v, v, v)) for v in range(256)]
        if rule.side == TRUTH:
            table = [IGNORED if v in rule.ignore_values else code for v, code in enumerate(table)]
    else:
        table = [code_of(rule, v) for v in range(256)]
    if nodata is not None and float(nodata).is_integer() and 0 <= nodata <= 255:
        table[int(nodata)] = nowhere(rule)
    return np.array(table, dtype=np.uint8)


def plain_table(rule: LabelRule) -> Codes:
    """The kernels' table where the codes are class indices already; shape (256,)."""
    table = np.arange(256, dtype=np.uint8)
    table[len(rule.classes) :] = nowhere(rule)
    return table


def color_code(rule: LabelRule, color: Color) -> int:
    """Code of one colour."""
    if rule.side == TRUTH and color in rule.ignore_colors:
        return IGNORED
    return rule.classes.ids.index(rule.colors[color]) if color in rule.colors else UNKNOWN


def color_codes(rule: LabelRule, pixels: npt.NDArray[np.uint8]) -> tuple[Codes, npt.NDArray[np.int32]]:
    """Codes of colour-coded pixels of shape (3, rows, columns), and the colours as one number each."""
    r, g, b = (pixels[i].astype(np.int32) for i in range(3))
    packed = (r << 16) | (g << 8) | b
    colors = sorted({*rule.colors, *(rule.ignore_colors if rule.side == TRUTH else ())})
    known = np.array([(c[0] << 16) | (c[1] << 8) | c[2] for c in colors], dtype=np.int32)
    return _look_up(packed, known, [color_code(rule, c) for c in colors]), packed


def value_codes(rule: LabelRule, pixels: npt.NDArray[Any]) -> Codes:
    """Codes of integer or float pixels of shape (rows, columns); a float must hold a whole number to be known."""
    if rule.coding == GREY:
        codes = (pixels > rule.grey_cut).astype(np.uint8)
        if pixels.dtype != np.uint8:
            # Levels of more than 8 bits are not guessed at; 65535 alone can only be the full level of 16 bits.
            codes[(pixels < 0) | ((pixels > GREY_TOP) & (pixels != FULL_16_BITS))] = UNKNOWN
        if rule.side == TRUTH:
            for raw in rule.ignore_values:
                codes[pixels == raw] = IGNORED
        return codes
    values = sorted({*rule.known, *(rule.ignore_values if rule.side == TRUTH else ())})
    return _look_up(pixels, np.array(values), [code_of(rule, v) for v in values])


def grey_pixels(counts: npt.NDArray[np.int64]) -> int:
    """How many px are neither 0 nor 255, from the px of each of 256 values."""
    return int(counts.sum() - counts[0] - counts[GREY_TOP])


def _look_up(pixels: npt.NDArray[Any], known: npt.NDArray[Any], codes: list[int]) -> Codes:
    """Code of each pixel; ``known`` ascends."""
    if not len(known):
        return np.full(pixels.shape, UNKNOWN, np.uint8)
    at = np.searchsorted(known, pixels)
    np.minimum(at, len(known) - 1, out=at)
    found = known[at] == pixels
    return np.where(found, np.array(codes, np.uint8)[at], np.uint8(UNKNOWN))
