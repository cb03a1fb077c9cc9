"""Small and narrow objects: what became of them by class, size and width, where the IoU goes, and a gallery."""

import streamlit as st

from ui import empty, errors, router, run_cards, selection
from ui.small_objects import page

router.require_router()
with errors.shown():
    run = selection.current_run()
    st.title("Small and narrow objects", anchor=False)
    if run is None:
        empty.draw_no_run()
    elif not run.scored:
        run_cards.draw_unscored(run)
    else:
        page.draw(selection.current_view(run))
