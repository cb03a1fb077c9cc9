"""The files that a command is asked to write, checked before the work is done and not after it."""

from __future__ import annotations

from pathlib import Path

from analysis.errors import WorkspaceError
from analysis.reports.manifest import manifest_path


def check_outputs(csv_file: Path | None, json_file: Path | None = None) -> None:
    """Check that the reports can have these names.

    Raises
    ------
    WorkspaceError
        A name is a folder's, lies in a folder that does not exist, or stands for two files.
    """
    for file in (csv_file, json_file):
        if file is None:
            continue
        if file.is_dir():
            raise WorkspaceError(f"{file}: is a folder; name a file in it, such as {file / 'report'}.")
        if not file.parent.is_dir():
            raise WorkspaceError(f"{file}: cannot be written, for the folder {file.parent} does not exist. Make it.")
    if csv_file is None:
        return
    beside = manifest_path(csv_file)
    if beside == csv_file:
        raise WorkspaceError(f"{csv_file}: is the name of the CSV's manifest; end the CSV's name in .csv.")
    if json_file is not None and json_file.resolve() in (csv_file.resolve(), beside.resolve()):
        raise WorkspaceError(
            f"{json_file}: is the name of the CSV or of its manifest too; give one of them another name."
        )
