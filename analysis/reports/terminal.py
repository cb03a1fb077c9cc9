"""The summary that `score` prints: the numbers, how they were made, and where to look first."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.api import OpenRun
from analysis.preflight.text import notice_lines
from analysis.scores import CountsBundle, RankBy, headline, pooled_by_class, rank_tiles
from analysis.store.load import RunCounts

UNDEFINED = "–"
_WORST = 5


def number(value: float | None, digits: int = 4) -> str:
    """A score for people; an undefined one is a dash."""
    return UNDEFINED if value is None or value != value else f"{value:.{digits}f}"


def summary_lines(run: OpenRun) -> Iterator[str]:
    """The summary of one run."""
    counts = run.counts()
    scored = counts.scored
    refused = int((counts.tiles["status"] != "scored").sum())
    yield f"{run.key}: {len(scored)} tiles scored, {refused} refused"
    if len(scored):
        yield from _scores(scored)
    yield from notice_lines(run.notices(counts))


def _scores(counts: RunCounts) -> Iterator[str]:
    head = headline("pooled", counts.confusion, counts.classes)
    yield f"  mean IoU {number(head.value)}  ({head.caption})"
    table = pooled_by_class(counts.confusion, counts.arrays["bands"])
    width = max(len(name) for name in (*counts.classes.names, "class"))
    yield f"  {'class':<{width}}     IoU  precision  recall      F1   ground truth px   tiles with it"
    for i, name in enumerate(counts.classes.names):
        scores = f"{number(table.iou[i]):>6}  {number(table.precision[i]):>9}  {number(table.recall[i]):>6}"
        support = f"{int(table.truth_pixels[i]):>16,}  {int(table.tiles_in_truth[i]):>14,}"
        yield f"  {name:<{width}}  {scores}  {number(table.f1[i]):>6}  {support}"
    ranking = rank_tiles(CountsBundle(confusion=counts.confusion), counts.classes, RankBy("damage"))
    worst = [i for i in ranking.order[:_WORST] if ranking.values[i] > 0]
    if worst:
        yield "  worst tiles by damage (what the mean IoU would gain if the tile were perfect):"
        for i in worst:
            yield f"    {counts.tiles['id'].iloc[i]}  +{ranking.values[i]:.4f}"
