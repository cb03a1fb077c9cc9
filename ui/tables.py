"""Tables for the screen and their CSV files: one frame serves both, so they cannot disagree."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any, Literal
from urllib.parse import quote

import numpy as np
import pandas as pd
import streamlit as st

from analysis.reports.csv_report import safe_text
from analysis.scores import CONVENTIONS, METRICS, Headline, Metric, PooledByClass
from analysis.words.classes import ClassList
from analysis.workspace.model import ScoringSettings
from ui import text

SWATCH, CLASS = " ", "Class"
_SCORES = ("iou", "precision", "recall", "f1", "boundary_iou")


def swatch(color: str) -> str:
    """A small square of a colour (``#rrggbb``), as a picture that a table shows."""
    picture = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">'
        f'<rect x="1" y="1" width="18" height="18" rx="4" fill="{color}" stroke="#7f8c90" stroke-opacity=".6"/></svg>'
    )
    return "data:image/svg+xml," + quote(picture)


def help_of(metric: Metric, more: str = "") -> str:
    """A metric's definition, from its entry in the registry, for a tooltip."""
    parts = [f"{metric.formula}.", more, f"Undefined (–) when {metric.undefined_when}.", f"{metric.source}."]
    return text.escape(" ".join(part for part in parts if part))


def class_frame(table: PooledByClass, classes: ClassList) -> pd.DataFrame:
    """One row a class: pooled scores (NaN undefined), px and tiles."""
    return pd.DataFrame(
        {
            SWATCH: [swatch(c.color) for c in classes.classes],
            CLASS: list(classes.names),
            **{name: getattr(table, name) for name in _SCORES},
            "truth_pixels": table.truth_pixels,
            "predicted_pixels": table.predicted_pixels,
            "tiles_in_truth": table.tiles_in_truth,
        }
    )


def class_columns(scoring: ScoringSettings) -> dict[str, Any]:
    """How the columns of `class_frame` are headed and explained."""
    band = f"The bands are {scoring.boundary_px} px wide."
    columns: dict[str, Any] = {
        SWATCH: st.column_config.ImageColumn(SWATCH, width=36),
        CLASS: st.column_config.TextColumn(CLASS, width="medium"),
    }
    for name in _SCORES:
        metric = METRICS[name]
        label = f"{metric.label} ({scoring.boundary_px} px)" if name == "boundary_iou" else metric.label
        columns[name] = st.column_config.NumberColumn(
            label, format="%.3f", help=help_of(metric, band if name == "boundary_iou" else "Pooled over the tiles.")
        )
    for name, label, explained in (
        ("truth_pixels", "Ground truth px", "Px of the class in the ground truth, ignored px left out."),
        ("predicted_pixels", "Predicted px", "Px predicted as the class, where the ground truth is not ignored."),
        ("tiles_in_truth", "Tiles with it", "Tiles whose ground truth holds the class."),
    ):
        columns[name] = st.column_config.NumberColumn(label, format="localized", help=explained)
    return columns


def show(frame: pd.DataFrame, columns: dict[str, Any], alt: str, **more: Any) -> Any:
    """A table; an undefined number is a dash."""
    return st.dataframe(frame, column_config=columns, hide_index=True, placeholder=text.UNDEFINED, alt=alt, **more)


def height_of(rows: int, most: int = 12) -> int | Literal["content"]:
    """Height of a table: all of its rows where they are few, else px for ``most`` of them."""
    return "content" if rows <= most else 36 + 35 * most


def frame_csv(frame: pd.DataFrame, context: dict[str, str]) -> bytes:
    """A table as CSV: UTF-8 with BOM, empty where undefined, with the columns that say what it is of in front."""
    kept = frame.drop(columns=[SWATCH], errors="ignore")
    whole = pd.concat(
        [pd.DataFrame({k: [v] * len(kept) for k, v in context.items()}), kept.reset_index(drop=True)], axis=1
    )
    for name in whole.columns:
        if not pd.api.types.is_numeric_dtype(whole[name]):
            whole[name] = [safe_text(str(value)) for value in whole[name]]
    whole.columns = pd.Index([safe_text(str(name)) for name in whole.columns])
    buffer = io.StringIO(newline="")
    whole.to_csv(buffer, index=False, lineterminator="\r\n")
    return b"\xef\xbb\xbf" + buffer.getvalue().encode()


def confusion_frame(confusion: np.ndarray[Any, Any], classes: ClassList) -> pd.DataFrame:
    """The pooled confusion matrix in px: one row a class of the ground truth."""
    frame = pd.DataFrame({"ground truth": list(classes.names)})
    for i, name in enumerate((*classes.names, "outside the class list")):
        frame[f"predicted {name}"] = confusion[:, i]
    return frame


def conventions_frame(heads: Sequence[Headline]) -> pd.DataFrame:
    """A score in every convention, with its terms and support."""
    return pd.DataFrame(
        {
            "convention": [CONVENTIONS[h.convention].label for h in heads],
            "score": [h.value for h in heads],
            "terms": [h.terms_text for h in heads],
            "left_out": [", ".join(h.left_out) for h in heads],
            "tiles_used": [h.tiles_used for h in heads],
            "tiles": [h.tiles for h in heads],
            "pixels": [h.pixels for h in heads],
            "differs": [CONVENTIONS[h.convention].differs for h in heads],
            "reason": [h.reason for h in heads],
        }
    )
