"""What all tiles of a run have in common, and the rows that need no pixel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from analysis.catalogue.tiles import Tile
from analysis.reading.rules import LabelRule
from analysis.words.status import REFUSED


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
    """

    truth: LabelRule
    prediction: LabelRule
    boundary_px: int
    resize: str
    roles: tuple[str, ...]

    @property
    def reading(self) -> str:
        """How both sides are read, in the form in which it is stored with a tile."""
        return f"{self.truth.coding}|{self.prediction.coding}"


def base_row(tile: Tile, reading: str) -> dict[str, Any]:
    """What a tile's row holds before any pixel was read."""
    row: dict[str, Any] = {
        "id": tile.id,
        "scene": tile.scene,
        "split": tile.split,
        "row": tile.row,
        "column": tile.column,
        "partial": tile.partial,
        "reading": reading,
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
