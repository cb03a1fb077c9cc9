"""The tile viewer: one component, registered when this module is imported."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from analysis.words.classes import ClassList
from ui.viewer.crop import ReadCrop, draw_crop
from ui.viewer.payload import ViewedTile, ViewerView, payload

_FOLDER = Path(__file__).parent
# One module in the browser: the files share its scope, and what is used at the top level stands before its use.
_SCRIPTS = (
    "state",
    "decode",
    "tables",
    "shade",
    "view",
    "framed",
    "draw",
    "scale_bar",
    "panels",
    "legend",
    "controls",
    "numbers",
    "steps",
    "crops",
    "keys",
    "pointer",
    "save",
    "main",
)
_MOST_AHEAD = 10_000


@dataclass(frozen=True)
class ViewerEvent:
    """The user has moved on.

    Parameters
    ----------
    tile : str
        Id of the neighbour that the viewer shows by now.
    ahead : int
        How many steps further the user has asked for meanwhile: forward, or back where negative. Usually 0. The page
        shows the tile that many places on from ``tile``, or the last one on the way.
    """

    tile: str
    ahead: int = 0


def _read(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def script() -> str:
    """The component's JavaScript, one module."""
    return "\n".join(_read(f"js/{name}.js") for name in _SCRIPTS)


_component = st.components.v2.component(
    "orthoscope_tile_viewer", html=_read("viewer.html"), css=_read("viewer.css"), js=script()
)


def tile_viewer(
    current: ViewedTile,
    previous: ViewedTile | None = None,
    following: ViewedTile | None = None,
    *,
    classes: ClassList,
    view: ViewerView,
    key: str,
    on_step: Callable[[ViewerEvent], None] | None = None,
    on_rest: Callable[[], None] | None = None,
    read_crop: ReadCrop | None = None,
) -> ViewerEvent | None:
    """Show a tile; its neighbours are at hand in the browser, so that a step needs no answer to be seen.

    Parameters
    ----------
    current, previous, following : ViewedTile
        None where the order ends.
    classes : ClassList
        Of the dataset.
    view : ViewerView
    key : str
        Of the component; the user's zoom and settings last as long as it stays the same.
    on_step : callable, optional
        Told of a step before the page is drawn again: the place to set the tile in the URL.
    on_rest : callable, optional
        Told when the user stays on a tile after steps: the place to draw anew what else shows which tile is chosen.
    read_crop : callable, optional
        Reads a part of a tile whose pictures are reduced; without it they stay coarse when they are magnified.

    Returns
    -------
    ViewerEvent or None
        The step that this run of the page is about.
    """
    answered = f"_{key}_answered"
    known = {tile.id for tile in (current, previous, following) if tile}

    def stepped() -> None:
        raw = st.session_state[key].get("step")
        event = _event(raw, known)
        if event is not None:
            st.session_state[answered] = _number(raw, "number")
            if on_step is not None:
                on_step(event)

    def rested() -> None:
        if on_rest is not None and st.session_state[key].get("rested"):
            on_rest()

    data = payload(
        current,
        previous,
        following,
        classes=classes,
        view=view,
        name=key,
        answered=st.session_state.get(answered, 0),
    )
    result = _component(key=key, data=data, on_step_change=stepped, on_rested_change=rested, height="content")
    if read_crop is not None and current.layers.step > 1:
        draw_crop(current, read_crop, key)
    # By now the neighbours have changed; that the tile was one of them was checked in the callback.
    return _event(result.get("step"), None)


def _event(raw: object, known: set[str] | None) -> ViewerEvent | None:
    """What the browser sent, if it is a step to a tile that it was given."""
    if not isinstance(raw, Mapping) or not isinstance(raw.get("tile"), str):
        return None
    if known is not None and raw["tile"] not in known:
        return None
    return ViewerEvent(raw["tile"], max(-_MOST_AHEAD, min(_MOST_AHEAD, _number(raw, "ahead"))))


def _number(raw: Mapping[str, Any], name: str) -> int:
    value = raw.get(name)
    return int(value) if isinstance(value, int | float) and abs(value) < 1e15 else 0
