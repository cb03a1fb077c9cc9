"""The truth table of every split: tiles that no run was scored on are read once, without a prediction."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from analysis.catalogue.dataset import catalogue_dataset
from analysis.catalogue.tiles import Tile
from analysis.kernels.truth import TruthCounter
from analysis.reading.coding import decide
from analysis.reading.rules import LabelRule
from analysis.scoring.recipe import base_row
from analysis.scoring.truth_tile import count_truth
from analysis.scoring.workers import default_workers, run_tasks
from analysis.store.truth_store import TruthStore
from analysis.words.status import SCORED
from analysis.workspace.model import Dataset, Workspace


def fill_truth_table(workspace: Workspace, dataset: Dataset, tell: Callable[[str], None]) -> Iterator[str]:
    """Read the truths that the table lacks, and say what it then holds.

    Raises
    ------
    StoreError
        The table cannot be written.
    """
    found = catalogue_dataset(dataset, None, workspace.path.parent)
    rule, _ = decide(dataset.rule, [f.path for f in found.truth.files])
    store = TruthStore(workspace, dataset)
    tiles = [t for t in found.tiles if t.truth is not None and t.refusal is None]
    todo = [t for t in tiles if not store.is_known(base_row(t, rule.coding))]
    sizes = [t.truth.size for t in todo if t.truth]
    done = 0
    for rows in run_tasks(todo, sizes, partial(_counter, rule), default_workers(), lambda: False):
        store.add(rows)
        done += len(rows)
        tell(f"{dataset.name}: ground truth of {done} of {len(todo)} tiles read")
    yield from _lines(store)


def _lines(store: TruthStore) -> Iterator[str]:
    table = store.load()
    for split, rows in table.tiles.groupby(table.tiles["split"].fillna("")):
        scored = rows[rows["status"] == SCORED]
        refused = len(rows) - len(scored)
        pixels = table.pixels[scored.index].sum(axis=0)
        total = int(pixels.sum()) or 1
        shares = ", ".join(f"{100 * n / total:.2f} %" for n in pixels.tolist())
        yield f"split {split or 'none'}: {len(scored)} tiles read, {refused} refused; share of each class {shares}"


def _counter(rule: LabelRule) -> Callable[[Tile], dict[str, Any]]:
    counter = TruthCounter(len(rule.classes))
    return lambda tile: count_truth(tile, rule, counter)
