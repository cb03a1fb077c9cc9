"""What a workspace file describes: datasets, runs and how they are scored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import WorkspaceError
from analysis.reading.rules import LabelRule
from analysis.words.classes import ClassList
from analysis.words.order import normal

SEGMENTATION, CHANGE = "segmentation", "change"
NEVER, NEAREST = "never", "nearest"


@dataclass(frozen=True)
class ScoringSettings:
    """Settings of the counting; part of the store's key.

    Parameters
    ----------
    connectivity : {8, 4}
        Neighbours that join pixels into objects.
    tolerance_m : float
        Tolerance of centre lines, in metres.
    boundary_px : int
        Width of the Boundary IoU band, in px.
    """

    connectivity: int = 8
    tolerance_m: float = 1.5
    boundary_px: int = 3


@dataclass(frozen=True)
class Dataset:
    """Images, ground truth, class list and split lists.

    Parameters
    ----------
    truth, images, before, after : tuple of str
        Patterns under ``root``. A preset may offer several; the first that matches a file is taken.
    splits : mapping of str to str
        Name -> list file under ``root``.
    tiling : int or None
        Side of the tiles in px into which whole sheets are cut.
    gsd : mapping of str to float
        Metres per pixel by scene; ``default`` for all others.
    columns : mapping of str to int
        Tiles per row of the sheet by scene, where a preset knows it; ``default`` for all others.
    """

    name: str
    task: str
    root: Path
    truth: tuple[str, ...]
    rule: LabelRule
    images: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    splits: Mapping[str, str] | None = None
    split: str | None = None
    tiling: int | None = None
    gsd: Mapping[str, float] | None = None
    columns: Mapping[str, int] | None = None
    preset: str | None = None

    @property
    def classes(self) -> ClassList:
        """The class list."""
        return self.rule.classes

    @property
    def pictures(self) -> dict[str, tuple[str, ...]]:
        """What is shown beside the labels: role -> patterns."""
        roles = {"image": self.images, "before": self.before, "after": self.after}
        return {role: patterns for role, patterns in roles.items() if patterns}

    def gsd_of(self, scene: str) -> float | None:
        """Metres per pixel of a scene by the workspace file, or None."""
        gsd = self.gsd or {}
        return gsd.get(normal(scene), gsd.get("default"))


@dataclass(frozen=True)
class Run:
    """One model's predictions on one dataset split.

    Parameters
    ----------
    predictions : str
        Pattern, relative to the workspace file's folder.
    base : Path
        That folder.
    """

    model: str
    dataset: str
    predictions: str
    base: Path
    rule: LabelRule
    trained_on: str | None = None
    resize: str = NEVER
    split: str | None = None

    @property
    def key(self) -> str:
        """``model@dataset``: the run's name in links and on the command line."""
        return f"{self.model}@{self.dataset}"


@dataclass(frozen=True)
class Workspace:
    """A workspace file, read and checked."""

    path: Path
    scoring: ScoringSettings
    datasets: tuple[Dataset, ...]
    runs: tuple[Run, ...]

    def dataset(self, name: str) -> Dataset:
        """The dataset with this name.

        Raises
        ------
        WorkspaceError
            No dataset has it.
        """
        for dataset in self.datasets:
            if dataset.name == name:
                return dataset
        known = ", ".join(f'"{d.name}"' for d in self.datasets) or "none"
        raise WorkspaceError(f'{self.path.name}: no dataset is named "{name}". Known: {known}.')

    def run(self, key: str) -> Run:
        """The run with this key, ``model@dataset``; a model's name alone will do where it has one run.

        Raises
        ------
        WorkspaceError
            No run, or more than one, has it.
        """
        found = [r for r in self.runs if r.key == key] or [r for r in self.runs if r.model == key]
        if len(found) == 1:
            return found[0]
        known = ", ".join(f'"{r.key}"' for r in self.runs) or "none"
        what = "no run is" if not found else "several runs are"
        raise WorkspaceError(f'{self.path.name}: {what} named "{key}". Known: {known}.')
