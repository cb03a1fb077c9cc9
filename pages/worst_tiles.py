"""Worst tiles: which tiles cost the most, and what went wrong on them."""

import streamlit as st

from ui import empty, errors, router, run_cards, selection
from ui.worst_tiles import page

router.require_router()
with errors.shown():
    run = selection.current_run()
    if run is None:
        st.subheader(page.TITLE, anchor=False)
        empty.draw_no_run()
    elif not run.scored:
        st.subheader(page.TITLE, anchor=False)
        run_cards.draw_unscored(run)
    else:
        page.draw(selection.current_view(run))
