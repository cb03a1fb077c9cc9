"""The filters of the list of objects: each is a choice that the link holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.scores import EdgeSet
from analysis.selection.objects import OBJECT_ORDERS, ObjectFilter
from analysis.words.classes import OUTSIDE
from analysis.words.outcomes import OUTCOMES, PREDICTION, SIDE_LABELS, TRUTH
from ui.choice import choose
from ui.small_objects import state
from ui.small_objects.numbers import Shapes


@dataclass(frozen=True)
class Wish:
    """Which objects are listed, in which order, and the same in words for a manifest.

    Parameters
    ----------
    filter : ObjectFilter
    order : str
        A key of `OBJECT_ORDERS`.
    words : dict
    """

    filter: ObjectFilter
    order: str
    words: dict[str, Any]


def draw(place: DeltaGenerator, found: Shapes, index: int, areas: EdgeSet) -> Wish:
    """The line of filters.

    Parameters
    ----------
    place : DeltaGenerator
        Where the order stands.
    index : int
        The class that is looked at.
    areas : EdgeSet
        The bins that are shown by size.
    """
    bar = st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall", key="object_filters")
    classes = found.classes
    words: dict[str, Any] = {}

    def pick(label: str, name: str, options: list[str], labels: list[str], width: int) -> str:
        chosen = choose(bar, label, name, ["", *options], ["any", *labels], width=width)
        if chosen:
            words[name] = labels[options.index(chosen)]
        return chosen

    of: int | None = index
    if len(classes.foreground) > 1:
        name = classes.names[index]
        if choose(bar, "Class", state.WHO, ["", "all"], [name, "all classes"], width=130):
            of = None
    words["class"] = "all" if of is None else classes.names[of]
    side = pick("Side", state.SIDE, list(state.SIDE_IDS), list(SIDE_LABELS), 130)
    sides = [state.SIDE_IDS.index(side)] if side else [TRUTH, PREDICTION]
    labels = [" / ".join(dict.fromkeys(OUTCOMES[s][code].label for s in sides)) for code in state.OUTCOME_IDS]
    outcome = pick("Outcome", state.OUTCOME, list(state.OUTCOME_IDS.values()), labels, 150)
    size = pick("Area", state.SIZE, _numbered(areas), list(areas.labels), 150)
    widths = found.widths.edges if found.widths is not None and (of is None or of in classes.narrow) else None
    width = pick("Mean width", state.WIDTH, _numbered(widths), list(widths.labels), 125) if widths else ""
    names = [*classes.names, OUTSIDE]
    others = [name for k, name in enumerate(names) if k != of]
    taken = pick("Mostly taken for", state.TAKEN, others, others, 150)
    edge = pick("Tile's edge", state.EDGE, [state.WHOLE, state.CUT], ["not cut by it", "cut by it"], 125)
    gsd = ""
    if len(found.groups) > 1:
        gsd = pick("Resolution", state.GSD, [f"{g.gsd:g}" for g in found.groups], [g.label for g in found.groups], 120)
    order = choose(place, "Order", "first", list(OBJECT_ORDERS), list(OBJECT_ORDERS.values()), width=175, bare=True)
    if len(words) > 1 or of is None:
        bar.button(
            "Clear", key="clear_objects", icon=":material/filter_alt_off:", type="tertiary", on_click=state.clear
        )
    group = {f"{g.gsd:g}": g.gsd for g in found.groups}
    wanted = ObjectFilter(
        class_index=of,
        side=sides[0] if side else None,
        outcome=next((code for code, id in state.OUTCOME_IDS.items() if id == outcome), None),
        taken=names.index(taken) if taken else None,
        area=(areas, int(size) - 1) if size else None,
        width=(widths, int(width) - 1) if width and widths else None,
        cut=edge == state.CUT if edge else None,
        gsd=group[gsd] if gsd else None,
    )
    return Wish(wanted, order, {**words, "order": OBJECT_ORDERS[order]})


def _numbered(edges: EdgeSet) -> list[str]:
    return [str(i + 1) for i in range(len(edges))]
