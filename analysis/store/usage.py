"""What the folder of the counts holds, and clearing the counts of a run."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import StoreError
from analysis.store.folder import LOCK, RunLock, cache_folder, dataset_folder, read_json, run_folder, writing
from analysis.store.run_store import MANIFEST
from analysis.workspace.model import Run, Workspace


@dataclass(frozen=True)
class Usage:
    """Bytes and number of files."""

    bytes: int = 0
    files: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(self.bytes + other.bytes, self.files + other.files)


@dataclass(frozen=True)
class CacheUsage:
    """What lies in the folder of the counts.

    Parameters
    ----------
    path : Path
    runs : dict of str to Usage
        By key, the runs of the workspace as it is now.
    truths : Usage
        Truth tables of its datasets.
    earlier : Usage
        Runs whose manifest names this workspace file, under settings or names that it no longer has.
    others : Usage
        Runs of other workspace files, those without a manifest, and all other truth tables: to whom these belong is
        written nowhere.
    drafts, rest : Usage
        Entries that are being typed; everything else, such as the demo.
    """

    path: Path
    runs: dict[str, Usage]
    truths: Usage
    earlier: Usage
    others: Usage
    drafts: Usage
    rest: Usage

    @property
    def total(self) -> Usage:
        """All of it."""
        parts = (*self.runs.values(), self.truths, self.earlier, self.others, self.drafts, self.rest)
        return sum(parts, Usage())


def cache_usage(workspace: Workspace) -> CacheUsage:
    """Measure the folder of the counts; a folder that is not there is empty."""
    path = cache_folder()
    current = {run_folder(workspace, run).name: run.key for run in workspace.runs}
    own_truths = {dataset_folder(workspace, d).name for d in workspace.datasets}
    runs = dict.fromkeys(current.values(), Usage())
    earlier = others = truths = Usage()
    for folder in _folders(path / "runs"):
        used = folder_usage(folder)
        if folder.name in current:
            runs[current[folder.name]] = used
        elif (read_json(folder / MANIFEST) or {}).get("workspace") == str(workspace.path):
            earlier += used
        else:
            others += used
    for folder in _folders(path / "truths"):
        if folder.name in own_truths:
            truths += folder_usage(folder)
        else:
            others += folder_usage(folder)
    drafts = folder_usage(path / "drafts")
    counted = (*runs.values(), truths, earlier, others, drafts)
    known = sum(counted, Usage())
    whole = folder_usage(path)
    rest = Usage(max(0, whole.bytes - known.bytes), max(0, whole.files - known.files))
    return CacheUsage(path, runs, truths, earlier, others, drafts, rest)


def folder_usage(folder: Path) -> Usage:
    """Bytes and files under a folder; what vanishes meanwhile is not counted."""
    size = files = 0
    waiting = [folder]
    while waiting:
        try:
            entries = list(os.scandir(waiting.pop()))
        except OSError:
            continue
        for entry in entries:
            with suppress(OSError):
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(Path(entry.path))
                else:
                    size += entry.stat(follow_symlinks=False).st_size
                    files += 1
    return Usage(size, files)


def clear_runs(workspace: Workspace, runs: Sequence[Run]) -> Usage:
    """Delete the counts of some runs; scoring makes them again. Files of data are not touched.

    Returns
    -------
    Usage
        What was deleted.

    Raises
    ------
    StoreError
        A run is being scored, or a file cannot be deleted; runs before it in the list are cleared.
    """
    cleared = Usage()
    for run in runs:
        folder = run_folder(workspace, run)
        if not folder.is_dir():
            continue
        lock = RunLock(folder)
        if not lock.take(wait=False):
            raise StoreError(
                f"{run.key} is being scored, so its counts were not cleared. Stop the score, or wait until it is done."
            )
        try:
            before = folder_usage(folder)
            with writing(folder):
                _empty(folder)
            after = folder_usage(folder)
            cleared += Usage(before.bytes - after.bytes, before.files - after.files)
        finally:
            lock.free()
    return cleared


def _empty(folder: Path) -> None:
    """Delete what a run's folder holds, but for its lock: another process may be waiting for it."""
    for entry in list(os.scandir(folder)):
        if entry.name == LOCK:
            continue
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path)
        else:
            os.unlink(entry.path)


def _folders(parent: Path) -> list[Path]:
    try:
        return sorted(Path(e.path) for e in os.scandir(parent) if e.is_dir(follow_symlinks=False))
    except OSError:
        return []
