"""Where the lost IoU is: how tiles share the wrong px, and what the score would be without the worst of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from analysis.charts.loss import recovery_chart, spread_chart
from analysis.scores import Concentration, wrong_by_tile
from ui import drill, section
from ui.choice import choose
from ui.overview.numbers import Numbers, score_name, spread
from ui.selection import View
from ui.text import capital, escape, share, some

_SPREAD, _COST = "Where the wrong pixels are", "Where the lost IoU is"


def draw(view: View, found: Numbers) -> None:
    """Two curves side by side; a point of either leads to its tile in the order that the curve is in."""
    left, right = st.columns(2, gap="large")
    with left:
        _draw_spread(view)
    with right:
        _draw_recovery(view, found)


def _draw_spread(view: View) -> None:
    classes = view.scored.classes
    place = section.head(_SPREAD)
    labels = ["of all classes", *(f"of {name}" for name in classes.names)]
    picked = choose(place, "Wrong pixels of", "loss", ["", *classes.names], labels, width=170, bare=True)
    index = classes.index_of(picked) if picked else None
    held = spread(view, index)
    section.csv(place, _SPREAD, view, "wrong_pixels", lambda: _spread_frame(view, held, index))
    ids = view.scored.tiles["id"].tolist()
    drill.chart(
        section.figure(view, lambda dark: spread_chart(held, ids, dark=dark), "spread", index),
        f"spread_chart_{index}",
        lambda custom: drill.to_wrong(ids[int(custom[0])], picked or None),
        alt=f"Share of wrong pixels over share of tiles. {_shares(held)}",
    )
    st.caption(_spread_words(held, picked))


def _shares(held: Concentration) -> str:
    half, most = held.holding(0.5), held.holding(0.8)
    if half is None or most is None:
        return "No pixel is wrong, so there is nothing to share."
    n = len(held)
    first, second = ("holds" if count == 1 else "hold" for count in (half, most))
    return (
        f"{some(half, 'tile')} of {n:,} ({share(half / n)}) {first} half of the {held.total:,} wrong px, "
        f"{some(most, 'tile')} ({share(most / n)}) {second} 80 %."
    )


def _spread_words(held: Concentration, picked: str) -> str:
    of = f" Counted are px of {picked} that are missed and px falsely predicted as it." if picked else ""
    return escape(f"{_shares(held)}{of} The dotted line is an even share. Click the curve for a tile.")


def _spread_frame(view: View, held: Concentration, index: int | None) -> pd.DataFrame:
    wrong, n = wrong_by_tile(view.scored.confusion, index), len(held)
    return pd.DataFrame(
        {
            "of": "all classes" if index is None else view.scored.classes.names[index],
            "tiles": np.arange(1, n + 1),
            "share_of_tiles": np.arange(1, n + 1) / max(1, n),
            "share_of_wrong_pixels": held.shares[1:],
            "tile": view.scored.tiles["id"].to_numpy()[held.order],
            "wrong_pixels": wrong[held.order],
        }
    )


def _draw_recovery(view: View, found: Numbers) -> None:
    repaired, what = found.repaired, score_name(view)
    ids = view.scored.tiles["id"].tolist()

    def frame() -> pd.DataFrame:
        return pd.DataFrame({"convention": "pooled", "tiles_made_perfect": repaired.steps, "score": repaired.values})

    section.csv(section.head(_COST), _COST, view, "recovery", frame)

    def way(custom: Any) -> drill.Link:
        return {"rank": "damage", "tile": ids[int(custom[0])]}

    drill.chart(
        section.figure(view, lambda dark: recovery_chart(repaired, ids, found.mark, what, dark=dark), "recovery"),
        "recovery_chart",
        way,
        alt=f"{what} over the number of tiles made perfect. {found.repair.text if found.repair else ''}",
    )
    rule = f"{capital(what)}, pooled over {section.over(view)}, once the worst tiles are predicted without an error."
    st.caption(escape(f"{found.repair.text if found.repair else ''} {rule} Click the curve for a tile.".strip()))
