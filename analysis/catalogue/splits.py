"""Split lists: which tile stands in which split."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from analysis.errors import WorkspaceError
from analysis.words.files import EXTENSIONS
from analysis.words.order import normal
from analysis.workspace.model import Dataset


@dataclass
class SplitLists:
    """The split lists of a dataset, read.

    Parameters
    ----------
    ids : dict of str to list of str
        Split name -> tile ids as written, without extension, each once.
    doubled : dict of str to int
        Split name -> how many lines repeat an id.
    missing : dict of str to Path
        Lists that the workspace names and that are not there.
    """

    ids: dict[str, list[str]] = field(default_factory=dict)
    doubled: dict[str, int] = field(default_factory=dict)
    missing: dict[str, Path] = field(default_factory=dict)

    def splits_of(self) -> dict[str, list[str]]:
        """Tile id -> the splits that list it."""
        found: dict[str, list[str]] = {}
        for split, ids in self.ids.items():
            for tile in ids:
                found.setdefault(tile, []).append(split)
        return found


def read_splits(dataset: Dataset) -> SplitLists:
    """Read every split list that the dataset names and that exists."""
    lists = SplitLists()
    for name, file in (dataset.splits or {}).items():
        path = dataset.root / file
        if path.is_file():
            lists.ids[name], lists.doubled[name] = read_list(path)
        else:
            lists.missing[name] = path
    return lists


def find_list(dataset: Dataset, split: str, base: Path) -> Path | None:
    """The list file that a split's name means by itself, under the dataset's root or the workspace's folder."""
    for folder in (dataset.root, base):
        path = folder / split
        if path.is_file():
            return path
    return None


def read_list(path: Path) -> tuple[list[str], int]:
    """Tile ids of a list file, and how many lines repeat one.

    A line holds an id, maybe with folders before and an extension behind it; a byte order mark, Windows line
    ends and empty lines are of no account.

    Raises
    ------
    WorkspaceError
        The file cannot be read as UTF-8 text.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise WorkspaceError(f"{path}: the split list cannot be read as UTF-8 text ({error}).") from None
    ids = [_tile_id(line.strip()) for line in text.splitlines() if line.strip()]
    return list(dict.fromkeys(ids)), len(ids) - len(set(ids))


def _tile_id(line: str) -> str:
    name = normal(line.replace("\\", "/").rsplit("/", 1)[-1])
    stem, extension = os.path.splitext(name)
    return stem if extension.lower() in EXTENSIONS and stem else name
