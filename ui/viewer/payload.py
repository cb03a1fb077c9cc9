"""What the viewer is told: pictures as data URLs, names as plain text, colours, and what to begin with."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from analysis.pictures.colors import (
    DIMMED,
    FALSE_ALARM,
    FOUND,
    IGNORED_COLORS,
    MISSED,
    OTHER_ERROR,
    OUTSIDE_COLORS,
)
from analysis.pictures.focus import Focus
from analysis.pictures.layers import TileLayers
from analysis.words.classes import ClassList

Layout = Literal["side", "single"]

HEADINGS = ("IoU", "Precision", "Recall", "Ground truth px", "Predicted px")
"""Of the numbers by class."""

_ROLES = {"image": "Image", "before": "Before", "after": "After"}


@dataclass(frozen=True)
class TileNumbers:
    """Numbers of a tile by class, as text.

    Parameters
    ----------
    rows : sequence of (int, str, ...)
        Class index, and a cell for each of `HEADINGS`.
    absent : str
        Names of the classes that are in neither map.
    """

    rows: Sequence[tuple[Any, ...]] = ()
    absent: str = ""


@dataclass(frozen=True)
class ViewedTile:
    """A tile as the viewer shows it.

    Parameters
    ----------
    layers : TileLayers
        Its id names it in events.
    title, note : str
        Plain text: what stands above the pictures, and what is said about the tile beside it.
    numbers : TileNumbers
        What stands below them.
    notices : sequence of (str, str)
        Level and text of what must be known about the tile.
    """

    layers: TileLayers
    title: str
    note: str = ""
    numbers: TileNumbers = TileNumbers()
    notices: Sequence[tuple[str, str]] = ()

    @property
    def id(self) -> str:
        """The tile's id."""
        return self.layers.tile


@dataclass(frozen=True)
class ViewerView:
    """What the page looks at; what the user sets in the viewer itself stays in the browser.

    Parameters
    ----------
    focus : Focus
        Which errors are lit: of all classes, of one class, or one cell of the confusion matrix.
    place : (int, int) or None
        The current tile's place in the order, from 0, and how many there are.
    layout : {"side", "single"}
        How a session that has not chosen yet begins.
    frame : (int, int, int, int) or None
        An object of the current tile: top, left, bottom and right in px of the tile in full, half-open. It is outlined,
        and the view moves to it when it differs from the last one.
    """

    focus: Focus = Focus()
    place: tuple[int, int] | None = None
    layout: Layout = "side"
    frame: tuple[int, int, int, int] | None = None


def payload(
    current: ViewedTile,
    previous: ViewedTile | None,
    following: ViewedTile | None,
    *,
    classes: ClassList,
    view: ViewerView,
    name: str,
    answered: int,
) -> dict[str, Any]:
    """The data of the component, JSON-able.

    Parameters
    ----------
    name : str
        Under which the browser keeps the user's settings for the session.
    answered : int
        Number of the last step of the user that this data is an answer to.
    """
    background = None if classes.background is None else classes.ids.index(classes.background)
    return {
        "name": name,
        "answered": answered,
        "current": _tile(current),
        "previous": _tile(previous),
        "following": _tile(following),
        "place": list(view.place) if view.place else None,
        "layout": view.layout,
        "frame": list(view.frame) if view.frame else None,
        "focus": {"truth": view.focus.truth, "predicted": view.focus.predicted},
        "classes": [{"name": c.name, "color": c.color} for c in classes.classes],
        "headings": list(HEADINGS),
        "background": background,
        "colors": {
            "falseAlarm": FALSE_ALARM,
            "missed": MISSED,
            "found": FOUND,
            "other": OTHER_ERROR,
            "right": DIMMED,
            "ignored": list(IGNORED_COLORS),
            "outside": list(OUTSIDE_COLORS),
        },
    }


def _tile(tile: ViewedTile | None) -> dict[str, Any] | None:
    if tile is None:
        return None
    return {
        **pictures(tile.layers),
        "title": tile.title,
        "note": tile.note,
        "numbers": {"rows": [list(row) for row in tile.numbers.rows], "absent": tile.numbers.absent},
        "notices": [list(notice) for notice in tile.notices],
    }


def pictures(layers: TileLayers) -> dict[str, Any]:
    """The pictures of a tile, or of a part of it, JSON-able."""
    return {
        "id": layers.tile,
        "digest": layers.digest,
        "height": layers.height,
        "width": layers.width,
        "step": layers.step,
        "gsd": layers.gsd,
        "photos": [
            {"role": role, "label": _ROLES.get(role, role), "url": _url("image/webp", data)}
            for role, data in layers.photos
        ],
        "truth": _url("image/png", layers.truth),
        "prediction": _url("image/png", layers.prediction),
        "faults": list(layers.faults),
    }


def _url(kind: str, data: bytes | None) -> str | None:
    return None if data is None else f"data:{kind};base64,{base64.b64encode(data).decode('ascii')}"
