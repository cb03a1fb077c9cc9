"""Where counts lie on disk, and the few ways of touching the disk that may fail."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from analysis.errors import StoreError
from analysis.kernels.layout import KERNEL_VERSION
from analysis.reading.rules import LabelRule
from analysis.store.schema import TEXTS, TRUTH_TEXTS, TRUTH_WHOLES, WHOLES
from analysis.workspace.model import Dataset, Run, Workspace

STORE_VERSION = 1
"""Raised whenever files are read or laid out differently: older counts are then made again."""
CACHE_VARIABLE = "ORTHOSCOPE_CACHE"
LOCK = "lock"
"""Name of the lock file in a run's folder."""


def cache_folder() -> Path:
    """The folder that ``ORTHOSCOPE_CACHE`` names, or ``data_cache`` of the project."""
    named = os.environ.get(CACHE_VARIABLE)
    return Path(named).expanduser() if named else Path(__file__).resolve().parents[2] / "data_cache"


def run_folder(workspace: Workspace, run: Run) -> Path:
    """Folder of a run's counts; its name holds a digest of everything that decides what is counted.

    Class names, colours, split lists and the ground sampling distance are not part of it: they change no count.
    """
    dataset = workspace.dataset(run.dataset)
    settings = {
        "versions": [KERNEL_VERSION, STORE_VERSION, TEXTS, WHOLES],
        "dataset": _dataset_settings(workspace, dataset),
        "predictions": [str(run.base), run.predictions],
        "rule": _rule_settings(run.rule),
        "threshold": run.rule.threshold,
        "resize": run.resize,
    }
    return cache_folder() / "runs" / f"{_slug(run.key)}-{_digest([run.key, settings])}"


def dataset_folder(workspace: Workspace, dataset: Dataset) -> Path:
    """Folder of a dataset's truth table."""
    settings = [KERNEL_VERSION, STORE_VERSION, TRUTH_TEXTS, TRUTH_WHOLES, _dataset_settings(workspace, dataset)]
    return cache_folder() / "truths" / f"{_slug(dataset.name)}-{_digest(settings)}"


def _dataset_settings(workspace: Workspace, dataset: Dataset) -> list[Any]:
    s = workspace.scoring
    return [
        str(dataset.root),
        dataset.truth,
        dataset.tiling,
        dataset.classes.ids,
        [c.narrow for c in dataset.classes.classes],
        _rule_settings(dataset.rule),
        [s.connectivity, s.tolerance_m, s.boundary_px],
    ]


def _rule_settings(rule: LabelRule) -> list[Any]:
    return [
        sorted(rule.values.items()),
        sorted((*color, target) for color, target in rule.colors.items()),
        sorted(rule.ignore_values),
        sorted(rule.ignore_colors),
    ]


def _digest(content: Any) -> str:
    return hashlib.blake2b(json.dumps(content, sort_keys=True).encode(), digest_size=8).hexdigest()


def _slug(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9.]+", "-", name).strip("-.")[:60] or "run"


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn what the disk refuses into one clear line.

    Raises
    ------
    StoreError
    """
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
        remedy = (
            "Free some space" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "Check the path and its permissions"
        )
        raise StoreError(
            f"{path}: cannot be written ({why}). {remedy}, or choose another folder; "
            f"{CACHE_VARIABLE} names the folder of the counts."
        ) from None


def make_folder(folder: Path) -> Path:
    """Create a folder and those above it.

    Raises
    ------
    StoreError
    """
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def write_whole(path: Path, content: bytes) -> None:
    """Write a small file beside itself and rename it, so that no reader ever sees half of it.

    What is there and no plain file (a device, a pipe) is written into.

    Raises
    ------
    StoreError
    """
    if path.exists() and not path.is_file():
        with writing(path):
            path.write_bytes(content)
        return
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    with writing(path):
        try:
            beside.write_bytes(content)
            os.replace(beside, path)
        except OSError:
            beside.unlink(missing_ok=True)
            raise


def write_pieces(path: Path, pieces: Iterable[bytes]) -> str:
    """Write a file piece by piece, beside itself, and rename it; returns the SHA-256 of its content.

    Raises
    ------
    StoreError
    """
    digest = hashlib.sha256()
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    target = beside if path.is_file() or not path.exists() else path
    with writing(path):
        try:
            with target.open("wb") as file:
                for piece in pieces:
                    digest.update(piece)
                    file.write(piece)
            if target is beside:
                os.replace(beside, path)
        except OSError:
            beside.unlink(missing_ok=True)
            raise
    return digest.hexdigest()


def write_json(path: Path, content: Any) -> None:
    """Write a small JSON file whole."""
    write_whole(path, json.dumps(content, ensure_ascii=False, allow_nan=False).encode())


def read_json(path: Path) -> dict[str, Any] | None:
    """A JSON file written by ``write_json``; None where there is none that can be read."""
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return content if isinstance(content, dict) else None


class RunLock:
    """The one lock of a run's folder; the system releases it when its owner dies.

    Raises
    ------
    StoreError
        The folder cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self._path = make_folder(folder) / LOCK
        self._lock = FileLock(self._path)

    def take(self, *, wait: bool) -> bool:
        """Take the lock; False where another process has it and ``wait`` is off."""
        with writing(self._path):
            try:
                self._lock.acquire(timeout=-1 if wait else 0)
            except Timeout:  # an OSError, but not of the disk
                return False
        return True

    def free(self) -> None:
        """Give the lock back."""
        self._lock.release()

    @property
    def taken(self) -> bool:
        """Whether any process, this one included, holds the lock now."""
        if self._lock.is_locked:
            return True
        if not self.take(wait=False):
            return True
        self.free()
        return False
