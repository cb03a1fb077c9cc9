"""The truth table of a dataset: truth px by class for the tiles of every split, whatever was predicted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.store.folder import RunLock, dataset_folder
from analysis.store.parts import Parts
from analysis.store.schema import to_array, to_table, truth_schema
from analysis.words.order import natural_key
from analysis.words.status import SCORED
from analysis.workspace.model import Dataset, Workspace

_STAMPS = ("truth_size", "truth_modified", "reading")
_COPIED = ("id", "scene", "split", "status", "height", "width", "ignored", "gsd", "partial", "truth_hash")
_MANY_PARTS = 16


@dataclass(frozen=True)
class TruthTable:
    """Truth px of a dataset's tiles.

    Parameters
    ----------
    tiles : DataFrame
        One row a tile, in natural order: id, scene, split, status, reason, height, width, ignored (px), gsd
        (m per px or NaN), partial, truth_hash.
    pixels : ndarray of int64, shape (tiles, K)
        Truth px by class.
    """

    tiles: pd.DataFrame
    pixels: npt.NDArray[np.int64]


class TruthStore:
    """The folder of one dataset's truth table; runs of the dataset write into it as they are scored."""

    def __init__(self, workspace: Workspace, dataset: Dataset) -> None:
        self.folder = dataset_folder(workspace, dataset)
        self._classes = len(dataset.classes)
        self._parts = Parts(self.folder, "truths", truth_schema(self._classes))
        self._known: dict[str, tuple[Any, ...]] | None = None

    def stamps(self) -> dict[str, tuple[Any, ...]]:
        """Tile id -> stamps of what lies on disk."""
        names = ["id", *_STAMPS, "split"]
        columns = [self._parts.read(names).column(n).to_pylist() for n in names]
        return {row[0]: row[1:] for row in zip(*columns, strict=True)}

    def is_known(self, row: dict[str, Any]) -> bool:
        """Whether the table holds this tile, with its files and its split as they are now."""
        if self._known is None:
            self._known = self.stamps()
        return self._known.get(row["id"]) == (*(row.get(n) for n in _STAMPS), row.get("split"))

    def add_scored(self, rows: Sequence[dict[str, Any]]) -> None:
        """Take in the truth side of rows that were scored for a run."""
        new = []
        for row in rows:
            if row["status"] != SCORED:
                continue
            truth = {name: row.get(name) for name in _COPIED}
            truth |= {name: row.get(name) for name in _STAMPS}
            truth["reading"] = row["reading"].split("|")[0]
            truth["pixels"] = np.asarray(row["confusion"]).sum(axis=1)
            if not self.is_known(truth):
                new.append(truth)
        self.add(new)

    def add(self, rows: Sequence[dict[str, Any]]) -> None:
        """Write rows as a part of their own."""
        if not rows:
            return
        lock = RunLock(self.folder)
        lock.take(wait=True)
        try:
            self._parts.write(to_table(rows, self._parts.schema))
            if len(self._parts.files()) > _MANY_PARTS:
                self._parts.compact(self._parts.read())
        finally:
            lock.free()
        if self._known is not None:
            self._known |= {row["id"]: (*(row.get(n) for n in _STAMPS), row.get("split")) for row in rows}

    def load(self) -> TruthTable:
        """The whole table."""
        table = self._parts.read()
        names = [n for n in table.column_names if n not in ("pixels", *_STAMPS)]
        tiles = table.select(names).to_pandas()
        order = sorted(range(len(tiles)), key=lambda i: natural_key(tiles["id"].iloc[i]))
        pixels = to_array(table, "pixels", (self._classes,))
        return TruthTable(tiles.iloc[order].reset_index(drop=True), pixels[order])
