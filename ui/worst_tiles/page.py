"""The Worst tiles page: tiles in order as a table or a gallery, and the chosen one beside them."""

from __future__ import annotations

import streamlit as st

from analysis.pictures.focus import Focus, focus_on
from ui import empty, router, tile_viewer
from ui.choice import choose_segment, restore
from ui.selection import View
from ui.text import escape, some
from ui.viewer.component import ViewerEvent
from ui.viewer.payload import ViewedTile, ViewerView
from ui.worst_tiles import downloads, gallery, table
from ui.worst_tiles.chosen import TILE, choose_tile, framed, place_of, restore_tile
from ui.worst_tiles.ranking import CHOICES, Ranked
from ui.worst_tiles.ranking import draw as draw_ranking

TITLE = "Worst tiles"
TILE_PART, LIST_PART = "worst_tile", "worst_list"
_SHOWN = ("table", "gallery")


def draw(view: View) -> None:
    """The ranking with its table or gallery on the left, the chosen tile on the right."""
    if not len(view.scored):
        st.subheader(TITLE, anchor=False)
        empty.draw_no_tile(view)
        return
    restore_tile(view)
    restore(CHOICES)
    restore(gallery.CHOICES)
    _browse(view)


@st.fragment(key="worst_tiles")
def _browse(view: View) -> None:
    left, right = st.columns([1, 1.08], gap="medium")
    column = left.container(gap="xsmall")
    with column:
        line = st.container(horizontal=True, vertical_alignment="center", gap="small", key="worst_head")
        title = line.container(width="stretch")
        thumbs = line.container(width="content")
        shown = choose_segment(line, "Show the tiles as", "show", _SHOWN, ["Table", "Gallery"])
        kind = gallery.draw_kind(thumbs, view) if shown == "gallery" else ""
        ranked = draw_ranking(view)
        title.subheader(escape(ranked.heading), anchor=False)
        beside = st.container(gap="xsmall")
        downloads.draw(view, ranked)
        _draw_refused(view)
    with right.container(gap="xsmall"):
        _draw_tile(view, ranked)
    with beside:
        _draw_list(view, ranked, shown, kind)


def _show_chosen() -> None:
    """Draw what depends on the chosen tile, and nothing else. After steps in the viewer the list follows later."""
    st.rerun([TILE_PART, LIST_PART])


@st.fragment(key=LIST_PART)
def _draw_list(view: View, ranked: Ranked, shown: str, kind: str) -> None:
    at = place_of(view, ranked)
    if shown == "gallery":
        gallery.draw(view, ranked, at, kind, focus_of(view, ranked), _show_chosen)
    else:
        table.draw(view, ranked, at, _show_chosen)
    table.draw_undefined(view, ranked, _show_chosen)


def focus_of(view: View, ranked: Ranked) -> Focus:
    """The errors that the ranking is about; of a binary dataset always those of class 1."""
    by = ranked.by
    if by.truth_index is not None and by.predicted_index is not None:
        return Focus(by.truth_index, by.predicted_index)
    if by.class_index is not None:
        return focus_on(by.class_index)
    return focus_on(1) if view.scored.classes.binary else Focus()


@st.fragment(key=TILE_PART)
def _draw_tile(view: View, ranked: Ranked) -> None:
    names, sequence = ranked.names, ranked.sequence
    at = ranked.places.get(st.query_params.get(TILE, ""), 0)

    def viewed(place: int) -> ViewedTile | None:
        if not 0 <= place < len(names):
            return None
        remark = f"{ranked.label} {ranked.value(sequence[place])}"
        return tile_viewer.viewed(view.run, view.scored.take([sequence[place]]), remark)

    def moved(event: ViewerEvent) -> None:
        to = ranked.places[event.tile] + event.ahead
        choose_tile(names[max(0, min(len(names) - 1, to))])

    current = viewed(at)
    assert current is not None
    shown = (viewed(at - 1), current, viewed(at + 1))
    frame = framed(view) if names[at] == st.query_params.get(TILE) else None
    looked_at = ViewerView(focus_of(view, ranked), (at, len(names)), frame=frame)
    tile_viewer.draw(view.run, shown, looked_at, moved, lambda: st.rerun(LIST_PART))
    near = [place for place in (at + 2, at - 2) if 0 <= place < len(names)]
    tile_viewer.prepare(view.run, [view.scored.take([sequence[place]]) for place in near])


def _draw_refused(view: View) -> None:
    if len(view.refused):
        line = st.container(horizontal=True, gap="small", vertical_alignment="center")
        line.caption(f"{some(len(view.refused), 'tile')} refused and not ranked.")
        line.page_link(router.DATA, label="Reasons")
