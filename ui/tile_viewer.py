"""One tile, looked at: the viewer with its neighbours at hand, then numbers and notices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from analysis import OpenRun
from analysis.pictures.focus import Focus
from analysis.scores import pooled_by_class
from analysis.store.load import RunCounts
from ui import ahead, loaders, notices, tables
from ui.text import escape, share
from ui.viewer.component import ViewerEvent, tile_viewer
from ui.viewer.payload import ViewedTile, ViewerView

KEY = "tile_viewer"


def draw(
    run: OpenRun,
    shown: tuple[ViewedTile | None, ViewedTile, ViewedTile | None],
    tile: RunCounts,
    focus: Focus,
    place: tuple[int, int],
    on_step: Callable[[ViewerEvent], None],
) -> None:
    """Draw a scored tile.

    Parameters
    ----------
    shown : tuple of ViewedTile
        The tile before it in the order, itself, and the tile behind it.
    tile : RunCounts
        Of the tile itself.
    focus : Focus
        Which errors are lit.
    place : (int, int)
        Its place in the order, from 0, and how many there are.
    on_step : callable
        Told when the user has moved on.
    """
    before, current, behind = shown
    tile_viewer(
        current,
        before,
        behind,
        classes=run.dataset.classes,
        view=ViewerView(focus, place),
        key=KEY,
        on_step=on_step,
        read_crop=lambda viewed, part: loaders.crop(run, viewed.layers, part),
    )
    _draw_numbers(run, tile)
    notices.draw_lines(loaders.tile_notices(run, current.id))


def viewed(run: OpenRun, tile: RunCounts, remark: str) -> ViewedTile:
    """A tile's pictures with what is said about it; ``remark`` comes first, as plain text."""
    name, gsd = _name_and_gsd(tile)
    return ViewedTile(loaders.layers(run, name, gsd), name, " · ".join([remark, *_facts(tile)]))


def prepare(run: OpenRun, tiles: Sequence[RunCounts]) -> None:
    """Read the pictures of tiles that may be wanted soon, while the user looks at this one."""
    ahead.do([partial(loaders.layers, run, *_name_and_gsd(tile)) for tile in tiles])


def _name_and_gsd(tile: RunCounts) -> tuple[str, float | None]:
    gsd = tile.tiles["gsd"].iloc[0]
    return str(tile.tiles["id"].iloc[0]), float(gsd) if gsd == gsd else None


def _facts(tile: RunCounts) -> list[str]:
    """Where a tile is from, how large it is and what is left out of it, as plain text."""
    row = tile.tiles.iloc[0]
    parts = [f"{int(row['width']):,} x {int(row['height']):,} px"]
    if row["gsd"] == row["gsd"]:
        parts.append(f"{row['gsd']:g} m per px")
    if row["scene"]:
        parts.append(f"scene {row['scene']}")
    if row["split"]:
        parts.append(f"split {row['split']}")
    if row["partial"]:
        parts.append("partial window")
    if row["ignored"]:
        parts.append(f"{share(row['ignored'] / (row['ignored'] + row['valid']))} ignored")
    return parts


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
