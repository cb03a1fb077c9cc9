"""A tiny dataset with known counts and names that look like markup, and a second run that is not scored."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from analysis.reading.raster import write_raster

NAMES = ("background", "<b>x</b>", "$x$", ":red[x]", "_a_")
TILES = ("north_0", "_a_", ":red[x]", "$y$", "<b>z<b>")
MODEL = "*model* :smile: `tick`"
DATASET = "Tiny [set](x)"
RUN = f"{MODEL}@{DATASET}"
SIDE = 32


def make_tiny(folder: Path, *, ignored: bool = True) -> Path:
    """Write images, ground truth, predictions and the workspace file; returns the file's path."""
    rng = np.random.default_rng(5)
    for name in ("images", "masks", "good", "bad"):
        (folder / name).mkdir(parents=True)
    for i, tile in enumerate(TILES):
        truth = np.zeros((SIDE, SIDE), np.uint8)
        truth[4:20, 4:20] = 1 + i % 4
        truth[22:30, :] = 1 + (i + 1) % 4
        if ignored:
            truth[:2] = 255
        photo = rng.integers(60, 200, (SIDE, SIDE, 3), np.uint8)
        write_raster(folder / "images" / f"{tile}.png", photo, driver="PNG")
        write_raster(folder / "masks" / f"{tile}.png", truth, driver="PNG")
        predicted = np.where(truth == 255, 0, truth)
        predicted[:, : 3 * i] = 0
        if i == 4:
            predicted[0:8, 30:] = 9  # outside the class list
        if i != 3:  # this one has no prediction and is refused
            write_raster(folder / "good" / f"{tile}.png", predicted, driver="PNG")
        write_raster(folder / "bad" / f"{tile}.png", np.zeros_like(truth), driver="PNG")
    classes = "\n".join(f"{i} = {name!r}" for i, name in enumerate(NAMES))
    path = folder / "workspace.toml"
    path.write_text(
        f"""
[[dataset]]
name = {DATASET!r}
task = "segmentation"
root = "."
images = "images"
truth = "masks"
ignore = [255]
gsd = 0.5
[dataset.classes]
{classes}
[[run]]
model = {MODEL!r}
dataset = {DATASET!r}
predictions = "good"
[[run]]
model = "second"
dataset = {DATASET!r}
predictions = "bad"
""",
        encoding="utf-8",
    )
    return path
