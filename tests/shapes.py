"""A small dataset with known objects: houses of several sizes, a road with a gap, a false house, tiles of two GSDs."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.datasets import write_labels

TILES = ("east_0", "east_1", "west_0", "west_1")
NAMES = ("ground", "<b>house", "road")
RUN = "m@shapes"
SIDE = 96


def make_shapes(folder: Path, *, narrow: bool = True, gsd: bool = True) -> Path:
    """Write images, maps and the workspace; gives the path of its file."""
    rng = np.random.default_rng(3)
    for i, tile in enumerate(TILES):
        truth = np.zeros((SIDE, SIDE), np.uint8)
        truth[10 : 14 + 2 * i, 10:18] = 1  # grows from tile to tile
        truth[10:20, 40:60] = 1
        truth[30:40, 0:12] = 1  # cut by the edge
        truth[60 : 64 + i, 5:90] = 2
        found = truth.copy()
        if i % 2:
            found[10:30, 10:18] = 0  # missed, taken for ground
        found[10:20, 40 : 52 + i] = 2  # part of it taken for road
        found[58:70, 40:50] = 0  # a gap in the road
        found[80:86, 20:26] = 1  # false
        write_labels(folder / f"truth/{tile}.png", truth)
        write_labels(folder / f"found/{tile}.png", found)
        write_labels(folder / f"images/{tile}.png", rng.integers(60, 200, (SIDE, SIDE, 3), np.uint8))
    road = '{name = "road", narrow = true}' if narrow else '"road"'
    resolution = "gsd = {east = 0.25, west = 0.5}" if gsd else ""
    path = folder / "workspace.toml"
    path.write_text(
        f"""
[[dataset]]
name = "shapes"
task = "segmentation"
root = "."
images = "images/{{scene}}_{{n}}.png"
truth = "truth/{{scene}}_{{n}}.png"
{resolution}
background = 0
[dataset.classes]
0 = "ground"
1 = {NAMES[1]!r}
2 = {road}
[[run]]
model = "m"
dataset = "shapes"
predictions = "found/{{scene}}_{{n}}.png"
""",
        encoding="utf-8",
    )
    return path
