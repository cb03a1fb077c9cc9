"""What was found while a label file was read: a refusal, a notice, or nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.errors import TileError
from analysis.kernels.layout import LEAST_AREA, MOST_ROWS
from analysis.reading.labels import LabelFile
from analysis.reading.rules import COLORS, GREY, PROBABILITY, TRUTH, ZERO_255, ZERO_ONE
from analysis.reading.tally import values_with_pixels
from analysis.words.notices import INFO, WARNING, Notice

_SIDES = {TRUTH: "ground truth", "prediction": "prediction"}


def check_truth(file: LabelFile) -> None:
    """Refuse a truth that holds values outside the class list.

    Raises
    ------
    TileError
        ``coding-mismatch`` or ``truth-outside-classes``, with the values and their px.
    """
    if not file.unknown:
        return
    _check_coding(file)
    name, classes = file.header.path.name, file.rule.classes
    values = values_with_pixels(file.unknown)
    if file.rule.coding == COLORS:
        raise TileError(
            "truth-outside-classes",
            f"{name} holds colours outside truth_colors: {values}. Add them to truth_colors, or to ignore.",
        )
    known = list(file.rule.values) or list(classes.ids)
    shown = (
        f"{known[0]}..{known[-1]}" if known == list(range(known[0], known[-1] + 1)) else ", ".join(map(str, known[:12]))
    )
    raise TileError(
        "truth-outside-classes",
        f"{name} holds values outside the class list ({shown}): {values}. If the files use other codes, map them with "
        "truth_values; if these pixels have no class, list the values in ignore.",
    )


def truth_notices(file: LabelFile, tile: str) -> list[Notice]:
    """Notices on how a truth was read."""
    return _notices_on_values(file, tile)


def prediction_notices(file: LabelFile, tile: str, outside: int) -> list[Notice]:
    """Notices on how a prediction was read.

    Parameters
    ----------
    outside : int
        Valid px whose predicted value is outside the class list.

    Raises
    ------
    TileError
        ``coding-mismatch``.
    """
    if file.unknown:
        _check_coding(file)
    notices = _notices_on_values(file, tile)
    if outside and file.unknown:
        key = "prediction_colors" if file.rule.coding == COLORS else "prediction_values"
        message = (
            f"Predicted values outside the class list are counted as wrong: {values_with_pixels(file.unknown)} in "
            f"{file.header.path.name}. If they stand for classes, map them with {key}."
        )
        notices.append(Notice("prediction-outside-classes", WARNING, message, tile, pixels=outside))
    elif outside:
        message = "Pixels without a predicted value (nodata or masked) are counted as wrong."
        notices.append(Notice("prediction-nodata", WARNING, message, tile, pixels=outside))
    if file.argmax:
        message = f"The predictions have {len(file.header.bands)} bands of scores, one a class; the highest decides."
        notices.append(Notice("argmax", INFO, message, tile))
    elif file.rule.coding == PROBABILITY:
        message = f"The predictions are probabilities: class 1 from the threshold {file.rule.threshold:g} on."
        notices.append(Notice("probability-threshold", INFO, message, tile))
    return notices


def object_notices(counted: Mapping[str, Any], tile: str) -> list[Notice]:
    """What must be known about the objects of a tile; ``counted`` as `ObjectCounter.finish` gives it."""
    left_out = counted.get("objects_left_out", 0)
    if not left_out:
        return []
    message = (
        f"A tile has more than {MOST_ROWS:,} objects on a side: those below {LEAST_AREA} px stand in the sums by class "
        "and outcome, and not in the table of objects and its bins by size."
    )
    return [Notice("many-objects", INFO, message, tile)]


def _notices_on_values(file: LabelFile, tile: str) -> list[Notice]:
    notices, side = [], _SIDES[file.rule.side]
    if file.grey and file.rule.coding == GREY:
        message = (
            f"The {side} holds grey levels other than 0 and 255 (lossy JPEG, smoothing, or likelihoods); they are cut: "
            f"above {file.rule.grey_cut:g} is class 1."
        )
        if file.rule.side == TRUTH:
            message += " If some values are classes or mean nothing, say so with truth_values or ignore."
        notices.append(Notice(f"grey-{file.rule.side}", WARNING, message, tile, pixels=file.grey))
    if file.nodata_doubted and file.nodata_pixels:
        tag = f"{file.header.nodata:g}"
        message = (
            f"The {side} declares {tag} as nodata, but {tag} stands for a class; the declaration is not believed and "
            "the pixels are counted."
        )
        if file.rule.side == TRUTH:
            message += f" To leave them out, list {tag} in ignore."
        notices.append(
            Notice(f"nodata-not-believed-{file.rule.side}", WARNING, message, tile, pixels=file.nodata_pixels)
        )
    return notices


def _check_coding(file: LabelFile) -> None:
    if file.rule.coding not in (ZERO_ONE, ZERO_255):
        return
    side, key = _SIDES[file.rule.side], f"{file.rule.side}_values"
    raise TileError(
        "coding-mismatch",
        f"{file.header.path.name} holds {values_with_pixels(file.unknown)}, while the folder of this {side} was read "
        f"as {file.rule.coding} ({file.rule.evidence}). Write all files alike, or map the values with {key}.",
    )
