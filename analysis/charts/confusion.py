"""The confusion matrix as a chart: ground truth in rows, prediction in columns."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from analysis.charts.style import ink, line_color, plain, scale, text_color, unique
from analysis.scores import safe_divide
from analysis.scores.formulas import Counts, Scores
from analysis.words.classes import OUTSIDE, ClassList

By = Literal["truth", "prediction", "px"]
_MOST_WRITTEN = 14  # classes, up to which the numbers stand in the cells
_CELL, _FRAME = 46, 96  # px of the page


def shares(confusion: Counts, by: By) -> Scores:
    """Shares of a pooled confusion matrix.

    Parameters
    ----------
    confusion : ndarray of int64, shape (K, K + 1)
    by : {"truth", "prediction", "px"}
        ``truth``: each row sums to 1. ``prediction``: each column does. ``px``: all cells together do.

    Returns
    -------
    ndarray of float64, shape (K, K + 1)
        NaN where a row or column is empty.
    """
    if by == "truth":
        return safe_divide(confusion, confusion.sum(axis=1, keepdims=True))
    if by == "prediction":
        return safe_divide(confusion, confusion.sum(axis=0, keepdims=True))
    return safe_divide(confusion, confusion.sum())


def confusion_chart(confusion: Counts, classes: ClassList, by: By, *, dark: bool) -> go.Figure:
    """The chart; a click on a cell gives the class indices of truth and prediction as custom data.

    Parameters
    ----------
    confusion : ndarray of int64, shape (K, K + 1)
        The last column is shown only where it has px.
    by : {"truth", "prediction", "px"}
    """
    k = len(classes)
    columns = k + 1 if confusion[:, -1].any() else k
    counts, part = confusion[:, :columns], shares(confusion, by)[:, :columns]
    tint = part if by != "px" else safe_divide(part, np.nanmax(part, initial=0.0))
    figure = go.Figure()
    figure.add_heatmap(
        z=np.nan_to_num(tint),
        x=list(range(columns)),
        y=list(range(k)),
        colorscale=scale(dark),
        zmin=0,
        zmax=1,
        showscale=False,
        xgap=2,
        ygap=2,
        hoverinfo="skip",
    )
    if k <= _MOST_WRITTEN:
        _write(figure, counts, part, tint, by, dark)
    _add_clicks(figure, counts, confusion, classes)
    names = [*unique(classes.names), "outside list"][:columns]
    axis = {
        "showgrid": False,
        "zeroline": False,
        "fixedrange": True,
        "ticks": "",
        "tickfont": {"color": text_color(dark), "size": 12},
    }
    figure.update_xaxes(
        **axis,
        title={"text": "Prediction", "font": {"color": text_color(dark), "size": 13}},
        side="top",
        tickvals=list(range(columns)),
        ticktext=names,
        tickangle=0 if columns <= 6 else -40 if columns <= _MOST_WRITTEN else -90,
        automargin=True,
    )
    figure.update_yaxes(
        **axis,
        title={"text": "Ground truth", "font": {"color": text_color(dark), "size": 13}},
        autorange="reversed",
        tickvals=list(range(k)),
        ticktext=names[:k],
        automargin=True,
    )
    figure.update_layout(
        height=max(280, _FRAME + _CELL * k) if k <= _MOST_WRITTEN else 720,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        hoverdistance=-1,
        hovermode="closest",
        dragmode=False,
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        hoverlabel={"align": "left", "bordercolor": line_color(dark)},
    )
    return figure


def _write(figure: go.Figure, counts: Counts, part: Scores, tint: Scores, by: By, dark: bool) -> None:
    labels = []  # set all at once: one by one, each is checked with all before it
    for (row, column), share in np.ndenumerate(part):
        if np.isnan(share):
            text = "–"
        elif by == "px":
            text = _compact(int(counts[row, column]))
        else:
            text = _percent(share, int(counts[row, column]))
        color = ink(float(np.nan_to_num(tint[row, column])), dark)
        size = 13 if counts.shape[1] <= 8 else 11
        labels.append({"x": column, "y": row, "text": text, "showarrow": False, "font": {"color": color, "size": size}})
    figure.update_layout(annotations=labels)


def _add_clicks(figure: go.Figure, counts: Counts, confusion: Counts, classes: ClassList) -> None:
    """Small invisible points: they carry the hover text and the clicks, which a heat map does not give."""
    names = [*classes.names, OUTSIDE]
    by_truth, by_prediction = shares(confusion, "truth"), shares(confusion, "prediction")
    texts, cells = [], []
    for row, column in np.ndindex(counts.shape):
        lines = [
            f"<b>{plain(names[row])}</b> predicted as <b>{plain(names[column])}</b>",
            f"{int(counts[row, column]):,} px",
            f"{_percent(by_truth[row, column])} of the ground truth {plain(names[row])}",
            f"{_percent(by_prediction[row, column])} of what is predicted {plain(names[column])}",
        ]
        if row != column:
            lines.append("Click: the tiles with the most of it")
        texts.append("<br>".join(lines))
        cells.append([row, column])
    figure.add_scatter(
        x=[c[1] for c in cells],
        y=[c[0] for c in cells],
        mode="markers",
        marker={"size": 6, "opacity": 0},
        customdata=cells,
        text=texts,
        hovertemplate="%{text}<extra></extra>",
        showlegend=False,
    )


def _percent(share: float | npt.NDArray[np.float64], px: int | None = None) -> str:
    value = float(share)
    if np.isnan(value):
        return "–"
    if not value:
        return "0 %" if px is None else "0"
    if value and value < 0.0005:
        return "&lt;0.1 %" if px is None else "&lt;0.1"
    return f"{value:.1%}".replace("%", " %") if px is None else f"{100 * value:.1f}"


def _compact(px: int) -> str:
    """At most four digits and a unit: 1.23 M."""
    for limit, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if px >= limit:
            return f"{px / limit:.3g} {unit}"
    return str(px)
