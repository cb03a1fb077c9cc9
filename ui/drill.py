"""From a number to the tiles behind it: a click becomes a link to the Worst tiles page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from analysis.words.classes import OUTSIDE, ClassList
from ui import router

Link = Mapping[str, str]
"""Keys of the Worst tiles page; ``scene`` is the filter of the selection bar."""
Way = Callable[[Any], Link | None]


def chart(figure: Any, key: str, way: Way, alt: str) -> None:
    """Draw a chart whose clicks lead somewhere.

    Parameters
    ----------
    figure : plotly Figure
    way : callable
        From the custom data of a click to the link; None leads nowhere.
    """

    def act(custom: Any) -> None:
        if (link := way(custom)) is not None:
            follow(link)

    _clickable(figure, key, act, alt)


def filtering(figure: Any, key: str, act: Callable[[Any], None], alt: str) -> None:
    """Draw a chart whose clicks change what the page shows.

    Parameters
    ----------
    figure : plotly Figure
    act : callable
        Told the custom data of a click.
    """
    times = f"_{key}_clicks"

    def acted(custom: Any) -> None:
        # With another key the chart is drawn anew: nothing stays faded, and the same mark can be clicked again.
        st.session_state[times] = st.session_state.get(times, 0) + 1
        act(custom)

    _clickable(figure, f"{key}_{st.session_state.get(times, 0)}", acted, alt)


def rows(key: str, links: Sequence[Link | None]) -> dict[str, Any]:
    """What makes the rows of a table lead somewhere: arguments of ``st.dataframe``.

    Parameters
    ----------
    key : str
        Differs where the rows do: a picked row is a position and outlives the data.
    links : sequence of Link or None
        One a row; None leads nowhere.
    """
    return {
        "key": key,
        "on_select": lambda: _follow_row(key, links),
        "selection_mode": ["single-row", "single-cell"],
    }


def to_class(name: str) -> Link:
    """The tiles that cost a class most."""
    return {"rank": "damage", "cls": name}


def to_cell(custom: Any, classes: ClassList) -> Link | None:
    """The tiles with the most px of one confusion; nothing for right px."""
    truth, predicted = int(custom[0]), int(custom[1])
    if truth == predicted:
        return None
    return {"rank": "confusion", "truth": classes.names[truth], "predicted": (*classes.names, OUTSIDE)[predicted]}


def to_scene(name: str) -> Link | None:
    """The worst tiles of a scene; the tiles without one have no filter."""
    return {"rank": "damage", "scene": name} if name else None


def to_wrong(tile: str, name: str | None) -> Link:
    """A tile among those with the most wrong px, of one class or of all."""
    if name is None:
        return {"rank": "wrong_pixels", "tile": tile}
    return {"rank": "metric", "by": "errors", "cls": name, "tile": tile}


def follow(link: Link) -> None:
    """Go there. The scene is a widget of the bar and is set as such; the rest belongs to the page."""
    query = dict(link)
    scene = query.pop("scene", None)
    if scene is not None:
        st.session_state["scene"] = [scene]
    st.switch_page(router.WORST_TILES, query_params=query)


def _clickable(figure: Any, key: str, act: Callable[[Any], None], alt: str) -> None:
    def selected() -> None:
        points = st.session_state[key]["selection"]["points"]
        custom = points[0].get("customdata") if points else None
        if custom is not None:  # a second click on the same mark empties the selection
            act(custom)

    st.plotly_chart(
        figure,
        key=key,
        on_select=selected,
        selection_mode="points",
        config={"displayModeBar": False},
        alt=alt,
    )


def _follow_row(key: str, links: Sequence[Link | None]) -> None:
    picked = st.session_state[key]["selection"]
    at = [*(row for row, _ in picked.get("cells", [])), *picked["rows"]]
    if at and at[0] < len(links) and (link := links[at[0]]) is not None:
        follow(link)
