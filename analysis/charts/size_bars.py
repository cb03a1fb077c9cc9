"""Objects by size: one score over the bins, for one or several series."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from analysis.charts.frame import axis, finish, marker, number, title
from analysis.charts.style import plain, short, text_color
from analysis.scores.object_metrics import SIZE_METRICS
from analysis.scores.size_bins import SizeBins
from analysis.words.outcomes import OUTCOMES, PREDICTION, TRUTH

_HEIGHT = 380  # px of the page
_FEW = 10
PALE = f"Pale bars stand on fewer than {_FEW} objects."
_MOST_UPRIGHT = 22
_PATTERNS = ("", "/", ".", "x", "\\", "|", "-", "+")


@dataclass(frozen=True, eq=False)
class SizeSeries:
    """One series of the chart: a class, or the tiles of one GSD.

    Parameters
    ----------
    label, color : str
    bins : SizeBins
        Without leading axes; all series have the same edges.
    index : int
        Class index, -1 for all classes: it comes back with a click.
    """

    label: str
    color: str
    bins: SizeBins
    index: int = -1


def size_chart(series: Sequence[SizeSeries], metric: str, *, dark: bool) -> go.Figure:
    """Bars by size bin, with the number of objects behind each bar; an empty bin has a dash and no bar.

    Bars that stand on fewer than 10 objects are pale.

    A click gives ``[class index, bin, side, series]`` as custom data: side 0 truth, 1 prediction, -1 both.

    Parameters
    ----------
    series : sequence of SizeSeries
        At least one.
    metric : str
        A key of `SIZE_METRICS`.

    Raises
    ------
    ValueError
        There is no series, or the edges differ.
    """
    if not series or any(s.bins.edges.bounds != series[0].bins.edges.bounds for s in series):
        raise ValueError("a size chart needs series with the same edges")
    edges, entry = series[0].bins.edges, SIZE_METRICS[metric]
    side = {"size_precision": PREDICTION, "size_f1": -1}.get(metric, TRUTH)
    count, width = len(series), 0.84 / len(series)
    many = count * len(edges) > _MOST_UPRIGHT
    figure = go.Figure()
    for s, one in enumerate(series):
        values = np.asarray(entry.compute(one.bins), np.float64)
        x = [b + (s - (count - 1) / 2) * width for b in range(len(edges))]
        keys = [[one.index, b, side, s] for b in range(len(edges))]
        hover = [_hover(one, metric, b, float(values[b])) for b in range(len(edges))]
        look = marker(one.color, _PATTERNS[s % len(_PATTERNS)], dark)
        support = _support(one.bins, side)
        look["opacity"] = [0.5 if n < _FEW else 1.0 for n in support]
        shared = {"customdata": keys, "hovertext": hover, "hovertemplate": "%{hovertext}<extra></extra>"}
        figure.add_bar(x=x, y=values, width=width * 0.94, name=short(one.label), marker=look, **shared)
        figure.add_scatter(
            x=x,
            y=np.nan_to_num(values),
            mode="text",
            text=[_above(n, v) for n, v in zip(support, values, strict=True)],
            textposition="top center",
            textfont={"color": text_color(dark), "size": 10 if many else 11},
            showlegend=False,
            cliponaxis=False,
            **shared,
        )
    figure.update_xaxes(
        **axis(dark),
        range=[-0.5, len(edges) - 0.5],
        tickvals=list(range(len(edges))),
        ticktext=[plain(label) for label in edges.labels],
        showgrid=False,
        title=title("Area of the predicted object" if side == PREDICTION else "Area of the object", dark),
    )
    figure.update_yaxes(
        **axis(dark), range=[0, 1.12], tickvals=[0, 0.25, 0.5, 0.75, 1], title=title(plain(entry.label), dark)
    )
    return finish(figure, _HEIGHT, dark, barmode="overlay", showlegend=count > 1)


def _support(bins: SizeBins, side: int) -> list[int]:
    """Objects behind each bar; for F1 the fewer of both sides."""
    if side == -1:
        return [int(n) for n in np.minimum(bins.truth, bins.predicted)]
    return [int(n) for n in (bins.predicted if side == PREDICTION else bins.truth)]


def _above(n: int, value: float) -> str:
    return "–" if value != value else f"n {_compact(n)}"


def _compact(n: int) -> str:
    for limit, unit in ((1e6, " M"), (1e4, " k")):
        if n >= limit:
            return f"{n / (1e3 if unit == ' k' else 1e6):.3g}{unit}"
    return f"{n:,}"


def _hover(one: SizeSeries, metric: str, b: int, value: float) -> str:
    bins = one.bins
    lines = [
        f"<b>{plain(one.label)}, {plain(bins.edges.labels[b])}</b>",
        f"{SIZE_METRICS[metric].label} {number(value)}",
        f"{int(bins.truth[b]):,} ground truth objects, {int(bins.predicted[b]):,} predicted",
    ]
    for side in (PREDICTION,) if metric == "size_precision" else (TRUTH,):
        parts = [f"{int(n):,} {o.label.lower()}" for o, n in zip(OUTCOMES[side], bins.objects[side, b], strict=True)]
        lines.append(", ".join(parts))
    return "<br>".join(lines)
