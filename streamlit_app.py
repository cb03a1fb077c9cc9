"""Orthoscope: where does this model fail, and why? The entry file: page frame, navigation and selection bar.

streamlit run streamlit_app.py -- --workspace FILE
"""

import streamlit as st

from ui import router

page = router.navigation()
st.logo(router.LOGO, size="large")

# The navigation first: the modules below take a second to load, and the page should not look strange meanwhile.
from ui import errors, garbage, selection  # noqa: E402

with errors.shown():
    selection.draw_bar()
    page.run()
garbage.spare_modules()
