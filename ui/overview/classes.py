"""Scores by class: the table, and the same as bars."""

from __future__ import annotations

import streamlit as st

from analysis.charts.class_bars import class_chart
from ui import drill, section, tables
from ui.overview.numbers import Numbers
from ui.selection import View
from ui.text import UNDEFINED, escape


def draw(view: View, found: Numbers) -> None:
    """The table of classes; a row leads to the tiles that cost the class most."""
    classes = view.scored.classes
    frame = tables.class_frame(found.table, classes)
    title = "Scores and support by class"
    section.csv(section.head(title), title, view, "classes", lambda: frame)
    tables.show(
        frame,
        tables.class_columns(view.run.workspace.scoring),
        "Pooled scores and support by class",
        height=tables.height_of(len(frame), 10),
        **drill.rows(f"class_table_{len(frame)}", [drill.to_class(name) for name in classes.names]),
    )
    left_out = found.heads["pooled"].left_out
    mean = f" Not in the mean: {', '.join(left_out)}." if left_out else ""
    st.caption(
        escape(f"Pooled over {section.over(view)}. {UNDEFINED} is undefined; the headings say when.{mean} ")
        + "Pick a row for the tiles that cost the class most."
    )


def draw_bars(view: View, found: Numbers) -> None:
    """The bars."""
    classes, table = view.scored.classes, found.table
    section.head("IoU, precision and recall by class")
    defined = [i for i, value in enumerate(table.iou) if value == value]
    low = min(defined, key=lambda i: float(table.iou[i]), default=None)
    worst = f" Lowest IoU: {classes.names[low]}, {table.iou[low]:.3f}." if low is not None else ""
    drill.chart(
        section.figure(view, lambda dark: class_chart(table, classes, dark=dark), "classes"),
        "class_chart",
        lambda custom: drill.to_class(classes.names[int(custom[0])]),
        alt=f"IoU, precision and recall by class; the table above holds the same numbers.{worst}",
    )
    st.caption(f"Pooled over {section.over(view)}. Click a bar for the tiles that cost the class most.")
