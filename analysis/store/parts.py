"""Tables in parts: each part is written whole and renamed, the newest row of a tile wins.

A kill loses only what was not yet written; the next run goes on from there. A part with the number
after the last is newer than all before it, so rewriting everything as one part ("compacting") may die at
any point without harm.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from analysis.errors import StoreError
from analysis.store.folder import make_folder, writing

ROW_GROUP = 1 << 16


class Parts:
    """The parts of one table in one folder.

    Parameters
    ----------
    folder : Path
    kind : str
        First word of the file names, such as ``tiles``.
    schema : pyarrow.Schema
        Must have a column ``id``.
    """

    def __init__(self, folder: Path, kind: str, schema: pa.Schema) -> None:
        self.folder, self.kind, self.schema = folder, kind, schema
        self._name = re.compile(rf"{kind}-([0-9]{{8}})\.parquet")

    def files(self) -> list[Path]:
        """Parts, oldest first."""
        try:
            names = sorted(n for n in os.listdir(self.folder) if self._name.fullmatch(n))
        except OSError:
            return []
        return [self.folder / n for n in names]

    def write(self, table: pa.Table) -> Path:
        """Write a table as the newest part.

        Raises
        ------
        StoreError
            The disk is full or the folder cannot be written.
        """
        make_folder(self.folder)
        files = self.files()
        number = int(files[-1].stem.rsplit("-", 1)[1]) + 1 if files else 1
        path = self.folder / f"{self.kind}-{number:08d}.parquet"
        beside = self.folder / f".{path.name}.{os.getpid()}"
        with writing(path):
            try:
                pq.write_table(table, beside, compression="zstd", row_group_size=ROW_GROUP)
                os.replace(beside, path)
            except OSError:
                beside.unlink(missing_ok=True)
                raise
        return path

    def read(self, columns: Sequence[str] | None = None) -> pa.Table:
        """All rows, the newest of each tile alone, in order of first writing.

        Parameters
        ----------
        columns : sequence of str, optional
            Only these are read from disk.

        Raises
        ------
        StoreError
            A part is damaged.
        """
        names = list(self.schema.names if columns is None else columns)
        wanted = names if "id" in names else [*names, "id"]
        tables = []
        for path in self.files():
            try:
                tables.append(pq.read_table(path, columns=wanted, partitioning=None))
            except FileNotFoundError:
                return self.read(columns)  # compacted meanwhile: the listing is out of date
            except (OSError, pa.ArrowException) as error:
                raise StoreError(
                    f"{path}: these counts are damaged ({error}). Delete the folder and score again."
                ) from None
        if not tables:
            return pa.schema([self.schema.field(n) for n in names]).empty_table()
        whole = pa.concat_tables(tables)
        if len(tables) > 1:
            whole = _newest(whole)
        return whole.select(names)

    def compact(self, table: pa.Table) -> None:
        """Make one part of a table and drop the older parts.

        Raises
        ------
        StoreError
        """
        old = self.files()
        self.write(table)
        for path in old:
            with writing(path):
                path.unlink(missing_ok=True)


def _newest(table: pa.Table) -> pa.Table:
    """The last row of each id, in place of its first."""
    codes = pc.dictionary_encode(table.column("id")).combine_chunks().indices.to_numpy()
    last = np.zeros(int(codes.max()) + 1, np.int64)
    last[codes] = np.arange(len(codes))  # a later row overwrites an earlier one
    return table.take(pa.array(last))
