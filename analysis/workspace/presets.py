"""Presets: what the public layouts of known datasets fix. Every key of a workspace file overrides them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from analysis.words.classes import ClassSpec
from analysis.workspace.model import CHANGE, SEGMENTATION


@dataclass(frozen=True)
class Preset:
    """One public dataset.

    Parameters
    ----------
    about : str
        What the dataset is, in a sentence.
    tree : str
        Its folders, for people.
    truth, images, before, after : tuple of str
        Patterns; the first that matches a file is taken.
    source : str
        Where the facts come from.
    """

    id: str
    label: str
    task: str
    about: str
    tree: str
    source: str
    truth: tuple[str, ...]
    images: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    classes: tuple[ClassSpec, ...] = ()
    splits: Mapping[str, str] = field(default_factory=dict)
    tiling: int | None = None
    gsd: Mapping[str, float] = field(default_factory=dict)
    columns: Mapping[str, int] = field(default_factory=dict)

    def keys(self) -> dict[str, Any]:
        """What the preset says of a dataset, by the names of the workspace file's keys."""
        found = {
            "task": self.task,
            "truth": self.truth,
            "images": self.images,
            "before": self.before,
            "after": self.after,
            "splits": dict(self.splits),
            "gsd": dict(self.gsd),
        }
        return {key: value for key, value in found.items() if value}


_FIFTY_CM = (
    "N-33-60-D-c-4-2",
    "N-33-60-D-d-1-2",
    "N-33-96-D-d-1-1",
    "N-33-119-C-c-3-3",
    "N-34-61-B-a-1-1",
    "N-34-66-C-c-4-3",
    "N-34-97-C-b-1-2",
    "N-34-97-D-c-2-4",
)

LANDCOVER_AI = Preset(
    id="landcover-ai",
    label="LandCover.ai v1",
    task=SEGMENTATION,
    about="Aerial orthophotos of Poland with buildings, woodlands, water and roads; whole sheets, or the "
    "tiles of 512 px that its script cuts.",
    tree="images/SHEET.tif, masks/SHEET.tif; output/SHEET_k.jpg, output/SHEET_k_m.png; train.txt, val.txt, test.txt",
    source="arXiv 2005.02264; which sheets have 50 cm and how many tiles a row of a sheet has were derived from "
    "the published tile counts and areas",
    truth=("output/{id}_m.png", "masks/{id}.*"),
    images=("output/{id}.jpg", "images/{id}.*"),
    classes=(
        ClassSpec(0, "background", "#e8e4d8"),
        ClassSpec(1, "building", "#d55e00"),
        ClassSpec(2, "woodland", "#117733"),
        ClassSpec(3, "water", "#3b8fd4"),
        ClassSpec(4, "road", "#4a4a4a", narrow=True),
    ),
    splits={"train": "train.txt", "val": "val.txt", "test": "test.txt"},
    tiling=512,
    gsd={"default": 0.25, **dict.fromkeys(_FIFTY_CM, 0.5)},
    columns={"default": 18, **dict.fromkeys(_FIFTY_CM, 9), "M-34-68-B-a-1-3": 19, "N-34-77-A-b-1-4": 17},
)

LEVIR_CD = Preset(
    id="levir-cd",
    label="LEVIR-CD",
    task=CHANGE,
    about="Pairs of 1024 px images of the same place, with the buildings that are new or gone marked.",
    tree="A/SPLIT_N.png, B/SPLIT_N.png, label/SPLIT_N.png; or SPLIT/A, SPLIT/B, SPLIT/label",
    source="torchgeo/datasets/levircd.py; 1024 x 1024 px at 0.5 m",
    truth=("{split}/label/{id}.*", "label/{split}_{n}.*", "label/{id}.*"),
    before=("{split}/A/{id}.*", "A/{split}_{n}.*", "A/{id}.*"),
    after=("{split}/B/{id}.*", "B/{split}_{n}.*", "B/{id}.*"),
    gsd={"default": 0.5},
)

LEVIR_CD_PLUS = Preset(
    id="levir-cd-plus",
    label="LEVIR-CD+",
    task=CHANGE,
    about="The larger successor of LEVIR-CD, with a folder for each split and no val split.",
    tree="SPLIT/A/NN.png, SPLIT/B/NN.png, SPLIT/label/NN.png, with SPLIT train or test",
    source="torchgeo/datasets/levircd.py; 1024 x 1024 px at 0.5 m; there is no val split",
    truth=("{split}/label/{id}.*", "label/{id}.*"),
    before=("{split}/A/{id}.*", "A/{id}.*"),
    after=("{split}/B/{id}.*", "B/{id}.*"),
    gsd={"default": 0.5},
)

WHU_CD = Preset(
    id="whu-cd",
    label="WHU-CD",
    task=CHANGE,
    about="Two aerial images of Christchurch, 2012 and 2016, and the buildings that changed; cut and "
    "packed in many ways.",
    tree="A, B, label (or OUT) with or without SPLIT above them and lists in list/; or 2012, 2016, change_label",
    source="repacked in many ways (see the documentation): name the split with the score; 0.2 m",
    truth=("{split}/label/{id}.*", "{split}/OUT/{id}.*", "label/{id}.*", "OUT/{id}.*", "change_label/{id}.*"),
    before=("{split}/A/{id}.*", "A/{id}.*", "2012/{id}.*"),
    after=("{split}/B/{id}.*", "B/{id}.*", "2016/{id}.*"),
    splits={"train": "list/train.txt", "val": "list/val.txt", "test": "list/test.txt"},
    gsd={"default": 0.2},
)

FOTBCD_BINARY = Preset(
    id="fotbcd-binary",
    label="FOTBCD-Binary",
    task=CHANGE,
    about="Pairs of 512 px images from departments of France, with changed buildings marked; a folder for each split.",
    tree="images/SPLIT/before/ID.png, images/SPLIT/after/ID.png, images/SPLIT/label/ID.png",
    source="abdelpy/FOTBCD-datasets, README.md and dataset.py; 512 x 512 px at 0.2 m; ids start again in every split",
    truth=("images/{split}/label/{id}.*", "{split}/label/{id}.*"),
    before=("images/{split}/before/{id}.*", "{split}/before/{id}.*"),
    after=("images/{split}/after/{id}.*", "{split}/after/{id}.*"),
    gsd={"default": 0.2},
)

PRESETS = {p.id: p for p in (LANDCOVER_AI, LEVIR_CD, LEVIR_CD_PLUS, WHU_CD, FOTBCD_BINARY)}
