"""What the sections share: a head with its CSV, and what the selection is called."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui import loaders, tables
from ui.selection import View
from ui.text import some

_HEAD = 48  # px of the page: lines of heads that stand side by side end at the same height


def head(title: str) -> DeltaGenerator:
    """A heading; gives the place at the end of its line, for controls and the CSV button."""
    line = st.container(
        horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", height=_HEAD, border=False
    )
    line.subheader(title, anchor=False, width="content")
    return line.container(horizontal=True, vertical_alignment="center", gap="small", width="content")


def csv(
    place: DeltaGenerator, title: str, view: View, name: str, frame: Callable[[], pd.DataFrame], label: str = "CSV"
) -> None:
    """The button that gives a section's table as a file.

    Parameters
    ----------
    name : str
        Name of the file, without its ending.
    frame : callable
        Makes the table when the button is pressed.
    label : str
        Of the button.
    """
    context = {
        "model": view.run.run.model,
        "dataset": view.run.run.dataset,
        "filters": view.selection.query() if view.selection.filters else "",
    }
    place.download_button(
        label,
        lambda: tables.frame_csv(frame(), context),
        f"{name}.csv",
        "text/csv",
        on_click="ignore",
        icon=":material/download:",
        type="tertiary",
        key=f"csv_{name}",
        help=f"{title}, as a table for other programs.",
    )


def over(view: View) -> str:
    """The tiles that a number is over."""
    return f"{some(len(view.scored), 'tile')}{' of the selection' if view.filtered else ''}"


def figure(view: View, make: Callable[[bool], Any], *choices: Hashable) -> Any:
    """A chart, made once for a selection, a theme and the choices that it depends on.

    Parameters
    ----------
    make : callable
        From whether the theme is dark to the figure, which nothing may change afterwards.
    choices : hashable
        The name of the chart, and what the user chose for it.
    """
    dark = st.context.theme.type == "dark"
    return _figure(lambda: make(dark), loaders.stamp_of_run(view.run), view.selection.query(), (dark, *choices))


@st.cache_resource(max_entries=64, show_spinner=False)
def _figure(_make: Callable[[], Any], stamp: loaders.Stamp, query: str, choices: tuple[Hashable, ...]) -> Any:
    return _make()
