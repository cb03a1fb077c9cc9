"""The tiles of a dataset: every ground truth, its scene, split and place."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from analysis.catalogue.listing import Listing, list_files
from analysis.catalogue.remarks import picture_remarks, split_remarks, truth_remarks
from analysis.catalogue.sides import Side, Source
from analysis.catalogue.splits import SplitLists, find_list, read_list, read_splits
from analysis.catalogue.tiles import Tile, cut_tiles, sheet_tiles
from analysis.catalogue.tiling import split_id
from analysis.errors import TileError, WorkspaceError
from analysis.reading.raster import environment
from analysis.words.notices import Notice
from analysis.words.order import natural_key, normal
from analysis.workspace.model import Dataset


@dataclass
class DatasetCatalogue:
    """What a dataset holds, by names and headers alone.

    Parameters
    ----------
    tiles : list of Tile
        In natural order; of the chosen split, or all.
    other_splits : set of str
        Ids (NFC) of tiles that have a truth and are outside the chosen split.
    """

    dataset: Dataset
    split: str | None
    tiles: list[Tile]
    truth: Listing
    pictures: dict[str, Listing]
    lists: SplitLists
    scenes: frozenset[str]
    other_splits: set[str] = field(default_factory=set)
    notices: list[Notice] = field(default_factory=list)


def catalogue_dataset(dataset: Dataset, split: str | None, base: Path) -> DatasetCatalogue:
    """List a dataset's tiles.

    Parameters
    ----------
    split : str or None
        A split's name or a list file; None: every tile that has a truth.
    base : Path
        Folder of the workspace file, where a list file may lie too.

    Raises
    ------
    WorkspaceError
        The split is none that the dataset knows.
    """
    with environment():
        return _catalogue(dataset, split, base)


def _catalogue(dataset: Dataset, split: str | None, base: Path) -> DatasetCatalogue:
    lists = read_splits(dataset)
    truth = list_files(dataset.root, dataset.truth)
    scenes = _known_scenes(dataset, lists)
    side = Side(truth, dataset.tiling, scenes)
    tiles = [*cut_tiles(dataset, side), *sheet_tiles(dataset, side)]
    by_field = "split" in truth.pattern.fields
    splits_of = lists.splits_of()
    tiles = [_with_split(t, splits_of) for t in tiles]
    found = DatasetCatalogue(
        dataset, split, [], truth, {}, lists, frozenset(scenes | {t.scene for t in tiles if t.scene})
    )
    chosen = tiles
    if split is not None:
        wanted = _wanted_ids(dataset, split, base, lists, tiles if by_field else [])
        chosen, found.other_splits = _choose(dataset, tiles, split, wanted, truth)
    found.tiles = sorted(_without_doubles(chosen), key=lambda t: natural_key(t.id))
    pictures = _add_pictures(found)
    partial = sum(t.partial for t in found.tiles)
    remarks = truth_remarks(dataset, truth, split, len(found.tiles), partial)
    found.notices = [*remarks, *split_remarks(dataset, lists), *pictures]
    return found


def _known_scenes(dataset: Dataset, lists: SplitLists) -> set[str]:
    if dataset.tiling is None:
        return set()
    listed = (split_id(tile) for ids in lists.ids.values() for tile in ids)
    named = {*(dataset.gsd or {}), *(dataset.columns or {})} - {"default"}
    return {parts[0] for parts in listed if parts} | {normal(name) for name in named}


def _with_split(tile: Tile, splits_of: dict[str, list[str]]) -> Tile:
    split = tile.fields.get("split") or (splits_of.get(normal(tile.id)) or [""])[0]
    return replace(tile, split=split) if split else tile


def _wanted_ids(dataset: Dataset, split: str, base: Path, lists: SplitLists, by_field: list[Tile]) -> list[str] | None:
    """Ids that a split lists; None where the field ``{split}`` says it."""
    if split in lists.ids:
        return lists.ids[split]
    named = {t.fields.get("split", "") for t in by_field}
    if split in named:
        return None
    path = find_list(dataset, split, base)
    if path is not None:
        return read_list(path)[0]
    if split in lists.missing:
        raise WorkspaceError(
            f'dataset "{dataset.name}": the list of split "{split}" does not exist: {lists.missing[split]}'
        )
    known = ", ".join(sorted({*lists.ids, *named} - {""})) or "none"
    raise WorkspaceError(
        f'dataset "{dataset.name}": "{split}" is no split and no list file under {dataset.root}. Known splits: {known}.'
    )


def _choose(
    dataset: Dataset, tiles: list[Tile], split: str, wanted: list[str] | None, truth: Listing
) -> tuple[list[Tile], set[str]]:
    """Tiles of a split, ids without a truth refused; and the ids of all others."""
    if wanted is None:
        chosen = [t for t in tiles if t.fields.get("split") == split]
        return chosen, {normal(t.id) for t in tiles} - {normal(t.id) for t in chosen}
    by_id: dict[str, list[Tile]] = {}
    for tile in tiles:
        by_id.setdefault(normal(tile.id), []).append(tile)
    named = split if split in (dataset.splits or {}) else ""
    chosen = []
    for name in wanted:
        found = by_id.pop(normal(name), None)
        if found is not None:
            chosen.extend(replace(t, split=named or t.split) for t in found)
            continue
        parts = split_id(name) if dataset.tiling is not None else None
        scene = parts[0] if parts else ""
        tile = Tile(name, scene, named)
        sheet = next((t.refusal for t in by_id.get(normal(scene), ()) if t.refusal), None)
        if sheet:
            chosen.append(tile.refused(sheet.code, sheet.reason))
            continue
        reason = f"{name} is in the split list {split} and has no ground truth: nothing matches {truth.where}."
        chosen.append(tile.refused("no-truth", reason))
    return chosen, set(by_id)


def _without_doubles(tiles: list[Tile]) -> list[Tile]:
    """Ids that two ground truth files share are refused once, with both names."""
    by_id: dict[str, list[Tile]] = {}
    for tile in tiles:
        by_id.setdefault(normal(tile.id), []).append(tile)
    found = []
    for same in by_id.values():
        tile = same[0]
        if len(same) > 1:
            names = " and ".join(str(t.truth.path) for t in same[:3] if t.truth)
            hint = (
                " Set split to one of the splits."
                if len({t.split for t in same}) > 1
                else " Keep one of them, or say in the pattern which is meant, by its extension. Where ids start again "
                "in every folder, use other fields than {id}: the id is then all of them together."
            )
            tile = tile.refused("two-candidates", f"{tile.id} has {len(same)} ground truth files: {names}.{hint}")
            tile = replace(tile, truth=None)
        found.append(tile)
    return found


def joining_fields(truth: Listing, other: Listing) -> tuple[str, ...]:
    """The fields by which two sides belong together: the common ones, or the tile id.

    No field at all where both patterns name one file: these two belong together, whatever their names.
    """
    if not truth.pattern.fields and not other.pattern.fields:
        return ()
    return tuple(f for f in truth.pattern.fields if f in other.pattern.fields) or ("id",)


def find_sources(tile: Tile, side: Side, names: tuple[str, ...]) -> list[Source]:
    """Files of another side that belong to a tile.

    Raises
    ------
    TileError
        Its sheet cannot be read or is too small.
    """
    parts = split_id(tile.id) if side.tiling is not None else None
    found = []
    if parts:
        scene = tile.scene or parts[0]
        found = side.tile_of_scene(scene if names else side.only_sheet or scene, parts[1])
    return found or side.matching(names, {"id": tile.id, **tile.fields})


def _add_pictures(found: DatasetCatalogue) -> list[Notice]:
    """Give every tile its images, and say which have none: a missing or doubled one is left out."""
    notices: list[Notice] = []
    for role, patterns in found.dataset.pictures.items():
        listing = list_files(found.dataset.root, patterns)
        found.pictures[role] = listing
        side = Side(listing, found.dataset.tiling, found.scenes)
        names = joining_fields(found.truth, listing)
        for i, tile in enumerate(found.tiles):
            try:
                sources = find_sources(tile, side, names)
            except TileError:
                continue
            if len(sources) == 1:
                found.tiles[i] = replace(tile, pictures={**tile.pictures, role: sources[0]})
        lacking = [t.id for t in found.tiles if role not in t.pictures and t.refusal is None]
        notices += picture_remarks(role, listing, lacking)
    return notices
