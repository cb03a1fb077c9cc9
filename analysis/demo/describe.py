"""The files of the demo that people read: its workspace and what it is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from analysis.demo.models import MODELS
from analysis.demo.recipes import RECIPES, TILE

VERSION = 1
"""Counts up when the same seed gives other files."""

DATASET = "Demo land cover"
SPLITS = {"train": 0.45, "val": 0.15, "test": 0.40}

_HEAD = """\
# The workspace of the Orthoscope demo: one dataset and three models.
# The scenes are drawn by a program, not photographed; the truth is exact, and the models are really fitted.
# Paths are relative to this file.

[[dataset]]
name = "{dataset}"
task = "segmentation"
root = "landcover"
images = "output/{{id}}.jpg"
truth = "output/{{id}}_m.png"
splits = {{train = "train.txt", val = "val.txt", test = "test.txt"}}
split = "test"                 # the runs are scored on these tiles
tiling = {{size = {tile}}}          # tile ids are {{scene}}_{{k}}, k = row * ceil(width / size) + column
gsd = {{{gsd}}}  # metres per pixel
background = 0                 # left out of the foreground mean

[dataset.classes]
0 = {{name = "background", color = "#d8d3c8"}}
1 = {{name = "building", color = "#c8442c"}}
2 = {{name = "woodland", color = "#2f7d4f"}}
3 = {{name = "water", color = "#2c7fb8"}}
4 = {{name = "road", color = "#e6a632", narrow = true}}
"""

_RUN = """
[[run]]                        # {about}
model = "{name}"
dataset = "{dataset}"
trained_on = "{dataset}"
predictions = "runs/{slug}"
"""


def write_workspace(path: Path, scenes: int) -> None:
    """Write the workspace file of a demo with the first ``scenes`` scenes."""
    special = [f'"{r.sheet}" = {r.gsd}' for r in RECIPES[:scenes] if r.gsd != 0.25]
    gsd = ", ".join(["default = 0.25", *special])
    text = _HEAD.format(dataset=DATASET, tile=TILE, gsd=gsd)
    for model in MODELS:
        text += _RUN.format(dataset=DATASET, name=model.name, slug=model.slug, about=model.about)
    path.write_text(text, encoding="utf-8")


def what_it_is(seed: int, scenes: int) -> dict[str, str | int]:
    """What tells one demo from another."""
    return {"what": "Orthoscope demo: synthetic land cover", "version": VERSION, "seed": seed, "scenes": scenes}


def write_note(path: Path, seed: int, scenes: int, splits: dict[str, Sequence[str]]) -> None:
    """Write ``demo.json``; a folder that has it holds a whole demo."""
    note = {**what_it_is(seed, scenes), "tiles": {name: len(ids) for name, ids in splits.items()}}
    path.write_text(json.dumps(note, indent=2) + "\n", encoding="utf-8")


def is_demo(folder: Path, seed: int, scenes: int) -> bool:
    """Whether the folder holds this demo, whole."""
    try:
        note = json.loads((folder / "demo.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    wanted = what_it_is(seed, scenes)
    whole = isinstance(note, dict) and {key: note.get(key) for key in wanted} == wanted
    return whole and (folder / "workspace.toml").is_file()
