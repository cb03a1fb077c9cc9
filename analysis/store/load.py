"""A run's counts, read back: a frame of tiles and arrays with one row a tile."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from analysis.store.run_store import RunStore
from analysis.store.schema import OBJECT_COLUMNS, from_object_table, objects_per_tile, to_array
from analysis.words.classes import ClassList
from analysis.words.notices import Notice
from analysis.words.status import PIXELS, SCORED

Counts = npt.NDArray[np.int64]

FRAME_COLUMNS = (
    "id",
    "scene",
    "split",
    "row",
    "column",
    "partial",
    "status",
    "code",
    "reason",
    "height",
    "width",
    "gsd",
    "valid",
    "ignored",
    "truth_hash",
    "prediction_hash",
    "counted",
)


ARRAYS = ("confusion", "bands")
"""What is read where nothing else is asked for."""
SHAPE_ARRAYS = ("outcomes", "line_truth", "line_match", "line_links", "line_gaps", "line_prediction")
"""What is counted of objects and centre lines."""


@dataclass(frozen=True)
class RunCounts:
    """Counts of a run's tiles, in natural order.

    Parameters
    ----------
    classes : ClassList
    tiles : DataFrame
        One row a tile, scored and refused: id, scene, split, row and column (of the sheet's grid, NaN unknown),
        partial, status, code, reason, height and width (px), gsd (m per px, NaN unknown), valid and ignored
        (px), truth_hash, prediction_hash, counted (``pixels``, or what objects were counted with; empty if refused).
    arrays : dict of ndarray
        ``confusion`` (tiles, K, K + 1), and, where asked for, any other of `analysis.kernels.layout`, with a
        leading axis of tiles; zeros for refused tiles.
    """

    classes: ClassList
    tiles: pd.DataFrame
    arrays: dict[str, Counts]

    def __len__(self) -> int:
        return len(self.tiles)

    @property
    def confusion(self) -> Counts:
        """(tiles, K, K + 1): truth by prediction; the last column is outside the class list."""
        return self.arrays["confusion"]

    @property
    def scored(self) -> RunCounts:
        """The tiles that stand in scores: scored and not partial."""
        return self.take(((self.tiles["status"] == SCORED) & ~self.tiles["partial"]).to_numpy())

    @property
    def with_objects(self) -> RunCounts:
        """The tiles on which objects were counted."""
        return self.take(self.with_objects_mask)

    @property
    def with_objects_mask(self) -> npt.NDArray[np.bool_]:
        """Whether objects were counted, a tile each."""
        return ((self.tiles["status"] == SCORED) & (self.tiles["counted"] != PIXELS)).to_numpy(bool)

    def take(self, rows: npt.NDArray[Any] | Sequence[int]) -> RunCounts:
        """Some tiles: a boolean mask or positions."""
        chosen = np.flatnonzero(rows) if np.asarray(rows).dtype == bool else np.asarray(rows, dtype=np.intp)
        return replace(
            self,
            tiles=self.tiles.iloc[chosen].reset_index(drop=True),
            arrays={name: values[chosen] for name, values in self.arrays.items()},
        )


def load_counts(store: RunStore, arrays: Sequence[str] = ARRAYS) -> RunCounts:
    """Read a run's counts; empty where nothing was scored.

    Parameters
    ----------
    arrays : sequence of str
        Only these are read from disk.

    Raises
    ------
    StoreError
        The counts are damaged.
    """
    wanted = [name for name in arrays if name in store.shapes]
    table = store.tiles.read([*FRAME_COLUMNS, *wanted])
    dataset = store.workspace.dataset(store.run.dataset)
    tiles = table.select(FRAME_COLUMNS).to_pandas()
    tiles["partial"] = tiles["partial"].fillna(False).astype(bool)
    for name in ("scene", "split", "code", "reason", "counted"):
        tiles[name] = tiles[name].fillna("")
    own = {scene: dataset.gsd_of(scene) for scene in tiles["scene"].unique()}
    by_workspace = tiles["scene"].map(own).astype("float64")
    tiles["gsd"] = tiles["gsd"].astype("float64").fillna(by_workspace)
    return RunCounts(dataset.classes, tiles, {name: to_array(table, name, store.shapes[name]) for name in wanted})


def load_objects(store: RunStore, tiles: pd.DataFrame, columns: Sequence[str] = tuple(OBJECT_COLUMNS)) -> pd.DataFrame:
    """Read the objects of some tiles.

    Parameters
    ----------
    tiles : DataFrame
        Of `RunCounts`: whose objects, and in which order.
    columns : sequence of str
        Only these are read from disk.

    Returns
    -------
    DataFrame
        One row an object, tile by tile: ``tile``, the position of its tile in ``tiles``; ``number``, its place
        among the objects of its tile (what ``best`` means); and the columns. Empty where no objects were counted.

    Raises
    ------
    StoreError
        The objects are damaged.
    """
    names = [name for name in OBJECT_COLUMNS if name in set(columns)] or ["side"]
    table = store.objects.read(["id", *names])
    at = pd.Index(table.column("id").to_pylist())
    found = at.get_indexer(tiles["id"])
    # A tile that was later counted without objects still has its old ones in the table.
    counted = (tiles["status"] == SCORED) & (tiles["counted"] != PIXELS)
    held = np.flatnonzero((found >= 0) & counted.to_numpy())
    table = table.take(pa.array(found[held], pa.int64()))
    lengths = objects_per_tile(table)
    number = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    frame = pd.DataFrame({"tile": np.repeat(held, lengths), "number": number.astype(np.int32)})
    return frame.assign(**{name: from_object_table(table, name) for name in names})


def load_notices(store: RunStore) -> list[Notice]:
    """Notices that came up while tiles were scored, one a tile and code; refusals are in the tile table."""
    table = store.tiles.read(["id", "notices"])
    found = []
    for tile, text in zip(table.column("id").to_pylist(), table.column("notices").to_pylist(), strict=True):
        if text:
            found += [Notice(code, level, message, tile, pixels=px) for code, level, message, px in json.loads(text)]
    return found
