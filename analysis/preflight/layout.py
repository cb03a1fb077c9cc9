"""A preset's folders beside what is there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from analysis.catalogue.listing import list_files
from analysis.workspace.presets import Preset

_ROLES = {"truth": "ground truth", "images": "image", "before": "before", "after": "after"}


@dataclass(frozen=True)
class Part:
    """One pattern or list file of a preset.

    Parameters
    ----------
    role : str
        ``ground truth``, ``image``, ``before``, ``after`` or ``split list``.
    pattern : str
        Under the root.
    files : int or None
        How many files match; None where no root was given.
    needed : bool
        Whether the dataset cannot do without, or without one of the same role.
    """

    role: str
    pattern: str
    files: int | None
    needed: bool


def preset_parts(preset: Preset, root: Path | None) -> list[Part]:
    """The patterns and lists of a preset, each with the number of files that match it under a root."""
    parts = []
    for key, role in _ROLES.items():
        for pattern in getattr(preset, key):
            files = len(list_files(root, (pattern,)).files) if root else None
            parts.append(Part(role, pattern, files, key == "truth"))
    for name in preset.splits.values():
        found = int((root / name).is_file()) if root else None
        parts.append(Part("split list", name, found, False))
    return parts
