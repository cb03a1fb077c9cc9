"""How large the folder of the counts is, and clearing a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis import open_workspace
from analysis.errors import StoreError
from analysis.store.folder import RunLock
from analysis.store.usage import Usage, cache_usage, clear_runs
from tests.datasets import land_cover


def all_files(folder: Path) -> Usage:
    files = [p for p in folder.rglob("*") if p.is_file()]
    return Usage(sum(p.stat().st_size for p in files), len(files))


def test_an_empty_folder_and_one_that_is_not_there(tmp_path: Path, own_cache: Path) -> None:
    opened = open_workspace(land_cover(tmp_path / "d", 2))
    usage = cache_usage(opened.workspace)
    assert usage.total == Usage()
    assert usage.runs == {"m@d": Usage()}
    assert usage.path == own_cache
    assert clear_runs(opened.workspace, opened.workspace.runs) == Usage()


def test_what_belongs_to_whom(tmp_path: Path, own_cache: Path) -> None:
    path = land_cover(tmp_path / "d", 3)
    opened = open_workspace(path)
    opened.runs[0].score(workers=1)
    other = open_workspace(land_cover(tmp_path / "e", 2))
    other.runs[0].score(workers=1)
    (own_cache / "drafts").mkdir()
    (own_cache / "drafts" / "a.json").write_bytes(b"12345")
    (own_cache / "demo" / "x").mkdir(parents=True)
    (own_cache / "demo" / "x" / "y.png").write_bytes(b"1234567")
    usage = cache_usage(opened.workspace)
    assert usage.total == all_files(own_cache)
    assert usage.runs["m@d"] == all_files(opened.runs[0].store.folder)
    assert usage.drafts == Usage(5, 1)
    assert usage.rest == Usage(7, 1)
    assert usage.earlier == Usage()
    truths = all_files(own_cache / "truths")
    assert usage.others + usage.truths == all_files(other.runs[0].store.folder) + truths
    assert usage.truths.files > 0

    path.write_text(
        path.read_text().replace('predictions = "predictions"', 'predictions = "predictions"\nresize = "nearest"')
    )
    changed = cache_usage(open_workspace(path).workspace)
    assert changed.runs == {"m@d": Usage()}
    assert changed.earlier == usage.runs["m@d"]
    assert changed.total == usage.total


def test_cleared_counts_are_made_again(tmp_path: Path, own_cache: Path) -> None:
    opened = open_workspace(land_cover(tmp_path / "d", 3))
    run = opened.runs[0]
    run.score(workers=1)
    before = run.counts().confusion.tolist()
    held = cache_usage(opened.workspace).runs[run.key]
    lock = (run.store.folder / "lock").stat().st_size if (run.store.folder / "lock").exists() else 0
    gone = clear_runs(opened.workspace, [run.run])
    assert gone.bytes == held.bytes - lock
    assert not run.scored
    assert run.manifest() is None
    assert run.progress() is None
    assert (tmp_path / "d" / "masks" / "tile_0.png").exists()
    run.score(workers=1)
    assert run.counts().confusion.tolist() == before


def test_a_run_that_is_being_scored_is_left_alone(tmp_path: Path) -> None:
    opened = open_workspace(land_cover(tmp_path / "d", 2))
    run = opened.runs[0]
    run.score(workers=1)
    lock = RunLock(run.store.folder)
    assert lock.take(wait=False)
    try:
        with pytest.raises(StoreError, match="m@d is being scored"):
            clear_runs(opened.workspace, [run.run])
        assert run.scored
    finally:
        lock.free()
    clear_runs(opened.workspace, [run.run])
    assert not run.scored
