"""Small pictures of tiles: an image, a label map, or the errors that a ranking is about, drawn over the image."""

from __future__ import annotations

import io
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PIL import Image

from analysis.pictures.colors import (
    DIMMED,
    FALSE_ALARM,
    FOUND,
    IGNORED_COLORS,
    MISSED,
    MIXED_UP,
    OTHER_ERROR,
    OUTSIDE_COLORS,
    rgb,
)
from analysis.pictures.focus import Focus, focus_on
from analysis.pictures.photo import Rgb
from analysis.pictures.pixels import Codes, TilePixels
from analysis.words.classes import IGNORED, ClassList

SIDE = 160
"""The longer side of a small picture is about so many px."""
MARKED, IMAGE, BEFORE, ERRORS, TRUTH, PREDICTION = "marked", "image", "before", "errors", "truth", "prediction"
KINDS = (MARKED, IMAGE, BEFORE, ERRORS, TRUTH, PREDICTION)
"""Errors over the image, the image (of a change: after), the image before, errors, ground truth, prediction."""
FOCUSED = frozenset({MARKED, ERRORS})
"""Kinds that depend on which errors are looked at."""

NO_ERROR, FOUND_RIGHT, IS_MISSED, IS_FALSE_ALARM, IS_MIXED_UP, IS_OTHER = range(6)
_MARKS = (DIMMED, FOUND, MISSED, FALSE_ALARM, MIXED_UP, OTHER_ERROR)
_QUALITY = 82
_THROUGH = 0.62


@dataclass(frozen=True)
class Small:
    """A small picture.

    Parameters
    ----------
    data : bytes
        WebP; empty where there is none.
    fault : str
        Why there is none, for people.
    """

    data: bytes = b""
    fault: str = ""


def small_picture(pixels: TilePixels, kind: str, focus: Focus, classes: ClassList) -> Small:
    """Draw a tile small.

    Parameters
    ----------
    pixels : TilePixels
    kind : str
        One of `KINDS`.
    focus : Focus
        Which errors; of a binary dataset, every error is one of class 1.
    classes : ClassList
        Of the dataset.
    """
    picture, exact = _draw(pixels, kind, focus, classes)
    if picture is None:
        return Small(fault=" ".join(pixels.faults) or missing(pixels))
    return encoded(picture, exact=exact)


def encoded(picture: Rgb, *, exact: bool) -> Small:
    """A picture as WebP, lossless where its colours mean something."""
    kept = io.BytesIO()
    options = {"lossless": True} if exact else {"quality": _QUALITY}
    Image.fromarray(np.ascontiguousarray(picture)).save(kept, "WEBP", method=2, **options)
    return Small(kept.getvalue())


def missing(pixels: TilePixels) -> str:
    """Why there is no picture of a tile, for people."""
    absent = [
        name for name, codes in (("ground truth", pixels.truth), ("prediction", pixels.prediction)) if codes is None
    ]
    return f"There is no {' and no '.join(absent or ['picture'])} to show of this tile."


def legend(focus: Focus, classes: ClassList) -> tuple[tuple[str, str], ...]:
    """Names and colours of the errors that pictures of a focus may show."""
    if focus.truth is not None and focus.predicted is not None and focus.truth != focus.predicted:
        return (("this confusion", FALSE_ALARM), ("other errors", OTHER_ERROR))
    both = (("missed", MISSED), ("false alarm", FALSE_ALARM))
    if classes.binary or focus.truth is not None:
        return both
    mixed = (("one class taken for another", MIXED_UP),)
    return mixed if classes.background is None else (*both, *mixed)


def _draw(pixels: TilePixels, kind: str, focus: Focus, classes: ClassList) -> tuple[Rgb | None, bool]:
    """The picture, and whether its colours mean something and must stay exact."""
    photo = photo_of(pixels, BEFORE if kind == BEFORE else "after")
    if kind in (IMAGE, BEFORE):
        return (None if photo is None else averaged(photo, _step(photo))), False
    if kind in (TRUTH, PREDICTION):
        codes = pixels.truth if kind == TRUTH else pixels.prediction
        return (None if codes is None else averaged(paint_labels(codes, classes), _step(codes))), True
    if pixels.truth is None or pixels.prediction is None or pixels.truth.shape != pixels.prediction.shape:
        return None, True
    background = None if classes.background is None else classes.ids.index(classes.background)
    looked_at = focus_on(1) if classes.binary and focus == Focus() else focus
    errors = error_kinds(pixels.truth, pixels.prediction, looked_at, background)
    step = _step(errors)
    marks = reduced_errors(errors, step)
    colors = np.array([rgb(c) for c in _MARKS], np.uint8)
    if kind == ERRORS or photo is None or photo.shape[:2] != errors.shape:
        return colors[marks], True
    return _marked(averaged(photo, step), marks, colors), False


def _marked(picture: Rgb, marks: Codes, colors: Rgb) -> Rgb:
    """Errors over an image: the image shines through large patches, small ones are solid, to be seen."""
    wrong = marks > FOUND_RIGHT
    opacity = np.where(_crowded(wrong), _THROUGH, 1.0)[wrong][:, np.newaxis]
    picture[wrong] = np.rint(opacity * colors[marks[wrong]] + (1 - opacity) * picture[wrong]).astype(np.uint8)
    return picture


