"""Tables in parts: the newest row wins, and nobody ever sees half a part."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from analysis.errors import StoreError
from analysis.store.parts import Parts
from analysis.store.schema import to_array, to_table

SCHEMA = pa.schema([("id", pa.string()), ("valid", pa.int64()), ("bands", pa.list_(pa.int64(), 4))])


def rows(*pairs: tuple[str, int]) -> pa.Table:
    return to_table([{"id": i, "valid": v, "bands": [[v, 0], [0, v]]} for i, v in pairs], SCHEMA)


def test_empty_folder_is_an_empty_table(tmp_path: Path) -> None:
    table = Parts(tmp_path / "none", "tiles", SCHEMA).read()
    assert table.num_rows == 0
    assert table.schema == SCHEMA
    assert to_array(table, "bands", (2, 2)).shape == (0, 2, 2)


def test_newest_row_of_a_tile_wins_in_its_old_place(tmp_path: Path) -> None:
    parts = Parts(tmp_path, "tiles", SCHEMA)
    parts.write(rows(("a", 1), ("b", 2)))
    parts.write(rows(("c", 3), ("a", 4)))
    table = parts.read()
    assert table.column("id").to_pylist() == ["a", "b", "c"]
    assert table.column("valid").to_pylist() == [4, 2, 3]
    np.testing.assert_array_equal(to_array(table, "bands", (2, 2))[0], [[4, 0], [0, 4]])
    assert parts.read(["valid"]).column_names == ["valid"]


def test_compacting_keeps_what_it_is_given(tmp_path: Path) -> None:
    parts = Parts(tmp_path, "tiles", SCHEMA)
    parts.write(rows(("a", 1)))
    parts.write(rows(("b", 2)))
    parts.compact(parts.read())
    assert len(parts.files()) == 1
    assert parts.read().column("id").to_pylist() == ["a", "b"]


def test_compacting_that_dies_before_it_deletes_does_no_harm(tmp_path: Path) -> None:
    parts = Parts(tmp_path, "tiles", SCHEMA)
    parts.write(rows(("a", 1)))
    parts.write(rows(("b", 2)))
    parts.write(parts.read())
    assert len(parts.files()) == 3
    assert parts.read().column("valid").to_pylist() == [1, 2]


def test_half_written_files_are_not_seen(tmp_path: Path) -> None:
    parts = Parts(tmp_path, "tiles", SCHEMA)
    parts.write(rows(("a", 1)))
    (tmp_path / ".tiles-00000002.parquet.123").write_bytes(b"half")
    assert parts.read().num_rows == 1


def test_damaged_part_is_one_clear_line(tmp_path: Path) -> None:
    parts = Parts(tmp_path, "tiles", SCHEMA)
    parts.write(rows(("a", 1)))
    parts.files()[0].write_bytes(b"PAR1 not at all")
    with pytest.raises(StoreError, match="damaged"):
        parts.read()


def test_missing_arrays_are_zeros() -> None:
    table = to_table([{"id": "a"}], SCHEMA)
    assert table.column("valid").to_pylist() == [None]
    np.testing.assert_array_equal(to_array(table, "bands", (4,)), [[0, 0, 0, 0]])
