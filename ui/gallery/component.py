"""A gallery of tiles, or of objects on them: one component, registered when this module is imported."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from analysis.pictures.small import Small

_FOLDER = Path(__file__).parent
_MOST_SENT = 300  # digests remembered; the browser keeps more pictures than that
_component = st.components.v2.component(
    "orthoscope_gallery",
    html=(_FOLDER / "gallery.html").read_text(encoding="utf-8"),
    css=(_FOLDER / "gallery.css").read_text(encoding="utf-8"),
    js=(_FOLDER / "gallery.js").read_text(encoding="utf-8"),
)


@dataclass(frozen=True)
class GalleryTile:
    """A tile in a gallery; all plain text.

    Parameters
    ----------
    id : str
    number : str
        Its place in the order, for people.
    said : str
        Its value with what it is, for the alternative text.
    value : str
        Its value.
    picture : Small or None
        None: still being made.
    name : str
        What stands below it; empty: the id.
    about : str
        What the alternative text begins with; empty: the tile and its id.
    """

    id: str
    number: str
    said: str
    value: str
    picture: Small | None
    name: str = ""
    about: str = ""


@dataclass(frozen=True)
class GalleryPage:
    """Which page of how many a gallery shows, both from 1, and a label that says so for screen readers."""

    page: int
    many: int
    label: str


def gallery(
    tiles: Sequence[GalleryTile],
    chosen: str,
    page: GalleryPage,
    legend: Sequence[tuple[str, str]],
    *,
    key: str,
    on_pick: Callable[[str], None],
    on_turn: Callable[[int], None],
    flowing: bool = False,
    call: int = 0,
) -> None:
    """Show a page of tiles. While pictures are missing, the browser asks for the page again.

    Parameters
    ----------
    tiles : sequence of GalleryTile
    chosen : str
        Id of the tile that is outlined; it need not be on this page.
    page : GalleryPage
    legend : sequence of (str, str)
        Names and colours of what is drawn into the pictures.
    on_pick, on_turn : callable
        Told the id of a tile that the user has picked, and the number of a page that was turned to.
    flowing : bool
        Larger pictures, all of a page in sight, instead of a box of its own that scrolls.
    call : int
        When it changes to another number than 0, the browser scrolls the gallery into view.
    """
    sent: set[str] = st.session_state.setdefault(f"_{key}_sent", set())
    known = {tile.id for tile in tiles}

    def picked() -> None:
        raw = st.session_state[key].get("pick")
        if isinstance(raw, Mapping) and raw.get("tile") in known:
            on_pick(raw["tile"])

    def turned() -> None:
        raw = st.session_state[key].get("turn")
        to = raw.get("page") if isinstance(raw, Mapping) else None
        if isinstance(to, int | float) and 1 <= to <= page.many:
            on_turn(int(to))

    data = {
        "tiles": [_told(tile, sent) for tile in tiles],
        "chosen": chosen,
        "label": page.label,
        "page": page.page,
        "pages": page.many,
        "flowing": flowing,
        "call": call,
        "legend": [{"name": name, "color": color} for name, color in legend],
    }
    _component(
        key=key,
        data=data,
        on_pick_change=picked,
        on_turn_change=turned,
        on_more_change=lambda: None,
        on_lost_change=sent.clear,
        height="content",
    )


def _told(tile: GalleryTile, sent: set[str]) -> dict[str, Any]:
    """What the browser is told of a tile: its picture only once."""
    told: dict[str, Any] = {
        "id": tile.id,
        "number": tile.number,
        "value": tile.value,
        "name": tile.name or tile.id,
        "alt": f"{tile.about or f'tile {tile.id}'}, {tile.said}, {tile.number}",
    }
    if tile.picture is None:
        return told
    if not tile.picture.data:
        return told | {"fault": tile.picture.fault}
    digest = hashlib.blake2b(tile.picture.data, digest_size=9).hexdigest()
    told["digest"] = digest
    if digest not in sent:
        if len(sent) >= _MOST_SENT:
            sent.clear()
        sent.add(digest)
        told["url"] = "data:image/webp;base64," + base64.b64encode(tile.picture.data).decode("ascii")
    return told
