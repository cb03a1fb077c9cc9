"""Parts of large tiles in full resolution: the viewer asks for what it shows, and only that is read and sent.

A component of its own, without a face, in a fragment of its own: an answer runs neither the page nor the ranking, and
the pictures of the tile and its neighbours are not sent again. The two find each other by name, through events of the
document (``channel.js`` and ``js/crops.js``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from analysis.catalogue.tiling import Window
from analysis.errors import OrthoscopeError
from analysis.pictures.layers import TileLayers
from analysis.pictures.pixels import step_of
from ui.viewer.payload import ViewedTile, pictures

ReadCrop = Callable[[ViewedTile, Window], TileLayers]

_MOST_PX = 1 << 31


@dataclass(frozen=True)
class CropRequest:
    """What the viewer would like to see more closely.

    Parameters
    ----------
    tile, digest : str
        Id of the tile, and which pictures of it the viewer shows.
    part : Window
        Rows and columns of the tile.
    number : int
        Counts the viewer's requests.
    """

    tile: str
    digest: str
    part: Window
    number: int

    def is_about(self, layers: TileLayers) -> bool:
        """Whether the part lies on this tile and would show more than its pictures do."""
        (top, bottom), (left, right) = self.part.rows, self.part.columns
        if (self.tile, self.digest) != (layers.tile, layers.digest) or bottom > layers.height or right > layers.width:
            return False
        return step_of(bottom - top, right - left) < layers.step


_component = st.components.v2.component(
    "orthoscope_tile_crop",
    html="<!-- no face\n-->",
    js=(Path(__file__).parent / "channel.js").read_text(encoding="utf-8"),
)


@st.fragment
def draw_crop(current: ViewedTile, read: ReadCrop, key: str) -> None:
    """Answer what the viewer asked for last.

    Parameters
    ----------
    current : ViewedTile
    read : callable
        Reads a part of a tile.
    key : str
        Of the viewer.
    """
    own, kept = f"{key}_crop", f"_{key}_wanted"

    def wanted() -> None:
        st.session_state[kept] = st.session_state[own].get("wanted")

    request = crop_request(st.session_state.get(kept))
    _component(key=own, data=crop_payload(request, current, read, key), on_wanted_change=wanted, height="content")


def crop_payload(request: CropRequest | None, current: ViewedTile, read: ReadCrop, name: str) -> dict[str, Any]:
    """The data of the component, JSON-able: the part that was asked for, if it is one of the current tile."""
    data: dict[str, Any] = {"name": name, "answered": request.number if request else 0, "crop": None, "refused": False}
    if request is None or not request.is_about(current.layers):
        return data
    try:
        layers = read(current, request.part)
    except OrthoscopeError:  # the files were moved; the page says so when it is drawn again
        return {**data, "refused": True}
    place = {"top": request.part.rows[0], "left": request.part.columns[0]}
    return {**data, "crop": {**pictures(layers), **place, "of": current.layers.digest}}


def crop_request(raw: object) -> CropRequest | None:
    """What the browser sent, if it is a request for a part of a tile."""
    if not isinstance(raw, Mapping):
        return None
    names, edges = (raw.get("tile"), raw.get("digest")), raw.get("part")
    if not all(isinstance(name, str) for name in names) or not isinstance(edges, list | tuple) or len(edges) != 4:
        return None
    numbers = [*edges, raw.get("number")]
    if not all(isinstance(n, int | float) and 0 <= n < _MOST_PX and n == int(n) for n in numbers):
        return None
    top, left, bottom, right, number = (int(n) for n in numbers)
    if top >= bottom or left >= right:
        return None
    return CropRequest(str(names[0]), str(names[1]), Window((top, bottom), (left, right)), number)
