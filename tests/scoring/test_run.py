"""Scoring a run: in parallel, resumable, once, and only what changed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from analysis.api import OpenRun, open_workspace
from analysis.errors import StoreError
from analysis.scoring import run as run_module
from analysis.scoring.progress import DONE, STOPPED, Progress, ask_to_stop
from analysis.store.folder import RunLock
from tests.datasets import land_cover, noisy, random_labels, write_labels, write_workspace

PROJECT = Path(__file__).resolve().parents[2]


def opened(workspace: Path) -> OpenRun:
    return open_workspace(workspace).run("m")


def start_scoring(workspace: Path, *arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "analysis", "score", str(workspace), *arguments],
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_counts_do_not_depend_on_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = land_cover(tmp_path, 60)
    monkeypatch.setenv("ORTHOSCOPE_CACHE", str(tmp_path / "one"))
    assert opened(workspace).score(workers=1).scored_now == 60
    one = opened(workspace).counts(("confusion", "edges", "boundary", "bands"))
    monkeypatch.setenv("ORTHOSCOPE_CACHE", str(tmp_path / "two"))
    assert opened(workspace).score(workers=2).scored_now == 60
    two = opened(workspace).counts(("confusion", "edges", "boundary", "bands"))
    assert list(one.tiles["id"]) == [f"tile_{i}" for i in range(60)]
    assert one.tiles.equals(two.tiles)
    for name, counts in one.arrays.items():
        np.testing.assert_array_equal(counts, two.arrays[name])


def test_second_call_reads_nothing(tmp_path: Path) -> None:
    workspace = land_cover(tmp_path, 5)
    assert opened(workspace).score(workers=1).scored_now == 5
    again = opened(workspace).score(workers=1)
    assert (again.scored_now, again.kept) == (0, 5)


def test_only_a_replaced_prediction_is_read_again(tmp_path: Path) -> None:
    workspace = land_cover(tmp_path, 5)
    run = opened(workspace)
    run.score(workers=1)
    before = run.counts()
    replaced = tmp_path / "predictions/tile_3.png"
    write_labels(replaced, np.zeros((64, 64), np.uint8))
    os.utime(replaced, ns=(1, 1))
    outcome = run.score(workers=1)
    assert (outcome.scored_now, outcome.kept) == (1, 4)
    after = run.counts()
    assert after.confusion[3][:, 1:].sum() == 0
    np.testing.assert_array_equal(np.delete(after.confusion, 3, 0), np.delete(before.confusion, 3, 0))


def test_same_size_and_time_stamp_are_taken_for_the_same_file(tmp_path: Path) -> None:
    """The rule as it is: a file that changes neither is not read again."""
    workspace = land_cover(tmp_path, 2)
    run = opened(workspace)
    run.score(workers=1)
    os.utime(tmp_path / "masks/tile_0.png", ns=(5, 5))
    assert run.score(workers=1).scored_now == 1


def test_removed_and_added_tiles(tmp_path: Path) -> None:
    workspace = land_cover(tmp_path, 4)
    run = opened(workspace)
    run.score(workers=1)
    (tmp_path / "predictions/tile_1.png").unlink()
    (tmp_path / "masks/tile_2.png").unlink()
    write_labels(tmp_path / "masks/tile_9.png", np.zeros((8, 8), np.uint8))
    write_labels(tmp_path / "predictions/tile_9.png", np.zeros((8, 8), np.uint8))
    assert run.score(workers=1).scored_now == 1
    tiles = run.counts().tiles
    assert dict(zip(tiles["id"], tiles["status"], strict=True)) == {
        "tile_0": "scored",
        "tile_1": "refused",
        "tile_3": "scored",
        "tile_9": "scored",
    }
    land_cover(tmp_path, 2)  # the prediction comes back
    assert run.score(workers=1).scored_now >= 1
    assert set(run.counts().tiles["status"]) == {"scored"}


def test_a_split_that_changes_reads_new_tiles_only(tmp_path: Path) -> None:
    land_cover(tmp_path, 4)
    (tmp_path / "test.txt").write_text("tile_0\ntile_1\n")
    workspace = write_workspace(tmp_path, 'split = "test.txt"\n')
    run = opened(workspace)
    assert run.score(workers=1).scored_now == 2
    (tmp_path / "test.txt").write_text("tile_1\ntile_2\n")
    assert run.score(workers=1).scored_now == 1
    assert list(run.counts().tiles["id"]) == ["tile_1", "tile_2"]


def test_settings_that_count_differently_have_counts_of_their_own(tmp_path: Path) -> None:
    land_cover(tmp_path, 2)
    opened(write_workspace(tmp_path)).score(workers=1)
    wider = opened(write_workspace(tmp_path, top="[scoring]\nboundary_px = 5\n"))
    assert not wider.scored
    assert wider.score(workers=1).scored_now == 2
    assert opened(write_workspace(tmp_path)).score(workers=1).kept == 2


def test_killed_in_the_middle_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = land_cover(tmp_path, 1500, size=96)
    run = opened(workspace)
    process = start_scoring(workspace, "--workers", "2")
    end = time.monotonic() + 60
    while not run.store.tiles.files() and time.monotonic() < end:
        time.sleep(0.005)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    kept = len(run.store.tiles.read(["id"]))
    assert 0 < kept < 1500, "killed too late or too early for this test to say anything"
    outcome = run.score(workers=2)
    assert (outcome.scored_now, outcome.kept) == (1500 - kept, kept)
    resumed = run.counts(("confusion", "edges", "boundary", "bands"))
    monkeypatch.setenv("ORTHOSCOPE_CACHE", str(tmp_path / "undisturbed"))
    fresh = opened(workspace)
    fresh.score(workers=2)
    undisturbed = fresh.counts(("confusion", "edges", "boundary", "bands"))
    assert resumed.tiles.equals(undisturbed.tiles)
    for name, counts in resumed.arrays.items():
        np.testing.assert_array_equal(counts, undisturbed.arrays[name])


def test_workers_end_with_their_parent(tmp_path: Path) -> None:
    workspace = land_cover(tmp_path, 1500, size=96)
    process = start_scoring(workspace, "--workers", "2")
    run = opened(workspace)
    end = time.monotonic() + 60
    while not run.store.tiles.files() and time.monotonic() < end:
        time.sleep(0.005)
    children = [int(p) for p in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]
    assert children
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    while any(_lives(p) for p in children) and time.monotonic() < end:
        time.sleep(0.05)
    assert not any(_lives(p) for p in children)


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_two_processes_at_once_score_once(tmp_path: Path) -> None:
    workspace = land_cover(tmp_path, 400)
    both = [start_scoring(workspace, "--workers", "1") for _ in range(2)]
    said = [p.communicate(timeout=120) for p in both]
    assert [p.returncode for p in both] == [0, 0], said
    run = opened(workspace)
    assert run.score(workers=1).kept == 400
    assert sum(b"another process" in err for _, err in said) <= 1
    assert len(run.store.tiles.files()) == 1


def test_two_threads_at_once_score_once(tmp_path: Path) -> None:
    workspace = land_cover(tmp_path, 120)
    done: list[int] = []
    threads = [
        threading.Thread(target=lambda: done.append(opened(workspace).score(workers=1).scored_now)) for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(done) == [0, 120]


def test_stop_keeps_what_was_done(tmp_path: Path) -> None:
    workspace = land_cover(tmp_path, 120)
    run = opened(workspace)
    told: list[Progress] = []
    outcome = run.score(workers=1, report=told.append, stopping=lambda: bool(told) and told[-1].done >= 32)
    assert outcome.stopped
    assert outcome.scored_now == 32
    progress = run.progress()
    assert progress is not None
    assert progress.state == STOPPED
    assert run.score(workers=1).scored_now == 88
    progress = run.progress()
    assert progress is not None
    assert (progress.state, progress.done, progress.total) == (DONE, 88, 88)


def test_anyone_can_ask_to_stop(tmp_path: Path) -> None:
    workspace = land_cover(tmp_path, 120)
    run = opened(workspace)

    def stop_at_once(progress: Progress) -> None:
        if progress.done:
            ask_to_stop(run.store.folder)

    assert run.score(workers=1, report=stop_at_once).stopped
    assert run.score(workers=1).scored_now > 0, "an old wish to stop is forgotten"


def test_a_score_that_waits_its_turn_can_be_stopped(tmp_path: Path) -> None:
    workspace = land_cover(tmp_path, 120)
    run = opened(workspace)
    waiting = threading.Event()
    stopped: list[bool] = []

    def wait_and_score() -> None:
        stopped.append(opened(workspace).score(workers=1, report=lambda progress: waiting.set()).stopped)

    lock = RunLock(run.store.folder)
    lock.take(wait=True)
    thread = threading.Thread(target=wait_and_score)
    thread.start()
    assert waiting.wait(30)
    ask_to_stop(run.store.folder)
    lock.free()
    thread.join()
    assert stopped == [True]


def test_unwritable_cache_is_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = land_cover(tmp_path, 1)
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("ORTHOSCOPE_CACHE", str(tmp_path / "file"))
    with pytest.raises(StoreError, match="cannot be written"):
        opened(workspace).score(workers=1)


def test_full_disk_is_one_clear_line_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = land_cover(tmp_path, 40)
    run = opened(workspace)
    monkeypatch.setattr(run_module, "PART_TILES", 16)
    from analysis.store import parts

    whole, writes = parts.pq.write_table, []

    def full(*arguments: object, **options: object) -> None:
        writes.append(1)
        if len(writes) > 2:
            raise OSError(28, "No space left on device")
        whole(*arguments, **options)

    monkeypatch.setattr(parts.pq, "write_table", full)
    with pytest.raises(StoreError, match="No space left on device"):
        run.score(workers=1)
    monkeypatch.setattr(parts.pq, "write_table", whole)
    progress = run.progress()
    assert progress is not None
    assert progress.state == "failed"
    assert "No space left" in progress.message
    kept = len(run.store.tiles.read(["id"]))
    assert kept == 16
    outcome = run.score(workers=1)
    assert (outcome.kept, outcome.scored_now) == (16, 24)
    assert not list(run.store.folder.glob(".*parquet*"))


def test_large_raster_in_strips_equals_the_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    truth = random_labels(rng, 700, 90)
    truth[300:340, 20:60] = 255
    write_labels(tmp_path / "masks/a.png", truth)
    write_labels(tmp_path / "predictions/a.png", noisy(rng, np.where(truth == 255, 0, truth).astype(np.uint8)))
    run = opened(write_workspace(tmp_path, "ignore = [255]\n"))
    run.score(workers=1)
    whole = run.counts(("confusion", "edges", "boundary", "bands"))
    monkeypatch.setenv("ORTHOSCOPE_CACHE", str(tmp_path / "strips"))
    from analysis.scoring import tile as tile_module

    real = tile_module.strips
    monkeypatch.setattr(tile_module, "strips", lambda *a: real(*a, 90 * 50))
    run = opened(write_workspace(tmp_path, "ignore = [255]\n"))
    run.score(workers=1)
    strips = run.counts(("confusion", "edges", "boundary", "bands"))
    assert whole.tiles.equals(strips.tiles)
    for name, counts in whole.arrays.items():
        np.testing.assert_array_equal(counts, strips.arrays[name])
