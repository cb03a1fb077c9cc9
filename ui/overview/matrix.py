"""The confusion matrix."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import streamlit as st

from analysis.charts.confusion import By, confusion_chart
from analysis.words.classes import OUTSIDE
from ui import drill, section, tables
from ui.choice import choose_segment
from ui.overview.numbers import Numbers
from ui.selection import View

_TITLE = "What is taken for what"
_BY = {"truth": "By ground truth", "prediction": "By prediction", "px": "Pixels"}
_BY_HELP = {
    "truth": "Per cent of the ground truth of a class: a row sums to 100, its diagonal is the recall.",
    "prediction": "Per cent of what is predicted as a class: a column sums to 100, its diagonal is the precision.",
    "px": "Pixels, of the ground truth in rows and of the prediction in columns.",
}


def draw(view: View, found: Numbers) -> None:
    """The matrix as shares or in px; a cell leads to the tiles with the most px in it."""
    classes, total = view.scored.classes, found.total
    place = section.head(_TITLE)
    by = cast(By, choose_segment(place, "Share", "matrix", list(_BY), list(_BY.values())))
    section.csv(place, _TITLE, view, "confusion", lambda: tables.confusion_frame(total, classes))

    def way(custom: Any) -> drill.Link | None:
        return drill.to_cell(custom, classes)

    figure = section.figure(view, lambda dark: confusion_chart(total, classes, by, dark=dark), "matrix", by)
    drill.chart(figure, f"confusion_{by}", way, alt=_alt(view, total))
    st.caption(f"{_BY_HELP[by]} Over {section.over(view)}. Click a cell off the diagonal for the tiles behind it.")


def _alt(view: View, total: np.ndarray[Any, Any]) -> str:
    names = (*view.scored.classes.names, OUTSIDE)
    wrong = total.copy()
    np.fill_diagonal(wrong, 0)
    text = "Confusion matrix, ground truth in rows and prediction in columns; its numbers are in the CSV."
    if not wrong.any():
        return text
    row, column = np.unravel_index(wrong.argmax(), wrong.shape)
    return f"{text} Most common error: {names[row]} predicted as {names[column]}, {int(wrong[row, column]):,} px."
