"""What the selection is: the tiles that are left, their score beside that of all, and a chip for each filter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.scores import CONVENTIONS
from analysis.selection.model import Selection
from ui import filters
from ui.text import escape, score, some

if TYPE_CHECKING:
    from ui.selection import View


def draw(bar: DeltaGenerator, view: View) -> None:
    """The sentence behind the filters, and below the bar a chip for each of them.

    Parameters
    ----------
    bar : DeltaGenerator
        The selection bar.
    view : View
        What is selected.
    """
    bar.markdown(sentence(view), width="content")
    found = list(chips(view.selection))
    if not found:
        return
    line = st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key="chips")
    for name, value, label in found:
        line.button(
            escape(label),
            key=f"chip {name} {value or ''}",
            icon=":material/close:",
            icon_position="right",
            on_click=filters.remove,
            args=(name, value),
            help="Take this filter away.",
        )
    if len(found) > 1:
        line.button("Clear all", icon=":material/filter_alt_off:", on_click=filters.clear, type="tertiary")


def sentence(view: View) -> str:
    """Tiles and pooled score of the selection beside those of all tiles, as Markdown."""
    here, all_tiles = view.headline(), view.headline(unfiltered=True)
    what = f"IoU of {view.every.classes.names[1]}" if view.run.dataset.task == "change" else "mean IoU"
    rule = escape(CONVENTIONS[here.convention].label.lower())
    if not view.filtered:
        return f"**{some(len(view.scored), 'tile')}** :gray[·] {escape(what)} **{score(here.value)}** :gray[{rule}]"
    return (
        f"**{len(view.scored):,}** of {some(len(view.unfiltered), 'tile')} :gray[·] {escape(what)} "
        f"**{score(here.value)}** :gray[{rule}, all tiles {score(all_tiles.value)}]"
    )


def chips(selection: Selection) -> Iterator[tuple[str, str | None, str]]:
    """Filter, the value that a chip takes away (None: the whole filter), and its label as plain text."""
    for name, words in (("scene", "scene"), ("split", "split"), ("present", "with"), ("absent", "without")):
        for value in getattr(selection, name):
            yield name, value, f"{words} {value}"
    if selection.text:
        yield "text", None, f"name contains {selection.text}"
    if selection.low is not None:
        yield "low", None, f"mean IoU from {selection.low:g}"
    if selection.high is not None:
        yield "high", None, f"mean IoU up to {selection.high:g}"
    if selection.wrong is not None:
        yield "wrong", None, f"{selection.wrong:,} wrong px or more"
    if selection.partial:
        yield "partial", None, "partial windows too"
    if selection.classes:
        yield "classes", None, f"mean over {', '.join(selection.classes)}"
