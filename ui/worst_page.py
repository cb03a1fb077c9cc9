"""The parts of the Worst tiles page: the ranked table, and the chosen tile beside it."""

from __future__ import annotations

import hashlib

import pandas as pd
import streamlit as st

from analysis.pictures.focus import Focus, focus_on
from analysis.reports.csv_report import csv_bytes
from analysis.reports.manifest import manifest, manifest_bytes
from analysis.scores import CountsBundle, overall, wrong_pixels
from analysis.store.load import RunCounts
from ui import ranking, router, tables, tile_viewer
from ui.ranking import Ranked
from ui.selection import View
from ui.text import escape, some
from ui.viewer.component import ViewerEvent
from ui.viewer.payload import ViewedTile

MOST = 500
TILE = "tile"
TITLE = "Worst tiles"
_ROWS = 17


def draw(view: View) -> None:
    """The ranking and its table on the left, the chosen tile on the right."""
    if not len(view.scored):
        st.title(TITLE, anchor=False)
        _draw_nothing(view)
        return
    _browse(view)


@st.fragment
def _browse(view: View) -> None:
    left, right = st.columns([1, 1.08], gap="medium")
    with left:
        st.title(TITLE, anchor=False)
        ranked = ranking.draw(view)
        sequence = ranked.sequence
        names = view.scored.tiles["id"].to_numpy()[sequence].tolist()
        at = _position(names, view)
    with right.container(gap="xsmall"):  # before the table: a step waits for the neighbours, and not for the rows
        _draw_tile(view, ranked, sequence, names, at)
    with left:
        _draw_table(view, ranked, sequence, at)


def _position(names: list[str], view: View) -> int:
    """Place of the tile that the URL names; the first where it names none, or one that is not here."""
    wanted = st.query_params.get(TILE)
    if wanted is None or wanted in names:
        return names.index(wanted) if wanted else 0
    refused = view.every.tiles[(view.every.tiles["id"] == wanted) & (view.every.tiles["status"] == "refused")]
    if len(refused):
        why = f"was refused and has no pictures to compare: {escape(refused['reason'].iloc[0])}"
    elif (view.every.tiles["id"] == wanted).any():
        why = "does not pass the filters"
    else:
        why = "is not in this run"
    st.warning(f"The tile {escape(wanted)} {why}. The first of the ranking is shown.", icon=":material/link_off:")
    return 0


def _go_to(name: str) -> None:
    st.query_params[TILE] = name


def _clicked(key: str, names: list[str]) -> None:
    picked = st.session_state[key]["selection"]
    cells = [row for row, _ in picked.get("cells", [])]
    rows = cells or picked["rows"]  # a click on a cell, or on the row's box
    if rows and rows[0] < len(names):
        _go_to(names[rows[0]])


def _draw_table(view: View, ranked: Ranked, sequence: list[int], at: int) -> None:
    order = ranked.ranking.order[:MOST]
    shown = view.scored.take(order)
    frame = _frame(view, shown, ranked, order.tolist())
    names = frame[TILE].tolist()
    key = f"tiles_{_digest(view, ranked)}"
    st.session_state[key] = {"selection": {"rows": [at] if at < len(names) else [], "columns": [], "cells": []}}
    total = len(ranked.ranking.order)
    what = some(total, "tile") if total <= MOST else f"The worst {MOST} of {total:,} tiles"
    tables.show(
        frame,
        _columns(view, ranked),
        "Tiles, worst first",
        height=tables.height_of(max(8, len(frame)), _ROWS),
        key=key,
        on_select=lambda: _clicked(key, names),
        selection_mode=["single-row", "single-cell"],
    )
    st.caption(f"{what}, worst first. Pick a row, or use the arrow keys.")
    _draw_downloads(view, ranked, shown)
    _draw_undefined(view, ranked)


def _frame(view: View, shown: RunCounts, ranked: Ranked, order: list[int]) -> pd.DataFrame:
    mean = overall("iou", CountsBundle(confusion=shown.confusion), view.members)
    frame = pd.DataFrame({TILE: shown.tiles["id"].tolist(), "value": ranked.ranking.values[order]})
    if not (ranked.by.ranking == "metric" and ranked.by.metric == "iou" and ranked.by.class_index is None):
        frame["miou"] = mean
    if ranked.by.ranking != "wrong_pixels":
        frame["wrong"] = wrong_pixels(shown.confusion)
    return frame


