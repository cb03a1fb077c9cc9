"""Reading every pair without keeping the counts, for a report on what scoring would find."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from analysis.catalogue.run import catalogue_run
from analysis.scoring.recipe import make_recipe
from analysis.scoring.run import prepare
from analysis.scoring.scorer import make_scorer
from analysis.scoring.workers import default_workers, run_tasks
from analysis.words.notices import Notice, gather
from analysis.words.status import REFUSED
from analysis.workspace.model import Run, Workspace


def read_everything(workspace: Workspace, run: Run, tell: Callable[[str], None]) -> list[Notice]:
    """Notices and refusals that scoring a run would bring; pairs alone are read."""
    dataset = workspace.dataset(run.dataset)
    found = catalogue_run(run, dataset)
    recipe = make_recipe(workspace, run, prepare(run, found), objects=False)
    pairs = [t for t in found.tiles if t.refusal is None]
    sizes = [t.truth.size + t.prediction.size for t in pairs if t.truth and t.prediction]
    notices: list[Notice] = []
    done = 0
    for rows in run_tasks(pairs, sizes, partial(make_scorer, recipe), default_workers(), lambda: False):
        for row in rows:
            notices += row["notices"]
            if row["status"] == REFUSED:
                notices.append(Notice(row["code"], REFUSED, row["reason"], row["id"]))
        done += len(rows)
        tell(f"{run.key}: {done} of {len(pairs)} pairs read")
    return gather(notices)
