"""Objects by size: one score over bins of area."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.charts.size_bars import PALE, SizeSeries, size_chart
from analysis.errors import SelectionError
from analysis.scores import EDGE_SETS, SIZE_METRICS, EdgeSet, parse_edges
from analysis.scores.bins import AREA_M2, AREA_PX, COCO, UNIT_LABELS
from analysis.words.outcomes import PREDICTION, TRUTH
from ui import drill, section, tables
from ui.choice import choose, choose_segment, keep
from ui.selection import View
from ui.small_objects.head import over
from ui.small_objects.numbers import Shapes, sizes, sizes_by_gsd
from ui.small_objects.state import EDGE, GSD, SIDE, SIDE_IDS, SIZE, WHOLE, look_for
from ui.text import escape, some

_TITLE = "By size"
_OWN_M2, _OWN_PX, _EDGES, _TYPED = "own_m2", "own_px", "edges", "typed_edges"
_LABELS = {_OWN_M2: "Own edges, m²", _OWN_PX: "Own edges, px"}
_EXAMPLE = "50, 200, 1000"
_MOST_CLASSES = 6
_GSD_COLORS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00")


def draw(view: View, found: Shapes, index: int) -> EdgeSet:
    """The chart and its table; gives the edges, which the list below filters by too."""
    place = section.head(_TITLE)
    metric = choose(
        place, "Score", "score", list(SIZE_METRICS), [m.label for m in SIZE_METRICS.values()], width=180, bare=True
    )
    edges = _edges(place, found)
    series_of = _series_choice(place, found)
    cut = choose_segment(place, "Objects cut by the edge", "cut", ["", "with"], ["Whole objects", "Cut ones too"])
    every = _series(view, found, index, edges, series_of, bool(cut))
    section.csv(place, _TITLE, view, "by_size", lambda: _frame(every, edges))
    if not any(one.bins.objects.any() for one in every):
        st.info("No object is in any bin here.", icon=":material/filter_alt:")

    def act(custom: Any) -> None:
        k, at, side, place_of = (int(value) for value in custom)
        filters = {SIZE: str(at + 1)}
        if side >= 0:
            filters[SIDE] = SIDE_IDS[side]
        if not cut:
            filters[EDGE] = WHOLE
        if series_of == "gsd":
            filters[GSD] = f"{found.groups[_group_of(found, every[place_of].label)].gsd:g}"
        look_for(found.classes.names[k], **filters)

    choices = (index, metric, edges, series_of, bool(cut))
    drill.filtering(
        section.figure(view, lambda dark: size_chart(every, metric, dark=dark), "sizes", *choices),
        "size_chart",
        act,
        alt=f"{SIZE_METRICS[metric].label} by area; the table below it holds the numbers.",
    )
    frame = _frame(every, edges)
    tables.show(frame, _columns(edges), "Objects by size", height=tables.height_of(len(frame), 8))
    if edges.id in EDGE_SETS:
        st.caption(escape(EDGE_SETS[edges.id].note))
    own = [one for one in every if one.index == index]
    st.caption(
        escape(_caption(view, found, index, own, edges, bool(cut)) + f" {PALE} Click a bar to list its objects.")
    )
    return edges


def _caption(view: View, found: Shapes, index: int, own: Sequence[SizeSeries], edges: EdgeSet, cut: bool) -> str:
    bins = [one.bins for one in own]
    truth, predicted = (sum(int(getattr(b, side).sum()) for b in bins) for side in ("truth", "predicted"))
    cut_truth, cut_predicted = (sum(int(b.edge_cut[side]) for b in bins) for side in (TRUTH, PREDICTION))
    parts = [
        f"{found.classes.names[index]}: {some(truth, 'ground truth object')} and {predicted:,} predicted, on "
        f"{over(view, found)}"
    ]
    if cut_truth or cut_predicted:
        what = "are among them, though their area is false" if cut else "are left out: their area is not known"
        parts.append(f"{cut_truth:,} and {cut_predicted:,} more that a tile's edge cuts {what}")
        if cut:
            parts[-1] = f"{cut_truth:,} and {cut_predicted:,} that a tile's edge cuts {what}"
    unknown = [sum(int(b.no_gsd[side]) for b in bins) for side in (TRUTH, PREDICTION)]
    if any(unknown):
        parts.append(f"{unknown[0]:,} and {unknown[1]:,} on tiles without a GSD are left out: choose px")
    return ". ".join(parts) + "."


def _edges(place: DeltaGenerator, found: Shapes) -> EdgeSet:
    """The edges that are chosen, or typed."""
    some_gsd, every_gsd = not np.isnan(found.gsd).all(), not np.isnan(found.gsd).any()
    metres = [AREA_M2, _OWN_M2] if some_gsd else []
    options = [*metres[:1], AREA_PX, COCO, *metres[1:], _OWN_PX]
    if found.coarse or (some_gsd and not every_gsd):
        options = [AREA_PX, *(o for o in options if o != AREA_PX)]
    labels = [_LABELS.get(o) or EDGE_SETS[o].label for o in options]
    chosen = choose(place, "Bins", "bins", options, labels, width=160, bare=True)
    if chosen not in _LABELS:
        return EDGE_SETS[chosen]
    unit = "m2" if chosen == _OWN_M2 else "px"
    given = st.query_params.get(_EDGES, _EXAMPLE)
    st.session_state[_TYPED] = given
    keep(_EDGES, given if given != _EXAMPLE else "")
    place.text_input(
        "Edges",
        key=_TYPED,
        on_change=_write,
        width=150,
        label_visibility="collapsed",
        help=f"Areas between bins in {UNIT_LABELS[unit]}, ascending, such as {_EXAMPLE}.",
    )
    try:
        return parse_edges(given, "area", "m2" if unit == "m2" else "px")
    except SelectionError as error:
        st.error(escape(f"{error} Until then the bins are {_EXAMPLE}."), icon=":material/error:")
        return parse_edges(_EXAMPLE, "area", "m2" if unit == "m2" else "px")


def _write() -> None:
    typed = str(st.session_state[_TYPED]).strip()
    if typed and typed != _EXAMPLE:
        st.query_params[_EDGES] = typed
    else:
        st.query_params.pop(_EDGES, None)


def _series_choice(place: DeltaGenerator, found: Shapes) -> str:
    options, labels = ["class", "one"], ["All classes", "One class"]
    if len(found.classes.foreground) < 2 or len(found.classes.foreground) > _MOST_CLASSES:
        options, labels = ["one"], ["One class"]
    if len(found.groups) > 1:
        options, labels = [*options, "gsd"], [*labels, "By resolution"]
    return choose_segment(place, "Series", "series", options, labels) if len(options) > 1 else options[0]


def _series(view: View, found: Shapes, index: int, edges: EdgeSet, series_of: str, cut: bool) -> list[SizeSeries]:
    classes = found.classes
    if series_of == "gsd":
        return [
            SizeSeries(group.label, _GSD_COLORS[i % len(_GSD_COLORS)], bins.together([index]), index)
            for i, (group, bins) in enumerate(sizes_by_gsd(view, edges, cut))
        ]
    whole = sizes(view, edges, cut)
    members = classes.foreground if series_of == "class" else (index,)
    return [SizeSeries(classes.names[k], classes.classes[k].color, whole.together([k]), k) for k in members]


def _group_of(found: Shapes, label: str) -> int:
    return next(i for i, group in enumerate(found.groups) if group.label == label)


def _frame(series: Sequence[SizeSeries], edges: EdgeSet) -> pd.DataFrame:
    """One row a series and bin, all scores with their support."""
    parts = []
    for one in series:
        scores = {name: np.asarray(m.compute(one.bins)) for name, m in SIZE_METRICS.items()}
        support = {"truth": one.bins.truth, "found": one.bins.found, "predicted": one.bins.predicted}
        parts.append(pd.DataFrame({"series": one.label, "bin": list(edges.labels), **support, **scores}))
    return pd.concat(parts, ignore_index=True)


def _columns(edges: EdgeSet) -> dict[str, Any]:
    number = st.column_config.NumberColumn
    return {
        "series": st.column_config.TextColumn("Of", width="medium"),
        "bin": st.column_config.TextColumn("Area", width="medium"),
        "truth": number("Ground truth", format="localized", help="Ground truth objects of this area."),
        "found": number("Found", format="localized", help="Of these, those with a match."),
        "predicted": number("Predicted", format="localized", help="Predicted objects of this area."),
        **{
            name: number(
                m.label,
                format="%.3f",
                help=escape(f"{m.label}: {m.formula}. Undefined (–) when {m.undefined_when}. {m.source}."),
            )
            for name, m in SIZE_METRICS.items()
        },
    }
