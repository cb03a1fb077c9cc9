"""The class that is looked at, where its IoU goes in a sentence, and what the numbers rest on."""

from __future__ import annotations

import streamlit as st

from analysis.kernels.layout import LEAST_AREA, MOST_ROWS
from analysis.scores.explain import sentence
from analysis.words.outcomes import OBJECT_MEANING
from ui import run_cards
from ui.choice import choose
from ui.selection import View
from ui.small_objects.numbers import Shapes
from ui.small_objects.state import OF
from ui.text import escape, score, some


def draw(view: View, found: Shapes) -> int:
    """The head; gives the index of the class."""
    classes = found.classes
    names = [classes.names[k] for k in classes.foreground]
    first = classes.names[found.first_class()]
    given = st.query_params.get(OF)
    if len(names) > 1:
        options = [first, *(name for name in names if name != first)]
        line, told = st.columns([1, 5], vertical_alignment="center", gap="medium")
        name = choose(line, "Class", OF, options, options, width=190, bare=True)
    else:
        name, told = first, st.container()
    if given is not None and given not in names:
        st.warning(f"The link names a class without objects here: {escape(given)}.", icon=":material/link_off:")
    index = classes.index_of(name)
    told.markdown(f"**{escape(_told(found, index))}**")
    _draw_support(view, found, index)
    return index


def _told(found: Shapes, index: int) -> str:
    if told := sentence(found.explanation, index, found.classes):
        return told
    name, iou = found.classes.names[index], score(float(found.explanation.iou[index]))
    return f"IoU of {name} is {iou}. There are too few objects to say where it goes."


def _draw_support(view: View, found: Shapes, index: int) -> None:
    o = found.objects
    parts = [
        f"{some(int(o.truth[index]), 'object')} of {found.classes.names[index]} in the ground truth and "
        f"{int(o.predicted[index]):,} predicted, on {over(view, found)}, pooled",
    ]
    if found.rowless:
        parts.append(
            f"{some(found.rowless, 'object')} under {LEAST_AREA} px, on tiles with more than {MOST_ROWS:,} a side, "
            "of all classes, count in these scores, and are neither in the sizes nor in the list"
        )
    st.caption(escape(". ".join(parts) + "."))
    connected = view.run.workspace.scoring.connectivity
    touching = "side by side or corner to corner" if connected == 8 else "side by side"
    st.caption(escape(f"{OBJECT_MEANING} Pixels touch {touching} (connectivity {connected})."))
    if found.uncounted:
        st.warning(
            f"On {some(found.uncounted, 'scored tile')} objects were not counted; they are left out here. Score again "
            "to count them.",
            icon=":material/data_alert:",
        )


def draw_uncounted(view: View) -> None:
    """In place of the page: objects were not counted."""
    st.info(
        f"{escape(view.run.key)} was scored without objects (--no-objects), so there is nothing to show here. Scoring "
        "again counts them; nothing else changes.",
        icon=":material/hourglass_empty:",
    )
    run_cards.draw_one(view.run)


def over(view: View, found: Shapes) -> str:
    """The tiles that a number is over."""
    return f"{some(len(found.counts), 'tile')}{' of the selection' if view.filtered else ''}"
