"""What stands on a page where there is nothing to show."""

from __future__ import annotations

import streamlit as st

from ui import router
from ui.selection import View


def draw_no_run() -> None:
    """Help where the workspace describes no run."""
    st.info("The workspace describes no run yet.", icon=":material/info:")
    st.page_link(router.DATA, label="What the workspace holds", icon=":material/arrow_forward:")


def draw_no_tile(view: View) -> None:
    """Why there is no scored tile: the filters, or the run."""
    if view.filtered:
        st.info(
            "No scored tile passes the filters. Clear one of them to see tiles again.", icon=":material/filter_alt:"
        )
    else:
        st.info("No tile of this run could be scored; the Data page says why.", icon=":material/block:")
        st.page_link(router.DATA, label="Reasons", icon=":material/arrow_forward:")
