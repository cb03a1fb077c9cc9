"""The tiles in order as a table: the first few hundred, and apart those without a value."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import pandas as pd
import streamlit as st

from analysis.scores import CountsBundle, overall, wrong_pixels
from ui import tables
from ui.selection import View
from ui.text import some
from ui.worst_tiles.chosen import TILE, choose_tile
from ui.worst_tiles.ranking import Ranked

MOST = 500
_ROWS = 13


def draw(view: View, ranked: Ranked, at: int, show: Callable[[], None]) -> None:
    """The table; a picked row chooses its tile.

    Parameters
    ----------
    at : int
        Place of the chosen tile in the order.
    show : callable
        Told when another tile was chosen.
    """
    order = ranked.sequence[: min(MOST, ranked.many)]
    frame = _frame(view, ranked, order)
    names = ranked.names[: len(order)]
    key = f"tiles_{_digest(view, ranked)}"
    st.session_state[key] = {"selection": {"rows": [at] if at < len(names) else [], "columns": [], "cells": []}}
    tables.show(
        frame,
        _columns(view, ranked),
        f"{ranked.heading}, in order",
        height=tables.height_of(max(8, len(frame)), _ROWS),
        key=key,
        on_select=lambda: _clicked(key, names, show),
        selection_mode=["single-row", "single-cell"],
    )
    st.caption(f"{what_is_shown(ranked)} Pick a row, or use the arrow keys.")


def what_is_shown(ranked: Ranked) -> str:
    """How many tiles the table has of how many, and which."""
    total, order, seed = ranked.many, ranked.ordering.order, ranked.ordering.seed
    if total <= MOST:
        rest = {
            "worst": "worst first",
            "best": "best first",
            "median": "nearest to the median first",
            "random": f"at random, seed {seed}",
        }
        return f"{some(total, 'tile')}, {rest[order]}."
    first = {
        "worst": f"The worst {MOST} of {total:,} tiles.",
        "best": f"The best {MOST} of {total:,} tiles.",
        "median": f"The {MOST} of {total:,} tiles that are nearest to the median.",
        "random": f"{MOST} of {total:,} tiles at random, seed {seed}.",
    }
    return f"{first[order]} The viewer, the gallery and the CSV go on beyond them."


def draw_undefined(view: View, ranked: Ranked, show: Callable[[], None]) -> None:
    """The tiles without a value, folded."""
    apart = ranked.names[ranked.many :]
    if not apart:
        return
    with st.expander(f"{some(len(apart), 'tile')} without a value", icon=":material/data_alert:"):
        st.caption("The value is undefined there: the class is absent, or no pixel is valid. Neither good nor bad.")
        names = apart[:MOST]
        key = f"apart_{_digest(view, ranked)}"
        chosen = st.query_params.get(TILE)
        at = [names.index(chosen)] if chosen in names else []
        st.session_state[key] = {"selection": {"rows": at, "columns": [], "cells": []}}
        tables.show(
            pd.DataFrame({TILE: names}),
            {TILE: st.column_config.TextColumn("Tile")},
            "Tiles without a value",
            height=tables.height_of(len(names), 8),
            key=key,
            on_select=lambda: _clicked(key, names, show),
            selection_mode=["single-row", "single-cell"],
        )


def _clicked(key: str, names: list[str], show: Callable[[], None]) -> None:
    picked = st.session_state[key]["selection"]
    cells = [row for row, _ in picked.get("cells", [])]
    rows = cells or picked["rows"]  # a click on a cell, or on the row's box
    if rows and rows[0] < len(names):
        choose_tile(names[rows[0]])
        show()


def _frame(view: View, ranked: Ranked, order: list[int]) -> pd.DataFrame:
    shown = view.scored.take(order)
    frame = pd.DataFrame({TILE: shown.tiles["id"].tolist(), "value": ranked.ranking.values[order]})
    if not (ranked.by.ranking == "metric" and ranked.by.metric == "iou" and ranked.by.class_index is None):
        frame["miou"] = overall("iou", CountsBundle(confusion=shown.confusion), view.members)
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


def _digest(view: View, ranked: Ranked) -> str:
    """Tells tables apart: a row number picked in one means nothing in another."""
    stamp = f"{view.selection.query()}|{ranked.ordering}|{len(view.scored)}"
    return hashlib.blake2b(stamp.encode(), digest_size=6).hexdigest()
