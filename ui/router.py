"""The pages and the way between them."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

_HERE = Path(__file__).resolve().parent
ICON = str(_HERE / "icon.png")
LOGO = str(_HERE / "logo.svg")

DATA, OVERVIEW, WORST_TILES = "pages/data.py", "pages/overview.py", "pages/worst_tiles.py"
SMALL_OBJECTS = "pages/small_and_narrow.py"
_ROUTED, _ROOT = "_routed", "Orthoscope"


def navigation() -> StreamlitPage:
    """Declare the pages and give back the one that was asked for."""
    st.session_state[_ROUTED] = True
    page = _declare()
    if page.title == _ROOT:
        st.switch_page(DATA, query_params={name: st.query_params.get_all(name) for name in st.query_params})
    return page


def require_router() -> None:
    """Hand over to the router; every page calls this first.

    A server whose first visitor opens a page by its address finds the folder ``pages`` before it knows of the router
    and runs that file alone, without the entry file. Declaring the pages once ends that.
    """
    if not st.session_state.get(_ROUTED):
        _declare()
        st.rerun()


def _declare() -> StreamlitPage:
    # The icon comes first: without one of our own, the browser would fetch the page's from the net.
    st.set_page_config(page_icon=ICON, layout="wide")
    return st.navigation(_pages(), position="top")


def _root() -> None:
    """Nothing: whoever comes to the root is sent on before any page is drawn."""


def _pages() -> list[StreamlitPage]:
    return [
        # The default page answers at the root alone. It is not Data, which has an address as the others have.
        st.Page(_root, title=_ROOT, url_path="root", default=True, visibility="hidden"),
        st.Page(
            DATA,
            title="Data",
            icon=":material/folder_open:",
            help="What the workspace holds, how its files are read, and scoring.",
        ),
        st.Page(
            OVERVIEW,
            title="Overview",
            icon=":material/monitoring:",
            help="How good is the run, in every convention, by class, and what is taken for what.",
        ),
        st.Page(
            WORST_TILES,
            title="Worst tiles",
            icon=":material/grid_view:",
            help="The tiles that cost the most, ranked, each with its image, ground truth, prediction and errors.",
        ),
        st.Page(
            SMALL_OBJECTS,
            title="Small and narrow objects",
            icon=":material/scatter_plot:",
            help="What became of the objects: by class, by size and by width, and a gallery of them.",
        ),
    ]
