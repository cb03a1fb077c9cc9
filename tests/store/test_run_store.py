"""What is read back of a run: frames, arrays, notices, the truth table."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from analysis.api import open_workspace
from analysis.store.truth_store import TruthStore
from tests.datasets import land_cover, write_labels, write_workspace


def test_frame_and_arrays(tmp_path: Path) -> None:
    labels = np.zeros((4, 6), np.uint8)
    labels[:, 3:] = 1
    labels[0, 0] = 255
    write_labels(tmp_path / "masks/a.png", labels)
    write_labels(tmp_path / "predictions/a.png", np.ones((4, 6), np.uint8))
    write_labels(tmp_path / "masks/b.png", labels)
    workspace = write_workspace(tmp_path, "ignore = [255]\ngsd = 0.25\n")
    run = open_workspace(workspace).run("m")
    assert not run.scored
    assert len(run.counts()) == 0
    assert run.manifest() is None
    run.score(workers=1)
    counts = run.counts(("confusion", "edges", "boundary", "bands", "histogram"))
    assert list(counts.arrays) == ["confusion", "edges", "boundary", "bands"], "five classes have no histogram"
    assert list(counts.tiles["status"]) == ["scored", "refused"]
    assert counts.tiles["gsd"].iloc[0] == 0.25
    assert (counts.tiles["valid"].iloc[0], counts.tiles["ignored"].iloc[0]) == (23, 1)
    # 24 px less one ignored: 11 of background and 12 of building, all predicted as building.
    np.testing.assert_array_equal(counts.confusion[0, :2, :3], [[0, 11, 0], [0, 12, 0]])
    assert counts.confusion[1].sum() == 0
    assert len(counts.scored) == 1
    # Every profile sums to the same marginals.
    for name in ("edges", "boundary"):
        np.testing.assert_array_equal(counts.arrays[name][0].sum(axis=0)[:2], [[11, 0, 0], [12, 23, 12]])


def test_gsd_of_the_file_comes_before_the_workspace(tmp_path: Path) -> None:
    place = {"crs": "EPSG:2180", "transform": (0.5, 0.0, 300000.0, 0.0, -0.5, 400000.0)}
    write_labels(tmp_path / "masks/a.tif", np.zeros((4, 4), np.uint8), driver="GTiff", **place)
    write_labels(tmp_path / "predictions/a.png", np.zeros((4, 4), np.uint8))
    run = open_workspace(write_workspace(tmp_path, "gsd = 0.25\n")).run("m")
    run.score(workers=1)
    assert run.counts().tiles["gsd"].tolist() == [0.5]


def test_truth_table_fills_as_runs_are_scored(tmp_path: Path) -> None:
    workspace = land_cover(tmp_path, 3)
    run = open_workspace(workspace).run("m")
    assert len(run.truth_table().tiles) == 0
    run.score(workers=1)
    table = run.truth_table()
    assert table.tiles["id"].tolist() == ["tile_0", "tile_1", "tile_2"]
    np.testing.assert_array_equal(table.pixels, run.counts().confusion.sum(axis=2))
    before = len(TruthStore(run.workspace, run.dataset)._parts.files())
    run.score(workers=1)
    assert len(TruthStore(run.workspace, run.dataset)._parts.files()) == before


def test_same_truth_in_two_splits_is_noticed(tmp_path: Path) -> None:
    land_cover(tmp_path, 3)
    rng = np.random.default_rng(5)
    one, flat = rng.integers(0, 5, (16, 16), dtype=np.uint8), np.full((16, 16), 2, np.uint8)
    for i, labels in ((0, one), (1, one), (2, flat), (3, flat)):
        for side in ("masks", "predictions"):
            write_labels(tmp_path / f"{side}/tile_{i}.png", labels)
    (tmp_path / "train.txt").write_text("tile_0\ntile_2\n")
    (tmp_path / "test.txt").write_text("tile_1\ntile_3\n")
    workspace = write_workspace(tmp_path, 'splits = {train = "train.txt", test = "test.txt"}\n')
    run = open_workspace(workspace).run("m")
    run.score(workers=1)
    found = [n for n in run.notices() if n.code == "same-truth-in-splits"]
    # Tiles 2 and 3 are of one class alone, as all tiles of a wood are: equal by nature.
    assert [n.tiles for n in found] == [("tile_0", "tile_1")]
