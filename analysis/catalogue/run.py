"""The tiles of a run: every truth with its prediction, paired by fields and never by position."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from analysis.catalogue.dataset import DatasetCatalogue, catalogue_dataset, find_sources, joining_fields
from analysis.catalogue.listing import Found, Listing, list_files
from analysis.catalogue.remarks import leftover_remarks, prediction_remarks
from analysis.catalogue.sides import Side, tile_id
from analysis.catalogue.tiles import Tile
from analysis.errors import TileError
from analysis.reading.raster import environment
from analysis.words.notices import INFO, REFUSED, Notice
from analysis.words.order import normal
from analysis.workspace.model import Dataset, Run


@dataclass
class RunCatalogue:
    """A run's tiles, in natural order, and what its folders hold beside them."""

    run: Run
    dataset: Dataset
    split: str | None
    tiles: list[Tile]
    truth: Listing
    predictions: Listing
    of_dataset: DatasetCatalogue
    notices: list[Notice] = field(default_factory=list)

    @property
    def pairs(self) -> int:
        """Tiles that have a truth and a prediction."""
        return sum(t.refusal is None for t in self.tiles)


def catalogue_run(run: Run, dataset: Dataset, of_dataset: DatasetCatalogue | None = None) -> RunCatalogue:
    """Pair a run's predictions with its dataset's truths.

    Parameters
    ----------
    of_dataset : DatasetCatalogue, optional
        Of the run's split, where it was made already.

    Raises
    ------
    WorkspaceError
        The run's split is none that the dataset knows.
    """
    split = run.split or dataset.split
    found = of_dataset or catalogue_dataset(dataset, split, run.base)
    with environment():
        return _pair(run, dataset, found)


def _pair(run: Run, dataset: Dataset, found: DatasetCatalogue) -> RunCatalogue:
    listing = list_files(run.base, (run.predictions,))
    of_other_splits = _leave_out_other_splits(listing, found.split)
    side = Side(listing, dataset.tiling, found.scenes)
    names = joining_fields(found.truth, listing)
    paired = [_with_prediction(tile, side, names) for tile in found.tiles]
    tiles = _each_file_once([tile for tile in paired if tile is not None])
    left_out = len(paired) - len(tiles)
    unmatched, outside = _leftovers(side, tiles, found)
    outside += [tile_id(f) for f in of_other_splits]
    notices = [*found.notices, *prediction_remarks(run, listing), *leftover_remarks(unmatched, outside, found.split)]
    if left_out:
        message = (
            f"Partial windows at the right and bottom edges of the sheets without a prediction: {left_out}. "
            "They are left out, as the dataset's rule does."
        )
        notices = [n for n in notices if n.code != "partial-tiles"]
        notices.append(Notice("partial-tiles", INFO, message, count=left_out))
    return RunCatalogue(run, dataset, found.split, tiles, found.truth, listing, found, notices)


def _leave_out_other_splits(listing: Listing, split: str | None) -> list[Found]:
    """Take files of other splits out of a listing whose pattern has the field ``{split}``; returns them."""
    if split is None or "split" not in listing.pattern.fields:
        return []
    others = [f for f in listing.files if f.fields["split"] != split]
    listing.files = [f for f in listing.files if f.fields["split"] == split]
    return others


def _each_file_once(tiles: list[Tile]) -> list[Tile]:
    """Refuse tiles that share a prediction file: which of them it belongs to cannot be known."""
    sharing: dict[Path, list[str]] = {}
    for tile in tiles:
        if tile.prediction is not None and tile.prediction.window is None:
            sharing.setdefault(tile.prediction.path, []).append(tile.id)
    found = []
    for tile in tiles:
        path = tile.prediction.path if tile.prediction else None
        same = sharing.get(path, []) if path else []
        if len(same) > 1 and tile.refusal is None:
            others = " and ".join(same[:3]) + (f" and {len(same) - 3} more" if len(same) > 3 else "")
            reason = (
                f"the prediction {path} fits {others}; give the patterns of both sides the same fields, so that one "
                "file fits one tile."
            )
            tile = tile.refused("two-candidates", reason)
        found.append(tile)
    return found


def _with_prediction(tile: Tile, side: Side, names: tuple[str, ...]) -> Tile | None:
    """The tile with its prediction, or refused; None for a partial window that no one predicted."""
    try:
        sources = find_sources(tile, side, names)
    except TileError as error:
        return tile.refused(error.code, str(error)) if tile.refusal is None else tile
    if len(sources) == 1:
        tile = replace(tile, prediction=sources[0])
    if tile.refusal is not None:
        return tile
    if not sources:
        if tile.partial:
            return None
        return tile.refused("no-prediction", f"{tile.id} has no prediction: no file matches {side.listing.where}.")
    if len(sources) > 1:
        candidates = " and ".join(str(s.path) for s in sources[:3])
        reason = f"{tile.id} has {len(sources)} predictions: {candidates}."
        return tile.refused("two-candidates", f"{reason} Keep one of them, or say in the pattern which is meant.")
    return tile


def _leftovers(side: Side, tiles: list[Tile], found: DatasetCatalogue) -> tuple[list[str], list[str]]:
    """Names of predictions that belong to no truth, and of those whose tile is outside the split."""
    taken = {t.prediction.path for t in tiles if t.prediction}
    refused_here = {normal(t.id) for t in tiles}
    unmatched, outside = [], []
    for file in side.cut:
        if file.path in taken:
            continue
        name = tile_id(file)
        if normal(name) in found.other_splits:
            outside.append(name)
        elif normal(name) not in refused_here:
            unmatched.append(name)
    for scene, sheets in side.sheets.items():
        if scene not in found.scenes and all(s.file.path not in taken for s in sheets):
            unmatched.append(scene)
    return unmatched, outside


def refusals(tiles: list[Tile]) -> list[Notice]:
    """A notice for every tile that pairing refused."""
    return [Notice(t.refusal.code, REFUSED, t.refusal.reason, t.id) for t in tiles if t.refusal is not None]
