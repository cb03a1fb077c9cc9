"""Where the IoU of each class goes: one bar a class, from 0 to 1."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from analysis.charts.frame import NEITHER, RIGHT_COLOR, axis, finish, ink_on, marker, number, outcome_style
from analysis.charts.style import plain, short
from analysis.scores.explain import Explanation
from analysis.words.classes import ClassList
from analysis.words.outcomes import FOUND, PREDICTION, REASONS, Reason

_ROW, _LOW_ROW, _FRAME, _LEAST, _MOST_ROOMY = 46, 22, 84, 200, 14  # px of the page; classes
_LEAST_WRITTEN = 0.055


def explain_chart(explanation: Explanation, classes: ClassList, *, dark: bool) -> go.Figure:
    """IoU and the losses by reason as parts of one bar, a class each; classes without objects are not there.

    A click gives ``[class index, outcome code, side]`` as custom data: side 0 truth, 1 prediction, -1 both; the
    outcome is -1 for the part that is right. A class that is in neither map has no bar.

    Parameters
    ----------
    explanation : Explanation
        Without leading axes.
    """
    members = list(classes.foreground)
    rows = list(range(len(members)))
    figure = go.Figure()

    def add(name: str, values: np.ndarray, style: tuple[str, str], keys: list[list[int]], hover: list[str]) -> None:
        color, pattern = style
        figure.add_bar(
            x=values,
            y=rows,
            orientation="h",
            name=name,
            marker=marker(color, pattern, dark),
            width=0.62,
            text=[number(v) if v >= _LEAST_WRITTEN else "" for v in values],
            textposition="inside",
            insidetextanchor="middle",
            textangle=0,
            constraintext="none",
            textfont={"color": ink_on(color), "size": 12},
            customdata=keys,
            hovertext=hover,
            hovertemplate="%{hovertext}<extra></extra>",
        )

    iou = explanation.iou[members]
    hover = [
        f"<b>{plain(classes.names[k])}</b><br>IoU {number(explanation.iou[k])}<br>{int(explanation.tp[k]):,} px right "
        f"of {int(explanation.union[k]):,} in either map"
        for k in members
    ]
    add("IoU", iou, (RIGHT_COLOR, ""), [[k, -1, -1] for k in members], hover)
    for i, reason in enumerate(REASONS):
        keys = [[k, reason.code, reason.side] for k in members]
        hover = [_hover(explanation, classes, k, i) for k in members]
        add(reason.label, explanation.loss[members, i], _style(reason), keys, hover)
    figure.update_xaxes(**axis(dark), range=[0, 1.001], tickvals=[0, 0.25, 0.5, 0.75, 1])
    names = [short(classes.names[k]) for k in members]
    figure.update_yaxes(**axis(dark), autorange="reversed", tickvals=rows, ticktext=names, showgrid=False)
    row = _ROW if len(members) <= _MOST_ROOMY else _LOW_ROW
    return finish(figure, max(_LEAST, _FRAME + row * len(members)), dark, barmode="stack")


def _style(reason: Reason) -> tuple[str, str]:
    # Found objects are what is right; what is wrong of them is grey.
    return (NEITHER, "-") if reason.code == FOUND else outcome_style(reason.code, max(reason.side, 0))


def _hover(explanation: Explanation, classes: ClassList, k: int, i: int) -> str:
    reason = REASONS[i]
    lines = [
        f"<b>{plain(classes.names[k])}: {reason.label.lower()}</b>",
        reason.definition,
        f"IoU lost: {number(explanation.loss[k, i])}",
    ]
    if reason.side != PREDICTION:
        lines.append(f"{int(explanation.missing[k, i]):,} px of the ground truth not predicted as it")
    if reason.prediction is not None:
        lines.append(f"{int(explanation.extra[k, i]):,} px predicted as it that are not")
    lines.append(f"IoU if all of this were right: {number(explanation.mended[k, i])}")
    return "<br>".join(lines)
