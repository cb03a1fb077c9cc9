"""What all charts share: text that is never taken for markup, colours for both themes, margins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from analysis.pictures.colors import luminance

_LONGEST = 22

# One hue from the page's colour to its strongest contrast, so that an empty cell looks empty.
LIGHT_SCALE = ("#f2f8f9", "#dceef1", "#bfdfe5", "#9bcbd5", "#72b2c0", "#4b97a8", "#2b7d90", "#0f6577", "#0a4d5c")
DARK_SCALE = ("#16242a", "#173139", "#194049", "#1c515d", "#206473", "#2a7a8b", "#3b92a4", "#58abbc", "#80c5d3")
LIGHT_INK, DARK_INK = "#ffffff", "#10181b"


def plain(text: str) -> str:
    """Text as Plotly shows it letter by letter: its labels would take ``<b>`` for bold."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def short(text: str) -> str:
    """A label for an axis: escaped, and cut where it is long (the hover text has all of it)."""
    return plain(text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…")


def unique(labels: Sequence[str]) -> list[str]:
    """Labels for axes that are placed by position: never used as categories, so equal ones may stand."""
    return [short(label) for label in labels]


def scale(dark: bool) -> list[list[Any]]:
    """Plotly's colour scale for shares from 0 to 1."""
    colors = DARK_SCALE if dark else LIGHT_SCALE
    return [[i / (len(colors) - 1), color] for i, color in enumerate(colors)]


def ink(share: float, dark: bool) -> str:
    """Colour of text on a cell of this share: the one of black and white that stands out more."""
    colors = DARK_SCALE if dark else LIGHT_SCALE
    ground = luminance(colors[round(share * (len(colors) - 1))])
    against_white, against_black = 1.05 / (ground + 0.05), (ground + 0.05) / (luminance(DARK_INK) + 0.05)
    return LIGHT_INK if against_white > against_black else DARK_INK


def text_color(dark: bool) -> str:
    """Colour of axis labels."""
    return "#c5d1d5" if dark else "#3c4a50"


def line_color(dark: bool) -> str:
    """Colour of axes and grid lines."""
    return "#324046" if dark else "#dfe6e8"


def page_color(dark: bool) -> str:
    """Colour of the page, behind labels that would cross a line."""
    return "#12191c" if dark else "#ffffff"


def mild_color(dark: bool) -> str:
    """Colour of what is said beside the main thing."""
    return "#8fa0a6" if dark else "#66757b"


def accent(dark: bool) -> str:
    """The one colour of marks that stand for no class."""
    return "#4fb8c9" if dark else "#0b6e7f"


def number(value: float) -> str:
    """A score with three decimals; a dash where it is undefined."""
    return "–" if value != value else f"{value:.3f}"


def bare(figure: go.Figure, height: int, *, dark: bool) -> None:
    """The frame of a chart: no tools, no legend, the page's ground, axes that stay where they are.

    Parameters
    ----------
    height : int
        In px.
    """
    figure.update_layout(
        height=height,
        margin={"l": 8, "r": 12, "t": 10, "b": 8},
        showlegend=False,
        hovermode="closest",
        dragmode=False,
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        hoverlabel={"align": "left"},
    )
    axis = {
        "zeroline": False,
        "fixedrange": True,
        "ticks": "",
        "automargin": True,
        "tickfont": {"color": text_color(dark), "size": 12},
        "title_font": {"color": text_color(dark), "size": 13},
    }
    figure.update_xaxes(**axis)
    figure.update_yaxes(**axis)
