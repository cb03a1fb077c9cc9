"""Overview: how good the run is, in every convention, by class, and what is taken for what."""

import streamlit as st

from ui import errors, overview_page, router, run_cards, selection

router.require_router()
with errors.shown():
    run = selection.current_run()
    st.title("Overview", anchor=False)
    if run is None:
        overview_page.draw_no_run()
    elif not run.scored:
        run_cards.draw_unscored(run)
    else:
        view = selection.current_view(run)
        overview_page.draw_headline(view)
        overview_page.draw_conventions(view)
        overview_page.draw_classes(view)
        overview_page.draw_charts(view)
