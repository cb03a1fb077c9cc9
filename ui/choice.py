"""A choice that a page makes and its link holds: the URL is the one place where it is kept.

Streamlit's own binding would put the label into the URL; a link should hold the id, which stays when labels change.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

_KEPT = "_choices"


def choose(
    place: DeltaGenerator,
    label: str,
    name: str,
    options: Sequence[str],
    labels: Sequence[str],
    *,
    width: int,
    bare: bool = False,
) -> str:
    """A select box whose choice is the query parameter ``name``; the first option is the default and stays out of it.

    Parameters
    ----------
    options, labels : sequences of str
        Ids, as the link holds them, and what is shown for each.
    width : int
        In px.
    bare : bool
        The label is for screen readers only.
    """
    key = _key(name)
    given = st.query_params.get(name, options[0])
    st.session_state[key] = options.index(given) if given in options else 0
    at = place.selectbox(
        label,
        range(len(options)),
        format_func=labels.__getitem__,
        key=key,
        width=width,
        label_visibility="collapsed" if bare else "visible",
        on_change=_write,
        args=(name, key, list(options)),
    )
    chosen = options[at or 0]
    keep(name, chosen)
    return chosen


def choose_segment(place: DeltaGenerator, label: str, name: str, options: Sequence[str], labels: Sequence[str]) -> str:
    """As `choose`, but all options are in sight; for two or three short ones. The label is for screen readers only."""
    key = _key(name)
    given = st.query_params.get(name, options[0])
    st.session_state[key] = options.index(given) if given in options else 0
    at = place.segmented_control(
        label,
        range(len(options)),
        format_func=labels.__getitem__,
        key=key,
        required=True,
        label_visibility="collapsed",
        on_change=_write,
        args=(name, key, list(options)),
    )
    chosen = options[at or 0]
    keep(name, chosen)
    return chosen


def keep(name: str, value: str) -> None:
    """Remember what the link holds, for the next visit to the page; ``""`` forgets it."""
    kept: dict[str, str] = st.session_state.setdefault(_KEPT, {})
    if value:
        kept[name] = value
    else:
        kept.pop(name, None)


def restore(names: Sequence[str]) -> None:
    """Take up the choices of the last visit to the page, unless the link makes any of them itself."""
    arrived = not any(_key(name) in st.session_state for name in names)
    kept: dict[str, str] = st.session_state.get(_KEPT, {})
    if arrived and not any(name in st.query_params for name in names):
        for name in names:
            if name in kept:
                st.query_params[name] = kept[name]


def _key(name: str) -> str:
    return f"choice_{name}"


def _write(name: str, key: str, options: list[str]) -> None:
    at = st.session_state[key] or 0
    if at:
        st.query_params[name] = options[at]
    else:
        st.query_params.pop(name, None)
