"""IoU, precision and recall of every class as one chart."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from analysis.charts.style import line_color, page_color, plain, text_color, unique
from analysis.scores import PooledByClass
from analysis.words.classes import ClassList

_ROW, _FRAME = 46, 84  # px of the page
_MOST_ROOMY = 14


def class_chart(table: PooledByClass, classes: ClassList, *, dark: bool) -> go.Figure:
    """A bar a class for its IoU, in the class's colour, with marks for precision and recall.

    A click gives the class index as custom data. A class without a value has no bar.
    """
    k = len(classes)
    rows = list(range(k))
    names = [plain(name) for name in classes.names]
    figure = go.Figure()
    figure.add_bar(
        x=table.iou,
        y=rows,
        orientation="h",
        name="IoU",
        marker={"color": [c.color for c in classes.classes], "line": {"color": text_color(dark), "width": 1}},
        width=0.56,
        customdata=[[i] for i in rows],
        hovertext=[_hover(table, name, i) for i, name in enumerate(names)],
        hovertemplate="%{hovertext}<extra></extra>",
        showlegend=False,
    )
    for values, name, symbol in ((table.precision, "Precision", "diamond"), (table.recall, "Recall", "circle-open")):
        figure.add_scatter(
            x=values,
            y=rows,
            mode="markers",
            name=name,
            marker={
                "symbol": symbol,
                "size": 10,
                "color": text_color(dark),
                "line": {"width": 2 if symbol.endswith("open") else 1.5, "color": _edge(symbol, dark)},
            },
            customdata=[[i] for i in rows],
            hovertext=[_hover(table, n, i) for i, n in enumerate(names)],
            hovertemplate="%{hovertext}<extra></extra>",
        )
    beside = {"x": 1.05, "xanchor": "left", "showarrow": False}
    figure.update_layout(
        annotations=[
            {**beside, "y": i, "text": _number(value), "font": {"color": text_color(dark), "size": 13}}
            for i, value in enumerate(table.iou)
        ]
        + [{**beside, "y": 1, "yref": "paper", "yanchor": "bottom", "yshift": 6, "text": "IoU"}]
    )
    axis = {"zeroline": False, "fixedrange": True, "ticks": "", "tickfont": {"color": text_color(dark), "size": 12}}
    figure.update_xaxes(**axis, range=[0, 1.18], tickvals=[0, 0.25, 0.5, 0.75, 1], gridcolor=line_color(dark))
    figure.update_yaxes(
        **axis,
        autorange="reversed",
        tickvals=rows,
        ticktext=unique(classes.names),
        showgrid=False,
        automargin=True,
    )
    figure.update_layout(
        height=_FRAME + _ROW * k if k <= _MOST_ROOMY else _FRAME + 22 * k,
        margin={"l": 8, "r": 12, "t": 34, "b": 8},
        legend={"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom", "itemclick": False, "itemdoubleclick": False},
        hovermode="closest",
        dragmode=False,
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        hoverlabel={"align": "left"},
    )
    return figure


def _edge(symbol: str, dark: bool) -> str:
    """Ring of a mark: its own colour for an open one, the page's for a filled one."""
    if symbol.endswith("open"):
        return text_color(dark)
    return page_color(dark)


def _number(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.3f}"


def _hover(table: PooledByClass, name: str, i: int) -> str:
    return "<br>".join(
        [
            f"<b>{name}</b>",
            f"IoU {_number(table.iou[i])}",
            f"precision {_number(table.precision[i])}, recall {_number(table.recall[i])}",
            f"{int(table.truth_pixels[i]):,} px in the ground truth of {int(table.tiles_in_truth[i]):,} tiles",
            "Click: the tiles that cost this class most",
        ]
    )
