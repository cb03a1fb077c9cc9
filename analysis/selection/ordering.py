"""In which order the tiles of a selection are looked at and exported, and its form in a link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

import numpy as np

from analysis.errors import SelectionError
from analysis.scores import METRICS, ORDERS, RANKINGS, CountsBundle, RankBy, Ranking, in_order, rank_tiles
from analysis.scores.registry import pick
from analysis.selection.model import Selection, chosen
from analysis.store.load import RunCounts
from analysis.words.classes import OUTSIDE, ClassList
from analysis.words.status import REFUSED, SCORED

FIRST_SEED = 1
MOST_SEED = 2**31 - 1


@dataclass(frozen=True)
class Ordering:
    """What tiles are ranked by, and from where their order starts.

    Parameters
    ----------
    by : RankBy
    order : str
        Id of an entry of `analysis.scores.ORDERS`.
    seed : int
        For an order that takes one.
    """

    by: RankBy = RankBy()
    order: str = "worst"
    seed: int = FIRST_SEED

    def link(self, classes: ClassList) -> dict[str, str]:
        """The keys of a link, classes by name; what is not given is left out."""
        by, names = self.by, (*classes.names, OUTSIDE)
        found = {"rank": by.ranking}
        if by.metric is not None:
            found["by"] = by.metric
        for key, index in (("cls", by.class_index), ("truth", by.truth_index), ("predicted", by.predicted_index)):
            if index is not None:
                found[key] = names[index]
        found["order"] = self.order
        if ORDERS[self.order].seeded:
            found["seed"] = str(self.seed)
        return found

    def arrange(self, counts: RunCounts, ranking: Ranking) -> list[int]:
        """Positions of all tiles: those with a value in order, then those without, in the given order."""
        placed = in_order(ranking, self.order, counts.tiles["id"].tolist(), self.seed)
        return [*placed.tolist(), *ranking.undefined.tolist()]


def rank(counts: RunCounts, by: RankBy, among: tuple[int, ...] | None) -> Ranking:
    """Rank scored tiles; see `analysis.scores.rank_tiles`."""
    bundle = CountsBundle(confusion=counts.confusion, bands=counts.arrays["bands"])
    return rank_tiles(bundle, counts.classes, by, among=among)


def parse_ordering(query: str | Mapping[str, Sequence[str]], classes: ClassList) -> Ordering:
    """Read an order from a link's query string, or from its keys and values; keys of other kinds are passed over.

    Raises
    ------
    SelectionError
        A ranking, a metric, a class or an order does not exist, or the seed is no whole number.
    """
    content = parse_qs(query.lstrip("?")) if isinstance(query, str) else query
    given: dict[str, str] = {key: values[-1] for key, values in content.items() if values}
    kind = pick(RANKINGS, given.get("rank", "damage"), "ranking")
    parts: dict[str, Any] = {}
    if "metric" in kind.required:
        parts["metric"] = pick(METRICS, given.get("by", next(iter(METRICS))), "metric").id
    for field, key in (("class_index", "cls"), ("truth_index", "truth"), ("predicted_index", "predicted")):
        if field in kind.required + kind.optional and given.get(key):
            parts[field] = _index(given[key], classes, outside=key == "predicted")
    order = pick(ORDERS, given.get("order", "worst"), "order").id
    seed = seed_of(given["seed"]) if "seed" in given else FIRST_SEED
    return Ordering(RankBy(kind.id, **parts), order, seed)


def seed_of(text: str) -> int:
    """A seed as a link holds it: a whole number from 0 to 2,147,483,647.

    Raises
    ------
    SelectionError
    """
    if not (text.isascii() and text.isdigit() and int(text[:12]) <= MOST_SEED and len(text) <= 12):
        raise SelectionError(f'The seed of a random order is a whole number from 0 to {MOST_SEED:,}; found "{text}".')
    return int(text)


def in_current_order(passed: RunCounts, sequence: Sequence[int]) -> RunCounts:
    """Tiles that pass the filters, in the order in which they are exported.

    Parameters
    ----------
    passed : RunCounts
        Scored and refused tiles, in natural order.
    sequence : sequence of int
        Positions among the scored ones, as `Ordering.arrange` gives them.

    Returns
    -------
    RunCounts
        Those with a value, then those without, then the refused ones.
    """
    status = passed.tiles["status"].to_numpy()
    scored, refused = np.flatnonzero(status == SCORED), np.flatnonzero(status == REFUSED)
    return passed.take(np.concatenate([scored[np.asarray(sequence, np.intp)], refused]))


def ordered(counts: RunCounts, selection: Selection, ordering: Ordering) -> RunCounts:
    """The tiles of a run that pass the filters, as the Worst tiles page exports them.

    Raises
    ------
    SelectionError
        A filter or the order names what the run does not have.
    """
    passed = counts.take(chosen(counts, selection))
    scored = passed.take((passed.tiles["status"] == SCORED).to_numpy())
    ranking = rank(scored, ordering.by, selection.among(counts.classes))
    return in_current_order(passed, ordering.arrange(scored, ranking))


def _index(name: str, classes: ClassList, *, outside: bool) -> int:
    names = [*classes.names, *([OUTSIDE] if outside else [])]
    if name not in names:
        raise SelectionError(f'No class is named "{name}" here. Known: {", ".join(names)}.')
    return names.index(name)
