"""Notices on the screen: by level, the grave ones first; refusals as a table that can be taken away."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from analysis.store.load import RunCounts
from analysis.words.notices import INFO, REFUSED, WARNING, Notice
from ui import tables
from ui.text import escape, some

_ICONS = {REFUSED: ":material/block:", WARNING: ":material/warning:", INFO: ":material/info:"}
_COLORS = {REFUSED: "red", WARNING: "orange", INFO: "blue"}
_HEADS = {REFUSED: "Refused", WARNING: "Warnings", INFO: "Notes"}
_NAMED = 5


def draw_lines(notices: Sequence[Notice], levels: Sequence[str] = (WARNING, INFO)) -> None:
    """One line a notice, with the first tiles that it is about."""
    for level in levels:
        for notice in (n for n in notices if n.level == level):
            icon = f":{_COLORS[level]}[{_ICONS[level]}]"
            st.markdown(f"{icon} {escape(notice.message)}{_tiles(notice)}")


def draw_by_level(notices: Sequence[Notice]) -> None:
    """Warnings, then notes, each under its head; nothing where there is none."""
    for level in (WARNING, INFO):
        found = [n for n in notices if n.level == level]
        if found:
            st.markdown(f"**{_HEADS[level]}** · {len(found)}")
            draw_lines(found, (level,))


def draw_important(notices: Sequence[Notice], refused: int, page: str) -> None:
    """What must be known before a number is believed: refusals and warnings, in a box; nothing where there is none."""
    warnings = [n for n in notices if n.level == WARNING]
    whole = [n for n in notices if n.level == REFUSED and n.tile is None]
    if not (warnings or whole or refused):
        return
    with st.container(border=True, gap="xsmall", key="important"):
        if refused:
            line = st.container(horizontal=True, vertical_alignment="center", gap="small")
            line.markdown(
                f":red[{_ICONS[REFUSED]}] **{some(refused, 'tile')} refused:** not scored and in no number here."
            )
            line.page_link(page, label="Reasons", icon=":material/arrow_forward:")
        draw_lines([*whole, *warnings], (REFUSED, WARNING))


def draw_refused(refused: RunCounts, run_key: str) -> None:
    """The refused tiles with their reasons, and the same as CSV."""
    if not len(refused):
        return
    frame = pd.DataFrame(
        {name: list(refused.tiles[column]) for name, column in (("tile", "id"), ("code", "code"), ("reason", "reason"))}
    )
    head = st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute")
    head.markdown(f":red[{_ICONS[REFUSED]}] **Refused** · {some(len(frame), 'tile')}")
    head.download_button(
        "CSV",
        lambda: tables.frame_csv(frame, {"run": run_key}),
        "refused_tiles.csv",
        "text/csv",
        on_click="ignore",
        icon=":material/download:",
        key="refused_csv",
    )
    tables.show(
        frame,
        {
            "tile": st.column_config.TextColumn("Tile", width="medium"),
            "code": st.column_config.TextColumn("Kind", width="small"),
            "reason": st.column_config.TextColumn("Reason", width=900),
        },
        "Refused tiles with their reasons",
        height=tables.height_of(len(frame), 8),
    )


def _tiles(notice: Notice) -> str:
    if not notice.tiles or notice.level == REFUSED:
        return ""
    named = ", ".join(escape(tile) for tile in notice.tiles[:_NAMED])
    more = notice.count - min(len(notice.tiles), _NAMED)
    return f" :gray[({some(notice.count, 'tile')}: {named}{f' and {more:,} more' if more > 0 else ''})]"
