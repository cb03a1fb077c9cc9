"""An app around the tile viewer alone, for the tests in a browser; an environment variable names its workspace."""

from __future__ import annotations

import os

import streamlit as st

from analysis import open_workspace
from analysis.pictures.focus import Focus
from analysis.pictures.layers import TileLayers, tile_layers
from analysis.pictures.tile import TileFinder
from ui.viewer.component import ViewerEvent, tile_viewer
from ui.viewer.payload import ViewedTile, ViewerView

st.set_page_config(layout="wide")
run = open_workspace(os.environ["VIEWER_WORKSPACE"]).runs[0]
finder = TileFinder(run)
names = [f"tile_{i}" for i in range(int(os.environ["VIEWER_TILES"]))]


@st.cache_resource(max_entries=100)
def layers_of(name: str) -> TileLayers:
    return tile_layers(finder.pixels(name), run.dataset.classes, 0.25)


def viewed(at: int) -> ViewedTile | None:
    if not 0 <= at < len(names):
        return None
    return ViewedTile(layers_of(names[at]), f"<i>{names[at]}</i> **b**", "a & b")


def moved(event: ViewerEvent) -> None:
    at = names.index(event.tile) + event.ahead
    st.query_params["tile"] = names[max(0, min(len(names) - 1, at))]


@st.fragment
def browse() -> None:
    at = names.index(st.query_params.get("tile", names[0]))
    lit = st.query_params.get("lit")
    focus = Focus(*(int(i) for i in lit.split("-"))) if lit else Focus()
    current = viewed(at)
    assert current is not None
    st.text_input("Field", key="field")
    st.button("Again", key="again")
    view = ViewerView(focus, (at, len(names)))
    tile_viewer(
        current, viewed(at - 1), viewed(at + 1), classes=run.dataset.classes, view=view, key="viewer", on_step=moved
    )


browse()
