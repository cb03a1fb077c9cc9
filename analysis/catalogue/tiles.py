"""Tiles: the unit of scoring, from cut files and from windows of whole sheets."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from analysis.catalogue.sides import Side, Source, tile_id
from analysis.catalogue.tiling import columns_of, split_id, windows
from analysis.words.order import normal
from analysis.workspace.model import Dataset


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a tile cannot be scored."""

    code: str
    reason: str


@dataclass(frozen=True, slots=True)
class Tile:
    """The unit of scoring, with the files that belong together.

    Parameters
    ----------
    row, column : int or None
        Place in the grid of its sheet, where known.
    partial : bool
        A window that the sheet's right or bottom edge cuts.
    fields : dict of str to str
        Field values of the truth's pattern.
    pictures : dict of str to Source
        Role (``image``, ``before``, ``after``) -> file; a role without a file is missing.
    """

    id: str
    scene: str = ""
    split: str = ""
    row: int | None = None
    column: int | None = None
    partial: bool = False
    fields: dict[str, str] = field(default_factory=dict)
    truth: Source | None = None
    prediction: Source | None = None
    pictures: dict[str, Source] = field(default_factory=dict)
    refusal: Refusal | None = None

    def refused(self, code: str, reason: str) -> Tile:
        """The tile, refused."""
        return replace(self, refusal=Refusal(code, reason))


def cut_tiles(dataset: Dataset, side: Side) -> list[Tile]:
    """Ground truth files that are a tile each."""
    tiles = []
    for file in side.cut:
        fields = {"id": tile_id(file), **file.fields}
        tile = Tile(
            fields["id"], file.fields.get("scene", ""), truth=Source(file.path, file.size, file.modified), fields=fields
        )
        parts = split_id(fields["id"]) if dataset.tiling is not None else None
        if parts:
            scene, k = parts
            known = dataset.columns or {}
            columns = known.get(normal(scene), known.get("default"))
            row, column = divmod(k, columns) if columns else (None, None)
            tile = replace(tile, scene=tile.scene or scene, row=row, column=column)
        tiles.append(tile)
    return tiles


def sheet_tiles(dataset: Dataset, side: Side) -> list[Tile]:
    """Windows of whole ground truth sheets, the partial ones included."""
    tiles = []
    for scene, sheets in side.sheets.items():
        if len(sheets) > 1:
            names = " and ".join(s.file.path.name for s in sheets[:3])
            tiles.append(
                Tile(scene, scene).refused(
                    "two-candidates", f"{names} are both ground truth of sheet {scene}. Keep one."
                )
            )
            continue
        sheet, size = sheets[0], dataset.tiling
        name = tile_id(sheet.file)
        if sheet.fault:
            tiles.append(Tile(name, name).refused("unreadable", sheet.fault))
            continue
        assert size is not None
        across = columns_of(sheet.width, size)
        for k, window in enumerate(windows(size, sheet.height, sheet.width)):
            partial = window.rows[1] - window.rows[0] < size or window.columns[1] - window.columns[0] < size
            source = Source(sheet.file.path, sheet.file.size, sheet.file.modified, window)
            fields = {**sheet.file.fields, "id": f"{name}_{k}"}
            tiles.append(Tile(fields["id"], name, "", k // across, k % across, partial, fields, source))
    return tiles
