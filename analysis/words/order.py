"""Natural order and the one spelling in which names are compared."""

from __future__ import annotations

import re
import unicodedata

_DIGITS = re.compile(r"([0-9]+)")


def normal(name: str) -> str:
    """The name in Unicode's NFC form, in which names are compared."""
    return name if name.isascii() else unicodedata.normalize("NFC", name)


def natural_key(name: str) -> tuple[tuple[int, str], ...]:
    """Sort key that puts ``tile_2`` before ``tile_10``; leading zeros break ties."""
    parts = _DIGITS.split(normal(name))
    key = [(int(p), "") if i % 2 else (-1, p) for i, p in enumerate(parts)]
    return (*key, (0, name))
