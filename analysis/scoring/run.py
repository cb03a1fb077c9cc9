"""Scoring a run: what is not yet counted is counted, in parallel, into the store."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from analysis.catalogue.run import RunCatalogue, catalogue_run
from analysis.catalogue.tiles import Tile
from analysis.errors import OrthoscopeError
from analysis.reading.coding import decide
from analysis.reading.rules import LabelRule
from analysis.scoring.progress import (
    COMPILING,
    DONE,
    FAILED,
    PREPARING,
    SCORING,
    STOPPED,
    Progress,
    ProgressWriter,
)
from analysis.scoring.recipe import Recipe, base_row, make_recipe, refusal
from analysis.scoring.scorer import make_scorer
from analysis.scoring.workers import default_workers, run_tasks
from analysis.store.folder import RunLock
from analysis.store.run_store import RunStore
from analysis.store.schema import STAMPS
from analysis.store.truth_store import TruthStore
from analysis.words.status import OBJECTS, PIXELS, REFUSED, SCORED
from analysis.workspace.model import Run, Workspace

PART_TILES = 256
PART_SECONDS = 2.0

Report = Callable[[Progress], None]


@dataclass(frozen=True)
class Outcome:
    """What a call of `score_run` did.

    Parameters
    ----------
    scored_now : int
        Tiles whose files were read by this call.
    kept : int
        Tiles that were scored before and whose files have not changed.
    stopped : bool
        Whether it was stopped before the end.
    """

    scored_now: int
    kept: int
    stopped: bool


def score_run(
    workspace: Workspace,
    run: Run,
    *,
    workers: int | None = None,
    objects: bool = True,
    report: Report | None = None,
    stopping: Callable[[], bool] | None = None,
) -> Outcome:
    """Score what is not scored yet; a second caller waits and then finds all done.

    Parameters
    ----------
    objects : bool
        Whether objects and centre lines are counted; without, what was counted of them before is kept.
    workers : int, optional
        Processes; as many as processors by default, eight at most.
    report : callable, optional
        Told the progress now and then.
    stopping : callable, optional
        Asked between batches; True stops, keeping what was done.

    Raises
    ------
    OrthoscopeError
        The split is unknown, the store cannot be written, or a worker died.
    """
    since = time.time()
    store = RunStore(workspace, run)
    lock = RunLock(store.folder)
    tell = report or (lambda progress: None)
    if not lock.take(wait=False):
        tell(Progress(PREPARING, message="another process scores this run; waiting for it"))
        lock.take(wait=True)
    try:
        progress = ProgressWriter(store.folder, since)
        try:
            return _score(workspace, run, store, workers or default_workers(), objects, progress, tell, stopping)
        except OrthoscopeError as error:
            progress.enter(FAILED, str(error))
            raise
        except BaseException as error:
            progress.enter(FAILED, f"unexpected: {type(error).__name__} {error}")
            raise
    finally:
        lock.free()


def prepare(run: Run, found: RunCatalogue) -> tuple[LabelRule, LabelRule]:
    """The rules of both sides with their coding decided, from a sample of each whole folder."""
    truth, _ = decide(found.dataset.rule, [f.path for f in found.truth.files])
    prediction, _ = decide(run.rule, [f.path for f in found.predictions.files])
    return truth, prediction


def _score(
    workspace: Workspace,
    run: Run,
    store: RunStore,
    workers: int,
    objects: bool,
    progress: ProgressWriter,
    tell: Report,
    stopping: Callable[[], bool] | None,
) -> Outcome:
    tell(progress.current)
    dataset = workspace.dataset(run.dataset)
    found = catalogue_run(run, dataset)
    rules = prepare(run, found)
    recipe = make_recipe(workspace, run, rules, objects=objects)
    store.write_manifest(found, rules)
    todo, kept = _what_to_do(store, found.tiles, recipe)
    pairs = [t for t in todo if t.refusal is None]
    if pairs:
        _compile(progress, tell)
    progress.enter(SCORING, total=len(pairs))
    stop = _Stop(progress, stopping)
    writer = _PartWriter(store, TruthStore(workspace, dataset))
    refused = [t for t in todo if t.refusal]
    writer.add([_row(t, recipe) | refusal(t.refusal.code, t.refusal.reason) for t in refused if t.refusal])
    sizes = [t.truth.size + t.prediction.size for t in pairs if t.truth and t.prediction]
    # Pictures and fields of the truth's name are of no use to a worker beside the pictures' files.
    tasks = [replace(t, fields={}) for t in pairs]
    for rows in run_tasks(tasks, sizes, partial(make_scorer, recipe), workers, stop):
        writer.add(rows)
        progress.advance(len(rows), sum(row["status"] == REFUSED for row in rows))
        tell(progress.current)
    writer.flush()
    if stop.asked:
        progress.enter(STOPPED)
    else:
        store.compact(found.tiles)
        progress.enter(DONE)
    tell(progress.current)
    return Outcome(writer.pairs, kept, stop.asked)


def _compile(progress: ProgressWriter, tell: Report) -> None:
    """Make the machine code of the kernels, where it is not there yet, and say so."""
    from analysis.kernels.compiling import compile_kernels, needs_compiling  # loads numba: a second that few need

    if needs_compiling():
        progress.enter(COMPILING, "compiling the counting kernels, once on this machine (about half a minute)")
        tell(progress.current)
        compile_kernels()


def _row(tile: Tile, recipe: Recipe) -> dict[str, Any]:
    return base_row(tile, recipe.reading, recipe.counted(tile.scene))


def _what_to_do(store: RunStore, tiles: Sequence[Tile], recipe: Recipe) -> tuple[list[Tile], int]:
    """Tiles that are not in the store as their files are now, and how many are."""
    stored = store.stamps()
    todo, kept = [], 0
    for tile in tiles:
        old = stored.get(tile.id)
        row = _row(tile, recipe)
        stamps = tuple(row.get(name) for name in STAMPS)
        if old is not None and row["counted"] == PIXELS and str(old[-1]).startswith(OBJECTS):
            old = (*old[:-1], PIXELS)  # more was counted than is asked for
        if tile.refusal is not None:
            same = old == (REFUSED, tile.refusal.code, tile.refusal.reason, *stamps)
        else:
            # A tile that pairing refused is scored once its pair is there, even with the same files.
            same = old is not None and old[3:] == stamps and (old[0] == SCORED or old[1] not in store.PAIRING_CODES)
            kept += same
        if not same:
            todo.append(tile)
    return todo, kept


class _Stop:
    """Whether to stop: asked for by the caller or through the stop file."""

    def __init__(self, progress: ProgressWriter, stopping: Callable[[], bool] | None) -> None:
        self._progress, self._stopping = progress, stopping
        self.asked = False

    def __call__(self) -> bool:
        self.asked = self.asked or bool(self._stopping and self._stopping()) or self._progress.stop_wanted
        return self.asked


class _PartWriter:
    """Gathers rows and writes them as parts of at most 256 tiles or 2 seconds."""

    def __init__(self, store: RunStore, truths: TruthStore) -> None:
        self._store, self._truths = store, truths
        self._rows: list[dict[str, Any]] = []
        self._since = time.monotonic()
        self.pairs = 0

    def add(self, rows: list[dict[str, Any]]) -> None:
        self.pairs += sum("truth_size" in row and "prediction_size" in row for row in rows)
        self._rows += rows
        while len(self._rows) >= PART_TILES:
            self._write(self._rows[:PART_TILES])
            self._rows = self._rows[PART_TILES:]
        if time.monotonic() - self._since > PART_SECONDS:
            self.flush()

    def flush(self) -> None:
        if self._rows:
            self._write(self._rows)
            self._rows = []

    def _write(self, rows: list[dict[str, Any]]) -> None:
        self._store.add(rows)
        self._truths.add_scored(rows)
        self._since = time.monotonic()
