"""What all tiles of a run have in common, and the rows that need no pixel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from analysis.catalogue.tiles import Tile
from analysis.kernels.layout import ObjectSettings
from analysis.reading.rules import LabelRule
from analysis.words.status import OBJECTS, PIXELS, REFUSED
from analysis.workspace.model import Run, Workspace

TOLERANCE_PX = 3.0
"""Tolerance of centre lines where no GSD is known."""


@dataclass(frozen=True)
class Recipe:
    """What every tile of a run has in common; sent once to each worker.

    Parameters
    ----------
    truth, prediction : LabelRule
        With their coding decided.
    boundary_px : int
        Width of the Boundary IoU band.
    resize : {"never", "nearest"}
    roles : tuple of str
        Pictures that every tile should have.
    objects : ObjectSettings or None
        How objects and centre lines are counted; None: pixels alone.
    tolerance_m : float
        Tolerance of centre lines, in metres.
    gsd_of : callable or None
        Metres per px by scene, where files say none.
    """

    truth: LabelRule
    prediction: LabelRule
    boundary_px: int
    resize: str
    roles: tuple[str, ...]
    objects: ObjectSettings | None = None
    tolerance_m: float = 1.5
    gsd_of: Callable[[str], float | None] | None = None

    @property
    def reading(self) -> str:
        """How both sides are read, in the form in which it is stored with a tile."""
        return f"{self.truth.coding}|{self.prediction.coding}"

    def counted(self, scene: str) -> str:
        """What is counted on a tile of a scene, in the form in which it is stored with it."""
        if self.objects is None:
            return PIXELS
        if not self.objects.narrow:
            return OBJECTS
        gsd = self.gsd_of(scene) if self.gsd_of else None
        return f"{OBJECTS} at {gsd:g} m" if gsd else OBJECTS

    def tolerance_px(self, scene: str, gsd: float | None) -> float:
        """Tolerance of centre lines on a tile; px.

        Parameters
        ----------
        gsd : float or None
            Metres per px by the tile's own file.
        """
        found = gsd or (self.gsd_of(scene) if self.gsd_of else None)
        return self.tolerance_m / found if found else TOLERANCE_PX


def make_recipe(workspace: Workspace, run: Run, rules: tuple[LabelRule, LabelRule], *, objects: bool = True) -> Recipe:
    """The recipe of a run.

    Parameters
    ----------
    rules : (LabelRule, LabelRule)
        Of truth and prediction, with their coding decided.
    objects : bool
        Whether objects and centre lines are counted.
    """
    dataset, s = workspace.dataset(run.dataset), workspace.scoring
    classes = dataset.classes
    background = None if classes.background is None else classes.ids.index(classes.background)
    settings = ObjectSettings(background, s.connectivity, classes.narrow) if objects else None
    return Recipe(*rules, s.boundary_px, run.resize, tuple(dataset.pictures), settings, s.tolerance_m, dataset.gsd_of)


def base_row(tile: Tile, reading: str, counted: str = PIXELS) -> dict[str, Any]:
    """What a tile's row holds before any pixel was read."""
    row: dict[str, Any] = {
        "id": tile.id,
        "scene": tile.scene,
        "split": tile.split,
        "row": tile.row,
        "column": tile.column,
        "partial": tile.partial,
        "reading": reading,
        "counted": counted,
        "notices": [],
    }
    row["pictures"] = ";".join(f"{role} {s.size} {s.modified}" for role, s in sorted(tile.pictures.items()))
    for side, source in (("truth", tile.truth), ("prediction", tile.prediction)):
        if source is not None:
            row[f"{side}_size"], row[f"{side}_modified"] = source.size, source.modified
    return row


def refusal(code: str, reason: str) -> dict[str, Any]:
    """The part of a row that says why a tile was not scored."""
    return {"status": REFUSED, "code": code, "reason": reason}
