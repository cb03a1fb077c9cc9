"""Seeded label map pairs that resemble land cover: woodland, water, roads, a few buildings; wobbly predictions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.ndimage import gaussian_filter
from skimage.draw import polygon

from analysis.reading.raster import write_raster

SIZE = 512
CLASSES = 5

Labels = npt.NDArray[np.uint8]


def _patches(rng: np.random.Generator, scale: float, share: float) -> npt.NDArray[np.bool_]:
    field = gaussian_filter(rng.standard_normal((SIZE, SIZE)), scale, mode="wrap")
    return field > np.quantile(field, 1 - share)


def _road(rng: np.random.Generator, labels: Labels, width: float) -> None:
    """A gently bent band across the tile."""
    x = np.arange(SIZE, dtype=float)
    middle = rng.uniform(0, SIZE) + rng.uniform(-0.7, 0.7) * x + rng.uniform(5, 30) * np.sin(x / rng.uniform(60, 150))
    band = np.abs(np.arange(SIZE)[:, None] - middle[None, :]) <= width / 2
    labels[band if rng.random() < 0.5 else band.T] = 4


def _building(rng: np.random.Generator, labels: Labels) -> None:
    centre, angle = rng.uniform(0, SIZE, 2), rng.uniform(0, np.pi)
    half = rng.uniform(8, 30, 2)
    corners = np.array([[-1, -1], [-1, 1], [1, 1], [1, -1]]) * half
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    rows, columns = polygon(*(centre + corners @ turn.T).T, shape=labels.shape)
    labels[rows, columns] = 1


def make_pair(seed: int) -> tuple[Labels, Labels]:
    """A truth and its prediction, each of shape (512, 512)."""
    rng = np.random.default_rng(seed)
    truth = np.zeros((SIZE, SIZE), np.uint8)
    truth[_patches(rng, 28, rng.uniform(0.1, 0.55))] = 2
    if rng.random() < 0.5:
        truth[_patches(rng, 40, rng.uniform(0.02, 0.2))] = 3
    for _ in range(rng.integers(0, 3)):
        _road(rng, truth, rng.uniform(6, 24))
    for _ in range(rng.integers(0, 14)):
        _building(rng, truth)
    # A displacement field moves boundaries by a few px; some small patches are simply wrong.
    move = [gaussian_filter(rng.standard_normal((SIZE, SIZE)), 9) * 60 for _ in range(2)]
    rows, columns = np.indices(truth.shape)
    rows = np.clip(np.rint(rows + move[0]).astype(int), 0, SIZE - 1)
    columns = np.clip(np.rint(columns + move[1]).astype(int), 0, SIZE - 1)
    prediction = truth[rows, columns]
    prediction[_patches(rng, 6, 0.01)] = rng.integers(0, CLASSES)
    return truth, prediction


def make_data(folder: Path, pairs: int) -> Path:
    """Write the pairs as 8-bit PNG and a workspace; returns its path. What is there already is kept."""
    for name in ("masks", "predictions"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for i in range(pairs):
        paths = folder / f"masks/t{i}.png", folder / f"predictions/t{i}.png"
        if not all(p.exists() for p in paths):
            for path, labels in zip(paths, make_pair(i), strict=True):
                write_raster(path, labels, driver="PNG")
    workspace = folder / "workspace.toml"
    names = ("background", "building", "woodland", "water", "road")
    classes = "\n".join(
        f'{i} = {{name = "{name}", narrow = {str(name == "road").lower()}}}' for i, name in enumerate(names)
    )
    workspace.write_text(
        f'[[dataset]]\nname = "d"\ntask = "segmentation"\nroot = "."\ntruth = "masks"\n[dataset.classes]\n{classes}\n'
        '[[run]]\nmodel = "m"\ndataset = "d"\npredictions = "predictions"\n',
        encoding="utf-8",
    )
    return workspace


def describe(folder: Path) -> dict[str, Any]:
    """Files and mean size, for the head of the table."""
    files = sorted((folder / "masks").glob("*.png")) + sorted((folder / "predictions").glob("*.png"))
    return {"files": len(files), "mean_kib": sum(f.stat().st_size for f in files) / len(files) / 1024}
