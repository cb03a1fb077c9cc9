"""The preflight report on the screen: what lies in the folders and how it will be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from analysis.preflight.report import DatasetReport, RunReport, SideReport
from analysis.words.notices import REFUSED, Notice
from analysis.workspace.model import Dataset
from ui import notices
from ui.text import UNDEFINED, code, escape, some, whole

_MOST_REFUSALS = 10


def draw_dataset(report: DatasetReport) -> None:
    """A dataset: where it is, its classes, its tiles and how its ground truth is read."""
    d = report.dataset
    facts = {
        "Folder": code(str(d.root)),
        "Task": escape(d.task) + (f", preset {escape(d.preset)}" if d.preset else ""),
        "Tiles": _tiles(report),
        "Splits": ", ".join(f"{escape(name or 'none')} {n:,}" for name, n in report.splits.items())
        if any(report.splits)
        else UNDEFINED,
        "Classes": _classes(d),
    }
    for role, n in report.pictures.items():
        facts[role.capitalize()] = f"{n:,} of {some(report.tiles, 'tile')}"
    st.table(facts, border="horizontal", alt=f"Dataset {d.name}")
    st.markdown("**Ground truth files**")
    st.table(dict(side_facts(report.truth)), border="horizontal", alt="Ground truth files")
    notices.draw_by_level(report.notices)
    draw_refusals(report.notices)


def draw_run(report: RunReport, dataset: DatasetReport) -> None:
    """A run: what pairs, and both sides next to each other."""
    truth, predicted = dict(side_facts(dataset.truth)), dict(side_facts(report.predictions))
    pairs, refused, files, size = st.columns(4)
    pairs.metric("Pairs", whole(report.pairs), help="Tiles that have a ground truth and one prediction.", border=True)
    refused.metric(
        "Without a pair", whole(report.refused), help="Refused: no ground truth, no prediction, or two.", border=True
    )
    files.metric("Prediction files", whole(report.predictions.files), border=True)
    size.metric("Ground truth files", whole(dataset.truth.files), border=True)
    st.table(
        {
            "": list(truth),
            "Ground truth": list(truth.values()),
            "Predictions": [predicted.get(name, UNDEFINED) for name in truth],
        },
        border="horizontal",
        hide_index=True,
        alt="How the files of both sides are read",
    )
    notices.draw_by_level(report.notices)
    draw_refusals(report.notices)


def draw_refusals(all_notices: Sequence[Notice]) -> None:
    """The first tiles that do not pair, with the reasons; nothing where all do."""
    found = [n for n in all_notices if n.level == REFUSED]
    if not found:
        return
    st.markdown(f":red[:material/block:] **What does not pair** · {len(found):,}")
    st.markdown("\n".join(f"- {escape(n.message)}" for n in found[:_MOST_REFUSALS]))
    if len(found) > _MOST_REFUSALS:
        st.caption(f"and {len(found) - _MOST_REFUSALS:,} more; after scoring, the table of refused tiles names all")


def side_facts(side: SideReport) -> list[tuple[str, str]]:
    """How one side's files are read, as names and Markdown."""
    sampled = sum(side.sizes.values())
    of = "" if sampled == side.files else f" (of {sampled:,} files sampled)"
    skipped = ", ".join(f"{n:,} {escape(what)}" for what, n in side.skipped.items())
    return [
        ("Files", f"{side.files:,} match {code(side.where)}"),
        ("Skipped", skipped or "nothing"),
        ("Read as", escape(side.rule.describe()) if side.files else UNDEFINED),
        ("Decided from", escape(side.rule.evidence) if side.files else UNDEFINED),
        ("Size, px", _listed(side.sizes) + of if side.files else UNDEFINED),
        ("Format", f"{_listed(side.drivers)}; {_listed(side.dtypes)}" if side.files else UNDEFINED),
        ("Georeference", _listed(side.crs)),
        ("Pixel size (GSD)", _listed(side.gsd)),
        ("Unreadable", f"{side.unreadable:,} of the sample" if side.unreadable else "none of the sample"),
    ]


def _tiles(report: DatasetReport) -> str:
    parts = [f"{report.tiles:,}"]
    if report.split:
        parts.append(f"in the split {escape(report.split)}")
    if report.scenes:
        parts.append(f"from {some(report.scenes, 'scene')}")
    if report.partial:
        parts.append(f"({report.partial:,} partial, left out)")
    return " ".join(parts)


def _classes(dataset: Dataset) -> str:
    names = ", ".join(f"{c.id} {escape(c.name)}" for c in dataset.classes.classes)
    background = dataset.classes.background
    return f"{names}; background {'none' if background is None else background}"


def _listed(counts: Counter[str]) -> str:
    if not counts:
        return UNDEFINED
    if len(counts) == 1:
        return escape(next(iter(counts)))
    shown = ", ".join(f"{escape(value)} ({n:,})" for value, n in counts.most_common(4))
    return shown + (", …" if len(counts) > 4 else "")
