"""Notices: what the user must know about a tile or a run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

REFUSED, WARNING, INFO = "refused", "warning", "info"
LEVELS = (REFUSED, WARNING, INFO)
FIRST_TILES = 20
"""A notice that stands for many tiles names this many of them."""
ONE_A_TILE = frozenset({"resized"})
"""Codes that are never gathered into one notice a run (refusals never are, either)."""


@dataclass(frozen=True)
class Notice:
    """Something the user must know.

    Parameters
    ----------
    code : str
        Stable, lower case, for machines.
    level : {"refused", "warning", "info"}
        ``refused``: the tile (or, without a tile, the run) was not scored.
    message : str
        One or two sentences for people.
    tile : str or None
        The tile that it is about; None where it stands for a run or for several tiles.
    count : int
        How many tiles it stands for.
    tiles : tuple of str
        The first of them.
    pixels : int
        How many px it is about, where it is about pixels; ``gather`` adds them to the message.
    """

    code: str
    level: str
    message: str
    tile: str | None = None
    count: int = 1
    tiles: tuple[str, ...] = ()
    pixels: int = 0

    def as_json(self) -> dict[str, object]:
        """The notice as the JSON report holds it."""
        return {
            "code": self.code,
            "level": self.level,
            "message": self.message,
            "tile": self.tile,
            "count": self.count,
            "tiles": list(self.tiles),
        }


def gather(notices: Iterable[Notice]) -> list[Notice]:
    """One notice a code, with its count and first tiles; refusals and resizes stay one a tile.

    The message of the first of a code stands for all of them. Refusals come first, then warnings,
    then notes; within a level the order of arrival is kept.
    """
    whole: list[Notice] = []
    by_code: dict[tuple[str, str], Notice] = {}
    for n in notices:
        tiles = n.tiles or ((n.tile,) if n.tile is not None else ())
        if n.level == REFUSED or n.code in ONE_A_TILE:
            whole.append(replace(n, tiles=tiles))
            continue
        key = (n.code, n.level)
        old = by_code.get(key)
        if old is None:
            by_code[key] = replace(n, tile=None, tiles=tiles[:FIRST_TILES])
        else:
            by_code[key] = replace(
                old,
                count=old.count + n.count,
                tiles=old.tiles if len(old.tiles) == FIRST_TILES else (old.tiles + tiles)[:FIRST_TILES],
                pixels=old.pixels + n.pixels,
            )
    return sorted([*whole, *map(_with_pixels, by_code.values())], key=lambda n: LEVELS.index(n.level))


def _with_pixels(n: Notice) -> Notice:
    if not n.pixels:
        return n
    where = "1 tile" if n.count == 1 else f"{n.count:,} tiles"
    return replace(n, message=f"{n.message} ({n.pixels:,} px in {where}.)", pixels=0)
