"""Scores by scene as bars, the worst first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from analysis.charts.style import accent, bare, line_color, mild_color, number, plain, text_color, unique
from analysis.scores import ByScene

MOST = 24
"""Scenes that are drawn; of more, the first and the last half."""
NO_SCENE = "no scene"
_ROW, _FRAME = 25, 64  # px of the page
_SCORE, _TILES = 1.13, 1.31  # right ends of the columns of numbers, on the axis of scores


def drawn(order: Sequence[int]) -> list[int | None]:
    """Which of the scenes are drawn, in their order; None is the gap where some are left out."""
    if len(order) <= MOST:
        return list(order)
    half = MOST // 2
    return [*order[:half], None, *order[-half:]]


def scene_chart(scenes: ByScene, order: Sequence[int], whole: float, what: str, *, dark: bool) -> go.Figure:
    """A bar a scene with its score and tile count beside it, and a line at the score of all of them together.

    A click gives the scene's index as custom data; the group without a scene gives none.

    Parameters
    ----------
    order : sequence of int
        Indices of the scenes, first on top.
    whole : float
        The score over all tiles.
    what : str
        What the score is called.
    """
    shown = drawn(order)
    at = [(row, i) for row, i in enumerate(shown) if i is not None]
    names = [scenes.scenes[i] or NO_SCENE for _, i in at]
    figure = go.Figure()
    figure.add_bar(
        x=[scenes.values[i] for _, i in at],
        y=[row for row, _ in at],
        orientation="h",
        width=0.62,
        marker={"color": accent(dark)},
        customdata=[[i] if scenes.scenes[i] else None for _, i in at],
        hovertext=[_hover(scenes, i, what) for _, i in at],
        hovertemplate="%{hovertext}<extra></extra>",
    )
    color = {"color": text_color(dark), "size": 12}
    mild = {"color": mild_color(dark), "size": 12}
    numbers, counts = [number(scenes.values[i]) for _, i in at], [f"{scenes.tiles[i]:,}" for _, i in at]
    for x, column, font in ((_SCORE, numbers, color), (_TILES, counts, mild)):
        figure.add_scatter(
            x=[x] * len(at),
            y=[row for row, _ in at],
            mode="text",
            text=column,
            textposition="middle left",
            textfont=font,
            hoverinfo="skip",
        )
    head = {"yref": "paper", "y": 1, "yanchor": "bottom", "showarrow": False, "xanchor": "right", "font": mild}
    labels = [{**head, "x": _SCORE, "text": "IoU"}, {**head, "x": _TILES, "text": "tiles"}]
    if None in shown:
        left = f"{len(order) - MOST:,} scenes between are in the table"
        labels.append({"x": 0, "y": MOST // 2, "text": left, "xanchor": "left", "showarrow": False, "font": mild})
    if not np.isnan(whole):
        line = {"color": text_color(dark), "width": 1.5, "dash": "dot"}
        figure.add_shape(type="line", x0=whole, x1=whole, y0=0, y1=1, yref="paper", line=line)
        labels.append({**head, "x": whole, "xanchor": "center", "text": f"all {number(whole)}"})
    figure.update_layout(annotations=labels)
    bare(figure, _FRAME + _ROW * len(shown), dark=dark)
    figure.update_layout(margin={"l": 8, "r": 8, "t": 30, "b": 26}, bargap=0)
    figure.update_xaxes(range=[0, 1.32], tickvals=[0, 0.25, 0.5, 0.75, 1], gridcolor=line_color(dark))
    figure.update_yaxes(
        range=[len(shown) - 0.5, -0.5],
        tickvals=[row for row, _ in at],
        ticktext=unique(names),
        showgrid=False,
        automargin=True,
    )
    return figure


def _hover(scenes: ByScene, i: int, what: str) -> str:
    lines = [
        f"<b>{plain(scenes.scenes[i] or NO_SCENE)}</b>",
        f"{what} {number(scenes.values[i])}, pooled",
        f"{scenes.tiles[i]:,} tiles, {scenes.valid_pixels[i]:,} px",
        f"{scenes.wrong_pixels[i]:,} wrong px, {_percent(scenes.wrong_shares[i])} of all",
    ]
    if scenes.scenes[i]:
        lines.append("Click: the worst tiles of this scene")
    return "<br>".join(lines)


def _percent(share: float) -> str:
    return "–" if np.isnan(share) else f"{100 * share:.1f} %"