def _columns(view: View, ranked: Ranked) -> dict[str, object]:
    form = "%+.4f" if ranked.by.ranking == "damage" else "%.3f" if ranked.ratio else "localized"
    change = view.run.dataset.task == "change"
    return {
        TILE: st.column_config.TextColumn("Tile", width="medium"),
        "value": st.column_config.NumberColumn(ranked.label, format=form, width="small"),
        "miou": st.column_config.NumberColumn(
            f"IoU of {view.scored.classes.names[1]}" if change else "Mean IoU",
            format="%.3f",
            width="small",
            help="On the tile alone, over those of the classes in the mean that its ground truth or prediction holds.",
        ),
        "wrong": st.column_config.NumberColumn("Wrong px", format="localized", width="small"),
    }


def _draw_downloads(view: View, ranked: Ranked, shown: RunCounts) -> None:
    run = view.run
    entries = [(run.run.model, run.run.dataset, shown)]
    chosen = {**view.selection.filters, "rank": _rank_words(ranked, shown), "tiles": len(shown)}
    line = st.container(horizontal=True, gap="small")
    line.download_button(
        "CSV",
        lambda: csv_bytes(entries, view.among),
        "worst_tiles.csv",
        "text/csv",
        on_click="ignore",
        icon=":material/download:",
        key="worst_csv",
        help="The tiles of this table, in this order, with counts by class.",
    )
    line.download_button(
        "How it was made",
        lambda: manifest_bytes(manifest([run], entries, csv_bytes(entries, view.among), chosen, view.among)),
        "worst_tiles.json",
        "application/json",
        on_click="ignore",
        icon=":material/description:",
        key="worst_json",
        help="The manifest of the CSV: settings, filters, versions and hashes, so that it can be made again.",
    )


def _rank_words(ranked: Ranked, shown: RunCounts) -> dict[str, str]:
    by, names = ranked.by, (*shown.classes.names, "outside the class list")
    parts = {"ranking": by.ranking, "metric": by.metric or ""}
    for field, index in (("class", by.class_index), ("truth", by.truth_index), ("predicted", by.predicted_index)):
        parts[field] = "" if index is None else names[index]
    return {name: value for name, value in parts.items() if value}


def _draw_undefined(view: View, ranked: Ranked) -> None:
    apart = view.scored.tiles["id"].iloc[ranked.ranking.undefined]
    if len(apart):
        with st.expander(f"{some(len(apart), 'tile')} without a value", icon=":material/data_alert:"):
            st.caption("The value is undefined there: the class is absent, or no pixel is valid. Neither good nor bad.")
            tables.show(
                pd.DataFrame({"tile": apart.tolist()[:MOST]}),
                {"tile": st.column_config.TextColumn("Tile")},
                "Tiles without a value",
                height=tables.height_of(len(apart), 8),
            )
    if len(view.refused):
        line = st.container(horizontal=True, gap="small", vertical_alignment="center")
        line.caption(f"{some(len(view.refused), 'tile')} refused and not ranked.")
        line.page_link(router.DATA, label="Reasons")


def _draw_tile(view: View, ranked: Ranked, sequence: list[int], names: list[str], at: int) -> None:
    def viewed(place: int) -> ViewedTile | None:
        if not 0 <= place < len(names):
            return None
        remark = f"{ranked.label} {ranked.value(sequence[place])}"
        return tile_viewer.viewed(view.run, view.scored.take([sequence[place]]), remark)

    def moved(event: ViewerEvent) -> None:
        to = names.index(event.tile) + event.ahead
        _go_to(names[max(0, min(len(names) - 1, to))])

    current = viewed(at)
    assert current is not None
    shown = (viewed(at - 1), current, viewed(at + 1))
    tile = view.scored.take([sequence[at]])
    tile_viewer.draw(view.run, shown, tile, _focus(view, ranked), (at, len(names)), moved)
    near = [place for place in (at + 2, at - 2) if 0 <= place < len(names)]
    tile_viewer.prepare(view.run, [view.scored.take([sequence[place]]) for place in near])


def _focus(view: View, ranked: Ranked) -> Focus:
    """The errors that the ranking is about; of a binary dataset always those of class 1."""
    by = ranked.by
    if by.truth_index is not None and by.predicted_index is not None:
        return Focus(by.truth_index, by.predicted_index)
    if by.class_index is not None:
        return focus_on(by.class_index)
    return focus_on(1) if view.scored.classes.binary else Focus()


def _digest(view: View, ranked: Ranked) -> str:
    """Tells tables apart: a row number picked in one means nothing in another."""
    stamp = f"{view.selection.query()}|{ranked.by}|{len(view.scored)}"
    return hashlib.blake2b(stamp.encode(), digest_size=6).hexdigest()


def _draw_nothing(view: View) -> None:
    if view.filtered:
        st.info(
            "No scored tile passes the filters. Clear one of them to see tiles again.", icon=":material/filter_alt:"
        )
    else:
        st.info("No tile of this run could be scored; the Data page says why.", icon=":material/block:")
        st.page_link(router.DATA, label="Reasons", icon=":material/arrow_forward:")
