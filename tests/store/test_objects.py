"""Objects on disk: lists in one row a tile, read back as one row an object."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.store.load import load_objects
from analysis.store.run_store import RunStore
from analysis.store.schema import OBJECT_COLUMNS
from analysis.words.status import OBJECTS, PIXELS, REFUSED, SCORED
from analysis.workspace.load import load_workspace
from tests.datasets import write_labels, write_workspace


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    write_labels(tmp_path / "masks/a.png", np.zeros((2, 2), np.uint8))
    workspace = load_workspace(write_workspace(tmp_path, ""))
    return RunStore(workspace, workspace.run("m"))


def objects(*areas: int) -> dict[str, np.ndarray]:
    n = len(areas)
    found = {name: np.zeros(n, kind) for name, kind in OBJECT_COLUMNS.items()}
    return found | {"area": np.array(areas, np.int32), "edge": np.array([a > 5 for a in areas], bool)}


def row(tile: str, *areas: int, **more: Any) -> dict[str, Any]:
    return {"id": tile, "status": SCORED, "counted": OBJECTS, "objects": objects(*areas), **more}


def frame(*tiles: str, counted: str = OBJECTS) -> pd.DataFrame:
    return pd.DataFrame({"id": tiles, "status": SCORED, "counted": counted})


def test_one_row_an_object_in_the_order_of_the_tiles(store: RunStore) -> None:
    store.add([row("a", 3, 9), row("b"), row("c", 7)])
    found = load_objects(store, frame("c", "a", "b", "none"))
    assert found["tile"].tolist() == [0, 1, 1]
    assert found["number"].tolist() == [0, 0, 1]
    assert found["area"].tolist() == [7, 3, 9]
    assert found["edge"].tolist() == [True, False, True]
    assert {name: str(found[name].dtype) for name in OBJECT_COLUMNS} == dict(OBJECT_COLUMNS)


def test_only_the_columns_that_are_asked_for(store: RunStore) -> None:
    store.add([row("a", 3)])
    assert list(load_objects(store, frame("a"), ["area", "side"])) == ["tile", "number", "side", "area"]


def test_no_objects_at_all(store: RunStore) -> None:
    assert len(load_objects(store, frame())) == 0
    store.add([row("a")])
    empty = load_objects(store, frame("a"))
    assert (len(empty), list(empty)) == (0, ["tile", "number", *OBJECT_COLUMNS])


def test_the_newest_objects_of_a_tile_win(store: RunStore) -> None:
    store.add([row("a", 1, 2), row("b", 4)])
    store.add([row("a", 5)])
    assert load_objects(store, frame("a", "b"))["area"].tolist() == [5, 4]


def test_objects_of_tiles_counted_without_them_are_not_shown(store: RunStore) -> None:
    store.add([row("a", 1, 2)])
    assert len(load_objects(store, frame("a", counted=PIXELS))) == 0
    assert len(load_objects(store, frame("a").assign(status=REFUSED))) == 0
