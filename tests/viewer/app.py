"""An app around the tile viewer alone, for the tests in a browser; environment variables name workspace and tiles."""

from __future__ import annotations

import os

import streamlit as st

from analysis import open_workspace
from analysis.catalogue.tiling import Window
from analysis.pictures.focus import Focus
from analysis.pictures.layers import TileLayers, tile_layers
from analysis.pictures.tile import TileFinder
from ui.viewer.component import ViewerEvent, tile_viewer
from ui.viewer.payload import ViewedTile, ViewerView

st.set_page_config(layout="wide")
run = open_workspace(os.environ["VIEWER_WORKSPACE"]).runs[0]
finder = TileFinder(run)
names = os.environ["VIEWER_TILES"].split("|")


@st.cache_resource(max_entries=100)
def layers_of(name: str) -> TileLayers:
    return tile_layers(finder.pixels(name), run.dataset.classes, 0.25)


def crop_of(tile: ViewedTile, part: Window) -> TileLayers:
    if log := os.environ.get("VIEWER_CROPS"):
        with open(log, "a") as file:
            file.write(f"{tile.id} {part.rows} {part.columns}\n")
    return tile_layers(finder.pixels(tile.id, part, tile.layers.limits), run.dataset.classes, 0.25)


def viewed(at: int) -> ViewedTile | None:
    if not 0 <= at < len(names):
        return None
    return ViewedTile(layers_of(names[at]), f"<i>{names[at]}</i> **b**", "a & b")


def moved(event: ViewerEvent) -> None:
    at = names.index(event.tile) + event.ahead
    st.query_params["tile"] = names[max(0, min(len(names) - 1, at))]


def frames(name: str) -> tuple[int, int, int, int] | None:
    """Of a link such as ``?frame=tile_1:10,20,30,40``, where it is about this tile."""
    tile, _, edges = st.query_params.get("frame", "").partition(":")
    if tile != name:
        return None
    top, left, bottom, right = (int(edge) for edge in edges.split(","))
    return top, left, bottom, right


def set_frame() -> None:
    st.query_params["frame"] = st.session_state["field"]


@st.fragment
def browse() -> None:
    at = names.index(st.query_params.get("tile", names[0]))
    lit = st.query_params.get("lit")
    focus = Focus(*(int(i) for i in lit.split("-"))) if lit else Focus()
    current = viewed(at)
    assert current is not None
    st.text_input("Field", key="field")
    st.button("Again", key="again")
    st.button("Frame it", key="frame", on_click=set_frame)
    tile_viewer(
        current,
        viewed(at - 1),
        viewed(at + 1),
        classes=run.dataset.classes,
        view=ViewerView(focus, (at, len(names)), frame=frames(names[at])),
        key="viewer",
        on_step=moved,
        read_crop=crop_of,
    )


browse()
