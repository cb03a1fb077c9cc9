"""``export``: a CSV of the tiles of a selection, as the app would write it."""

from __future__ import annotations

from pathlib import Path

from analysis.api import OpenRun, OpenWorkspace, open_workspace
from analysis.commands.outputs import check_outputs
from analysis.commands.status import OK
from analysis.errors import SelectionError, WorkspaceError
from analysis.reports.csv_report import csv_bytes
from analysis.reports.manifest import manifest, manifest_path, write_with_manifest
from analysis.selection.model import Selection, chosen, parse_selection


def export_command(workspace: Path, query: str, csv_file: Path) -> int:
    """Write the CSV and its manifest."""
    selection = parse_selection(query)
    check_outputs(csv_file)
    run = chosen_run(open_workspace(workspace), selection)
    if not run.scored:
        raise SelectionError(f"{run.key} is not scored yet. Run: python -m analysis score {workspace}")
    counts = run.counts()
    counts = counts.take(chosen(counts, selection))
    entries = [(run.run.model, run.run.dataset, counts)]
    among = selection.among(counts.classes)
    content = csv_bytes(entries, among)
    write_with_manifest(csv_file, content, manifest([run], entries, content, selection.filters, among))
    print(f"{len(counts)} tiles written to {csv_file}, how they were made to {manifest_path(csv_file)}")
    return OK


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
