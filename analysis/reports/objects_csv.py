"""The object CSV: one row an object, in chunks, so that a million of them need little memory.

UTF-8 with a byte order mark, comma, decimal point, an empty cell where a number is undefined; what columns and
outcomes mean goes to the manifest (`objects_manifest`).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.reports.csv_report import safe_text
from analysis.scores.bins import EdgeSet
from analysis.scores.formulas import Scores, safe_divide
from analysis.scores.lines import DIAGONAL, STRAIGHT
from analysis.scores.size_bins import ObjectTable
from analysis.words.classes import OUTSIDE, ClassList
from analysis.words.outcomes import OBJECT_MEANING, OUTCOMES, SIDES

COLUMNS = {
    "model": "",
    "dataset": "",
    "tile": "",
    "scene": "",
    "object": "running number in the tile, from 1: ground truth objects first, each side from the top",
    "side": "truth or prediction",
    "class": "",
    "outcome": "see outcomes",
    "area_px": "",
    "area_m2": "px x pixel area; empty where the GSD is not known",
    "top": "first row, from 0",
    "left": "first column, from 0",
    "bottom": "row after the last",
    "right": "column after the last",
    "centroid_row": "mean row number of its px",
    "centroid_column": "mean column number of its px",
    "edge": "true where it touches the tile's first or last row or column: its area is cut",
    "hit_px": "px of it that are its class on the other side",
    "covered_share": "hit_px / area_px",
    "best_iou": "IoU with the object of its class on the other side that shares most px with it; 0 where none does",
    "taken_for": "class on the other side of most of its px that are no hits; empty where all are",
    "width_px": "mean width along its centre line; narrow classes only",
    "width_m": "",
    "length_px": "length of its centre line; narrow classes only",
    "length_m": "",
}
"""Columns and what they mean, where the name does not say it."""

CHUNK = 20_000
_NEEDED = (
    *("side", "cls", "area", "top", "left", "bottom", "right", "row_sum", "column_sum", "edge", "hit", "best_px"),
    *("best_area", "outcome", "taken", "line_px", "straight", "diagonal", "width_sum", "tile"),
)
Cells = list[Any]


@dataclass(frozen=True)
class ObjectEntry:
    """The objects of one run, in the order in which they are written.

    Parameters
    ----------
    tiles : DataFrame
        id, scene and gsd of the tiles.
    table : DataFrame or dict of arrays
        Object rows; `tile` is the position in `tiles`. A column `number` is the place among the objects of the tile,
        from 0, where rows were filtered; without it rows are numbered as they come.
    """

    model: str
    dataset: str
    classes: ClassList
    tiles: pd.DataFrame
    table: ObjectTable


def object_csv(entries: Iterable[ObjectEntry], *, chunk: int = CHUNK) -> Iterator[bytes]:
    """The file, piece by piece.

    Parameters
    ----------
    entries : iterable of ObjectEntry
    chunk : int
        Rows a piece.
    """
    yield b"\xef\xbb\xbf" + _lines([list(COLUMNS)])
    for entry in entries:
        columns = {name: np.asarray(entry.table[name]) for name in _NEEDED}
        tile = columns["tile"]
        numbers = np.asarray(entry.table["number"]) if "number" in entry.table else _numbers(tile)
        columns["object"] = numbers.astype(np.int64) + 1
        for start in range(0, len(tile), chunk):
            part = {name: values[start : start + chunk] for name, values in columns.items()}
            yield _lines(zip(*_cells(entry, part), strict=True))


def objects_manifest(
    *, connectivity: int, rows_left_out: int = 0, bins: Iterable[EdgeSet] = (), with_edge_cut: bool = False
) -> dict[str, Any]:
    """What a manifest says of objects: what they are, their outcomes, the columns, and the rules of bins.

    Parameters
    ----------
    connectivity : {4, 8}
    rows_left_out : int
        Objects under 4 px without a row.
    bins : iterable of EdgeSet
        Bins that were shown.
    with_edge_cut : bool
        Whether size bins hold objects that are cut by a tile's edge.
    """
    return {
        "object": OBJECT_MEANING,
        "connectivity": connectivity,
        "outcomes": {SIDES[side]: {o.id: o.definition for o in OUTCOMES[side]} for side in range(len(SIDES))},
        "columns": {name: text for name, text in COLUMNS.items() if text},
        "rows_left_out": rows_left_out,
        "rows_left_out_rule": "where a tile has more than 2,000 objects on a side, those under 4 px have no row",
        "bins": [edges.as_rule() for edges in bins],
        "edge_cut_in_bins": with_edge_cut,
    }


def _numbers(tile: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """0, 1, ... within each tile, in the order of the rows."""
    return pd.Series(tile).groupby(tile).cumcount().to_numpy()


def _lines(rows: Iterable[Any]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    return text.getvalue().encode()


def _cells(entry: ObjectEntry, part: dict[str, npt.NDArray[Any]]) -> list[Cells]:
    """The columns of some rows, as lists of what stands in the file."""
    n, tile = len(part["tile"]), part["tile"]
    names = np.array([safe_text(name) for name in (*entry.classes.names, OUTSIDE, "")], object)
    ids, scenes = (_of_tiles(entry.tiles[name], tile) for name in ("id", "scene"))
    gsd = entry.tiles["gsd"].to_numpy(np.float64)[tile]
    area, hit, best = (part[name].astype(np.int64) for name in ("area", "hit", "best_px"))
    width = safe_divide(part["width_sum"], part["line_px"])
    length = np.where(part["line_px"] > 0, part["straight"] * STRAIGHT + part["diagonal"] * DIAGONAL, np.nan)
    outcomes = np.array([[o.id for o in side] for side in OUTCOMES], object)
    return [
        [safe_text(entry.model)] * n,
        [safe_text(entry.dataset)] * n,
        ids,
        scenes,
        part["object"].tolist(),
        np.array(SIDES, object)[part["side"]].tolist(),
        names[part["cls"]].tolist(),
        outcomes[part["side"], part["outcome"]].tolist(),
        area.tolist(),
        _measures(area * gsd**2),
        *(part[name].tolist() for name in ("top", "left", "bottom", "right")),
        _numbers_or_empty(safe_divide(part["row_sum"], area)),
        _numbers_or_empty(safe_divide(part["column_sum"], area)),
        np.where(part["edge"], "true", "false").tolist(),
        hit.tolist(),
        _numbers_or_empty(safe_divide(hit, area)),
        _numbers_or_empty(safe_divide(best, area + part["best_area"] - best)),
        # -1, nothing to be taken for, is the last name: the empty one.
        names[part["taken"]].tolist(),
        _measures(width),
        _measures(width * gsd),
        _measures(length),
        _measures(length * gsd),
    ]


def _of_tiles(texts: pd.Series, tile: npt.NDArray[Any]) -> Cells:
    used, place = np.unique(tile, return_inverse=True)
    return np.array([safe_text(text) for text in texts.iloc[used]], object)[place].tolist() if len(used) else []


def _numbers_or_empty(values: Scores) -> Cells:
    return ["" if value != value else value for value in values.tolist()]


def _measures(values: Scores) -> Cells:
    """Lengths and areas to six decimals: 25 px of 0.2 m are 1 m2, not 1.0000000000000002."""
    return _numbers_or_empty(np.round(values, 6))
