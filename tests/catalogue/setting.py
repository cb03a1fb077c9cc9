"""Datasets and runs over folders of tiny files, for tests of the catalogue."""

from __future__ import annotations

from pathlib import Path

from analysis.catalogue.dataset import DatasetCatalogue, catalogue_dataset
from analysis.catalogue.run import RunCatalogue, catalogue_run
from analysis.workspace.load import load_workspace
from analysis.workspace.model import Dataset

CLASSES = '[dataset.classes]\n0 = "background"\n1 = "building"\n2 = "road"\n'


def workspace_of(folder: Path, dataset: str = "", run: str = ""):
    text = '[[dataset]]\nname = "d"\nroot = "."\n'
    text += "" if "preset =" in dataset else 'task = "segmentation"\n'
    text += "" if "truth =" in dataset or "preset =" in dataset else 'truth = "masks"\n'
    text += dataset + "\n" + ("" if "preset =" in dataset or '"change"' in dataset else CLASSES)
    text += '[[run]]\nmodel = "m"\ndataset = "d"\n'
    text += run if "predictions =" in run else f'predictions = "runs"\n{run}'
    path = folder / "workspace.toml"
    path.write_text(text + "\n", encoding="utf-8")
    return load_workspace(path)


def dataset_of(folder: Path, dataset: str = "") -> Dataset:
    return workspace_of(folder, dataset).datasets[0]


def listed(folder: Path, dataset: str = "", split: str | None = None) -> DatasetCatalogue:
    return catalogue_dataset(dataset_of(folder, dataset), split, folder)


def paired(folder: Path, dataset: str = "", run: str = "") -> RunCatalogue:
    workspace = workspace_of(folder, dataset, run)
    return catalogue_run(workspace.runs[0], workspace.datasets[0])


def touch(folder: Path, *names: str) -> None:
    """Files without a pixel: pairing goes by names alone."""
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")


def pairs(found: RunCatalogue) -> dict[str, str]:
    """Tile id -> path of its prediction below the workspace's folder, or the code of its refusal."""
    base = found.run.base
    return {t.id: t.refusal.code if t.refusal else t.prediction.path.relative_to(base).as_posix() for t in found.tiles}


def notices(found: RunCatalogue | DatasetCatalogue) -> dict[str, str]:
    """Code -> message."""
    assert len({n.code for n in found.notices}) == len(found.notices)
    return {n.code: n.message for n in found.notices}
