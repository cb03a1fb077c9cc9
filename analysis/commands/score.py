"""``score``: count what is not counted yet, print a summary, write the reports."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from analysis.api import open_workspace
from analysis.commands.outputs import check_outputs
from analysis.commands.status import OK, REFUSED, STOPPED
from analysis.commands.terminal import ProgressLine
from analysis.errors import WorkspaceError
from analysis.reports.csv_report import csv_bytes
from analysis.reports.json_report import write_json_report
from analysis.reports.manifest import manifest, write_with_manifest
from analysis.reports.terminal import summary_lines
from analysis.words.notices import REFUSED as REFUSED_LEVEL
from analysis.words.status import SCORED


class _Interrupt:
    """Whether Ctrl-C or SIGTERM asked to stop; a second one ends at once."""

    def __init__(self) -> None:
        self.asked = False

    def ask(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True

    def __call__(self) -> bool:
        return self.asked


@contextmanager
def _interruptible() -> Iterator[_Interrupt]:
    """Hear Ctrl-C and SIGTERM for the time of the block."""
    interrupt = _Interrupt()
    before = {number: signal.signal(number, interrupt.ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield interrupt
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)


def score_command(
    workspace: Path,
    keys: Sequence[str] | None,
    json_file: Path | None,
    csv_file: Path | None,
    workers: int | None,
    objects: bool = True,
) -> int:
    """Score the runs of a workspace, or some of them."""
    opened = open_workspace(workspace)
    runs = [opened.run(key) for key in dict.fromkeys(keys)] if keys else opened.runs
    if not runs:
        raise WorkspaceError(f"{workspace.name}: describes no run. Add a [[run]] with model, dataset and predictions.")
    check_outputs(csv_file, json_file)
    with _interruptible() as interrupt:
        for run in runs:
            outcome = run.score(workers=workers, objects=objects, report=ProgressLine(run.key), stopping=interrupt)
            if outcome.stopped:
                print(f"{run.key}: stopped; what was scored is kept. Score again to go on.")
                return STOPPED
    status = OK
    entries = []
    for run in runs:
        for line in summary_lines(run):
            print(line)
        counts = run.counts()
        counts = counts.take((~counts.tiles["partial"]).to_numpy())
        refused = (counts.tiles["status"] != SCORED).any()
        if refused or any(n.level == REFUSED_LEVEL for n in run.notices(counts)):
            status = REFUSED
        entries.append((run.run.model, run.run.dataset, counts))
    if json_file:
        write_json_report(runs, json_file)
    if csv_file:
        content = csv_bytes(entries)
        write_with_manifest(csv_file, content, manifest(runs, entries, content, {}))
    return status
