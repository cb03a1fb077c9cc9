"""Data: what the workspace holds, how its files are read, and scoring."""

import streamlit as st

from ui import cache_box, data_page, errors, router, run_cards, selection
from ui.workspace_editor import editor, welcome

router.require_router()
with errors.shown():
    opened = selection.current_workspace()
    form = editor.form_of(opened.workspace.path)
    if form is not None:
        editor.draw(opened, form)
        st.stop()

    data_page.draw_head(opened)
    welcome.draw_said(opened)
    if not opened.datasets:
        welcome.draw_empty(opened)
    elif not opened.runs:
        welcome.draw_run_next(opened)
    else:
        run_cards.draw(opened.runs)

    run = selection.current_run()
    if run is not None:
        data_page.draw_run(run)

    if opened.datasets:
        st.header("Datasets", anchor=False)
        data_page.draw_datasets(opened)
    cache_box.draw(opened)
