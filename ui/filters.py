"""The filters of the selection bar; each is a widget bound to the query parameter of the same name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.store.load import RunCounts

KEYS = ("classes", "scene", "split", "present", "absent", "text", "low", "high", "wrong", "partial")
WORDS = {"present": "class", "absent": "class", "classes": "class", "tile": "tile"}
_EMPTY: dict[str, Any] = {
    "classes": [],
    "scene": [],
    "split": [],
    "present": [],
    "absent": [],
    "text": "",
    "low": None,
    "high": None,
    "wrong": None,
    "partial": False,
}


def draw(bar: DeltaGenerator, counts: RunCounts, note_unknown: Callable[[str, list[str]], None]) -> None:
    """The buttons with the filters behind them.

    Parameters
    ----------
    bar : DeltaGenerator
        The selection bar.
    note_unknown : callable
        Told the name and the known values of each filter that picks from a list.
    """
    _keep_in_link()
    _draw_classes(bar, counts, note_unknown)
    active = [name for name in KEYS if _is_set(name) and name != "classes"]
    label = f"Filters ({len(active)})" if active else "Filters"
    box = bar.popover(label, icon=":material/filter_alt:", key="filters", width="content")
    with box:
        st.caption("A tile must pass all of them. Scores, tables and exports are those of the tiles that pass.")
        left, right = st.columns(2)
        _pick(left, "Scene", "scene", _values(counts, "scene"), note_unknown)
        _pick(right, "Split", "split", _values(counts, "split"), note_unknown)
        names = list(counts.classes.names)
        _pick(left, "With class", "present", names, note_unknown, "In the tile's ground truth or prediction.")
        _pick(right, "Without class", "absent", names, note_unknown, "In neither ground truth nor prediction.")
        left.text_input("Tile name contains", key="text", bind="query-params")
        right.number_input(
            "Wrong px, at least", min_value=0, value=None, step=100, key="wrong", bind="query-params", placeholder="any"
        )
        bounds: dict[str, Any] = {"min_value": 0.0, "max_value": 1.0, "value": None, "step": 0.05, "format": "%.2f"}
        left.number_input("Mean IoU, at least", key="low", bind="query-params", placeholder="any", **bounds)
        right.number_input("Mean IoU, at most", key="high", bind="query-params", placeholder="any", **bounds)
        if counts.tiles["partial"].any():
            st.toggle(
                "Partial windows too",
                key="partial",
                bind="query-params",
                help="Windows at the right and bottom edges of the sheets, which the dataset's rule leaves out.",
            )


def _draw_classes(bar: DeltaGenerator, counts: RunCounts, note_unknown: Callable[[str, list[str]], None]) -> None:
    """The choice of the classes that means are taken over; where there is but one, there is none."""
    names = [counts.classes.names[i] for i in counts.classes.foreground]
    if len(names) < 2:
        st.session_state.pop("classes", None)
        return
    note_unknown("classes", names)
    picked = value_of("classes") if "classes" in st.session_state else st.query_params.get_all("classes")
    label = f"Classes ({len(picked)})" if picked else "All classes"
    with bar.popover(label, icon=":material/category:", key="classes_box", width="content"):
        st.caption("Means are taken over these classes. No tile and no pixel is left out by it.")
        st.multiselect(
            "Classes in the mean", names, key="classes", bind="query-params", placeholder="all foreground classes"
        )


def value_of(name: str) -> list[str]:
    """A filter's value as a link holds it; empty where it is not set."""
    value = st.session_state.get(name, _EMPTY[name])
    if value in (None, "", [], False):
        return []
    if isinstance(value, list | tuple):
        return [str(v) for v in value]
    return ["1" if value is True else str(value)]


def clear() -> None:
    """Set no filter."""
    for name in KEYS:
        remove(name)


def remove(name: str, value: str | None = None) -> None:
    """Take one filter away, or one value of it."""
    if name not in st.session_state:
        return
    held = st.session_state[name]
    st.session_state[name] = _EMPTY[name] if value is None else [v for v in held if v != value]


def _is_set(name: str) -> bool:
    """Whether a filter is set; before its widget was drawn for the first time, the link says so."""
    return bool(value_of(name)) if name in st.session_state else bool(st.query_params.get(name))


def _keep_in_link() -> None:
    """Write set filters that the URL has lost into it again.

    The browser drops them on the way to another page while the box that holds their widgets has never been open;
    assigning a value makes Streamlit send it anew.
    """
    for name in KEYS:
        if value_of(name) and name not in st.query_params:
            st.session_state[name] = st.session_state[name]


def _values(counts: RunCounts, column: str) -> list[str]:
    return [value for value in counts.tiles[column].unique() if value]


def _pick(
    place: DeltaGenerator,
    label: str,
    name: str,
    options: list[str],
    note_unknown: Callable[[str, list[str]], None],
    help: str | None = None,
) -> None:
    if not options:
        st.session_state.pop(name, None)
    else:
        note_unknown(name, options)
        place.multiselect(label, options, key=name, bind="query-params", placeholder="any", help=help)
