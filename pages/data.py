"""Data: what the workspace holds, how its files are read, and scoring."""

import streamlit as st

from ui import data_page, errors, router, run_cards, selection

router.require_router()
with errors.shown():
    opened = selection.current_workspace()
    data_page.draw_head(opened)
    if not opened.runs:
        data_page.draw_nothing_there(opened)
    else:
        run_cards.draw(opened.runs)

    run = selection.current_run()
    if run is not None:
        data_page.draw_run(run)

    if opened.datasets:
        st.header("Datasets", anchor=False)
        data_page.draw_datasets(opened)
