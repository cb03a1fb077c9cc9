"""Counts of a run on disk: its tile table and a manifest that says how they were made."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, ClassVar

import pyarrow as pa

from analysis.catalogue.run import RunCatalogue
from analysis.catalogue.tiles import Tile
from analysis.kernels.layout import KERNEL_VERSION
from analysis.reading.rules import LabelRule
from analysis.store.folder import STORE_VERSION, make_folder, read_json, run_folder, write_json
from analysis.store.parts import Parts
from analysis.store.schema import (
    STAMPS,
    count_shapes,
    object_schema,
    tile_schema,
    to_object_table,
    to_table,
)
from analysis.words.notices import Notice
from analysis.workspace.model import Run, Workspace

MANIFEST = "run.json"


class RunStore:
    """The folder of one run's counts.

    Two tables: ``tiles``, and ``objects`` with one row a tile that holds lists. The objects of a tile are
    written before the tile, so a tile that is there has them.
    """

    PAIRING_CODES: ClassVar = frozenset({"no-prediction", "no-truth", "two-candidates"})
    """Refusals that no file was read for."""

    def __init__(self, workspace: Workspace, run: Run) -> None:
        self.workspace, self.run = workspace, run
        self.folder = run_folder(workspace, run)
        classes = workspace.dataset(run.dataset).classes
        self.shapes = count_shapes(len(classes), classes.binary, len(classes.narrow))
        self.tiles = Parts(self.folder, "tiles", tile_schema(self.shapes))
        self.objects = Parts(self.folder, "objects", object_schema())

    def stamps(self) -> dict[str, tuple[Any, ...]]:
        """Tile id -> (status, code, reason, \\*stamps) of what lies on disk."""
        names = ["id", "status", "code", "reason", *STAMPS]
        columns = [self.tiles.read(names).column(n).to_pylist() for n in names]
        return {row[0]: row[1:] for row in zip(*columns, strict=True)}

    def add(self, rows: Sequence[dict[str, Any]]) -> None:
        """Write rows as a part of their own."""
        if with_objects := [row for row in rows if row.get("objects") is not None]:
            self.objects.write(to_object_table(with_objects))
        ready = [row | {"notices": _notices_text(row.get("notices") or [])} for row in rows]
        self.tiles.write(to_table(ready, self.tiles.schema))

    def compact(self, tiles: Sequence[Tile]) -> None:
        """Make one part of the rows of these tiles, in their order; rows of other tiles are dropped.

        Scene, split, place and whether a window is partial are taken from the catalogue anew: they may have
        changed since the tile was scored.
        """
        make_folder(self.folder)
        self._compact_objects(tiles)
        table = self.tiles.read()
        at = {tile: i for i, tile in enumerate(table.column("id").to_pylist())}
        kept = [t for t in tiles if t.id in at]
        order = [at[t.id] for t in kept]
        if len(self.tiles.files()) == 1 and order == list(range(len(table))) and _same_places(table, kept):
            return
        table = table.take(pa.array(order, pa.int64()))
        for name in ("scene", "split", "row", "column", "partial"):
            column = table.schema.get_field_index(name)
            values = pa.array([getattr(t, name) for t in kept], table.schema.field(name).type)
            table = table.set_column(column, table.schema.field(name), values)
        self.tiles.compact(table)

    def _compact_objects(self, tiles: Sequence[Tile]) -> None:
        """Before the tiles, so that a kill in between leaves no tile without its objects."""
        if not self.objects.files():
            return
        table = self.objects.read()
        at = {tile: i for i, tile in enumerate(table.column("id").to_pylist())}
        order = [at[t.id] for t in tiles if t.id in at]
        if len(self.objects.files()) > 1 or order != list(range(len(table))):
            self.objects.compact(table.take(pa.array(order, pa.int64())))

    def write_manifest(self, found: RunCatalogue, rules: tuple[LabelRule, LabelRule]) -> None:
        """Write down how the counts are made and what the folders hold."""
        truth, prediction = rules
        write_json(
            self.folder / MANIFEST,
            {
                "versions": {"kernels": KERNEL_VERSION, "store": STORE_VERSION},
                "workspace": str(self.workspace.path),
                "model": self.run.model,
                "dataset": self.run.dataset,
                "split": found.split,
                "started": time.time(),
                "scoring": asdict(self.workspace.scoring),
                "readings": {rule.side: _reading(rule) for rule in rules},
                "threshold": prediction.threshold,
                "resize": self.run.resize,
                "ignore": [
                    *sorted(truth.ignore_values),
                    *("#{:02x}{:02x}{:02x}".format(*c) for c in truth.ignore_colors),
                ],
                "tiling": found.dataset.tiling,
                "truth": found.truth.where,
                "predictions": found.predictions.where,
                "notices": [n.as_json() for n in found.notices],
            },
        )

    def manifest(self) -> dict[str, Any] | None:
        """What `write_manifest` wrote; None where the run was never scored."""
        return read_json(self.folder / MANIFEST)


def _reading(rule: LabelRule) -> dict[str, str]:
    return {"coding": rule.coding, "text": rule.describe(), "evidence": rule.evidence}


def _notices_text(notices: Sequence[Notice]) -> str | None:
    return json.dumps([[n.code, n.level, n.message, n.pixels] for n in notices]) if notices else None


def _same_places(table: pa.Table, tiles: Sequence[Tile]) -> bool:
    return all(
        table.column(name).to_pylist() == [getattr(t, name) for t in tiles]
        for name in ("scene", "split", "row", "column", "partial")
    )
