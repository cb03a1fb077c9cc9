"""One tile, looked at: its pictures side by side, legend, numbers and notices."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import streamlit as st

from analysis import OpenRun
from analysis.pictures.colors import class_legend
from analysis.pictures.paint import Focus, class_picture, enlarge, error_legend, error_picture
from analysis.pictures.pixels import TilePixels
from analysis.scores import pooled_by_class
from analysis.store.load import RunCounts
from analysis.words.classes import IGNORED
from ui import legend, loaders, notices, tables
from ui.text import escape, share

_PHOTO: Literal["JPEG"] = "JPEG"
_LABELS: Literal["PNG"] = "PNG"
_ROLES = {"image": "Image", "before": "Before", "after": "After"}


def draw(run: OpenRun, tile: RunCounts, focus: Focus) -> None:
    """Draw a scored tile.

    Parameters
    ----------
    tile : RunCounts
        Of one tile.
    focus : Focus
        Which errors the error picture shows.
    """
    name = str(tile.tiles["id"].iloc[0])
    seen = loaders.pixels(run, name)
    _draw_pictures(seen, run, focus)
    for fault in seen.faults:
        st.caption(f":material/visibility_off: {escape(fault)}")
    _draw_numbers(run, tile)
    notices.draw_lines(loaders.tile_notices(run, name))


def facts(tile: RunCounts) -> str:
    """Where a tile is from, how large it is and what is left out of it, as escaped text."""
    row = tile.tiles.iloc[0]
    parts = [f"{int(row['width']):,} x {int(row['height']):,} px"]
    if row["gsd"] == row["gsd"]:
        parts.append(f"{row['gsd']:g} m per px")
    if row["scene"]:
        parts.append(f"scene {escape(row['scene'])}")
    if row["split"]:
        parts.append(f"split {escape(row['split'])}")
    if row["partial"]:
        parts.append("partial window")
    if row["ignored"]:
        parts.append(f"{share(row['ignored'] / (row['ignored'] + row['valid']))} ignored")
    return " · ".join(parts)


def _draw_pictures(seen: TilePixels, run: OpenRun, focus: Focus) -> None:
    classes = run.dataset.classes
    panels: list[tuple[str, Any, Literal["JPEG", "PNG"]]] = [
        (_ROLES[role], enlarge(picture), _PHOTO) for role, picture in seen.photos.items()
    ]
    if seen.truth is not None:
        panels.append(("Ground truth", class_picture(seen.truth, classes), _LABELS))
    if seen.prediction is not None:
        panels.append(("Prediction", class_picture(seen.prediction, classes), _LABELS))
    if seen.truth is not None and seen.prediction is not None:
        photo = list(seen.photos.values())[-1] if seen.photos else None
        picture = error_picture(seen.truth, seen.prediction, classes, focus, photo)
        panels.append(("Errors", picture, _LABELS))
    ignored = seen.truth is not None and bool(np.any(seen.truth == IGNORED))
    outside = seen.prediction is not None and bool(np.any(seen.prediction == len(classes)))
    across = 3 if len(panels) in (3, 5) else 2
    cells = [cell for _ in range(0, len(panels), across) for cell in st.columns(across, gap="small")]
    for cell, (title, picture, form) in zip(cells, panels, strict=False):
        box = cell.container(gap=None)
        box.markdown(f":small[**{title}**]")
        box.image(picture, width="stretch", output_format=form, alt=f"{title} of the tile {seen.tile}")
    # A cell that no picture takes has room for the legends.
    with cells[-1] if len(cells) > len(panels) else st.container(gap="xsmall"):
        st.caption("Ground truth and prediction")
        legend.draw(class_legend(classes, ignored=ignored, outside=outside), "legend_classes")
        if seen.truth is not None and seen.prediction is not None:
            st.caption("Errors, on the darkened image" if seen.photos else "Errors")
            legend.draw(error_legend(classes, focus, ignored=ignored, outside=outside), "legend_errors")
    if seen.step > 1:
        st.caption(f"Shown reduced: one px of the pictures stands for {seen.step} x {seen.step} px of the tile.")


def _draw_numbers(run: OpenRun, tile: RunCounts) -> None:
    table = pooled_by_class(tile.confusion, tile.arrays["bands"])
    held = (table.truth_pixels + table.predicted_pixels) > 0
    frame = tables.class_frame(table, tile.classes)[held].drop(columns=["f1", "boundary_iou", "tiles_in_truth"])
    st.markdown("**By class, on this tile**")
    tables.show(
        frame,
        tables.class_columns(run.workspace.scoring),
        "Scores and px by class on this tile",
        height=tables.height_of(len(frame), 10),
        key="tile_classes",
    )
    absent = [name for name, there in zip(tile.classes.names, held, strict=True) if not there]
    if absent:
        st.caption(f"In neither map: {escape(', '.join(absent[:12]))}{', …' if len(absent) > 12 else ''}")
