"""Overview: how good the run is, what stands out, by class, what is taken for what, by scene, and where the loss is."""

import streamlit as st

from ui import empty, errors, router, run_cards, selection
from ui.overview import page

router.require_router()
with errors.shown():
    run = selection.current_run()
    st.title("Overview", anchor=False)
    if run is None:
        empty.draw_no_run()
    elif not run.scored:
        run_cards.draw_unscored(run)
    else:
        page.draw(selection.current_view(run))
