"""What tiles are ranked by and in which order they stand: the controls, bound to the URL, and the tiles in order."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cached_property

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.errors import SelectionError
from analysis.scores import METRICS, ORDERS, RANKINGS, RankBy, Ranking
from analysis.selection.ordering import FIRST_SEED, Ordering, rank, seed_of
from analysis.words.classes import OUTSIDE, ClassList
from ui import loaders, text
from ui.choice import choose, keep
from ui.selection import View

CHOICES = ("rank", "by", "cls", "truth", "predicted", "order", "seed")
_FIRST_METRIC = "iou"
_MOST_SHUFFLED = 10_000


@dataclass(frozen=True, eq=False)
class Ranked:
    """The scored tiles of a view in the order that was chosen.

    Parameters
    ----------
    ordering : Ordering
    ranking : Ranking
        Positions among the view's scored tiles.
    sequence : list of int
        Positions of all of them: those with a value, in order, then those without.
    names : list of str
        Their ids, in that order.
    label : str
        What the values are, for a column.
    """

    ordering: Ordering
    ranking: Ranking
    sequence: list[int]
    names: list[str]
    label: str

    @property
    def by(self) -> RankBy:
        """What they are ranked by."""
        return self.ordering.by

    @property
    def many(self) -> int:
        """How many have a value."""
        return len(self.ranking.order)

    @cached_property
    def places(self) -> dict[str, int]:
        """Tile id -> its place in the order, from 0."""
        return {name: at for at, name in enumerate(self.names)}

    @property
    def ratio(self) -> bool:
        """Whether values are shares (and not px)."""
        return self.by.ranking == "damage" or (
            self.by.ranking == "metric" and METRICS[self.by.metric or _FIRST_METRIC].unit == "ratio"
        )

    @property
    def heading(self) -> str:
        """What the tiles that come first are."""
        kind = ORDERS[self.ordering.order]
        return f"{kind.heading} (seed {self.ordering.seed})" if kind.seeded else kind.heading

    def value(self, position: int) -> str:
        """The value of a tile, for people."""
        number = float(self.ranking.values[position])
        if self.by.ranking == "damage":
            return text.gain(number)
        return text.score(number) if self.ratio else text.whole(number)


def draw(view: View) -> Ranked:
    """Draw the controls, and put the view's scored tiles in order.

    Raises
    ------
    SelectionError
        The choice means nothing, such as the confusion of a class with itself.
    """
    classes = view.scored.classes
    bar = st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall", key="ranking_bar")
    entry = RANKINGS[choose(bar, "Rank by", "rank", list(RANKINGS), [r.label for r in RANKINGS.values()], width=200)]
    metric = None
    if "metric" in entry.required:
        metric = choose(bar, "Score", "by", list(METRICS), [m.label for m in METRICS.values()], width=110)
    index = None
    if "class_index" in entry.optional and (metric is None or METRICS[metric].per_class):
        chosen = choose(bar, "Class", "cls", *_class_options(classes), width=140)
        index = classes.index_of(chosen) if chosen else None
    truth, predicted = _cell(bar, classes) if "truth_index" in entry.required else (None, None)
    order = choose(bar, "Order", "order", list(ORDERS), [o.label for o in ORDERS.values()], width=122)
    if ORDERS[order].seeded:
        seed = _seed(bar)
    else:
        seed = FIRST_SEED
        st.query_params.pop("seed", None)
    st.caption(text.escape(entry.purpose if order == "worst" else ORDERS[order].purpose))
    by = RankBy(entry.id, metric, index, truth, predicted)
    return _ranked(view, Ordering(by, order, seed), _key(view, by, order, seed))


def _key(view: View, *parts: object) -> tuple[loaders.Stamp, str, str]:
    return loaders.stamp_of_run(view.run), view.selection.query(), repr(parts)


@st.cache_resource(max_entries=24, show_spinner=False)
def _ranked(_view: View, _ordering: Ordering, key: tuple[loaders.Stamp, str, str]) -> Ranked:
    ranking = _ranking(_view, _ordering.by, _key(_view, _ordering.by))
    sequence = _ordering.arrange(_view.scored, ranking)
    names = _view.scored.tiles["id"].to_numpy()[sequence].tolist()
    return Ranked(_ordering, ranking, sequence, names, _label(_ordering.by))


@st.cache_resource(max_entries=12, show_spinner=False)
def _ranking(_view: View, _by: RankBy, key: tuple[loaders.Stamp, str, str]) -> Ranking:
    return rank(_view.scored, _by, _view.among)


def _seed(bar: DeltaGenerator) -> int:
    """The seed that the URL names, and a button that puts another one there."""
    given = st.query_params.get("seed", str(FIRST_SEED))
    try:
        seed = seed_of(given)
    except SelectionError as error:
        st.warning(f"{text.escape(str(error))} The seed {FIRST_SEED} is used.", icon=":material/link_off:")
        seed = FIRST_SEED
    if given != str(seed) or "seed" not in st.query_params:
        st.query_params["seed"] = str(seed)
    keep("seed", str(seed))
    bar.button(
        ":material/shuffle:",
        key="shuffle",
        on_click=_shuffle,
        args=(seed,),
        help=f"Shuffle again. The seed is {seed}, and the link holds it: the same seed gives the same order on every "
        "machine.",
    )
    return seed


def _shuffle(seed: int) -> None:
    drawn = random.randrange(1, _MOST_SHUFFLED)
    st.query_params["seed"] = str(drawn + (drawn >= seed))


def _class_options(classes: ClassList) -> tuple[list[str], list[str]]:
    """Ids and labels of the classes to rank by; "" is the mean of the headline, which may be of one class alone."""
    if len(classes.foreground) != 1:
        return ["", *classes.names], ["all in the mean", *classes.names]
    only = classes.names[classes.foreground[0]]
    others = [name for name in classes.names if name != only]
    return ["", *others], [only, *others]


def _cell(bar: DeltaGenerator, classes: ClassList) -> tuple[int, int]:
    """Truth and prediction of a confusion; where the link names one class for both, the next one is predicted."""
    names = [*classes.names, OUTSIDE]
    truth = names.index(choose(bar, "Ground truth", "truth", classes.names, classes.names, width=125))
    others = [name for i, name in enumerate(names) if i != truth]
    return truth, names.index(choose(bar, "Predicted as", "predicted", others, others, width=125))


def _label(by: RankBy) -> str:
    if by.ranking == "damage":
        return "Damage"
    if by.ranking == "metric":
        return METRICS[by.metric or _FIRST_METRIC].label
    return "Wrong px" if by.ranking == "wrong_pixels" else "Px"
