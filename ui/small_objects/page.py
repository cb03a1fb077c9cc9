"""The page as a whole."""

from __future__ import annotations

import streamlit as st

from ui import empty
from ui.choice import restore
from ui.selection import View
from ui.small_objects import browse, by_class, by_size, by_width, explained, head
from ui.small_objects.numbers import shapes
from ui.small_objects.state import CHOICES
from ui.text import escape


def draw(view: View) -> None:
    """All sections, in reading order."""
    if not len(view.scored):
        empty.draw_no_tile(view)
        return
    restore(CHOICES)
    found = shapes(view)
    if not len(found.counts):
        head.draw_uncounted(view)
        return
    index = head.draw(view, found)
    if not found.objects.truth[index] and not found.objects.predicted[index]:
        st.info(
            escape(f"Neither map has an object of {found.classes.names[index]} on {head.over(view, found)}."),
            icon=":material/info:",
        )
    explained.draw(view, found, index)
    by_class.draw(view, found)
    areas = by_size.draw(view, found, index)
    by_width.draw(view, found, index)
    browse.draw(view, found, index, areas)
