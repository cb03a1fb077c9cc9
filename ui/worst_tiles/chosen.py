"""The chosen tile: its id stands in the URL, and it stays chosen as long as it passes the filters."""

from __future__ import annotations

import numpy as np
import streamlit as st

from analysis.pictures.object_crop import Box
from ui import loaders
from ui.selection import View
from ui.text import escape
from ui.worst_tiles.ranking import Ranked

TILE, OBJECT = "tile", "object"
_LAST = "_last_tile"
_SIDES = ("top", "left", "bottom", "right")


def choose_tile(name: str) -> None:
    """Put a tile into the URL; an object that it framed is of the last one."""
    st.query_params[TILE] = name
    st.query_params.pop(OBJECT, None)


def restore_tile(view: View) -> None:
    """Take up the tile of the last visit to the page, unless the link names one, or a ranking of its own."""
    run, name = st.session_state.get(_LAST, ("", ""))
    if run == view.run.key and not {TILE, "rank"} & set(st.query_params):
        st.query_params[TILE] = name


def place_of(view: View, ranked: Ranked) -> int:
    """Place of the tile that the URL names; the first where it names none, or one that is not here, which is said."""
    wanted = st.query_params.get(TILE)
    if wanted is None:
        return 0
    at = ranked.places.get(wanted)
    if at is None:
        st.session_state.pop(_LAST, None)
        why = _why_not(view, wanted)
        st.warning(f"The tile {escape(wanted)} {why}. The first in this order is shown.", icon=":material/link_off:")
        return 0
    st.session_state[_LAST] = (view.run.key, wanted)
    if at >= ranked.many:
        st.caption(f":material/data_alert: {escape(wanted)} stays chosen. It has no value here and is listed apart.")
    return at


def framed(view: View) -> Box | None:
    """The box of the object that the URL names, on the tile that it names; an object that is not there is said.

    Objects are numbered within their tile from 1, as in the CSV of objects.
    """
    wanted, tile = st.query_params.get(OBJECT), st.query_params.get(TILE)
    if wanted is None:
        return None
    at = np.flatnonzero((view.every.tiles["id"] == tile).to_numpy())
    if wanted.isascii() and wanted.isdigit() and len(wanted) < 10 and len(at):
        table = loaders.objects(view.run)
        first, last = np.searchsorted(table["tile"], [at[0], at[0] + 1])
        if 1 <= int(wanted) <= last - first:
            top, left, bottom, right = (int(table[name][first + int(wanted) - 1]) for name in _SIDES)
            return top, left, bottom, right
    st.warning(f"The link names an object that this tile does not have: {escape(wanted)}.", icon=":material/link_off:")
    return None


def _why_not(view: View, wanted: str) -> str:
    rows = view.every.tiles[view.every.tiles["id"] == wanted]
    refused = rows[rows["status"] == "refused"]
    if len(refused):
        return f"was refused and has no pictures to compare: {escape(refused['reason'].iloc[0])}"
    return "does not pass the filters" if len(rows) else "is not in this run"
