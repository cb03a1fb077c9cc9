"""One side of a dataset (truth, predictions or pictures): its files, findable by tile."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from analysis.catalogue.listing import Found, Listing
from analysis.catalogue.tiling import Window, split_id, window_of
from analysis.errors import TileError
from analysis.reading.raster import read_header
from analysis.words.order import natural_key, normal

Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """Where a tile's pixels are: a file, or a window of a sheet.

    Parameters
    ----------
    size, modified : int
        Bytes and time stamp (ns) of the file; a tile is scored again only when they change.
    window : Window or None
        None: the whole file.
    """

    path: Path
    size: int
    modified: int
    window: Window | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """A whole sheet: a file to be cut by the tiling rule, with its size in px or why it cannot be read."""

    file: Found
    height: int = 0
    width: int = 0
    fault: str = ""


def tile_id(file: Found) -> str:
    """``{id}``, or the fields joined by ``_``, or the stem of a file whose pattern has no field."""
    return file.fields.get("id") or "_".join(file.fields.values()) or file.path.stem


def field_key(fields: dict[str, str], names: Iterable[str]) -> Key:
    """Values of some fields in the form in which they are compared."""
    return tuple(int(fields[name]) if name == "n" else normal(fields[name]) for name in names)


class Side:
    """The files of one side.

    Parameters
    ----------
    listing : Listing
    tiling : int or None
        Side of the tiles in px, where sheets are cut.
    scenes : collection of str
        Names that are known to be scenes (from split lists and the GSD table).
    """

    def __init__(self, listing: Listing, tiling: int | None, scenes: Collection[str] = ()) -> None:
        self.listing, self.tiling = listing, tiling
        self.cut: list[Found] = []
        self.sheets: dict[str, list[Sheet]] = {}
        if tiling is None:
            self.cut = listing.files
        else:
            self._sort_out(tiling, scenes)
        self._by_key: dict[tuple[str, ...], dict[Key, list[Found]]] = {}

    @property
    def only_sheet(self) -> str | None:
        """Name of the sheet where the pattern names one file and that is a sheet."""
        return next(iter(self.sheets), None) if not self.listing.pattern.fields else None

    def matching(self, names: tuple[str, ...], fields: dict[str, str]) -> list[Source]:
        """Files whose fields ``names`` have the same values; ``id`` means the tile id where it is no field."""
        index = self._by_key.get(names)
        if index is None:
            index = {}
            for file in self.cut:
                own = {"id": tile_id(file), **file.fields}
                index.setdefault(field_key(own, names), []).append(file)
            self._by_key[names] = index
        return [Source(f.path, f.size, f.modified) for f in index.get(field_key(fields, names), ())]

    def tile_of_scene(self, scene: str, k: int) -> list[Source]:
        """Cut files and sheet windows of tile k of a scene.

        Raises
        ------
        TileError
            ``unreadable``: the sheet cannot be read. ``size-mismatch``: it ends before tile k.
        """
        found = self.matching(("id",), {"id": f"{scene}_{k}"})
        if not found and self.cut:
            found = self._by_number(scene, k)
        for sheet in self.sheets.get(normal(scene), ()):
            if sheet.fault:
                raise TileError("unreadable", sheet.fault)
            assert self.tiling is not None
            window = window_of(k, self.tiling, sheet.height, sheet.width)
            if window is None:
                raise TileError(
                    "size-mismatch",
                    f"{sheet.file.path.name} has {sheet.width} x {sheet.height} px and ends before tile {k}.",
                )
            found.append(Source(sheet.file.path, sheet.file.size, sheet.file.modified, window))
        return found

    def _by_number(self, scene: str, k: int) -> list[Source]:
        """Tiles whose k is written with leading zeros."""
        names = ("scene and k",)
        if names not in self._by_key:
            index: dict[Key, list[Found]] = {}
            for file in self.cut:
                parts = split_id(tile_id(file))
                if parts:
                    index.setdefault((normal(parts[0]), parts[1]), []).append(file)
            self._by_key[names] = index
        return [Source(f.path, f.size, f.modified) for f in self._by_key[names].get((normal(scene), k), ())]

    def _sort_out(self, size: int, scenes: Collection[str]) -> None:
        """Tell whole sheets from cut tiles.

        A file is a sheet when its stem is a known scene, or does not end in ``_k`` and is larger than a tile. Where
        the name ends so and its scene is not known, the first file of a prefix decides for all of them: larger than
        a tile, they are sheets whose names end in a number.
        """
        prefixes: dict[str, list[Found]] = {}
        for file in self.listing.files:
            name = normal(tile_id(file))
            parts = split_id(name)
            if name in scenes:
                self._add_sheet(name, file)
            elif parts is None:
                if _larger(file, size):
                    self._add_sheet(name, file)
                else:
                    self.cut.append(file)
            elif parts[0] in scenes:
                self.cut.append(file)
            else:
                prefixes.setdefault(parts[0], []).append(file)
        for files in prefixes.values():
            if any(_larger(file, size) for file in files[:1]):
                for file in files:
                    self._add_sheet(normal(tile_id(file)), file)
            else:
                self.cut.extend(files)
        self.cut.sort(key=lambda f: natural_key(tile_id(f)))

    def _add_sheet(self, name: str, file: Found) -> None:
        try:
            header = read_header(file.path)
            sheet = Sheet(file, header.height, header.width)
        except TileError as error:
            sheet = Sheet(file, fault=str(error))
        self.sheets.setdefault(name, []).append(sheet)


def _larger(file: Found, size: int) -> bool:
    try:
        header = read_header(file.path)
    except TileError:
        return False
    return max(header.height, header.width) > size
