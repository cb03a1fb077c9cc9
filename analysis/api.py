"""The way in for notebooks, pages and the command line: a workspace, its runs and their counts."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from analysis.findings.doubles import doubles_notice
from analysis.findings.polarity import polarity_notice
from analysis.scoring.progress import Progress, read_progress
from analysis.scoring.run import Outcome, score_run
from analysis.store.load import ARRAYS, RunCounts, load_counts, load_notices, load_objects
from analysis.store.run_store import RunStore
from analysis.store.schema import OBJECT_COLUMNS
from analysis.store.truth_store import TruthStore, TruthTable
from analysis.words.notices import Notice, gather
from analysis.words.status import REFUSED
from analysis.workspace.load import load_workspace
from analysis.workspace.model import Dataset, Run, Workspace


@dataclass(frozen=True)
class OpenRun:
    """A run of an open workspace.

    Parameters
    ----------
    workspace : Workspace
    run : Run
    """

    workspace: Workspace
    run: Run

    @property
    def key(self) -> str:
        """``model@dataset``."""
        return self.run.key

    @cached_property
    def dataset(self) -> Dataset:
        """The dataset that the run was predicted on."""
        return self.workspace.dataset(self.run.dataset)

    @cached_property
    def store(self) -> RunStore:
        """Where its counts lie."""
        return RunStore(self.workspace, self.run)

    def score(
        self,
        *,
        workers: int | None = None,
        objects: bool = True,
        report: Callable[[Progress], None] | None = None,
        stopping: Callable[[], bool] | None = None,
    ) -> Outcome:
        """Score what is not scored yet; see `analysis.scoring.run.score_run`."""
        return score_run(self.workspace, self.run, workers=workers, objects=objects, report=report, stopping=stopping)

    def counts(self, arrays: Sequence[str] = ARRAYS) -> RunCounts:
        """Counts of all tiles, refused ones (zeros) included; empty where the run was never scored."""
        return load_counts(self.store, arrays)

    def objects(self, counts: RunCounts, columns: Sequence[str] = tuple(OBJECT_COLUMNS)) -> pd.DataFrame:
        """Objects of some tiles, one row an object; see `analysis.store.load.load_objects`."""
        return load_objects(self.store, counts.tiles, columns)

    def manifest(self) -> dict[str, Any] | None:
        """How the counts were made; None where the run was never scored."""
        return self.store.manifest()

    def progress(self) -> Progress | None:
        """Progress of the last score."""
        return read_progress(self.store.folder)

    def notices(self, counts: RunCounts | None = None) -> list[Notice]:
        """All that the user must know about the run, one notice a code, refusals one a tile."""
        counts = self.counts(("confusion",)) if counts is None else counts
        manifest = self.manifest() or {}
        found = [Notice(**(n | {"tiles": tuple(n["tiles"])})) for n in manifest.get("notices", [])]
        refused = counts.tiles[counts.tiles["status"] == REFUSED]
        found += [
            Notice(code, REFUSED, reason, tile)
            for tile, code, reason in zip(refused["id"], refused["code"], refused["reason"], strict=True)
        ]
        found += load_notices(self.store)
        polarity = polarity_notice(counts.scored.confusion, self.dataset.classes)
        doubles = doubles_notice(self.truth_table())
        return gather([*found, *(n for n in (polarity, doubles) if n)])

    def truth_table(self) -> TruthTable:
        """Truth px of the dataset's tiles, of every split that was read."""
        return TruthStore(self.workspace, self.dataset).load()

    @property
    def scored(self) -> bool:
        """Whether there are counts of this run."""
        return bool(self.store.tiles.files())


@dataclass(frozen=True)
class OpenWorkspace:
    """A workspace file that was read and checked."""

    workspace: Workspace

    @property
    def runs(self) -> list[OpenRun]:
        """Its runs, in the order of the file."""
        return [OpenRun(self.workspace, run) for run in self.workspace.runs]

    @property
    def datasets(self) -> tuple[Dataset, ...]:
        """Its datasets, in the order of the file."""
        return self.workspace.datasets

    def run(self, key: str) -> OpenRun:
        """The run ``model@dataset``; the model's name alone will do where it has one run.

        Raises
        ------
        WorkspaceError
            There is no such run.
        """
        return OpenRun(self.workspace, self.workspace.run(key))


def open_workspace(path: str | os.PathLike[str]) -> OpenWorkspace:
    """Read a workspace file.

    Raises
    ------
    WorkspaceError
        It cannot be read, or something in it cannot be; the message says what.
    """
    return OpenWorkspace(load_workspace(path))
