"""The selection bar above every page, and the selection that pages work on: what the URL says, looked up."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from analysis import OpenRun, OpenWorkspace
from analysis.scores import Headline, classes_in_mean, headline
from analysis.selection.model import Selection, chosen, parse_selection
from analysis.store.load import RunCounts
from analysis.words.status import REFUSED, SCORED
from ui import chips, filters, loaders, start
from ui.text import escape

_FAULTS, _NEXT = "_link_faults", "_next_run"


@dataclass(frozen=True)
class View:
    """What a page looks at.

    Parameters
    ----------
    run : OpenRun
    selection : Selection
    every, chosen, scored, refused : RunCounts
        All tiles of the run; those that pass the filters; the scored and the refused ones among these.
    unfiltered : RunCounts
        The scored tiles as they would be without a filter.
    """

    run: OpenRun
    selection: Selection
    every: RunCounts
    chosen: RunCounts
    scored: RunCounts
    refused: RunCounts
    unfiltered: RunCounts

    @property
    def filtered(self) -> bool:
        """Whether there is a filter that tiles must pass."""
        return self.selection.narrows

    @cached_property
    def among(self) -> tuple[int, ...] | None:
        """Indices of the classes that means are taken over; None: all foreground classes."""
        return self.selection.among(self.every.classes)

    @cached_property
    def members(self) -> NDArray[np.intp]:
        """Indices of the classes that means are taken over."""
        return classes_in_mean(self.every.classes, among=self.among)

    def headline(self, convention: str = "pooled", *, unfiltered: bool = False) -> Headline:
        """The score of the selection, or of all tiles, over the chosen classes."""
        counts = self.unfiltered if unfiltered else self.scored
        return headline(convention, counts.confusion, counts.classes, among=self.among)


def draw_bar() -> None:
    """Draw the run picker and the filters, each bound to the URL."""
    opened = current_workspace()
    keys = [run.key for run in opened.runs]
    if not keys:
        return
    _note_unknown("run", keys)
    picked = st.session_state.pop(_NEXT, None)
    if picked in keys:
        st.session_state["run"] = picked
    bar = st.container(horizontal=True, vertical_alignment="center", key="selection_bar", gap="small")
    key = bar.selectbox(
        "Run",
        keys,
        key="run",
        bind="query-params",
        width=430,
        label_visibility="collapsed",
        help="A run is one model's predictions on one dataset, named model@dataset.",
    )
    run = opened.run(key or keys[0])
    counts = loaders.counts(run)
    if len(counts):
        filters.draw(bar, counts, _note_unknown)
        chips.draw(bar, current_view(run))
    _show_faults()


def pick_next(run: str) -> None:
    """Pick a run when the bar is drawn the next time: one that was just added is not among its options yet."""
    st.session_state[_NEXT] = run


def current_workspace() -> OpenWorkspace:
    """The workspace that is open."""
    return start.opened_workspace()


def current_run() -> OpenRun | None:
    """The run that is picked; None where the workspace has none."""
    opened = current_workspace()
    if not opened.runs:
        return None
    return opened.run(st.session_state.get("run") or opened.runs[0].key)


def current_view(run: OpenRun) -> View:
    """The tiles of a run that pass the filters.

    Raises
    ------
    SelectionError
        A filter names what the run does not have.
    StoreError
        The counts are damaged.
    """
    given = {name: values for name in filters.KEYS if (values := filters.value_of(name))}
    selection = parse_selection({"run": [run.key], **given})
    return _view(run, selection, (loaders.stamp_of_run(run), selection.query()))


@st.cache_resource(max_entries=16, show_spinner=False)
def _view(_run: OpenRun, _selection: Selection, key: tuple[loaders.Stamp, str]) -> View:
    counts = loaders.counts(_run)
    passed = counts.take(chosen(counts, _selection))
    status = passed.tiles["status"].to_numpy()
    whole = counts.take(chosen(counts, Selection(run=_selection.run, partial=_selection.partial)))
    return View(
        _run,
        _selection,
        counts,
        passed,
        passed.take(status == SCORED),
        passed.take(status == REFUSED),
        whole.take((whole.tiles["status"] == SCORED).to_numpy()),
    )


def _note_unknown(name: str, known: list[str]) -> None:
    """Keep what a link names and is not here: the widget will drop it, and the user must know."""
    strange = [value for value in st.query_params.get_all(name) if value not in known]
    if strange:
        faults: dict[str, str] = st.session_state.setdefault(_FAULTS, {})
        listed = ", ".join(f'"{escape(value)}"' for value in strange)
        faults[name] = f"The link names a {filters.WORDS.get(name, name)} that is not here and was left out: {listed}."


def _show_faults() -> None:
    faults: dict[str, str] = st.session_state.get(_FAULTS, {})
    for name, message in list(faults.items()):
        line = st.container(horizontal=True, vertical_alignment="center")
        line.warning(message, icon=":material/link_off:")
        line.button("Dismiss", key=f"dismiss_{name}", on_click=_dismiss, args=(name,))


def _dismiss(name: str) -> None:
    st.session_state[_FAULTS].pop(name, None)
