"""What became of the objects of each class, on both sides."""

from __future__ import annotations

import plotly.graph_objects as go

from analysis.charts.frame import axis, finish, ink_on, marker, outcome_style
from analysis.charts.style import plain, short, text_color
from analysis.scores.formulas import safe_divide
from analysis.scores.object_scores import ObjectScores
from analysis.words.classes import ClassList
from analysis.words.outcomes import OUTCOMES, PARTLY, SIDE_LABELS, SIDES, UNTOUCHED

_ROW, _LOW_ROW, _FRAME, _MOST_ROOMY = 30, 20, 84, 14  # px of the page; classes
_LEAST_WRITTEN = 0.05
_ORDER = tuple(sorted(range(len(OUTCOMES[0])), key=lambda code: (code == UNTOUCHED, code == PARTLY, code)))


def outcome_chart(scores: ObjectScores, classes: ClassList, *, dark: bool) -> go.Figure:
    """Two bars a class, for its ground truth and its predicted objects, parted by outcome, with counts.

    A click gives ``[class index, outcome code, side]`` as custom data. A side without objects has no bar.

    Parameters
    ----------
    scores : ObjectScores
        Without leading axes.
    """
    members = list(classes.foreground)
    sides = range(len(SIDES))
    where = {(k, side): 2.3 * i + 0.9 * side for i, k in enumerate(members) for side in sides}
    figure = go.Figure()
    for code in _ORDER:
        # Missed and false share a code but not a meaning; the other outcomes have one look on both sides.
        for group in [[side] for side in sides] if code == UNTOUCHED else [list(sides)]:
            color, pattern = outcome_style(code, group[0])
            cells = [(k, side) for k, side in where if side in group]
            counts = [int(scores.by_outcome[side, k, code]) for k, side in cells]
            shares = safe_divide(counts, [int(scores.by_outcome[side, k].sum()) for k, side in cells])
            labels = dict.fromkeys(OUTCOMES[side][code].label for side in group)
            figure.add_bar(
                x=shares,
                y=[where[cell] for cell in cells],
                orientation="h",
                name=" / ".join(labels),
                marker=marker(color, pattern, dark),
                width=0.8,
                text=[f"{n:,}" if share >= _LEAST_WRITTEN else "" for n, share in zip(counts, shares, strict=True)],
                textposition="inside",
                insidetextanchor="middle",
                textangle=0,
                constraintext="none",
                textfont={"color": ink_on(color), "size": 12},
                customdata=[[k, code, side] for k, side in cells],
                hovertext=[_hover(scores, classes, k, side, code) for k, side in cells],
                hovertemplate="%{hovertext}<extra></extra>",
            )
    for (k, side), y in where.items():
        figure.add_annotation(
            x=1.012,
            y=y,
            text=f"{int(scores.by_outcome[side, k].sum()):,}",
            showarrow=False,
            xanchor="left",
            font={"color": text_color(dark), "size": 12},
        )
    ticks = [f"{short(classes.names[k])}, {SIDE_LABELS[side].lower()}" for k, side in where]
    figure.update_xaxes(**axis(dark), range=[0, 1.1], tickvals=[0, 0.25, 0.5, 0.75, 1], tickformat=".0%")
    figure.update_yaxes(
        **axis(dark), autorange="reversed", tickvals=list(where.values()), ticktext=ticks, showgrid=False
    )
    row = _ROW if len(members) <= _MOST_ROOMY else _LOW_ROW
    return finish(figure, _FRAME + round(2.3 * row * len(members)), dark, barmode="stack")


def _hover(scores: ObjectScores, classes: ClassList, k: int, side: int, code: int) -> str:
    outcome = OUTCOMES[side][code]
    n, total = int(scores.by_outcome[side, k, code]), int(scores.by_outcome[side, k].sum())
    share = f", {n / total:.1%}".replace("%", " %") if total else ""
    return "<br>".join(
        [
            f"<b>{plain(classes.names[k])}, {SIDE_LABELS[side].lower()}: {outcome.label.lower()}</b>",
            outcome.definition,
            f"{n:,} of {total:,} objects{share}",
        ]
    )
