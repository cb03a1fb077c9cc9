"""The frame of the charts of objects and lines: sizes, axes, legend, and how parts are told apart without colour."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from analysis.charts.style import DARK_INK, LIGHT_INK, line_color, text_color
from analysis.pictures.colors import luminance
from analysis.words.outcomes import FOUND, MERGED, PARTLY, SPLIT, TRUTH, UNTOUCHED

RIGHT_COLOR = "#009e73"
NEITHER = "#9a9a9a"

# Okabe and Ito's colours, with hatching for those who cannot tell them apart; blue and orange for missed and false are
# those of the tile viewer. Code -> colour and hatching; missed and false share a code and lie on different sides.
_STYLES = {
    FOUND: (RIGHT_COLOR, ""),
    MERGED: ("#cc79a7", "x"),
    SPLIT: ("#f0e442", "|"),
    PARTLY: ("#0072b2", "\\"),
}
_MISSED, _FALSE = ("#56b4e9", "/"), ("#e69f00", ".")


def outcome_style(code: int, side: int) -> tuple[str, str]:
    """Colour and Plotly's hatching of an outcome."""
    if code == UNTOUCHED:
        return _MISSED if side == TRUTH else _FALSE
    return _STYLES[code]


def marker(color: str, pattern: str, dark: bool) -> dict[str, Any]:
    """A bar's look: colour, hatching, and a thin ring in the page's colour that parts it from its neighbour."""
    found: dict[str, Any] = {"color": color, "line": {"color": "#12191c" if dark else "#ffffff", "width": 1}}
    if pattern:
        ink = "rgba(0,0,0,0.30)" if luminance(color) > 0.18 else "rgba(255,255,255,0.38)"
        found["pattern"] = {"shape": pattern, "fgcolor": ink, "bgcolor": color, "size": 8, "solidity": 0.22}
    return found


def ink_on(color: str) -> str:
    """Black or white text: the one that stands out more on this colour."""
    ground = luminance(color)
    return LIGHT_INK if 1.05 / (ground + 0.05) > (ground + 0.05) / (luminance(DARK_INK) + 0.05) else DARK_INK


def number(value: float, digits: int = 3) -> str:
    """A score; a dash where undefined."""
    return "–" if value != value else f"{value:.{digits}f}"


def axis(dark: bool, **more: Any) -> dict[str, Any]:
    """What all axes share."""
    return {
        "zeroline": False,
        "fixedrange": True,
        "ticks": "",
        "tickfont": {"color": text_color(dark), "size": 12},
        "gridcolor": line_color(dark),
        "automargin": True,
        **more,
    }


def title(text: str, dark: bool) -> dict[str, Any]:
    """Title of an axis."""
    return {"text": text, "font": {"color": text_color(dark), "size": 13}}


def finish(figure: go.Figure, height: int, dark: bool, **more: Any) -> go.Figure:
    """Size, margins, a legend above that only explains, and nothing that a click could change but the selection."""
    figure.update_layout(
        height=height,
        margin={"l": 8, "r": 12, "t": 44, "b": 8},
        legend={
            "orientation": "h",
            "x": 0,
            "y": 1,
            "yanchor": "bottom",
            "itemclick": False,
            "itemdoubleclick": False,
            "traceorder": "normal",
            "font": {"color": text_color(dark), "size": 12},
        },
        hovermode="closest",
        dragmode=False,
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        hoverlabel={"align": "left"},
        **more,
    )
    return figure
