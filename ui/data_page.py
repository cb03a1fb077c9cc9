"""The parts of the Data page."""

from __future__ import annotations

import streamlit as st

from analysis import OpenRun, OpenWorkspace
from analysis.scores import safe_divide
from analysis.store.load import RunCounts
from analysis.words.notices import Notice
from analysis.words.status import REFUSED, SCORED
from ui import loaders, notices, preflight, scoring
from ui.text import code, escape, share, some, whole
from ui.workspace_editor import session


def draw_head(opened: OpenWorkspace) -> None:
    """Title, the workspace file, and the buttons for all runs."""
    head = st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute")
    head.title("Data", anchor=False, width="content")
    buttons = head.container(horizontal=True, width="content")
    if opened.datasets:
        buttons.button("Add dataset", icon=":material/add:", on_click=session.enter, args=("dataset",))
        buttons.button("Add run", icon=":material/add:", on_click=session.enter, args=("run",))
    if opened.runs:
        buttons.button(
            "Look again",
            on_click=loaders.look_again,
            icon=":material/refresh:",
            help="List the folders again. They are looked at anew by themselves every two minutes.",
        )
        buttons.button(
            "Score all",
            on_click=scoring.start,
            args=(opened.runs,),
            icon=":material/play_arrow:",
            type="primary",
            help="Scores what is not scored yet, in every run. It goes on when you leave the page.",
        )
    if opened.datasets:
        counted = f"{some(len(opened.datasets), 'dataset')} and {some(len(opened.runs), 'run')}"
        st.caption(f"{counted}, described in {code(str(opened.workspace.path))}")


def draw_run(run: OpenRun) -> None:
    """What is known of the selected run: before scoring from its folders, after scoring from its counts."""
    st.header(escape(run.key), anchor=False)
    counts = loaders.counts(run)
    if len(counts):
        found = loaders.notices(run)
        _draw_scored(counts, found)
        refused = counts.take((counts.tiles["status"] == REFUSED).to_numpy())
        notices.draw_refused(refused, run.key)
        notices.draw_by_level(found)
    box = st.expander(
        "How its files are read (preflight)",
        expanded=not len(counts),
        icon=":material/fact_check:",
        key=f"preflight {run.key}",
        on_change="rerun",
    )
    if box.open:
        with box:
            preflight.draw_run(
                loaders.run_report(run), loaders.dataset_report(OpenWorkspace(run.workspace), run.dataset)
            )


def _draw_scored(counts: RunCounts, found: list[Notice]) -> None:
    tiles = counts.tiles
    scored = tiles[(tiles["status"] == SCORED) & ~tiles["partial"]]
    valid, ignored = int(scored["valid"].sum()), int(scored["ignored"].sum())
    a, b, c, d = st.columns(4)
    a.metric("Tiles scored", whole(len(scored)), border=True)
    b.metric("Tiles refused", whole((tiles["status"] == REFUSED).sum()), border=True)
    c.metric(
        "Ignored px",
        share(float(safe_divide(ignored, valid + ignored))),
        border=True,
        help=f"{ignored:,} of {valid + ignored:,} px of the scored tiles are left out of every count.",
    )
    listed = sum(n.count for n in found if n.code == "in-several-splits")
    same = sum(n.count for n in found if n.code == "same-truth-in-splits")
    d.metric(
        "Tiles in several splits",
        whole(max(listed, same)),
        border=True,
        help=f"{listed:,} are named in more than one split list; the ground truth of {same:,} stands in another split "
        "too, pixel for pixel, among the tiles that were read so far.",
    )


def draw_datasets(opened: OpenWorkspace) -> None:
    """One folded box a dataset; its folders are looked at when it is opened."""
    for dataset in opened.datasets:
        runs = sum(run.run.dataset == dataset.name for run in opened.runs)
        label = (
            f"{escape(dataset.name)} · {escape(dataset.task)} · {len(dataset.classes)} classes · {some(runs, 'run')}"
        )
        box = st.expander(label, icon=":material/stacks:", key=f"dataset {dataset.name}", on_change="rerun")
        if box.open:
            with box:
                st.button(
                    "Edit dataset",
                    key=f"edit dataset {dataset.name}",
                    icon=":material/edit:",
                    on_click=session.enter,
                    args=("dataset", dataset.name),
                )
                preflight.draw_dataset(loaders.dataset_report(opened, dataset))
