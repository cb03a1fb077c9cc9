"""From a chart to the tiles behind it: a click becomes a link to the Worst tiles page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from analysis.words.classes import ClassList
from ui import router

Way = Callable[[Any, ClassList], dict[str, str] | None]
OUTSIDE = "outside the class list"


def chart(figure: Any, key: str, way: Way, classes: ClassList, alt: str) -> None:
    """Draw a chart whose clicks lead somewhere.

    Parameters
    ----------
    figure : plotly Figure
    way : callable
        From the custom data of a click and the classes to the query parameters of the page; None leads nowhere.
    """
    st.plotly_chart(
        figure,
        key=key,
        on_select=lambda: _follow(key, way, classes),
        selection_mode="points",
        config={"displayModeBar": False},
        alt=alt,
    )


def to_class(custom: Any, classes: ClassList) -> dict[str, str] | None:
    """The tiles that cost a class most."""
    return {"rank": "damage", "cls": classes.names[int(custom[0])]}


def to_cell(custom: Any, classes: ClassList) -> dict[str, str] | None:
    """The tiles with the most px of one confusion; nothing for right px."""
    truth, predicted = int(custom[0]), int(custom[1])
    if truth == predicted:
        return None
    return {"rank": "confusion", "truth": classes.names[truth], "predicted": (*classes.names, OUTSIDE)[predicted]}


def _follow(key: str, way: Way, classes: ClassList) -> None:
    points = st.session_state[key]["selection"]["points"]
    custom = points[0].get("customdata") if points else None
    if custom is None:
        return  # a second click on the same mark empties the selection
    wanted = way(custom, classes)
    if wanted is not None:
        st.switch_page(router.WORST_TILES, query_params=wanted)
