"""Scores by scene."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from analysis.charts.scenes import MOST, NO_SCENE, scene_chart
from analysis.scores import ByScene, concentration, rank
from analysis.words.classes import ClassList
from ui import drill, section, tables
from ui.choice import choose_segment
from ui.overview.numbers import Numbers, score_name
from ui.selection import View
from ui.text import capital, escape, score

_SORTS = {"score": "Lowest score first", "wrong": "Most wrong px first", "name": "By name"}
_TITLE = "Scores by scene"


def draw(view: View, found: Numbers) -> None:
    """Bars and a table, a scene each; one line where the tiles are of one scene or of none."""
    scenes = found.scenes
    named = [name for name in scenes.scenes if name]
    if not named or len(scenes) == 1:
        section.head(_TITLE)
        st.caption(
            f"All {section.over(view)} are of one scene, {escape(named[0])}."
            if named
            else "The tiles carry no scene, so there is nothing to compare. A pattern with the field scene names it."
        )
        return
    what = score_name(view)
    place = section.head(_TITLE)
    order = _order(scenes, choose_segment(place, "Order", "sort", list(_SORTS), list(_SORTS.values())))
    section.csv(place, _TITLE, view, "scenes", lambda: _csv_frame(scenes, view.scored.classes))
    left, right = st.columns([1, 1.15], gap="large")
    head = found.heads["pooled"]
    with left:
        figure = section.figure(
            view, lambda dark: scene_chart(scenes, order, head.value, what, dark=dark), "scenes", tuple(order)
        )
        drill.chart(
            figure,
            "scene_chart",
            lambda custom: drill.to_scene(scenes.scenes[int(custom[0])]),
            alt=_alt(scenes, what),
        )
    with right:
        frame = _frame(scenes, view, order)
        tables.show(
            frame,
            _columns(what, view),
            "Score and support by scene",
            height="content" if len(frame) <= MOST else figure.layout.height,
            **drill.rows(
                f"scene_table_{'_'.join(map(str, order[:200]))}", [drill.to_scene(scenes.scenes[i]) for i in order]
            ),
        )

    st.caption(_caption(view, scenes, what))


def _order(scenes: ByScene, by: str) -> list[int]:
    if by == "name":
        return list(range(len(scenes)))
    ranking = rank(scenes.values, "higher") if by == "score" else rank(scenes.wrong_pixels, "lower")
    return [*ranking.order.tolist(), *ranking.undefined.tolist()]


def _digest(order: list[int]) -> str:
    """Tells tables apart by the order of their rows."""
    return f"scene_table_{hashlib.blake2b(repr(order).encode(), digest_size=6).hexdigest()}"


def _caption(view: View, scenes: ByScene, what: str) -> str:
    half = concentration(scenes.wrong_pixels).holding(0.5)
    parts = [f"{capital(what)}, pooled over the tiles of each scene. {len(scenes):,} scenes, {section.over(view)}."]
    if half is not None:
        hold = "1 scene holds" if half == 1 else f"{half:,} scenes hold"
        parts.append(f"{hold} half of all wrong px.")
    parts.append("Click a bar or pick a row for the worst tiles of a scene.")
    return escape(" ".join(parts))


def _alt(scenes: ByScene, what: str) -> str:
    order = rank(scenes.values, "higher").order
    text = f"{what} by scene; the table beside it holds the same numbers."
    if not len(order):
        return text
    first, last = (f"{scenes.scenes[i] or NO_SCENE}, {score(scenes.values[i])}" for i in (order[0], order[-1]))
    return f"{text} Lowest: {first}. Highest: {last}."


def _frame(scenes: ByScene, view: View, order: list[int]) -> pd.DataFrame:
    names = view.scored.classes.names
    by_class = {f"iou {k}": scenes.iou[order, k] for k in view.members} if len(view.members) > 1 else {}
    return pd.DataFrame(
        {
            "scene": [scenes.scenes[i] or NO_SCENE for i in order],
            "score": scenes.values[order],
            "tiles": scenes.tiles[order],
            "share": 100 * scenes.wrong_shares[order],
            "wrong": scenes.wrong_pixels[order],
            "valid": scenes.valid_pixels[order],
            **by_class,
        }
    ).rename(columns={f"iou {k}": f"IoU of {names[k]}" for k in view.members})


def _columns(what: str, view: View) -> dict[str, Any]:
    number, names = st.column_config.NumberColumn, view.scored.classes.names
    pooled = "Pooled over the scene's tiles."
    label = "IoU" if len(view.members) == 1 else capital(what)
    return {
        "scene": st.column_config.TextColumn("Scene", width=170),
        "score": number(label, format="%.3f", width=80, help=pooled),
        "tiles": number("Tiles", format="localized", width=60),
        "share": number("Of all wrong", format="%.1f %%", width=95, help="Share of all wrong px."),
        "wrong": number("Wrong px", format="localized", width=90),
        "valid": number("Px", format="localized", width=100, help="Valid px: those with a ground truth."),
        **{
            f"IoU of {names[k]}": number(f"IoU {names[k]}", format="%.3f", width=100, help=pooled) for k in view.members
        },
    }


def _csv_frame(scenes: ByScene, classes: ClassList) -> pd.DataFrame:
    """All scenes in natural order, with the IoU and the support of every class."""
    frame = pd.DataFrame(
        {
            "scene": list(scenes.scenes),
            "convention": "pooled",
            "score": scenes.values,
            "tiles": scenes.tiles,
            "valid_pixels": scenes.valid_pixels,
            "wrong_pixels": scenes.wrong_pixels,
            "share_of_wrong_pixels": scenes.wrong_shares,
        }
    )
    columns: dict[str, np.ndarray[Any, Any]] = {}
    for k, name in enumerate(classes.names):
        columns[f"iou {name}"], columns[f"truth_pixels {name}"] = scenes.iou[:, k], scenes.truth_pixels[:, k]
    return pd.concat([frame, pd.DataFrame(columns)], axis=1)