def _crowded(wrong: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Whether most of the 5 x 5 marks around each are wrong."""
    around = np.pad(wrong, 2).astype(np.uint8)
    lines = np.sum([around[:, i : i + wrong.shape[1]] for i in range(5)], axis=0)
    near = np.sum([lines[i : i + wrong.shape[0]] for i in range(5)], axis=0)
    return np.asarray(near > 15, bool)


def photo_of(pixels: TilePixels, role: str) -> Rgb | None:
    """The image of a role; a segmentation has but one, whatever is asked for."""
    return pixels.photos.get(role, pixels.photos.get("image"))


def _step(pixels: npt.NDArray[np.uint8]) -> int:
    return max(1, round(int(max(pixels.shape[:2])) / SIDE))


def averaged(picture: Rgb, step: int) -> Rgb:
    """Means of blocks of step x step px, (rows, columns, 3); blocks at the edges may be smaller."""
    return np.array(Image.fromarray(np.ascontiguousarray(picture)).reduce(step))


def paint_labels(codes: Codes, classes: ClassList) -> Rgb:
    """Class colours; ignored pixels grey, predictions outside the class list magenta."""
    table = np.zeros((256, 3), np.uint8)
    for index, entry in enumerate(classes.classes):
        table[index] = rgb(entry.color)
    table[len(classes)] = rgb(OUTSIDE_COLORS[0])
    table[IGNORED] = rgb(IGNORED_COLORS[0])
    painted: Rgb = table[codes]
    return painted


def error_kinds(truth: Codes, prediction: Codes, focus: Focus, background: int | None) -> Codes:
    """What each pixel is to someone who looks at some errors.

    Parameters
    ----------
    truth, prediction : ndarray of uint8, same shape
        Class indices; ``IGNORED`` in the truth, K in the prediction outside the class list.
    focus : Focus
    background : int or None
        Index of the background.

    Returns
    -------
    ndarray of uint8
        ``NO_ERROR``, ``FOUND_RIGHT``, ``IS_MISSED``, ``IS_FALSE_ALARM``, ``IS_MIXED_UP`` or ``IS_OTHER``. Of one
        class: what of it is found, missed, or a false alarm. Of one confusion: its pixels as false alarms, other
        errors as others. Of all classes: missed is what is taken for background, a false alarm is background taken
        for something, and one class taken for another is mixed up.
    """
    found = np.zeros(truth.shape, np.uint8)
    wrong = (truth != prediction) & (truth != IGNORED)
    if focus.truth is None or focus.predicted is None:
        found[wrong] = IS_MIXED_UP
        if background is not None:
            found[wrong & (prediction == background)] = IS_MISSED
            found[wrong & (truth == background)] = IS_FALSE_ALARM
    elif focus.truth == focus.predicted:
        own = truth == focus.truth
        found[own & ~wrong] = FOUND_RIGHT
        found[own & wrong] = IS_MISSED
        found[wrong & (prediction == focus.predicted)] = IS_FALSE_ALARM
    else:
        found[wrong] = IS_OTHER
        found[(truth == focus.truth) & (prediction == focus.predicted)] = IS_FALSE_ALARM
    return found


def reduced_errors(errors: Codes, step: int) -> Codes:
    """One mark a block of step x step px: its most frequent error, however few, else what is found, else nothing.

    Other errors give way to those that are looked at. A mark that stands alone grows to 2 x 2, to be seen.
    """
    if step == 1:
        return errors.copy()
    marks = np.zeros((-(-errors.shape[0] // step), -(-errors.shape[1] // step)), np.uint8)
    most = np.zeros(marks.shape, np.uint32)
    for kind in (IS_MISSED, IS_FALSE_ALARM, IS_MIXED_UP):
        many = _in_blocks(errors == kind, step)
        marks[many > most] = kind
        np.maximum(most, many, out=most)
    for kind in (IS_OTHER, FOUND_RIGHT):
        marks[(marks == NO_ERROR) & (_in_blocks(errors == kind, step) > 0)] = kind
    return _grown(marks)


def _in_blocks(where: npt.NDArray[np.bool_], step: int) -> npt.NDArray[np.uint32]:
    """How many are true in each block; sums of every n-th line are several times as fast as `reduceat`."""
    height, width = (-(-n // step) * step for n in where.shape)
    padded = np.zeros((height, width), np.uint32)
    padded[: where.shape[0], : where.shape[1]] = where
    lines = np.add.reduce([padded[i::step] for i in range(step)])
    found: npt.NDArray[np.uint32] = np.add.reduce([lines[:, i::step] for i in range(step)])
    return found


def _grown(marks: Codes) -> Codes:
    """Marks of errors with none beside them, above or below, cover their neighbours to the right and below too."""
    wrong = np.pad(marks > FOUND_RIGHT, 1)
    beside = wrong[:-2, 1:-1] | wrong[2:, 1:-1] | wrong[1:-1, :-2] | wrong[1:-1, 2:]
    lone = np.where((marks > FOUND_RIGHT) & ~beside, marks, NO_ERROR)
    for down, right in ((0, 1), (1, 0), (1, 1)):
        moved = np.zeros_like(marks)
        moved[down:, right:] = lone[: len(lone) - down, : lone.shape[1] - right]
        free = (marks <= FOUND_RIGHT) & (moved > NO_ERROR)
        marks = np.where(free, moved, marks)
    return marks
