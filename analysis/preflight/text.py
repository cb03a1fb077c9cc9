"""The preflight report as text for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from analysis.preflight.report import DatasetReport, RunReport, SideReport
from analysis.words.notices import REFUSED, Notice

_MOST_REFUSALS = 10


def dataset_lines(report: DatasetReport) -> Iterator[str]:
    """A dataset's part of the report."""
    d = report.dataset
    yield f'Dataset "{d.name}" ({d.task}{f", preset {d.preset}" if d.preset else ""})'
    yield f"  root          {d.root}"
    scenes = f" of {report.scenes} scenes" if report.scenes else ""
    split = f", split {report.split}" if report.split else ""
    partial = f"; {report.partial} of them partial" if report.partial else ""
    yield f"  tiles         {report.tiles}{scenes}{split}{partial}"
    if any(report.splits):
        yield "  splits        " + ", ".join(f"{name or 'none'}: {n}" for name, n in report.splits.items())
    yield from _side_lines("ground truth", report.truth)
    for role, n in report.pictures.items():
        yield f"  {role:<13} {n} of {report.tiles} tiles"
    names = ", ".join(f"{c.id} {c.name}" for c in d.classes.classes)
    yield f"  classes       {names}; background {'none' if d.classes.background is None else d.classes.background}"
    yield from notice_lines(report.notices)


def run_lines(report: RunReport) -> Iterator[str]:
    """A run's part of the report."""
    yield f'Run "{report.run.key}"'
    yield f"  pairs         {report.pairs}; {report.refused} tiles without a pair"
    yield from _side_lines("predictions", report.predictions)
    yield from notice_lines(report.notices)


def notice_lines(notices: list[Notice]) -> Iterator[str]:
    """Notices, one a line; of many refusals the first ten."""
    shown = 0
    refused = sum(n.level == REFUSED for n in notices)
    for n in notices:
        if n.level == REFUSED:
            shown += 1
            if shown == _MOST_REFUSALS + 1:
                yield f"  refused: … and {refused - _MOST_REFUSALS} more; the JSON and CSV reports name all of them"
            if shown > _MOST_REFUSALS:
                continue
        where = f" [{n.count} tiles]" if n.count > 1 and n.level != REFUSED else ""
        yield f"  {n.level}: {n.message}{where}"


def _side_lines(name: str, side: SideReport) -> Iterator[str]:
    skipped = ", ".join(f"{n} {what}" for what, n in side.skipped.items())
    yield f"  {name:<13} {side.files} files match {side.where}" + (f" (skipped: {skipped})" if skipped else "")
    if not side.files:
        return
    sampled = sum(side.sizes.values())
    of = "" if sampled == side.files else f" (of {sampled} files sampled)"
    yield f"    read as     {side.rule.describe()}; {side.rule.evidence}"
    yield f"    size        {_listed(side.sizes)} px{of}"
    yield f"    format      {_listed(side.drivers)}; {_listed(side.dtypes)}"
    yield f"    georeference {_listed(side.crs)}; GSD {_listed(side.gsd)}"
    if side.unreadable:
        yield f"    {side.unreadable} files of the sample cannot be read"


def _listed(counts: Counter[str]) -> str:
    if len(counts) == 1:
        return next(iter(counts))
    shown = ", ".join(f"{value} ({n})" for value, n in counts.most_common(4))
    return shown + (", …" if len(counts) > 4 else "")
