"""``export``: a CSV of the tiles of a selection, as the app would write it."""

from __future__ import annotations

from pathlib import Path

from analysis.api import OpenRun, OpenWorkspace, open_workspace
from analysis.commands.outputs import check_outputs
from analysis.commands.status import OK
from analysis.errors import SelectionError, WorkspaceError
from analysis.reports.csv_report import csv_bytes
from analysis.reports.manifest import (
    manifest,
    manifest_bytes,
    manifest_path,
    object_manifest,
    write_with_manifest,
)
from analysis.reports.objects_csv import ObjectEntry, object_csv
from analysis.selection.model import Selection, chosen, parse_selection
from analysis.store.folder import write_pieces, write_whole
from analysis.store.load import ARRAYS, RunCounts


def export_command(workspace: Path, query: str, csv_file: Path, *, objects: bool = False) -> int:
    """Write the CSV and its manifest: a row a tile, or a row an object."""
    selection = parse_selection(query)
    check_outputs(csv_file)
    run = chosen_run(open_workspace(workspace), selection)
    if not run.scored:
        raise SelectionError(f"{run.key} is not scored yet. Run: python -m analysis score {workspace}")
    counts = run.counts((*ARRAYS, "outcomes") if objects else ARRAYS)
    counts = counts.take(chosen(counts, selection))
    write = _write_objects if objects else _write_tiles
    what = write(run, counts, selection, csv_file)
    print(f"{what} written to {csv_file}, how they were made to {manifest_path(csv_file)}")
    return OK


def _write_tiles(run: OpenRun, counts: RunCounts, selection: Selection, csv_file: Path) -> str:
    entries = [(run.run.model, run.run.dataset, counts)]
    among = selection.among(counts.classes)
    content = csv_bytes(entries, among)
    write_with_manifest(csv_file, content, manifest([run], entries, content, selection.filters, among))
    return f"{len(counts)} tiles"


def _write_objects(run: OpenRun, counts: RunCounts, selection: Selection, csv_file: Path) -> str:
    with_objects = counts.with_objects
    if len(counts.scored) and not len(with_objects):
        raise SelectionError(f"{run.key} was scored with --no-objects, so its objects are not counted. Score it again.")
    table = run.objects(with_objects)
    entry = ObjectEntry(run.run.model, run.run.dataset, counts.classes, with_objects.tiles, table)
    digest = write_pieces(csv_file, object_csv([entry]))
    content = object_manifest(run, counts, len(table), digest, selection.filters)
    write_whole(manifest_path(csv_file), manifest_bytes(content))
    return f"{len(table)} objects of {len(with_objects)} tiles"


def chosen_run(opened: OpenWorkspace, selection: Selection) -> OpenRun:
    """The run that a selection names, or the first of the workspace.

    Raises
    ------
    WorkspaceError
        There is no such run, or none at all.
    """
    if selection.run:
        return opened.run(selection.run)
    if not opened.runs:
        raise WorkspaceError(f"{opened.workspace.path.name}: describes no run.")
    return opened.runs[0]
