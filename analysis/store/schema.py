"""Columns of the tables on disk and how counts become rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from analysis.kernels.layout import BOUNDARY_BINS, EDGE_BINS, OUTCOMES, SCORE_BINS, WIDTH_BINS

TEXTS = (
    "id",
    "scene",
    "split",
    "status",
    "code",
    "reason",
    "reading",
    "pictures",
    "counted",
    "truth_hash",
    "prediction_hash",
    "notices",
)
WHOLES = (
    "row",
    "column",
    "height",
    "width",
    "valid",
    "ignored",
    "truth_size",
    "truth_modified",
    "prediction_size",
    "prediction_modified",
)
TRUTH_TEXTS = ("id", "scene", "split", "status", "reason", "reading", "truth_hash")
TRUTH_WHOLES = ("height", "width", "ignored", "truth_size", "truth_modified")
STAMPS = ("truth_size", "truth_modified", "prediction_size", "prediction_modified", "reading", "pictures", "counted")
"""A tile is scored again when one of these differs from what lies on disk."""

Shape = tuple[int, ...]


def count_shapes(classes: int, histogram: bool, narrow: int) -> dict[str, Shape]:
    """Shape of each array that is stored for a tile."""
    k, c, w = classes, narrow, WIDTH_BINS
    shapes: dict[str, Shape] = {
        "confusion": (k, k + 1),
        "edges": (EDGE_BINS, k, 3),
        "boundary": (BOUNDARY_BINS, k, 3),
        "bands": (k, 2),
        "outcomes": (2, k, OUTCOMES, 4),
    }
    if narrow:
        shapes |= {
            "line_truth": (c, w, k + 1),
            "line_match": (c, w, 2),
            "line_links": (c, w, 2),
            "line_gaps": (c, 2),
            "line_prediction": (c, 3),
        }
    if histogram:
        shapes["histogram"] = (2, SCORE_BINS)
    return shapes


def tile_schema(shapes: dict[str, Shape]) -> pa.Schema:
    """Schema of the tile table: one row a tile; arrays as lists of fixed size, in C order."""
    columns = [pa.field(name, pa.string()) for name in TEXTS]
    columns += [pa.field(name, pa.int64()) for name in WHOLES]
    columns += [pa.field("gsd", pa.float64()), pa.field("partial", pa.bool_())]
    columns += [pa.field(name, pa.list_(pa.int64(), int(np.prod(shape)))) for name, shape in shapes.items()]
    return pa.schema(columns)


OBJECT_COLUMNS: dict[str, str] = {
    "side": "int8",
    "cls": "int16",
    "outcome": "int8",
    "edge": "bool",
    "area": "int32",
    "hit": "int32",
    "best": "int32",
    "best_px": "int32",
    "best_area": "int32",
    "taken": "int16",
    "taken_px": "int32",
    "top": "int32",
    "left": "int32",
    "bottom": "int32",
    "right": "int32",
    "row_sum": "int64",
    "column_sum": "int64",
    "line_px": "int32",
    "straight": "int32",
    "diagonal": "int32",
    "width_sum": "int64",
}
"""What is known of an object, and its type; px of the tile, see `analysis.kernels.objects`."""


def object_schema() -> pa.Schema:
    """Schema of the object table: one row a tile with a list in every column, one entry an object."""
    kinds = {"bool": pa.bool_(), "int8": pa.int8(), "int16": pa.int16(), "int32": pa.int32(), "int64": pa.int64()}
    columns = [pa.field(name, pa.list_(kinds[kind])) for name, kind in OBJECT_COLUMNS.items()]
    return pa.schema([pa.field("id", pa.string()), *columns])


def to_object_table(rows: Sequence[dict[str, Any]]) -> pa.Table:
    """Objects of tiles as a table.

    Parameters
    ----------
    rows : sequence of dict
        ``id``, and ``objects``: name of a column -> array with one entry an object.
    """
    schema = object_schema()
    columns: list[Any] = [pa.array([row["id"] for row in rows], pa.string())]
    lengths = [len(row["objects"]["side"]) for row in rows]
    offsets = pa.array(np.concatenate([[0], np.cumsum(lengths)]), pa.int32())
    for name, kind in OBJECT_COLUMNS.items():
        flat = np.concatenate([np.zeros(0, kind), *(row["objects"][name] for row in rows)]).astype(kind)
        columns.append(pa.ListArray.from_arrays(offsets, pa.array(flat, schema.field(name).type.value_type)))
    return pa.Table.from_arrays(columns, schema=schema)


def from_object_table(table: pa.Table, name: str) -> npt.NDArray[Any]:
    """One column of the objects of all tiles, one after the other."""
    parts = [chunk.flatten().to_numpy(zero_copy_only=False) for chunk in table.column(name).chunks]
    return np.concatenate([np.zeros(0, OBJECT_COLUMNS[name]), *parts])


def objects_per_tile(table: pa.Table) -> npt.NDArray[np.int64]:
    """Number of objects of each row of an object table that was read with one column at least."""
    name = next(n for n in table.column_names if n != "id")
    parts = [np.diff(chunk.offsets.to_numpy()) for chunk in table.column(name).chunks]
    return np.concatenate([np.zeros(0, np.int64), *parts])


def truth_schema(classes: int) -> pa.Schema:
    """Schema of the truth table: one row a tile of any split; ``pixels`` by class."""
    return pa.schema(
        [
            *(pa.field(name, pa.string()) for name in TRUTH_TEXTS),
            *(pa.field(name, pa.int64()) for name in TRUTH_WHOLES),
            pa.field("gsd", pa.float64()),
            pa.field("partial", pa.bool_()),
            pa.field("pixels", pa.list_(pa.int64(), classes)),
        ]
    )


def to_table(rows: Sequence[dict[str, Any]], schema: pa.Schema) -> pa.Table:
    """Rows as a table; a missing value is null, a missing array is zeros."""
    columns = []
    for column in schema:
        values = [row.get(column.name) for row in rows]
        if pa.types.is_fixed_size_list(column.type):
            size = column.type.list_size
            flat = np.zeros((len(rows), size), np.int64)
            for i, value in enumerate(values):
                if value is not None:
                    flat[i] = np.asarray(value).ravel()
            columns.append(pa.FixedSizeListArray.from_arrays(pa.array(flat.ravel()), size))
        else:
            columns.append(pa.array(values, column.type))
    return pa.Table.from_arrays(columns, schema=schema)


def to_array(table: pa.Table, name: str, shape: Shape) -> npt.NDArray[np.int64]:
    """A stored array of every row: shape (rows, \\*shape)."""
    column = table.column(name)
    if not len(table):
        return np.zeros((0, *shape), np.int64)
    parts = [chunk.flatten().to_numpy() for chunk in column.chunks]
    whole = parts[0] if len(parts) == 1 else np.concatenate(parts)
    return np.asarray(whole, dtype=np.int64).reshape(len(table), *shape)
