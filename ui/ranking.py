"""What tiles are ranked by: the controls, bound to the URL, and the ranking that they ask for."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.scores import METRICS, RANKINGS, CountsBundle, RankBy, Ranking, rank_tiles
from analysis.words.classes import ClassList
from ui import text
from ui.choice import choose, restore
from ui.drill import OUTSIDE
from ui.selection import View

_FIRST_METRIC = "iou"


@dataclass(frozen=True)
class Ranked:
    """Tiles in order of a ranking.

    Parameters
    ----------
    by : RankBy
    ranking : Ranking
        Positions among the view's scored tiles.
    label : str
        What the values are, for a column.
    """

    by: RankBy
    ranking: Ranking
    label: str

    @property
    def sequence(self) -> list[int]:
        """All positions: those with a value, worst first, then those without."""
        return [*self.ranking.order.tolist(), *self.ranking.undefined.tolist()]

    @property
    def ratio(self) -> bool:
        """Whether values are shares (and not px)."""
        return self.by.ranking == "damage" or (
            self.by.ranking == "metric" and METRICS[self.by.metric or _FIRST_METRIC].unit == "ratio"
        )

    def value(self, position: int) -> str:
        """The value of a tile, for people."""
        number = float(self.ranking.values[position])
        if self.by.ranking == "damage":
            return text.gain(number)
        return text.score(number) if self.ratio else text.whole(number)


def draw(view: View) -> Ranked:
    """Draw the controls and rank the view's scored tiles.

    Raises
    ------
    SelectionError
        The choice means nothing, such as the confusion of a class with itself.
    """
    restore(("rank", "by", "cls", "truth", "predicted"))
    classes = view.scored.classes
    bar = st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="ranking_bar")
    entry = RANKINGS[choose(bar, "Rank by", "rank", list(RANKINGS), [r.label for r in RANKINGS.values()], width=210)]
    metric = None
    if "metric" in entry.required:
        metric = choose(bar, "Score", "by", list(METRICS), [m.label for m in METRICS.values()], width=115)
    index = None
    if "class_index" in entry.optional and (metric is None or METRICS[metric].per_class):
        chosen = choose(bar, "Class", "cls", *_class_options(classes), width=165)
        index = classes.index_of(chosen) if chosen else None
    truth, predicted = _cell(bar, classes) if "truth_index" in entry.required else (None, None)
    st.caption(text.escape(entry.purpose))
    by = RankBy(entry.id, metric, index, truth, predicted)
    counts = CountsBundle(confusion=view.scored.confusion, bands=view.scored.arrays["bands"])
    return Ranked(by, rank_tiles(counts, classes, by, among=view.among), _label(by, classes))


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
    truth = names.index(choose(bar, "Ground truth", "truth", classes.names, classes.names, width=150))
    others = [name for i, name in enumerate(names) if i != truth]
    return truth, names.index(choose(bar, "Predicted as", "predicted", others, others, width=150))


def _label(by: RankBy, classes: ClassList) -> str:
    if by.ranking == "damage":
        return "Damage"
    if by.ranking == "metric":
        return METRICS[by.metric or _FIRST_METRIC].label
    return "Wrong px" if by.ranking == "wrong_pixels" else "Px"
