"""What became of the objects of each class, and the scores that follow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from analysis.charts.outcome_bars import outcome_chart
from analysis.scores import OBJECT_METRICS
from analysis.words.outcomes import OUTCOMES, PARTLY, SIDE_LABELS, SIDES
from ui import drill, section, tables
from ui.selection import View
from ui.small_objects.head import over
from ui.small_objects.numbers import Shapes
from ui.small_objects.state import OUTCOME, OUTCOME_IDS, SIDE, SIDE_IDS, look_for
from ui.text import escape

_TITLE = "Objects of each class"


def draw(view: View, found: Shapes) -> None:
    """Bars by outcome, and the tables."""
    classes, scores = found.classes, found.objects
    place = section.head(_TITLE)
    section.csv(place, _TITLE, view, "object_scores", lambda: _csv_frame(found))
    left, right = st.columns([1, 1], gap="large")

    def act(custom: Any) -> None:
        k, code, side = (int(value) for value in custom)
        look_for(classes.names[k], **{OUTCOME: OUTCOME_IDS[code], SIDE: SIDE_IDS[side]})

    with left:
        drill.filtering(
            section.figure(view, lambda dark: outcome_chart(scores, classes, dark=dark), "outcomes"),
            "outcome_chart",
            act,
            alt="Shares of the objects of each class by outcome, of the ground truth and of the prediction; the tables "
            "beside it hold the numbers.",
        )
    with right:
        counts = outcome_frame(found)
        tables.show(counts, _outcome_columns(), "Objects by outcome", height=tables.height_of(len(counts), 10))
    frame = score_frame(found)
    tables.show(frame, _columns(), "Scores of objects by class", height=tables.height_of(len(frame), 8))
    st.caption(
        escape(
            f"Pooled over {over(view, found)}; objects that a tile's edge cuts are among them. A match has an IoU "
            "above 0.5. Click a part of a bar to list its objects."
        )
    )


def score_frame(found: Shapes) -> pd.DataFrame:
    """One row a class: objects of both sides and their scores."""
    members, classes = list(found.classes.foreground), found.classes
    return pd.DataFrame(
        {
            tables.SWATCH: [tables.swatch(classes.classes[k].color) for k in members],
            tables.CLASS: [classes.names[k] for k in members],
            "truth": found.objects.truth[members],
            "predicted": found.objects.predicted[members],
            **{name: np.asarray(m.compute(found.objects))[members] for name, m in OBJECT_METRICS.items()},
        }
    )


def outcome_frame(found: Shapes) -> pd.DataFrame:
    """One row a class and side: objects by outcome."""
    rows = []
    for k in found.classes.foreground:
        for side, label in enumerate(SIDE_LABELS):
            counts = found.objects.by_outcome[side, k]
            rows.append([found.classes.names[k], label, *counts.tolist()])
    return pd.DataFrame(rows, columns=[tables.CLASS, "side", *(f"outcome_{code}" for code in OUTCOME_IDS)])


def _csv_frame(found: Shapes) -> pd.DataFrame:
    frame = score_frame(found)
    for side, outcomes in enumerate(OUTCOMES):
        for outcome in outcomes:
            of = found.objects.by_outcome[side, list(found.classes.foreground), outcome.code]
            frame[f"{SIDES[side]}_{outcome.id}"] = of
    return frame


def _columns() -> dict[str, Any]:
    number = st.column_config.NumberColumn
    return {
        tables.SWATCH: st.column_config.ImageColumn(tables.SWATCH, width=36),
        tables.CLASS: st.column_config.TextColumn(tables.CLASS, width=90),
        "truth": number("In ground truth", format="localized", help="Objects in the ground truth."),
        "predicted": number("Predicted", format="localized", help="Objects in the prediction."),
        **{
            name: number(
                m.label,
                format="%.3f",
                help=escape(f"{m.label}: {m.formula}. Undefined (–) when {m.undefined_when}. {m.source}."),
            )
            for name, m in OBJECT_METRICS.items()
        },
    }


def _outcome_columns() -> dict[str, Any]:
    columns: dict[str, Any] = {
        tables.CLASS: st.column_config.TextColumn(tables.CLASS, width=90),
        "side": st.column_config.TextColumn("Side", width=100),
    }
    for code in OUTCOME_IDS:
        both = [side[code] for side in OUTCOMES]
        label = "Partly" if code == PARTLY else " / ".join(dict.fromkeys(o.label for o in both))
        told = " ".join(f"{SIDE_LABELS[o.side]}, {o.label.lower()}: {o.definition}" for o in both)
        columns[f"outcome_{code}"] = st.column_config.NumberColumn(label, format="localized", help=escape(told))
    return columns
