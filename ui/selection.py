"""The selection bar above every page, and the selection that pages work on: what the URL says, looked up."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from analysis import OpenRun, OpenWorkspace
from analysis.selection.model import Selection, chosen, parse_selection
from analysis.store.load import RunCounts
from analysis.words.status import REFUSED, SCORED
from ui import filters, loaders, start
from ui.text import escape

_FAULTS = "_link_faults"


@dataclass(frozen=True)
class View:
    """What a page looks at.

    Parameters
    ----------
    run : OpenRun
    selection : Selection
    every, chosen, scored, refused : RunCounts
        All tiles of the run; those that pass the filters; the scored and the refused ones among these.
    """

    run: OpenRun
    selection: Selection
    every: RunCounts
    chosen: RunCounts
    scored: RunCounts
    refused: RunCounts

    @property
    def filtered(self) -> bool:
        """Whether a filter is set."""
        return bool(self.selection.filters)


def draw_bar() -> None:
    """Draw the run picker and the filters, each bound to the URL."""
    opened = current_workspace()
    keys = [run.key for run in opened.runs]
    if not keys:
        return
    _note_unknown("run", keys)
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
    _show_faults()


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
    counts = loaders.counts(run)
    given = {name: values for name in filters.KEYS if (values := filters.value_of(name))}
    selection = parse_selection({"run": [run.key], **given})
    passed = counts.take(chosen(counts, selection))
    status = passed.tiles["status"].to_numpy()
    return View(run, selection, counts, passed, passed.take(status == SCORED), passed.take(status == REFUSED))


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
