"""Columns of the tables on disk and how counts become rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from analysis.kernels.layout import BOUNDARY_BINS, EDGE_BINS, SCORE_BINS

TEXTS = (
    "id",
    "scene",
    "split",
    "status",
    "code",
    "reason",
    "reading",
    "pictures",
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
STAMPS = ("truth_size", "truth_modified", "prediction_size", "prediction_modified", "reading", "pictures")
"""A tile is scored again when one of these differs from what lies on disk."""

Shape = tuple[int, ...]


def count_shapes(classes: int, histogram: bool) -> dict[str, Shape]:
    """Shape of each array that is stored for a tile."""
    k = classes
    shapes: dict[str, Shape] = {
        "confusion": (k, k + 1),
        "edges": (EDGE_BINS, k, 3),
        "boundary": (BOUNDARY_BINS, k, 3),
        "bands": (k, 2),
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
