"""One tile, looked at: the viewer with its neighbours at hand, their numbers and notices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from analysis import OpenRun
from analysis.scores import pooled_by_class
from analysis.store.load import RunCounts
from ui import ahead, loaders
from ui.text import score, share, whole
from ui.viewer.component import ViewerEvent, tile_viewer
from ui.viewer.payload import TileNumbers, ViewedTile, ViewerView

KEY = "tile_viewer"
_MOST_ABSENT = 12


def draw(
    run: OpenRun,
    shown: tuple[ViewedTile | None, ViewedTile, ViewedTile | None],
    view: ViewerView,
    on_step: Callable[[ViewerEvent], None],
    on_rest: Callable[[], None],
) -> None:
    """Draw a scored tile.

    Parameters
    ----------
    shown : tuple of ViewedTile
        The tile before it in the order, itself, and the tile behind it.
    view : ViewerView
    on_step, on_rest : callable
        Told when the user has moved on, and when they then stay.
    """
    before, current, behind = shown
    tile_viewer(
        current,
        before,
        behind,
        classes=run.dataset.classes,
        view=view,
        key=KEY,
        on_step=on_step,
        on_rest=on_rest,
        read_crop=lambda viewed, part: loaders.crop(run, viewed.layers, part),
    )


def viewed(run: OpenRun, tile: RunCounts, remark: str) -> ViewedTile:
    """A tile's pictures with what is said about it; ``remark`` comes first, as plain text."""
    name, gsd = _name_and_gsd(tile)
    said = [(n.level, n.message) for n in loaders.tile_notices(run, name)]
    return ViewedTile(loaders.layers(run, name, gsd), name, " · ".join([remark, *_facts(tile)]), _numbers(tile), said)


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


def _numbers(tile: RunCounts) -> TileNumbers:
    table = pooled_by_class(tile.confusion, tile.arrays["bands"])
    names = tile.classes.names
    held = (table.truth_pixels + table.predicted_pixels) > 0
    scores = (table.iou, table.precision, table.recall)
    rows = [
        (k, *(score(float(s[k])) for s in scores), whole(table.truth_pixels[k]), whole(table.predicted_pixels[k]))
        for k in range(len(names))
        if held[k]
    ]
    absent = [name for name, there in zip(names, held, strict=True) if not there]
    return TileNumbers(rows, ", ".join(absent[:_MOST_ABSENT]) + (", …" if len(absent) > _MOST_ABSENT else ""))
