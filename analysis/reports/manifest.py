"""The manifest beside a CSV: how its numbers were made and of which tiles, so that they can be made again."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from analysis.api import OpenRun
from analysis.reports.csv_report import Entry
from analysis.reports.json_report import settings
from analysis.reports.objects_csv import objects_manifest
from analysis.scores import CONVENTIONS, score
from analysis.store.folder import write_whole
from analysis.store.load import RunCounts
from analysis.words.status import REFUSED, SCORED

_MIOU = "mean over the {} that occur in the tile's ground truth or prediction"
_LIBRARIES = ("numpy", "pandas", "rasterio", "numba", "pyarrow")


def manifest_path(csv_file: Path) -> Path:
    """``report.csv`` -> ``report.json``."""
    return csv_file.with_suffix(".json")


def manifest(
    runs: Sequence[OpenRun],
    entries: Sequence[Entry],
    csv_content: bytes,
    selection: dict[str, Any],
    among: Collection[int] | None = None,
) -> dict[str, Any]:
    """What stands in the manifest.

    Parameters
    ----------
    runs, entries : sequences of the same length
        The runs, and what was written of each.
    csv_content : bytes
        The CSV file; its SHA-256 ties the two together.
    selection : dict
        The filters that the tiles passed; empty: none.
    among : collection of int or None
        Indices of the classes that means are taken over; None: all foreground classes.
    """
    return {
        "schema": 1,
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "csv_sha256": hashlib.sha256(csv_content).hexdigest(),
        "selection": selection,
        "convention_of_miou": _MIOU.format("foreground classes" if among is None else "chosen classes"),
        "versions": {"python": platform.python_version(), **{name: version(name) for name in _LIBRARIES}},
        "runs": [_run(run, entry, among) for run, entry in zip(runs, entries, strict=True)],
    }


def object_manifest(
    run: OpenRun, counts: RunCounts, rows: int, csv_sha256: str, selection: dict[str, Any], **more: Any
) -> dict[str, Any]:
    """What stands in the manifest of an object CSV.

    Parameters
    ----------
    counts : RunCounts
        The tiles that passed the filters, with the array ``outcomes``.
    rows : int
        Objects of these tiles that have a row, whichever of them were written.
    csv_sha256 : str
        Of the CSV.
    selection : dict
        The filters that the tiles, and the objects among theirs, passed.
    **more
        As in `objects_manifest`: the bins that were shown.
    """
    left_out = int(counts.with_objects.arrays["outcomes"][..., 0].sum()) - rows
    content = manifest([run], [(run.run.model, run.run.dataset, counts)], b"", selection)
    return {
        **content,
        "csv_sha256": csv_sha256,
        "objects": objects_manifest(connectivity=run.workspace.scoring.connectivity, rows_left_out=left_out, **more),
    }


def write_with_manifest(path: Path, csv_content: bytes, content: dict[str, Any]) -> None:
    """Write a CSV and its manifest.

    Raises
    ------
    StoreError
        A file cannot be written.
    """
    write_whole(path, csv_content)
    write_whole(manifest_path(path), manifest_bytes(content))


def manifest_bytes(content: dict[str, Any]) -> bytes:
    """The manifest as a file."""
    return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1).encode()


def _run(run: OpenRun, entry: Entry, among: Collection[int] | None) -> dict[str, Any]:
    counts = entry[2]
    scored = counts.take((counts.tiles["status"] == SCORED).to_numpy())
    pooled = {name: score(name, scored.confusion, counts.classes, among=among) for name in CONVENTIONS}
    hashes = hashlib.sha256()
    for row in scored.tiles[["id", "truth_hash", "prediction_hash"]].to_dict("records"):
        hashes.update("\0".join([*row.values(), "\n"]).encode())
    return {
        "model": run.run.model,
        "dataset": run.run.dataset,
        "trained_on": run.run.trained_on,
        "settings": settings(run),
        "tiles": {
            "scored": len(scored),
            "refused": int((counts.tiles["status"] == REFUSED).sum()),
            "partial": int(counts.tiles["partial"].sum()),
        },
        "pixels": int(scored.confusion.sum()),
        "scores": {name: None if value != value else value for name, value in pooled.items()},
        "content_sha256": hashes.hexdigest(),
    }
