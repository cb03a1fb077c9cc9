"""What lies in one folder, for someone who is typing its path."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from analysis.words.order import natural_key

_FIRST = 3


@dataclass(frozen=True)
class FolderLook:
    """A folder by the names in it; nothing below it is looked at.

    Parameters
    ----------
    path : Path
    exists : bool
        Whether it is a folder that can be listed.
    folders : tuple of str
        Its folders in natural order, hidden ones left out.
    kinds : Counter
        Files by extension (lower case, with dot; "" without one), hidden ones left out.
    first : tuple of str
        The first few file names in natural order.
    above : Path or None
        Of a folder that is not there, the nearest one above it that is.
    """

    path: Path
    exists: bool
    folders: tuple[str, ...] = ()
    kinds: Counter[str] = field(default_factory=Counter)
    first: tuple[str, ...] = ()
    above: Path | None = None

    @property
    def files(self) -> int:
        """Number of files."""
        return self.kinds.total()


def look_into(folder: Path) -> FolderLook:
    """List a folder."""
    try:
        with os.scandir(folder) as entries:
            found = [(e.name, _is_folder(e)) for e in entries if not e.name.startswith(".")]
    except (OSError, ValueError):  # ValueError: a NUL character
        return FolderLook(folder, False, above=_nearest(folder))
    files = [name for name, is_folder in found if not is_folder]
    first = sorted(files, key=natural_key)[:_FIRST]
    folders = sorted((name for name, is_folder in found if is_folder), key=natural_key)
    return FolderLook(
        folder, True, tuple(folders), Counter(os.path.splitext(name)[1].lower() for name in files), tuple(first)
    )


def fixed_part(pattern: str) -> str:
    """The folder of a pattern up to its first field or file name: what can be listed while it is typed."""
    parts = pattern.replace("\\", "/").split("/")
    kept = []
    for part in parts:
        if "{" in part or "*" in part:
            break
        kept.append(part)
    return "/".join(kept) or ("/" if pattern.startswith("/") else ".")


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _nearest(folder: Path) -> Path | None:
    try:
        return next((p for p in folder.parents if p.is_dir()), None)
    except (OSError, ValueError):
        return None
