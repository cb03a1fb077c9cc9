"""Orders: from which end, or from where, the tiles of a ranking are looked at.

To add one, add an entry to `ORDERS`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.scores.ranking import Ranking
from analysis.scores.registry import by_id, pick
from analysis.words.order import normal

Positions = NDArray[np.intp]


@dataclass(frozen=True)
class OrderKind:
    """One way to go through the tiles of a ranking.

    Parameters
    ----------
    id, label : str
        For machines and for people.
    heading : str
        What the tiles that come first are, for a heading.
    purpose : str
        One sentence on what it is for; the pages show it.
    seeded : bool
        Whether it takes a seed.
    arrange : callable
        From a ranking, the tiles' ids and a seed to the positions of the tiles that have a value.
    """

    id: str
    label: str
    heading: str
    purpose: str
    seeded: bool
    arrange: Callable[[Ranking, Sequence[str], int], Positions]


def _nearest_to_median(ranking: Ranking, ids: Sequence[str], seed: int) -> Positions:
    """By distance from the median of the values; ties stay in the given order."""
    defined = np.sort(ranking.order)
    values = ranking.values[defined]
    if not len(values):
        return defined
    away = np.abs(values - np.median(values))
    return np.asarray(defined[np.argsort(away, kind="stable")], np.intp)


def _at_random(ranking: Ranking, ids: Sequence[str], seed: int) -> Positions:
    """By a hash of seed and id: the same everywhere, and no tile's place among the others hangs on who they are."""
    defined = np.sort(ranking.order)
    drawn = np.array([lot(ids[i], seed) for i in defined], np.uint64)
    return np.asarray(defined[np.argsort(drawn, kind="stable")], np.intp)


def lot(tile: str, seed: int) -> int:
    """The number that a tile draws under a seed: 64 bits of the BLAKE2b hash of ``seed:id``, the id in NFC."""
    return int.from_bytes(hashlib.blake2b(f"{seed}:{normal(tile)}".encode(), digest_size=8).digest(), "big")


ORDERS = by_id(
    [
        OrderKind(
            id="worst",
            label="worst first",
            heading="Worst tiles",
            purpose="Where the model fails.",
            seeded=False,
            arrange=lambda ranking, ids, seed: ranking.order,
        ),
        OrderKind(
            id="best",
            label="best first",
            heading="Best tiles",
            purpose="What the model does well, or where there is little to get wrong.",
            seeded=False,
            arrange=lambda ranking, ids, seed: ranking.best_first,
        ),
        OrderKind(
            id="median",
            label="median first",
            heading="Tiles near the median",
            purpose="Tiles whose value lies nearest to the median: how the model usually does.",
            seeded=False,
            arrange=_nearest_to_median,
        ),
        OrderKind(
            id="random",
            label="random",
            heading="Random tiles",
            purpose="A sample that no value has picked: what most tiles are like.",
            seeded=True,
            arrange=_at_random,
        ),
    ]
)


def in_order(ranking: Ranking, order: str, ids: Sequence[str], seed: int = 1) -> Positions:
    """Positions of the tiles that have a value, in an order.

    Parameters
    ----------
    ranking : Ranking
        Of N tiles.
    order : str
        Id of an entry of `ORDERS`.
    ids : sequence of str
        Of all N tiles.
    seed : int
        For orders that take one.

    Raises
    ------
    SelectionError
        There is no such order.
    ValueError
        There are not N ids.
    """
    kind = pick(ORDERS, order, "order")
    if len(ids) != len(ranking.values):
        raise ValueError(f"{len(ids)} ids for {len(ranking.values)} tiles")
    return kind.arrange(ranking, ids, seed)
