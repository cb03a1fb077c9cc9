"""The preflight of what is typed so far; kept while neither the entry nor its folders change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import streamlit as st

from analysis.errors import WorkspaceError
from analysis.preflight.folders import fixed_part
from analysis.preflight.report import DatasetReport, RunReport, SideReport, check_dataset, check_run
from analysis.reading.rules import LabelRule
from analysis.words.classes import ClassList, ClassSpec
from analysis.words.notices import REFUSED
from analysis.workspace.model import Dataset, Run, Workspace
from ui import notices, preflight
from ui.loaders import Stamp, stamp_of
from ui.text import UNDEFINED, code, escape, some

_LOOK_AGAIN = 120.0
_NAMELESS = "\u2026"  # stands for the name in what is kept; the name is put in when it is shown


def draw_dataset(workspace: Workspace, dataset: Dataset, *, classes_known: bool) -> None:
    """What a dataset's folders hold.

    Parameters
    ----------
    classes_known : bool
        False where the classes stand in for those that are still to be typed.

    Raises
    ------
    WorkspaceError
        Its split is unknown.
    """
    nameless = replace(dataset, name=_NAMELESS)
    with _named(dataset.name):
        report = _dataset(workspace, nameless, _key(nameless, workspace), _stamp(dataset))
    found = [replace(n, message=n.message.replace(_NAMELESS, dataset.name)) for n in report.notices]
    truth = report.truth
    lacking = sum(n.level == REFUSED and n.tile is not None for n in found)
    _verdict(
        report.tiles > 0 and not lacking,
        report.tiles > 0,
        f"**{some(report.tiles, 'tile')}** with a ground truth" + (f", {lacking:,} without" if lacking else ""),
    )
    facts = {"Ground truth": _files(truth)}
    if truth.files:
        for role, n in report.pictures.items():
            facts[role.capitalize()] = f"{n:,} of {some(report.tiles, 'tile')}"
        if any(report.splits):
            named = ", ".join(f"{escape(name or 'none')} {n:,}" for name, n in report.splits.items())
            facts["Splits"] = named + (f"; scored: {escape(report.split)}" if report.split else "; all are scored")
        if report.scenes:
            facts["Scenes"] = f"{report.scenes:,}"
        facts |= _reading(truth, read=classes_known)
    st.table(facts, border="horizontal", alt="What the dataset's folders hold")
    notices.draw_lines(found)
    preflight.draw_refusals(found)


def draw_run(workspace: Workspace, run: Run) -> None:
    """What a run's folder holds, and which tiles pair.

    Raises
    ------
    WorkspaceError
        Its split is unknown.
    """
    dataset = workspace.dataset(run.dataset)
    nameless = replace(run, model=_NAMELESS)
    key = repr((_key(dataset, workspace), replace(nameless, rule=_unnamed(run.rule))))
    with _named(run.model):
        report = _run(workspace, nameless, key, (*_stamp(dataset), *_folders(run.base, (run.predictions,))))
    found = [replace(n, message=n.message.replace(_NAMELESS, run.model)) for n in report.notices]
    total = report.pairs + report.refused
    _verdict(
        report.pairs > 0 and not report.refused,
        report.pairs > 0,
        f"**{report.pairs:,} of {some(total, 'tile')}** {'pairs' if total == 1 else 'pair'} with a prediction",
    )
    facts = {"Predictions": _files(report.predictions)}
    if report.predictions.files:
        facts |= _reading(report.predictions, read=True)
    st.table(facts, border="horizontal", alt="What the run's folder holds")
    if report.first_pairs:
        st.table(
            {
                "Tile": [code(p[0]) for p in report.first_pairs],
                "Ground truth": [code(p[1]) for p in report.first_pairs],
                "Prediction": [code(p[2]) for p in report.first_pairs],
            },
            border="horizontal",
            hide_index=True,
            alt="The first pairs",
        )
    notices.draw_lines(found)
    preflight.draw_refusals(found)


def forget() -> None:
    """Look at the folders again."""
    _dataset.clear()
    _run.clear()


@contextmanager
def _named(name: str) -> Iterator[None]:
    """Put the name into an error, too."""
    try:
        yield
    except WorkspaceError as error:
        raise WorkspaceError(str(error).replace(_NAMELESS, name)) from None


def _verdict(good: bool, some_good: bool, sentence: str) -> None:
    icon, color = (
        (":material/check_circle:", "green")
        if good
        else (":material/error:", "orange")
        if some_good
        else (":material/cancel:", "red")
    )
    st.markdown(f":{color}[{icon}] {sentence}")


def _files(side: SideReport) -> str:
    found = f"{some(side.files, 'file')} {'matches' if side.files == 1 else 'match'} {code(side.where)}"
    if side.first:
        found += ": " + ", ".join(code(name) for name in side.first) + (", …" if side.files > len(side.first) else "")
    skipped = ", ".join(f"{n:,} {escape(what)}" for what, n in side.skipped.items())
    return found + (f"; left aside: {skipped}" if skipped else "")


def _reading(side: SideReport, *, read: bool) -> dict[str, str]:
    facts = dict(preflight.side_facts(side))
    wanted = ["Decided from", "Size, px", "Format", "Pixel size (GSD)"]
    if read:
        wanted.insert(0, "Read as")
    if side.unreadable:
        wanted.append("Unreadable")
    return {("Values" if k == "Decided from" else k): facts.get(k, UNDEFINED) for k in wanted}


def _key(dataset: Dataset, workspace: Workspace) -> str:
    """What the report of a dataset depends on: while names are typed, folders are not looked at again."""
    return repr((replace(dataset, rule=_unnamed(dataset.rule)), workspace.path))


def _unnamed(rule: LabelRule) -> LabelRule:
    return replace(rule, classes=ClassList(tuple(ClassSpec(i, "", "") for i in rule.classes.ids)))


def _stamp(dataset: Dataset) -> Stamp:
    patterns = (*dataset.truth, *dataset.images, *dataset.before, *dataset.after, *(dataset.splits or {}).values())
    return _folders(dataset.root, patterns)


def _folders(base: Path, patterns: Sequence[str]) -> Stamp:
    return stamp_of(*dict.fromkeys(base / fixed_part(p) for p in patterns))


@st.cache_resource(max_entries=24, ttl=_LOOK_AGAIN, show_spinner="Looking at the dataset's folders")
def _dataset(_workspace: Workspace, _dataset: Dataset, entry: str, stamp: Stamp) -> DatasetReport:
    return check_dataset(_workspace, _dataset)


@st.cache_resource(max_entries=24, ttl=_LOOK_AGAIN, show_spinner="Pairing predictions with ground truth")
def _run(_workspace: Workspace, _run: Run, entry: str, stamp: Stamp) -> RunReport:
    return check_run(_workspace, _run)
