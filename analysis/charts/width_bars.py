"""Centre lines by width: what the ground truth's line was predicted as, and how much of it was found."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from analysis.charts.frame import axis, finish, ink_on, marker, number, title
from analysis.charts.style import plain, short, text_color
from analysis.pictures.colors import OUTSIDE_COLORS
from analysis.scores.formulas import safe_divide
from analysis.scores.width_bins import WidthBins
from analysis.words.classes import OUTSIDE, ClassList

_HEIGHT = 400  # px of the page
_LEAST_WRITTEN = 0.06
_PATTERNS = ("/", ".", "x", "\\", "|", "-", "+")


def width_chart(bins: WidthBins, position: int, classes: ClassList, tolerance: str, *, dark: bool) -> go.Figure:
    """Stacked bars by width bin: the line's px by predicted class. A diamond marks completeness.

    The two differ: a px counts as found where the prediction's line is near, and is in the bar's own part where the
    prediction of that very px is the class. A click gives ``[class index, bin, predicted class index]`` as custom
    data, with K for outside the class list and -1 for completeness. An empty bin has a dash and no bar.

    Parameters
    ----------
    position : int
        Position on the C axis of `bins`.
    tolerance : str
        From `analysis.words.measures.tolerance_words`.
    """
    own = bins.narrow[position]
    count, px = len(bins.edges), bins.kept[position]
    shares = safe_divide(bins.predicted_as[position], px[:, np.newaxis])
    names = [*classes.names, OUTSIDE]
    colors = [*(c.color for c in classes.classes), OUTSIDE_COLORS[0]]
    others = [k for k in range(len(names)) if k != own and bins.predicted_as[position, :, k].any()]
    figure = go.Figure()
    for i, k in enumerate([own, *others]):
        pattern = "" if k == own else _PATTERNS[(i - 1) % len(_PATTERNS)]
        figure.add_bar(
            x=list(range(count)),
            y=shares[:, k],
            width=0.72,
            name=f"predicted as {short(names[k])}",
            marker=marker(colors[k], pattern, dark),
            text=[f"{100 * v:.0f} %" if v >= _LEAST_WRITTEN else "" for v in shares[:, k]],
            textposition="inside",
            insidetextanchor="middle",
            textangle=0,
            constraintext="none",
            textfont={"color": ink_on(colors[k]), "size": 12},
            customdata=[[own, b, k] for b in range(count)],
            hovertext=[_hover(bins, position, b, names, k) for b in range(count)],
            hovertemplate="%{hovertext}<extra></extra>",
        )
    figure.add_scatter(
        # Beside the shares, which stand in the middle of the bars.
        x=[b + 0.26 for b in range(count)],
        y=bins.completeness[position],
        mode="markers",
        name=plain(f"completeness, {tolerance}"),
        marker={
            "symbol": "diamond",
            "size": 13,
            "color": "#ffffff",
            "line": {"width": 2.5, "color": "#12191c"},
        },
        customdata=[[own, b, -1] for b in range(count)],
        hovertext=[
            f"<b>{plain(names[own])}, {bins.edges.labels[b]}</b><br>completeness "
            f"{number(bins.completeness[position, b])}, {plain(tolerance)}<br>{_support(bins, position, b)}"
            for b in range(count)
        ],
        hovertemplate="%{hovertext}<extra></extra>",
    )
    for b in range(count):
        figure.add_annotation(
            x=b,
            y=1.02 if px[b] else 0.02,
            yanchor="bottom",
            text=_short_support(bins, position, b),
            showarrow=False,
            font={"color": text_color(dark), "size": 12},
        )
    figure.update_xaxes(
        **axis(dark),
        range=[-0.5, count - 0.5],
        tickvals=list(range(count)),
        ticktext=list(bins.edges.labels),
        showgrid=False,
        title=title("Width in the ground truth", dark),
    )
    figure.update_yaxes(
        **axis(dark),
        range=[0, 1.09],
        tickvals=[0, 0.25, 0.5, 0.75, 1],
        tickformat=".0%",
        title=title("Centre line of the ground truth", dark),
    )
    return finish(figure, _HEIGHT, dark, barmode="stack")


def _short_support(bins: WidthBins, c: int, b: int) -> str:
    """Length of the line in the bin; px where its length is not in km."""
    if not bins.kept[c, b]:
        return "–"
    if bins.edges.unit == "px":
        return f"{int(bins.kept[c, b]):,} px"
    km = float(bins.length[c, b])
    return f"{1000 * km:,.0f} m" if km < 1 else f"{km:,.1f} km"


def _support(bins: WidthBins, c: int, b: int) -> str:
    length = "" if bins.edges.unit == "px" else f", {_short_support(bins, c, b)}"
    return f"{int(bins.kept[c, b]):,} px of line{length}"


def _hover(bins: WidthBins, c: int, b: int, names: list[str], k: int) -> str:
    share = safe_divide(bins.predicted_as[c, b, k], bins.kept[c, b]).item()
    lines = [
        f"<b>{plain(names[bins.narrow[c]])}, {bins.edges.labels[b]}</b>",
        f"{100 * share:.1f} % predicted as {plain(names[k])}, {int(bins.predicted_as[c, b, k]):,} px of line",
    ]
    if k != bins.narrow[c]:
        taken = bins.taken_share[c, b, k].item()
        lines.append(f"{100 * taken:.1f} % of what is taken for something else")
    return "<br>".join([*lines, _support(bins, c, b)])
