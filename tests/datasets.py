"""Small datasets that tests write for themselves."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.reading.raster import write_raster

CLASSES = """[dataset.classes]
0 = "background"
1 = "building"
2 = "woodland"
3 = "water"
4 = {name = "road", narrow = true}
"""
CLASS_NAMES = ("background", "building", "woodland", "water", "road")

Labels = npt.NDArray[Any]


def write_labels(path: Path, labels: Labels, driver: str = "PNG", **options: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_raster(path, labels, driver=driver, **options)
    return path


def random_labels(rng: np.random.Generator, height: int, width: int, classes: int = 5) -> npt.NDArray[np.uint8]:
    """Blocks of classes, so that there are runs and boundaries."""
    coarse = rng.integers(0, classes, (-(-height // 8), -(-width // 8)), dtype=np.uint8)
    return np.ascontiguousarray(np.kron(coarse, np.ones((8, 8), np.uint8))[:height, :width])


def noisy(rng: np.random.Generator, labels: npt.NDArray[np.uint8], classes: int = 5) -> npt.NDArray[np.uint8]:
    """A prediction that is right but for a tenth of the pixels."""
    wrong = rng.random(labels.shape) < 0.1
    return np.where(wrong, rng.integers(0, classes, labels.shape, dtype=np.uint8), labels)


def land_cover(folder: Path, tiles: int, *, size: int = 64, distinct: int = 16, seed: int = 0) -> Path:
    """A land-cover workspace; its tiles are copies of a few distinct ones."""
    rng = np.random.default_rng(seed)
    for i in range(tiles):
        truth, prediction = folder / f"masks/tile_{i}.png", folder / f"predictions/tile_{i}.png"
        if i < distinct:
            labels = random_labels(rng, size, size)
            write_labels(truth, labels)
            write_labels(prediction, noisy(rng, labels))
        else:
            shutil.copyfile(folder / f"masks/tile_{i % distinct}.png", truth)
            shutil.copyfile(folder / f"predictions/tile_{i % distinct}.png", prediction)
    return write_workspace(folder)


def write_workspace(folder: Path, dataset: str = "", run: str = "", classes: str = CLASSES, top: str = "") -> Path:
    """A workspace of one dataset ``d`` (truth in ``masks``) and one run ``m`` (in ``predictions``)."""
    text = f'{top}\n[[dataset]]\nname = "d"\ntask = "segmentation"\nroot = "."\n'
    text += dataset if "truth =" in dataset else f'truth = "masks"\n{dataset}'
    text += f"\n{classes}\n"
    text += '[[run]]\nmodel = "m"\ndataset = "d"\n'
    text += run if "predictions =" in run else f'predictions = "predictions"\n{run}'
    path = folder / "workspace.toml"
    path.write_text(text, encoding="utf-8")
    return path
