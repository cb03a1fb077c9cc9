"""Narrow classes by width: how much of their centre lines is found, and what the rest is taken for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from analysis.charts.width_bars import width_chart
from analysis.scores import LINE_METRICS, LineScores, WidthBins
from analysis.words.classes import OUTSIDE
from ui import drill, section, tables
from ui.selection import View
from ui.small_objects.head import over
from ui.small_objects.numbers import Shapes
from ui.small_objects.state import SIDE, SIDE_IDS, TAKEN, WIDTH, look_for
from ui.text import UNDEFINED, escape, score, some

_TITLE = "By width"


def draw(view: View, found: Shapes, index: int) -> None:
    """Of the class that is looked at where it is narrow, else of the first narrow one."""
    lines, widths, classes = found.lines, found.widths, found.classes
    if lines is None or widths is None:
        section.head(_TITLE)
        st.caption(
            "No class of this dataset is marked as narrow, so no centre lines are counted. Mark one in the workspace "
            'file, such as 4 = {name = "road", narrow = true}, or on the Data page, and score again.'
        )
        return
    c = widths.narrow.index(index) if index in widths.narrow else 0
    name, tolerance = classes.names[widths.narrow[c]], found.tolerance
    place = section.head(f"{_TITLE}: {escape(name)}")
    section.csv(place, _TITLE, view, "by_width", lambda: _frame(widths, c, found))
    section.csv(place, "Scores of centre lines", view, "lines", lambda: _line_csv(lines, found), "Scores CSV")
    if not lines.kept[c] and not lines.predicted[c]:
        st.caption(escape(f"Neither map has a centre line of {name} on {over(view, found)}."))
        return
    left, right = st.columns([1.5, 1], gap="large")

    def act(custom: Any) -> None:
        k, at, predicted = (int(value) for value in custom)
        filters = {SIDE: SIDE_IDS[0], WIDTH: str(at + 1)}
        if predicted >= 0 and predicted != k:
            filters[TAKEN] = (*classes.names, OUTSIDE)[predicted]
        look_for(classes.names[k], **filters)

    with left:
        drill.filtering(
            section.figure(view, lambda dark: width_chart(widths, c, classes, tolerance, dark=dark), "widths", c),
            "width_chart",
            act,
            alt=f"What the centre line of {name} is predicted as, by width; the table beside it holds the numbers.",
        )
    with right:
        tables.show(line_frame(lines, c, tolerance), _line_columns(), f"Scores of the centre lines of {name}")
        frame = _shown(widths, c, found)
        tables.show(frame, _columns(tolerance), f"{name} by width", height=tables.height_of(len(frame), 8))
    st.caption(escape(_caption(view, found, lines, widths, c)))


def _caption(view: View, found: Shapes, lines: LineScores, widths: WidthBins, c: int) -> str:
    km = f" ({lines.km[c]:,.1f} km)" if lines.km[c] == lines.km[c] else ""
    parts = [
        f"{int(lines.kept[c]):,} px of the ground truth's centre line{km} and {int(lines.predicted[c]):,} px of the "
        f"prediction's, on {over(view, found)}",
        f"{some(int(lines.gaps[c]), 'gap')}: stretches that are not found, between such that are",
    ]
    if lines.left_out[c]:
        parts.append(
            f"{int(lines.left_out[c]):,} px of the ground truth's line are left out: at a tile's edge or at ignored "
            "pixels their width is not known"
        )
    if widths.no_gsd[c]:
        parts.append(f"{int(widths.no_gsd[c]):,} px on tiles without a GSD are in no bin")
    parts.append(
        "A px can be found and yet be predicted as something else: the prediction's line is near, its own px is not "
        "of the class"
    )
    parts.append("A width reads 0 to 2 px less than it is")
    return ". ".join(parts) + ". Click a part of a bar to list objects whose mean width is in the bin."


def line_frame(lines: LineScores, c: int, tolerance: str) -> pd.DataFrame:
    """One row a score."""
    values = {name: float(np.asarray(m.compute(lines))[c]) for name, m in LINE_METRICS.items()}
    return pd.DataFrame(
        {
            "value": [
                score(values[name], 2 if m.unit == "per km" else 3) if values[name] == values[name] else UNDEFINED
                for name, m in LINE_METRICS.items()
            ],
            "measure": [m.label_with(tolerance) for m in LINE_METRICS.values()],
            "definition": [
                f"{m.formula}. Undefined when {m.undefined_when}. {m.source}." for m in LINE_METRICS.values()
            ],
        }
    )


def _line_columns() -> dict[str, Any]:
    text = st.column_config.TextColumn
    return {"value": text("Value", width=60), "measure": text("Score", width=350), "definition": text("Definition")}


def _line_csv(lines: LineScores, found: Shapes) -> pd.DataFrame:
    narrow = list(found.classes.narrow)
    return pd.DataFrame(
        {
            "class": [found.classes.names[k] for k in narrow],
            "tolerance": found.tolerance,
            **{name: np.asarray(m.compute(lines)) for name, m in LINE_METRICS.items()},
            "gaps": lines.gaps,
            "km": lines.km,
            "truth_line_px": lines.kept,
            "left_out_px": lines.left_out,
            "predicted_line_px": lines.predicted,
        }
    )


def _frame(widths: WidthBins, c: int, found: Shapes) -> pd.DataFrame:
    """One row a bin: support, scores, and px by predicted class."""
    names = (*found.classes.names, OUTSIDE)
    return pd.DataFrame(
        {
            "class": names[widths.narrow[c]],
            "width": list(widths.edges.labels),
            "line_px": widths.kept[c],
            "length": widths.length[c],
            "length_unit": "px" if widths.edges.unit == "px" else "km",
            "tolerance": found.tolerance,
            "completeness": widths.completeness[c],
            "topology_sensitivity": widths.sensitivity[c],
            **{f"predicted {name}": widths.predicted_as[c, :, k] for k, name in enumerate(names)},
        }
    )


def _shown(widths: WidthBins, c: int, found: Shapes) -> pd.DataFrame:
    names, shares = (*found.classes.names, OUTSIDE), widths.taken_share[c]
    taken = [
        ", ".join(f"{names[k]} {100 * row[k]:.0f} %" for k in np.argsort(-row, kind="stable")[:2] if row[k] >= 0.005)
        if row.max() == row.max()
        else UNDEFINED
        for row in shares
    ]
    return pd.DataFrame(
        {
            "width": list(widths.edges.labels),
            "px": widths.kept[c],
            "completeness": widths.completeness[c],
            "taken": taken,
        }
    )


def _columns(tolerance: str) -> dict[str, Any]:
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    return {
        "width": text("Width", width=100),
        "px": number("Line px", format="localized", width=75, help="Px of the ground truth's centre line."),
        "completeness": number(
            "Completeness",
            format="%.3f",
            width=95,
            help=escape(f"{LINE_METRICS['completeness'].formula}, {tolerance}."),
        ),
        "taken": text("Taken for", help="What the px of the line that are predicted as something else are taken for."),
    }
