"""The score with its convention, support and what it leaves out; then what stands out."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.findings.stand_out import Finding
from analysis.scores import METRICS
from ui import drill, loaders, notices, router, tables
from ui.overview.numbers import Numbers, score_name
from ui.selection import View
from ui.text import UNDEFINED, capital, escape, score, some, whole


def draw(view: View, found: Numbers) -> None:
    """The row of scores, and below it what must be known before they are believed."""
    cells = [*found.scores, "tiles", *(["unchanged"] if found.unchanged else [])]
    places = dict(zip(cells, st.columns(len(cells)), strict=True))
    for name, value in found.scores.items():
        label = score_name(view) if name == "iou" else METRICS[name].label
        _metric(places[name], view, name, capital(label), value, found.reference[name])
    places["tiles"].metric(
        "Tiles scored",
        whole(len(view.scored)),
        border=True,
        height="stretch",
        delta=f"of {len(view.unfiltered):,}" if view.filtered else None,
        delta_color="off",
        delta_arrow="off",
        help=f"{some(len(view.refused), 'tile')} refused, of {some(len(view.chosen), 'tile')}.",
    )
    if found.unchanged:
        places["unchanged"].metric(
            "False alarms",
            f"{found.unchanged.alarmed:,} of {found.unchanged.tiles:,}" if found.unchanged.tiles else UNDEFINED,
            border=True,
            height="stretch",
            help="Of the tiles without a changed pixel in the ground truth, those with at least one predicted.",
        )
    head = found.heads["pooled"]
    passing = f"{len(view.chosen):,} of {some(len(view.every), 'tile')} pass the filters" if view.filtered else ""
    st.caption(escape(" · ".join(part for part in (head.caption, head.reason, passing) if part)))
    notices.draw_important(loaders.notices(view.run), len(view.refused), router.DATA)


def _metric(place: DeltaGenerator, view: View, name: str, label: str, value: float, of_all: float) -> None:
    delta = value - of_all
    known = view.filtered and delta == delta
    place.metric(
        escape(label),
        score(value, 4),
        border=True,
        height="stretch",
        delta=f"{delta:+.4f}" if known else None,
        delta_color="off",
        delta_description=f"all tiles {of_all:.4f}" if known else None,
        help=tables.help_of(METRICS[name], "Pooled over the tiles."),
    )


def draw_findings(found: Numbers) -> None:
    """What stands out, each sentence with what it rests on and the way to the tiles; nothing where support is thin."""
    if not found.findings:
        return
    with st.container(border=True, gap=None, key="findings"):
        for finding in found.findings:
            draw_finding(finding)


def draw_finding(finding: Finding) -> None:
    """One sentence with its support, and a button to the tiles behind it."""
    left, right = st.columns([12, 1], vertical_alignment="center")
    left.markdown(f"{escape(finding.text)} :gray[:small[{escape(finding.support)}]]")
    if finding.link:
        right.button(
            "Tiles",
            key=f"finding_{finding.id}",
            type="tertiary",
            width="stretch",
            icon=":material/arrow_forward:",
            icon_position="right",
            on_click=drill.follow,
            args=(finding.link,),
            help="See the tiles behind it.",
        )
