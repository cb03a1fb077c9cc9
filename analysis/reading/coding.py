"""How binary label files are coded: decided once for a folder from a sample, never for a tile.

A tile that holds only 0 and 1 may be a 0/1 mask or the faint noise of grey levels; only its folder tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.errors import TileError
from analysis.reading.header import Header
from analysis.reading.raster import Raster, environment
from analysis.reading.rules import (
    CLASSES,
    COLORS,
    GREY,
    GREY_TOP,
    HALF,
    PROBABILITY,
    SLACK,
    TRUTH,
    VALUES,
    ZERO_255,
    ZERO_ONE,
    LabelRule,
)

SAMPLE_FILES = 64
"""So many files are read, in natural order of their names; then on until a value other than 0 was seen."""
_SAMPLE_PIXELS = 1 << 22
_STRIPS = 16
_MOST_VALUES = 300


@dataclass
class Sample:
    """What the sampled files of one side hold.

    Parameters
    ----------
    values : set of float
        Distinct values, nodata and ignored values left out; at most a few hundred.
    tagged : set of float
        Values that files declare as nodata and hold.
    graded : bool
        Whether a value between whole numbers was seen.
    files, unreadable : int
        How many files were read, and how many could not be.
    """

    values: set[float] = field(default_factory=set)
    tagged: set[float] = field(default_factory=set)
    graded: bool = False
    floats: bool = False
    files: int = 0
    unreadable: int = 0
    headers: list[Header] = field(default_factory=list)

    @property
    def seen(self) -> bool:
        """Whether a value other than 0 was seen."""
        return bool(self.values - {0.0})


def take_sample(paths: Sequence[Path], rule: LabelRule, *, files: int = SAMPLE_FILES, go_on: bool = True) -> Sample:
    """Read a sample of label files.

    Parameters
    ----------
    paths : sequence of Path
        In natural order of file names.
    go_on : bool
        Whether to read past ``files``, and all of large ones, until a value other than 0 was seen.
    """
    sample = Sample()
    with environment():
        for i, path in enumerate(paths):
            if i >= files and (sample.seen or not go_on):
                break
            try:
                with Raster(path) as raster:
                    sample.headers.append(raster.header)
                    for spread, pixels in _pixels(raster):
                        if not spread and (sample.seen or not go_on):
                            break
                        _take_in(sample, pixels, raster.header.nodata, rule)
                sample.files += 1
            except TileError:
                sample.unreadable += 1
    return sample


def decide(rule: LabelRule, paths: Sequence[Path]) -> tuple[LabelRule, Sample]:
    """The rule with its coding decided, and what it was decided from.

    Only binary datasets without value or colour maps leave anything to decide; for the others a small
    sample is read for the report alone.
    """
    if not needs_decision(rule):
        sample = take_sample(paths, rule, files=8, go_on=False)
        coding = COLORS if rule.colors else VALUES if rule.values else CLASSES
        return replace(rule, coding=coding, evidence=_evidence(sample, len(paths))), sample
    sample = take_sample(paths, rule)
    return replace(rule, coding=_coding(sample), evidence=_evidence(sample, len(paths))), sample


def needs_decision(rule: LabelRule) -> bool:
    """Whether the coding has to be found out: binary, and neither values nor colours are mapped."""
    return rule.classes.binary and not rule.values and not rule.colors


def _coding(sample: Sample) -> str:
    values = sample.values
    if not sample.seen and sample.tagged - {0.0}:
        # Nothing but 0 and the nodata value: the tag stands on a class.
        values = values | sample.tagged
    if sample.floats and values <= {0.0, 1.0} or (sample.graded and all(-SLACK <= v <= 1 + SLACK for v in values)):
        return PROBABILITY
    if not values - {0.0, 1.0}:
        return ZERO_ONE
    if not values - {0.0, float(GREY_TOP)}:
        return ZERO_255
    if sample.graded and not (min(values) >= 0 and GREY_TOP * HALF < max(values) <= GREY_TOP):
        return PROBABILITY  # neither grey levels nor probabilities, maybe logits: every tile is refused with its range
    return GREY


def _evidence(sample: Sample, files: int) -> str:
    if not sample.files:
        return "no readable file" if files else "no file"
    which = "all" if sample.files + sample.unreadable >= files else f"the first {sample.files} of"
    shown = sorted(sample.values)[:8]
    more = ", …" if len(sample.values) > len(shown) else ""
    listed = ", ".join(f"{v:g}" for v in shown) + more if shown else "none"
    return f"values {listed} in {which} {files} files"


def _pixels(raster: Raster) -> Iterator[tuple[bool, npt.NDArray[Any]]]:
    """All pixels of a small file; of a large one strips spread over it (True), and then all of it (False)."""
    h, w = raster.header.height, raster.header.width
    if h * w <= _SAMPLE_PIXELS:
        yield True, raster.read((0, h), (0, w))
        return
    rows = max(1, _SAMPLE_PIXELS // _STRIPS // w)
    for top in np.linspace(0, max(0, h - rows), _STRIPS).astype(int).tolist():
        yield True, raster.read((top, min(h, top + rows)), (0, w))
    rows = max(1, _SAMPLE_PIXELS // w)
    for top in range(0, h, rows):
        yield False, raster.read((top, min(h, top + rows)), (0, w))


def _take_in(sample: Sample, pixels: npt.NDArray[Any], nodata: float | None, rule: LabelRule) -> None:
    band = pixels[0] if len(pixels) != len(rule.classes) or pixels.dtype.kind != "f" else pixels
    if band.dtype.kind == "f":
        sample.floats = True
        band = band[~np.isnan(band)]
        if band.size:
            whole = band == np.floor(band)
            if not whole.all():
                sample.graded = True
                band = np.concatenate([band[whole], band[~whole][:2], [band.min(), band.max()]])
    elif band.dtype.kind == "c":
        return
    found = np.flatnonzero(np.bincount(band.ravel(), minlength=256)) if band.dtype == np.uint8 else np.unique(band)
    ignored = rule.ignore_values if rule.side == TRUTH else ()
    for value in found[:_MOST_VALUES].tolist():
        number = float(value)
        if nodata is not None and number == nodata:
            sample.tagged.add(number)
        elif number not in ignored and len(sample.values) < _MOST_VALUES:
            sample.values.add(number)
