"""The folder of the counts on the screen: how large it is, by run, and clearing it."""

from __future__ import annotations

import streamlit as st

from analysis import OpenRun, OpenWorkspace
from analysis.errors import StoreError
from analysis.store.usage import CacheUsage, Usage, cache_usage, clear_runs
from ui.text import code, escape, size, some

_SAID = "_cleared"


def draw(opened: OpenWorkspace) -> None:
    """A folded box; the folder is measured when it is opened."""
    box = st.expander("Cache", icon=":material/database:", key="cache", on_change="rerun")
    if not box.open:
        return
    with box:
        usage = cache_usage(opened.workspace)
        st.markdown(
            f"{_size(usage.total)} in {code(str(usage.path))}. Counts can be deleted at any time: scoring "
            "makes them again from your files."
        )
        _draw_said()
        for run in opened.runs:
            _draw_run(run, usage.runs.get(run.key, Usage()))
        if len(opened.runs) > 1 and any(used.files for used in usage.runs.values()):
            _ask(
                "Clear all runs",
                f"Delete the counts of all {len(opened.runs)} runs of this workspace? Scoring makes them again.",
                opened.runs,
                "all",
            )
        st.table(_rest(usage), border="horizontal", alt="What else the folder holds")


def _draw_run(run: OpenRun, used: Usage) -> None:
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        held = _size(used) if used.files else "nothing"
        st.markdown(f"**{escape(run.key)}** :gray[{held}]")
        if used.files:
            _ask("Clear", f"Delete the counts of {code(run.key)}? Scoring makes them again.", [run], run.key)


def _ask(label: str, question: str, runs: list[OpenRun], name: str) -> None:
    """A button that asks before it deletes."""
    with st.popover(label, icon=":material/delete:"):
        st.markdown(f"{question} No file of data is touched.")
        st.button("Clear the counts", key=f"clear {name}", type="primary", on_click=_clear, args=(runs,))


def _clear(runs: list[OpenRun]) -> None:
    try:
        gone = clear_runs(runs[0].workspace, [run.run for run in runs])
    except StoreError as error:
        st.session_state[_SAID] = (False, str(error))
        return
    st.session_state[_SAID] = (True, f"Cleared {_size(gone)}.")


def _draw_said() -> None:
    said = st.session_state.pop(_SAID, None)
    if said is not None:
        good, message = said
        (st.success if good else st.warning)(escape(message))


def _rest(usage: CacheUsage) -> dict[str, str]:
    return {
        "Ground truth px of this workspace": _size(usage.truths),
        "Earlier settings or names of this workspace's runs": f"{_size(usage.earlier)}; used again once set back",
        "Of other workspaces, or of no one": f"{_size(usage.others)}; which of it is left over cannot be told here",
        "What is being typed": _size(usage.drafts),
        "Everything else, such as the demo": _size(usage.rest),
    }


def _size(used: Usage) -> str:
    return f"{size(used.bytes)} in {some(used.files, 'file')}"
