"""Two curves on where the loss is: how tiles share the wrong pixels, and the score without the worst of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from analysis.charts.style import accent, bare, line_color, mild_color, number, page_color, plain, text_color
from analysis.scores import Concentration, Recovery
from analysis.scores.concentration import grid

_HEIGHT = 330


def spread_chart(spread: Concentration, tiles: Sequence[str], *, dark: bool) -> go.Figure:
    """Share of the wrong px over the share of the tiles that hold them, with the fewest that hold half of them marked.

    A click gives the position of a tile, the last of those counted up to there, as custom data.

    Parameters
    ----------
    tiles : sequence of str
        Tile ids, by position.
    """
    steps = grid(len(spread), 100)
    half = spread.holding(0.5)
    if half is not None:
        steps = np.union1d(steps, [half])
    x, y = steps / max(1, len(spread)), spread.shares[steps]
    last = [int(spread.order[n - 1]) if n else None for n in steps]
    figure = go.Figure()
    figure.add_scatter(
        x=[0, 1], y=[0, 1], mode="lines", hoverinfo="skip", line={"color": mild_color(dark), "width": 1, "dash": "dot"}
    )
    _curve(figure, x, y, dark=dark, fill=True)
    _points(
        figure,
        x,
        y,
        last,
        [
            f"The {n:,} tiles with most ({100 * n / max(1, len(spread)):.0f} % of them)<br>"
            f"hold {100 * share:.1f} % of the wrong px<br>The last of them: {plain(tiles[i])}<br>Click: see this tile"
            if i is not None
            else ""
            for n, share, i in zip(steps, y, last, strict=True)
        ],
    )
    if half is not None:
        few = "1 tile" if half == 1 else f"{half:,} tiles"
        held = float(spread.shares[half])
        hold = "holds" if half == 1 else "hold"
        _mark(figure, half / len(spread), held, 0, f"{few} {hold} {100 * held:.0f} %", dark=dark)
    bare(figure, _HEIGHT, dark=dark)
    figure.update_layout(hoverdistance=-1)  # the nearest point, however far it is
    percent = {"tickformat": ".0%", "gridcolor": line_color(dark), "tickvals": [0, 0.25, 0.5, 0.75, 1]}
    figure.update_xaxes(title_text="Share of tiles, those with most wrong px first", range=[0, 1.01], **percent)
    figure.update_yaxes(title_text="Share of wrong px", range=[0, 1.03], **percent)
    return figure


def recovery_chart(repaired: Recovery, tiles: Sequence[str], mark: int, what: str, *, dark: bool) -> go.Figure:
    """The score over the number of tiles made perfect, with one number of tiles marked.

    A click gives the position of a tile, the last of those made perfect, as custom data.

    Parameters
    ----------
    tiles : sequence of str
        Tile ids, by position.
    mark : int
        One of the steps; 0 marks nothing.
    what : str
        What the score is called.
    """
    x, y = repaired.steps, repaired.values
    last = [int(repaired.order[n - 1]) if n else None for n in x]
    figure = go.Figure()
    _curve(figure, x, y, dark=dark, fill=False)
    _points(
        figure,
        x,
        y,
        last,
        [
            f"The {n:,} tiles that cost most made perfect<br>{what} {number(value)}<br>"
            f"The last of them: {plain(tiles[i])}<br>Click: see this tile"
            if i is not None
            else ""
            for n, value, i in zip(x, y, last, strict=True)
        ],
    )
    floor = float(np.nanmin(y, initial=1.0))
    low = np.floor(20 * max(0.0, floor - 0.02)) / 20
    if mark and not np.isnan(y[0]):
        few = "1 tile" if mark == 1 else f"{mark:,} tiles"
        _mark(figure, mark, repaired.at(mark), low, f"{few} perfect: {number(repaired.at(mark))}", dark=dark)
        figure.add_hline(y=float(y[0]), line={"color": mild_color(dark), "width": 1, "dash": "dot"})
        figure.add_annotation(
            xref="paper",
            x=1,
            y=float(y[0]),
            text=f"as it is: {number(float(y[0]))}",
            xanchor="right",
            yanchor="bottom",
            showarrow=False,
            font={"color": mild_color(dark), "size": 12},
        )
    bare(figure, _HEIGHT, dark=dark)
    figure.update_layout(hoverdistance=-1)  # the nearest point, however far it is
    n = max(1, len(repaired.order))
    figure.update_xaxes(
        title_text="Tiles made perfect, those that cost most first",
        range=[0, 1.01 * n],
        gridcolor=line_color(dark),
        tickformat=",d",
        dtick=1 if n <= 8 else None,
    )
    figure.update_yaxes(
        title_text=f"{what[:1].upper()}{what[1:]}, pooled", range=[low, 1.03], gridcolor=line_color(dark)
    )
    return figure


def _curve(figure: go.Figure, x: NDArray[Any], y: NDArray[Any], *, dark: bool, fill: bool) -> None:
    figure.add_scatter(
        x=x,
        y=y,
        mode="lines",
        line={"color": accent(dark), "width": 2.5},
        fill="tozeroy" if fill else None,
        fillcolor="rgba(79,184,201,.12)" if dark else "rgba(11,110,127,.08)",
        hoverinfo="skip",
    )


def _points(
    figure: go.Figure, x: NDArray[Any], y: NDArray[Any], last: Sequence[int | None], hover: Sequence[str]
) -> None:
    """Small invisible points: a line itself gives no clicks."""
    keep = [i for i, position in enumerate(last) if position is not None]
    figure.add_scatter(
        x=[x[i] for i in keep],
        y=[y[i] for i in keep],
        mode="markers",
        marker={"size": 6, "opacity": 0},
        customdata=[[last[i]] for i in keep],
        hovertext=[hover[i] for i in keep],
        hovertemplate="%{hovertext}<extra></extra>",
    )


def _mark(figure: go.Figure, x: float, y: float, low: float, text: str, *, dark: bool) -> None:
    """A dot with lines to both axes and a label to its right."""
    figure.add_scatter(
        x=[0, x, x],
        y=[y, y, low],
        mode="lines",
        hoverinfo="skip",
        line={"color": text_color(dark), "width": 1, "dash": "dash"},
    )
    figure.add_scatter(x=[x], y=[y], mode="markers", hoverinfo="skip", marker={"size": 9, "color": text_color(dark)})
    figure.add_annotation(
        x=x,
        y=y,
        text=text,
        xanchor="left",
        yanchor="top",
        xshift=8,
        yshift=-2,
        showarrow=False,
        font={"color": text_color(dark), "size": 13},
        bgcolor=page_color(dark),
        borderpad=2,
    )
