"""Label maps and errors as pictures, enlarged by whole steps so that every pixel stays a sharp square."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analysis.pictures.colors import (
    DIMMED,
    FALSE_ALARM,
    FOUND,
    IGNORED_COLORS,
    MISSED,
    OTHER_ERROR,
    OUTSIDE_COLORS,
    Swatch,
    class_table,
    rgb,
)
from analysis.pictures.pixels import Codes, Rgb
from analysis.words.classes import IGNORED, ClassList

_ENLARGED = 768  # px; what a panel of a screen shows
_STRIPE = 5  # px of the enlarged picture
_DARK = 0.36
_FOUND_PHOTO = 0.35

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Focus:
    """Which errors a picture shows.

    Parameters
    ----------
    truth, predicted : int or None
        Class indices. Neither: every wrong pixel. The same in both: that class's hits, false alarms and misses. Two
        different ones: the pixels of one class that are predicted as the other, K being outside the class list.
    """

    truth: int | None = None
    predicted: int | None = None

    @property
    def one_class(self) -> bool:
        """Whether one class is looked at."""
        return self.truth is not None and self.truth == self.predicted


def focus_on(index: int) -> Focus:
    """One class's hits, false alarms and misses."""
    return Focus(index, index)


def enlarge(picture: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Repeat every pixel so that the longer side comes near 768 px; pictures over half of that stay as they are."""
    times = max(1, _ENLARGED // max(picture.shape[:2]))
    return picture.repeat(times, axis=0).repeat(times, axis=1) if times > 1 else picture


def class_picture(codes: Codes, classes: ClassList) -> Rgb:
    """A label map in the colours of its classes; ignored px and px outside the class list are striped.

    Parameters
    ----------
    codes : ndarray of uint8, shape (rows, columns)
        Class indices, ``IGNORED``, or K for outside the class list.
    """
    large = enlarge(codes)
    picture = class_table(classes)[large]
    _stripe(picture, large == IGNORED, IGNORED_COLORS)
    _stripe(picture, large == len(classes), OUTSIDE_COLORS)
    return picture


def error_picture(truth: Codes, prediction: Codes, classes: ClassList, focus: Focus, photo: Rgb | None) -> Rgb:
    """Where the prediction is wrong, on the darkened image.

    Parameters
    ----------
    truth, prediction : ndarray of uint8, shape (rows, columns)
        Class indices, ``IGNORED`` in the truth, K outside the class list in the prediction.
    focus : Focus
    photo : ndarray of uint8, shape (rows, columns, 3), or None
        Without it the ground is plain grey.

    Returns
    -------
    ndarray of uint8, shape (rows', columns', 3)
        Enlarged. Right px are the darkened image; what else stands for what is in `error_legend`.
    """
    t, p = enlarge(truth), enlarge(prediction)
    grey = _grey(t.shape, photo)
    picture = np.repeat((grey * _DARK).astype(np.uint8)[..., np.newaxis], 3, axis=2)
    seen = t != IGNORED
    wrong = seen & (t != p)
    if focus.truth is None or focus.predicted is None:
        picture[wrong] = class_table(classes)[t[wrong]]
    elif focus.one_class:
        is_truth, is_predicted = seen & (t == focus.truth), seen & (p == focus.truth)
        both = is_truth & is_predicted
        blend = (1 - _FOUND_PHOTO) * np.array(rgb(FOUND)) + _FOUND_PHOTO * grey[both][:, np.newaxis]
        picture[both] = blend.astype(np.uint8)
        picture[is_predicted & ~is_truth] = rgb(FALSE_ALARM)
        picture[is_truth & ~is_predicted] = rgb(MISSED)
    else:
        picture[wrong] = rgb(OTHER_ERROR)
        picture[wrong & (t == focus.truth) & (p == focus.predicted)] = rgb(FALSE_ALARM)
    _stripe(picture, ~seen, IGNORED_COLORS)
    if focus.truth is None or (not focus.one_class and focus.predicted != len(classes)):
        _stripe(picture, seen & (p == len(classes)), OUTSIDE_COLORS)
    return picture


def error_legend(classes: ClassList, focus: Focus, *, ignored: bool, outside: bool) -> list[Swatch]:
    """What the colours of `error_picture` stand for.

    Parameters
    ----------
    ignored, outside : bool
        Whether there are such px.
    """
    names = (*classes.names, "outside the class list")
    legend = [Swatch(DIMMED, "right")]
    if focus.truth is None or focus.predicted is None:
        legend += [Swatch(c.color, f"wrong, should be {c.name}") for c in classes.classes]
    elif focus.one_class:
        name = names[focus.truth]
        legend = [
            Swatch(FOUND, f"{name}, found (TP)"),
            Swatch(FALSE_ALARM, f"not {name}, but predicted as it (FP)"),
            Swatch(MISSED, f"{name}, missed (FN)"),
            Swatch(DIMMED, "all else"),
        ]
    else:
        legend += [
            Swatch(FALSE_ALARM, f"{names[focus.truth]} predicted as {names[focus.predicted]}"),
            Swatch(OTHER_ERROR, "other errors"),
        ]
    if ignored:
        legend.append(Swatch(IGNORED_COLORS[0], "ignored in the ground truth", IGNORED_COLORS[1]))
    if outside and (focus.truth is None or (not focus.one_class and focus.predicted != len(classes))):
        legend.append(Swatch(OUTSIDE_COLORS[0], "wrong, predicted outside the class list", OUTSIDE_COLORS[1]))
    return legend


def _grey(shape: tuple[int, ...], photo: Rgb | None) -> npt.NDArray[np.float64]:
    if photo is None:
        return np.full(shape, 110.0)
    grey: npt.NDArray[np.float64] = enlarge(photo) @ np.array([0.299, 0.587, 0.114])
    return grey


def _stripe(picture: Rgb, where: Mask, colors: tuple[str, str]) -> None:
    """Fill with diagonal stripes, in place."""
    if not where.any():
        return
    rows, columns = np.nonzero(where)
    first = (rows + columns) // _STRIPE % 2 == 0
    picture[rows, columns] = np.where(first[:, np.newaxis], rgb(colors[0]), rgb(colors[1]))
