"""Where the IoU goes: the wrong px of each class by what became of their objects."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from analysis.charts.explain_bars import explain_chart
from analysis.words.outcomes import REASONS
from ui import drill, section, tables
from ui.selection import View
from ui.small_objects.head import over
from ui.small_objects.numbers import Shapes
from ui.small_objects.state import OUTCOME, OUTCOME_IDS, SIDE, SIDE_IDS, look_for
from ui.text import escape, some

_TITLE = "Where the IoU goes"


def draw(view: View, found: Shapes, index: int) -> None:
    """Bars of all classes, and the parts of the one that is looked at."""
    classes, explanation = found.classes, found.explanation
    place = section.head(_TITLE)
    section.csv(place, _TITLE, view, "explain", lambda: pd.concat([frame(found, k) for k in classes.foreground]))
    left, right = st.columns([1.15, 1], gap="large")

    def act(custom: Any) -> None:
        k, code, side = (int(value) for value in custom)
        filters = {OUTCOME: OUTCOME_IDS[code]} if code >= 0 else {}
        if side >= 0:
            filters[SIDE] = SIDE_IDS[side]
        look_for(classes.names[k], **filters)

    with left:
        drill.filtering(
            section.figure(view, lambda dark: explain_chart(explanation, classes, dark=dark), "explain"),
            "explain_chart",
            act,
            alt=f"IoU of each class, and what of it is lost to what. {_largest(found, index)}",
        )
    with right:
        shown = frame(found, index)
        tables.show(
            shown[["part", "iou_points", "px", "iou_if_mended"]],
            _columns(),
            f"Where the IoU of {classes.names[index]} goes",
            height="content",
        )
        st.caption(
            escape(
                f"{classes.names[index]}, pooled over {over(view, found)}. The parts add up to 1. "
                + _largest(found, index)
                + " Click a part of a bar to list its objects."
            )
        )


def _largest(found: Shapes, index: int) -> str:
    e = found.explanation
    if not e.px[index].any():
        return "No pixel of it is wrong."
    at = int(np.argmax(e.px[index]))
    many = some(int(e.px[index, at]), "wrong px", "wrong px")
    return f"Most is lost to {REASONS[at].lost_to}: {many}, IoU {e.mended[index, at]:.3f} if they were right."


def frame(found: Shapes, index: int) -> pd.DataFrame:
    """The parts of a class, one row each: they add up to 1."""
    e = found.explanation
    return pd.DataFrame(
        {
            "class": found.classes.names[index],
            "part": ["IoU", *(reason.label for reason in REASONS)],
            "iou_points": [e.iou[index], *e.loss[index]],
            "missing_px": [0, *e.missing[index]],
            "extra_px": [0, *e.extra[index]],
            "px": [e.tp[index], *e.px[index]],
            "iou_if_mended": [np.nan, *e.mended[index]],
            "definition": ["Right px / px of either map.", *(reason.definition for reason in REASONS)],
        }
    )


def _columns() -> dict[str, Any]:
    number = st.column_config.NumberColumn
    listed = " ".join(f"{reason.label}: {reason.definition}" for reason in REASONS)
    return {
        "part": st.column_config.TextColumn("Part", width=150, help=escape(listed)),
        "iou_points": number("IoU", format="%.3f", width=80, help="The IoU, and what of the rest is lost to what."),
        "px": number("Px", format="localized", width=100, help="Right px, then wrong px of both sides."),
        "iou_if_mended": number(
            "IoU if mended",
            format="%.3f",
            width=110,
            help="If all wrong px of this part were right. What other classes would gain by it is not in here.",
        ),
    }
