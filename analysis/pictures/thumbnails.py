"""Small pictures of tiles and of objects, made once: kept on disk beside a run's counts, and made by a few threads.

A file's name is a digest of all that the picture depends on, the files' names, sizes and time stamps among it, so a
changed file gets a new picture. Each ends in a hash of its content; one that does not fit is made again.
"""

from __future__ import annotations

import hashlib
import json
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import astuple, dataclass
from pathlib import Path

from analysis.errors import OrthoscopeError, SelectionError, StoreError
from analysis.pictures.focus import Focus
from analysis.pictures.object_crop import CROP_VERSION, Crop, crop_picture
from analysis.pictures.pixels import files_of
from analysis.pictures.small import FOCUSED, SIDE, Small, small_picture
from analysis.pictures.tile import TileFinder
from analysis.store.folder import make_folder, write_whole
from analysis.words.classes import ClassList

VERSION = 1
"""Raised whenever small pictures are drawn differently."""
_SUFFIX = ".thumb"
_HASH = 16
_WORKERS = 2
_IN_MEMORY = 400
_STILL_WANTED = 6.0  # seconds after which a picture that no one has asked for again is not made
_LOOK_EVERY = 200  # files written between looks at how large the folder is
_log = logging.getLogger("orthoscope")


@dataclass(frozen=True)
class Wanted:
    """A small picture that someone looks at.

    Parameters
    ----------
    tile : str
        Id.
    kind : str
        One of `analysis.pictures.small.KINDS`; what a crop shows is always the same.
    focus : Focus
        Which errors are drawn.
    crop : Crop or None
        An object of the tile, to see only it and what is around it.
    """

    tile: str
    kind: str
    focus: Focus = Focus()
    crop: Crop | None = None


class Thumbnails:
    """Gives small pictures from memory, from disk, or made anew; any number of threads may ask.

    Parameters
    ----------
    most_bytes : int
        Of a run on disk; the oldest are dropped.
    """

    def __init__(self, most_bytes: int = 256 << 20) -> None:
        self._most = most_bytes
        self._pool = ThreadPoolExecutor(_WORKERS, thread_name_prefix="thumbnails")
        self._lock = threading.Lock()
        self._kept: OrderedDict[Path, Small] = OrderedDict()
        self._making: dict[Path, Future[None]] = {}
        self._asked: dict[Path, float] = {}
        self._written: dict[Path, int] = {}

    def fetch(
        self, finder: TileFinder, folder: Path, classes: ClassList, wanted: Sequence[Wanted], seconds: float
    ) -> list[Small | None]:
        """The pictures that are ready in so many seconds; None where one is still being made: ask again.

        Parameters
        ----------
        finder : TileFinder
            Of the run.
        folder : Path
            The run's folder of small pictures.
        classes : ClassList
            Of the dataset.
        wanted : sequence of Wanted
            What is made first stands first.
        """
        ready: list[Small | None] = [None] * len(wanted)
        places: dict[int, Path] = {}
        for at, one in enumerate(wanted):
            try:
                places[at] = folder / _name(finder, one, classes)
            except (SelectionError, OSError) as error:
                ready[at] = Small(fault=str(error))
        waited = [self._ask(finder, path, classes, wanted[at]) for at, path in places.items()]
        wait([future for future in waited if future is not None], timeout=seconds)
        with self._lock:
            for at, path in places.items():
                ready[at] = self._kept.get(path)
        return ready

    def _ask(self, finder: TileFinder, path: Path, classes: ClassList, one: Wanted) -> Future[None] | None:
        with self._lock:
            if path in self._kept:
                self._kept.move_to_end(path)
                return None
            self._asked[path] = time.monotonic()
            if path not in self._making:
                self._making[path] = self._pool.submit(self._provide, finder, path, classes, one)
            return self._making[path]

    def _provide(self, finder: TileFinder, path: Path, classes: ClassList, one: Wanted) -> None:
        found: Small | None = None
        try:
            if time.monotonic() - self._asked[path] < _STILL_WANTED:
                found = _read(path) or self._make(finder, path, classes, one)
        finally:
            with self._lock:
                del self._making[path], self._asked[path]
                if found is not None:
                    self._kept[path] = found
                    while len(self._kept) > _IN_MEMORY:
                        self._kept.popitem(last=False)

    def _make(self, finder: TileFinder, path: Path, classes: ClassList, one: Wanted) -> Small:
        try:
            made = _drawn(finder, classes, one)
        except OrthoscopeError as error:
            return Small(fault=str(error))
        except Exception:  # in a thread of its own: without an answer, the page would ask for ever
            _log.exception("unexpected error while a small picture was drawn")
            return Small(fault="This picture cannot be drawn; the log says why.")
        if made.data:
            self._write(path, made.data)
        return made

    def _write(self, path: Path, data: bytes) -> None:
        """Keep a picture on disk; where the disk refuses, it is only not kept."""
        try:
            make_folder(path.parent)
            write_whole(path, data + _digest(data))
        except StoreError:
            return
        with self._lock:
            many = self._written.get(path.parent, 0)
            self._written[path.parent] = many + 1
        if many % _LOOK_EVERY == 0:
            _drop_oldest(path.parent, self._most)


def _drawn(finder: TileFinder, classes: ClassList, one: Wanted) -> Small:
    if one.crop is None:
        return small_picture(finder.pixels(one.tile), one.kind, one.focus, classes)
    return crop_picture(finder.pixels(one.tile, one.crop.window), one.crop)


def _name(finder: TileFinder, one: Wanted, classes: ClassList) -> str:
    """Name of a picture's file.

    Raises
    ------
    SelectionError
        The run has no such tile.
    OSError
        A file of the tile is not there any more.
    """
    tile = finder.find(one.tile)
    files = [(str(path), (status := path.stat()).st_size, status.st_mtime_ns) for path in files_of(tile)]
    sources = [tile.truth, tile.prediction, *tile.pictures.values()]
    content = [
        [VERSION, SIDE, tile.id, one.kind],
        finder.readings,
        [one.focus.truth, one.focus.predicted] if one.kind in FOCUSED else [],
        files,
        [[s.window.rows, s.window.columns] for s in sources if s and s.window],
        [[c.name, c.color] for c in classes.classes],
        classes.background,
        *([[CROP_VERSION, *astuple(one.crop)]] if one.crop else []),
    ]
    return hashlib.blake2b(json.dumps(content).encode(), digest_size=16).hexdigest() + _SUFFIX


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=_HASH).digest()


def _read(path: Path) -> Small | None:
    """A picture on disk; None where there is none, or it is damaged."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    data, digest = content[:-_HASH], content[-_HASH:]
    return Small(data) if data and _digest(data) == digest else None


def _drop_oldest(folder: Path, most: int) -> None:
    """Delete the oldest pictures of a folder until the rest takes four fifths of what it may."""
    found = []
    for path in folder.glob(f"*{_SUFFIX}"):
        try:
            status = path.stat()
        except OSError:
            continue  # another process was faster
        found.append((status.st_mtime_ns, status.st_size, path))
    total = sum(size for _, size, _ in found)
    if total <= most:
        return
    for _, size, path in sorted(found):
        path.unlink(missing_ok=True)
        total -= size
        if total <= most * 4 // 5:
            return
