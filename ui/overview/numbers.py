"""What the page shows, computed once for a selection and kept: a rerun only draws."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from analysis.findings.stand_out import (
    Finding,
    alarms,
    costliest_class,
    half_of_the_wrong,
    uneven_scene,
    without_the_worst,
    worst_tenth,
)
from analysis.scores import (
    CONVENTIONS,
    METRICS,
    ByScene,
    Concentration,
    CountsBundle,
    Headline,
    NoChange,
    PooledByClass,
    Recovery,
    by_scene,
    concentration,
    evaluate,
    no_change,
    pooled_by_class,
    recovery,
    wrong_by_tile,
)
from analysis.scores.formulas import Counts, pool
from analysis.store.load import RunCounts
from ui import loaders
from ui.selection import View


@dataclass(frozen=True, eq=False)
class Numbers:
    """Everything on the page that depends on the selection only.

    Parameters
    ----------
    change : bool
        Whether the score is that of class 1 of a change dataset.
    heads : dict of str to Headline
        The score in every convention.
    scores, reference : dict of str to float
        Pooled metrics of the headline by id, for the selection and for all tiles.
    table : PooledByClass
    total : ndarray of int64, shape (K, K + 1)
        The pooled confusion.
    scenes : ByScene
    spread : Concentration
        Of all wrong px, over tiles.
    repaired : Recovery
    mark : int
        A tenth of the tiles; one of the steps of `repaired`.
    unchanged : NoChange or None
        For change datasets.
    findings : tuple of Finding
        What stands out, for the top of the page.
    repair : Finding or None
        What the score would be without the worst tiles.
    """

    change: bool
    heads: dict[str, Headline]
    scores: dict[str, float]
    reference: dict[str, float]
    table: PooledByClass
    total: Counts
    scenes: ByScene
    spread: Concentration
    repaired: Recovery
    mark: int
    unchanged: NoChange | None
    findings: tuple[Finding, ...]
    repair: Finding | None


def numbers(view: View) -> Numbers:
    """The numbers of a view."""
    return _numbers(view, *_key(view))


def spread(view: View, class_index: int | None) -> Concentration:
    """How the tiles of a view share the wrong px, of all classes or of one."""
    return numbers(view).spread if class_index is None else _spread(view, class_index, *_key(view))


def score_name(view: View) -> str:
    """What the score is called in a sentence."""
    return f"IoU of {view.every.classes.names[1]}" if _is_change(view) else "mean IoU"


def _is_change(view: View) -> bool:
    return view.run.dataset.task == "change"


def _key(view: View) -> tuple[loaders.Stamp, str]:
    return loaders.stamp_of_run(view.run), view.selection.query()


@st.cache_resource(max_entries=32, show_spinner=False)
def _spread(_view: View, class_index: int, stamp: loaders.Stamp, query: str) -> Concentration:
    return concentration(wrong_by_tile(_view.scored.confusion, class_index))


@st.cache_resource(max_entries=16, show_spinner="Adding up counts")
def _numbers(_view: View, stamp: loaders.Stamp, query: str) -> Numbers:
    counts, change = _view.scored, _is_change(_view)
    confusion = counts.confusion
    table, total = pooled_by_class(confusion, counts.arrays["bands"]), pool(confusion)
    scenes = by_scene(confusion, counts.tiles["scene"], counts.classes, among=_view.among)
    spread = concentration(wrong_by_tile(confusion))
    mark = worst_tenth(len(counts))
    repaired = recovery(confusion, _view.members, (mark,))
    unchanged = no_change(confusion) if change else None
    found = [
        costliest_class(table, total, counts.classes, _view.members),
        half_of_the_wrong(spread),
        uneven_scene(scenes),
    ]
    if unchanged is not None:
        found.append(alarms(unchanged, counts.classes.names[1]))
    scores = _scores(_view, counts, change)
    return Numbers(
        change=change,
        heads={name: _view.headline(name) for name in CONVENTIONS},
        scores=scores,
        reference=_scores(_view, _view.unfiltered, change) if _view.filtered else scores,
        table=table,
        total=total,
        scenes=scenes,
        spread=spread,
        repaired=repaired,
        mark=mark,
        unchanged=unchanged,
        findings=tuple(finding for finding in found if finding is not None),
        repair=without_the_worst(repaired, score_name(_view)),
    )


def _scores(view: View, counts: RunCounts, change: bool) -> dict[str, float]:
    """Pooled metrics of the headline: of class 1 of a change dataset, of all classes together otherwise."""
    whole = CountsBundle(confusion=pool(counts.confusion))
    names = ("precision", "recall", "f1") if change else ("accuracy", "kappa")
    found = {"iou": view.headline(unfiltered=counts is view.unfiltered).value}
    for name in names:
        values = evaluate(METRICS[name], whole)
        found[name] = float(values[1] if change else values)
    return {name: float(np.float64(value)) for name, value in found.items()}
