"""Files that match a pattern, found by walking only the folders that the pattern names."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from analysis.words.files import EXTENSIONS
from analysis.words.order import natural_key, normal
from analysis.workspace.patterns import Pattern

NOT_UTF8 = "name not in UTF-8"


@dataclass(frozen=True, slots=True)
class Found:
    """A file that matches a pattern.

    Parameters
    ----------
    fields : dict of str to str
        Values of the pattern's fields, as spelled in the file's path.
    size : int
        Bytes.
    modified : int
        Time stamp in nanoseconds.
    """

    path: Path
    fields: dict[str, str]
    size: int
    modified: int


@dataclass
class Listing:
    """All files of one side, in natural order of their paths below the base folder.

    Parameters
    ----------
    pattern : Pattern
        The one that was taken.
    base : Path
    missing : Path or None
        The first folder of the pattern that does not exist.
    skipped : dict of str to int
        What lay beside the files and is none: ``hidden``, ``folder``, ``not a raster``, ``other name``,
        ``name not in UTF-8``.
    """

    pattern: Pattern
    base: Path
    files: list[Found] = field(default_factory=list)
    missing: Path | None = None
    skipped: dict[str, int] = field(default_factory=dict)

    @property
    def where(self) -> str:
        """The pattern under its base, for messages."""
        return str(self.base / self.pattern.text)

    @property
    def beside(self) -> str:
        """What lies there instead, for messages about an empty listing; empty where nothing does."""
        if self.missing is not None:
            return f"{self.missing} does not exist"
        listed = ", ".join(f"{n} x {what}" for what, n in self.skipped.items())
        return f"what lies there: {listed}" if listed else ""


def list_files(base: Path, patterns: tuple[str, ...]) -> Listing:
    """Files of the first pattern that matches any; an empty listing of the first pattern where none does."""
    first: Listing | None = None
    for text in patterns:
        listing = _list(base, Pattern(text))
        if listing.files:
            return listing
        first = first or listing
    assert first is not None, "at least one pattern"
    return first


def _list(base: Path, pattern: Pattern) -> Listing:
    parts = pattern.parts
    start = Path(pattern.text).anchor or base
    listing = Listing(pattern, base)
    if Path(pattern.text).is_absolute():
        parts = parts[1:] if parts and parts[0] == Path(pattern.text).anchor.rstrip("/\\") else parts
    listing.files = list(_walk(listing, pattern, Path(start), len(pattern.parts) - len(parts), {}))
    listing.files.sort(key=lambda f: natural_key(str(f.path)))
    return listing


def _walk(listing: Listing, pattern: Pattern, folder: Path, at: int, known: dict[str, str]) -> Iterator[Found]:
    part, last = pattern.parts[at], at == len(pattern.parts) - 1
    if not last and "{" not in part:
        inner = _inner(folder, part)
        if inner.is_dir():
            yield from _walk(listing, pattern, inner, at + 1, known)
        elif listing.missing is None:
            listing.missing = _highest_missing(inner)
        return
    matcher = pattern.matcher(at, known)
    try:
        entries = list(os.scandir(folder))
    except OSError:
        listing.missing = listing.missing or _highest_missing(folder)
        return
    for entry in entries:
        match = matcher.fullmatch(entry.name) or matcher.fullmatch(normal(entry.name))
        mode, size, modified = _status(entry)
        if entry.name.startswith("."):
            _skip(listing, "hidden")
        elif not entry.name.isascii() and not _is_text(entry.name):
            _skip(listing, NOT_UTF8)
        elif not last:
            if match and stat.S_ISDIR(mode):
                yield from _walk(listing, pattern, Path(entry.path), at + 1, known | match.groupdict())
        elif stat.S_ISDIR(mode):
            _skip(listing, "folder")
        elif match and (stat.S_ISREG(mode) or stat.S_ISLNK(mode)):
            yield Found(Path(entry.path), known | match.groupdict(), size, modified)
        else:
            raster = os.path.splitext(entry.name)[1].lower() in EXTENSIONS
            _skip(listing, "other name" if raster and not match else "not a raster")


def _highest_missing(folder: Path) -> Path:
    """The first folder of a path that is not there: that is the one to make or to spell otherwise."""
    while folder.parent != folder and not folder.parent.is_dir():
        folder = folder.parent
    return folder


def _inner(folder: Path, name: str) -> Path:
    """A folder's path, in whichever Unicode form its name is spelled on disk."""
    path = folder / name
    if name.isascii() or path.is_dir():
        return path
    with suppress(OSError), os.scandir(folder) as entries:
        return next((Path(e.path) for e in entries if normal(e.name) == name), path)
    return path


def _status(entry: os.DirEntry[str]) -> tuple[int, int, int]:
    """Mode, bytes and time stamp (ns) of what an entry leads to; of the link itself where it leads nowhere."""
    try:
        status = entry.stat()
    except OSError:
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError:  # gone since the folder was read
            return 0, 0, 0
    return status.st_mode, status.st_size, status.st_mtime_ns


def _is_text(name: str) -> bool:
    """Whether a file's name is UTF-8, so that reports can hold it."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _skip(listing: Listing, why: str) -> None:
    listing.skipped[why] = listing.skipped.get(why, 0) + 1
