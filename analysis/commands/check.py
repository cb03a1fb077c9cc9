"""``check``: the preflight report, without scoring."""

from __future__ import annotations

import sys
from pathlib import Path

from analysis.commands.status import OK, REFUSED
from analysis.preflight.report import check_dataset, check_run
from analysis.preflight.text import dataset_lines, notice_lines, run_lines
from analysis.scoring.deep import read_everything
from analysis.scoring.truths import fill_truth_table
from analysis.workspace.load import load_workspace


def check_command(workspace_file: Path, *, splits: bool, deep: bool) -> int:
    """Print the report; status 3 where a tile would be refused."""
    workspace = load_workspace(workspace_file)
    refused = False
    for dataset in workspace.datasets:
        report = check_dataset(workspace, dataset)
        refused |= any(n.level == "refused" for n in report.notices)
        for line in dataset_lines(report):
            print(line)
        if splits:
            for line in fill_truth_table(workspace, dataset, _tell):
                print(f"  {line}")
    for run in workspace.runs:
        found = check_run(workspace, run)
        refused |= bool(found.refused)
        for line in run_lines(found):
            print(line)
        if deep:
            notices = read_everything(workspace, run, _tell)
            refused |= any(n.level == "refused" for n in notices)
            for line in notice_lines(notices):
                print(line)
    return REFUSED if refused else OK


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
