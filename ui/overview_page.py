"""The parts of the Overview page."""

from __future__ import annotations

from typing import Any

import streamlit as st

from analysis.charts.class_bars import class_chart
from analysis.charts.confusion import confusion_chart
from analysis.scores import METRICS, CountsBundle, PooledByClass, evaluate, pooled_by_class
from analysis.scores.formulas import pool
from ui import drill, loaders, notices, router, tables
from ui.selection import View
from ui.text import UNDEFINED, escape, score, some, whole

_BY = {"truth": "By ground truth", "prediction": "By prediction", "px": "Pixels"}
_BY_HELP = {
    "truth": "Each row sums to 100 %: what became of the ground truth of a class. The diagonal is its recall.",
    "prediction": "Each column sums to 100 %: what the pixels predicted as a class really are. The diagonal is its "
    "precision.",
    "px": "Pixels over all tiles.",
}


def draw_no_run() -> None:
    """Help where the workspace describes no run."""
    st.info("The workspace describes no run yet.", icon=":material/info:")
    st.page_link(router.DATA, label="What the workspace holds", icon=":material/arrow_forward:")


def draw_headline(view: View) -> None:
    """The score with its convention, support and what it leaves out; then what must be known before it is believed."""
    counts = view.scored
    head = view.headline()
    table = _table(view)
    if view.run.dataset.task == "change":
        name = escape(counts.classes.names[1])
        first = (f"IoU of {name}", head.value, METRICS["iou"])
        rest = [(METRICS[m].label, getattr(table, m)[1], METRICS[m]) for m in ("precision", "recall", "f1")]
    else:
        whole_pool = CountsBundle(confusion=pool(counts.confusion))
        first = ("Mean IoU", head.value, METRICS["iou"])
        rest = [(METRICS[m].label, evaluate(m, whole_pool), METRICS[m]) for m in ("accuracy", "kappa")]
    cells = st.columns([1.25, *([1] * len(rest)), 1.25])
    cells[0].metric(first[0], score(first[1], 4), help=tables.help_of(first[2], "Pooled over the tiles."), border=True)
    for cell, (label, value, metric) in zip(cells[1:-1], rest, strict=True):
        cell.metric(label, score(float(value), 4), help=tables.help_of(metric, "Pooled over the tiles."), border=True)
    cells[-1].metric(
        "Tiles scored",
        whole(len(counts)),
        border=True,
        help=f"{some(len(view.refused), 'tile')} refused, of {some(len(view.chosen), 'tile')}.",
    )
    passing = f"{len(view.chosen):,} of {some(len(view.every), 'tile')} pass the filters" if view.filtered else ""
    st.caption(escape(" · ".join(part for part in (head.caption, head.reason, passing) if part)))
    notices.draw_important(loaders.notices(view.run), len(view.refused), router.DATA)


def draw_conventions(view: View) -> None:
    """The five conventions side by side, each with its support and why it differs."""
    frame = tables.conventions_frame(view)
    _section("The same counts, five conventions", frame.drop(columns=["differs"]), view, "conventions")
    st.table(
        {
            "Convention": [f"**{escape(name)}**" for name in frame["convention"]],
            "Score": [f"**{score(value, 4)}**" for value in frame["score"]],
            "Mean of": [
                escape(terms) + (f", without {escape(left)}" if left else "")
                for terms, left in zip(frame["terms"], frame["left_out"], strict=True)
            ],
            "Tiles": [f"{used:,} of {n:,}" for used, n in zip(frame["tiles_used"], frame["tiles"], strict=True)],
            "Why it differs": [escape(text) for text in frame["differs"]],
        },
        border="horizontal",
        hide_index=True,
        alt="The score in five conventions",
    )


def draw_classes(view: View) -> None:
    """The table of classes."""
    frame = tables.class_frame(_table(view), view.scored.classes)
    _section("By class", frame, view, "classes")
    tables.show(
        frame,
        tables.class_columns(view.run.workspace.scoring),
        "Pooled scores and support by class",
        height=tables.height_of(len(frame), 14),
    )
    st.caption(f"Pooled over {some(len(view.scored), 'tile')}. {UNDEFINED} is undefined; the headings say when.")


def draw_charts(view: View) -> None:
    """Scores by class as bars, and the confusion matrix; a click on either leads to the tiles behind it."""
    classes, dark = view.scored.classes, is_dark()
    left, right = st.columns([1, 1.15], gap="large")
    with left:
        st.subheader("Scores by class", anchor=False)
        st.caption("A bar is the IoU. Click one for the tiles that cost this class most.")
        drill.chart(
            class_chart(_table(view), classes, dark=dark),
            "class_chart",
            drill.to_class,
            classes,
            alt="IoU, precision and recall by class; the table above holds the same numbers",
        )
    with right:
        total = pool(view.scored.confusion)
        head = st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute")
        head.subheader("What is taken for what", anchor=False, width="content")
        _csv(head, tables.confusion_frame(total, classes), view, "confusion")
        by = st.segmented_control(
            "Share",
            list(_BY),
            format_func=_BY.__getitem__,
            default="truth",
            required=True,
            label_visibility="collapsed",
        )
        drill.chart(
            confusion_chart(total, classes, by or "truth", dark=dark),  # type: ignore[arg-type]
            f"confusion_{by}",
            drill.to_cell,
            classes,
            alt="Confusion matrix, ground truth in rows and prediction in columns; its numbers are in the CSV",
        )
        st.caption(f"{_BY_HELP[by or 'truth']} Click a cell off the diagonal for the tiles behind it.")


def is_dark() -> bool:
    """Whether the page is shown in the dark theme."""
    return st.context.theme.type == "dark"


def _table(view: View) -> PooledByClass:
    return pooled_by_class(view.scored.confusion, view.scored.arrays["bands"])


def _section(title: str, frame: Any, view: View, name: str) -> None:
    head = st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute")
    head.subheader(title, anchor=False, width="content")
    _csv(head, frame, view, name)


def _csv(place: Any, frame: Any, view: View, name: str) -> None:
    context = {
        "model": view.run.run.model,
        "dataset": view.run.run.dataset,
        "filters": view.selection.query() if view.filtered else "",
    }
    place.download_button(
        "CSV",
        lambda: tables.frame_csv(frame, context),
        f"{name}.csv",
        "text/csv",
        on_click="ignore",
        icon=":material/download:",
        type="tertiary",
        key=f"csv_{name}",
    )
