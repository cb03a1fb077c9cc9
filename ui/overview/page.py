"""The page as a whole."""

from __future__ import annotations

import streamlit as st

from ui import empty
from ui.choice import restore
from ui.overview import classes, conventions, headline, loss, matrix, scenes
from ui.overview.numbers import numbers
from ui.selection import View


def draw(view: View) -> None:
    """All sections, in reading order."""
    restore(("matrix", "sort", "loss"))
    found = numbers(view)
    headline.draw(view, found)
    if not len(view.scored):
        empty.draw_no_tile(view)
        return
    headline.draw_findings(found)
    classes.draw(view, found)
    left, right = st.columns([1, 1.15], gap="large")
    with left:
        classes.draw_bars(view, found)
    with right:
        matrix.draw(view, found)
    scenes.draw(view, found)
    loss.draw(view, found)
    conventions.draw(view, found)
