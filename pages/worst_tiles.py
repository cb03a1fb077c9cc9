"""Worst tiles: which tiles cost the most, and what went wrong on them."""

import streamlit as st

from ui import errors, overview_page, router, run_cards, selection, worst_page

router.require_router()
with errors.shown():
    run = selection.current_run()
    if run is None:
        st.title(worst_page.TITLE, anchor=False)
        overview_page.draw_no_run()
    elif not run.scored:
        st.title(worst_page.TITLE, anchor=False)
        run_cards.draw_unscored(run)
    else:
        worst_page.draw(selection.current_view(run))
