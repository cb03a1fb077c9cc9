"""The choices of the page, which its link holds, and the change of filters that a click on a chart makes."""

from __future__ import annotations

import streamlit as st

from analysis.words.outcomes import FOUND, MERGED, PARTLY, SPLIT, UNTOUCHED
from ui.choice import keep

OF, LEAF = "of", "leaf"
WHO, SIDE, OUTCOME, SIZE, WIDTH, TAKEN, EDGE, GSD = "who", "side", "outcome", "size", "width", "taken", "edge", "gsd"
FILTERS = (WHO, SIDE, OUTCOME, SIZE, WIDTH, TAKEN, EDGE, GSD)
CHOICES = (OF, "score", "bins", "edges", "cut", "series", *FILTERS, "first", LEAF)

OUTCOME_IDS = {FOUND: "found", MERGED: "merged", SPLIT: "split", UNTOUCHED: "untouched", PARTLY: "part"}
"""Outcome code -> what a link says, on either side."""
SIDE_IDS = ("truth", "prediction")
WHOLE, CUT = "whole", "cut"
_CALL, _SEEN = "_objects_call", "_objects_listed"


def look_for(of: str | None, **filters: str) -> None:
    """List other objects: of a class (None: of all), with these filters and no others; the browser goes there."""
    clear()
    if of is None:
        filters[WHO] = "all"
    else:
        put(OF, of)
    for name, value in filters.items():
        put(name, value)
    st.session_state[_CALL] = call() + 1


def clear() -> None:
    """Take all filters of objects away."""
    for name in (*FILTERS, LEAF):
        put(name, "")


def put(name: str, value: str) -> None:
    """Write a choice into the link; ``""`` takes it away."""
    if value:
        st.query_params[name] = value
    else:
        st.query_params.pop(name, None)
    keep(name, value)


def call() -> int:
    """How often the browser was asked to go to the list."""
    found: int = st.session_state.get(_CALL, 0)
    return found


def follow(stamp: object) -> None:
    """Go back to the first page of the list once other objects are listed, or in another order."""
    if st.session_state.get(_SEEN, stamp) != stamp:
        put(LEAF, "")
    st.session_state[_SEEN] = stamp
