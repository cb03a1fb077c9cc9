"""The runs of a workspace as cards: state, score, and the buttons that start and stop scoring."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from analysis import OpenRun
from analysis.scores import headline
from ui import loaders, router, scoring
from ui.children import tail
from ui.text import escape, score, some

_FAST, _SLOW = 1.0, 5.0
_BUSY = "_busy_runs"


def draw(runs: Sequence[OpenRun]) -> None:
    """One card a run; looked at again every second while something is scored, and every five otherwise."""
    busy = [run.key for run in runs if scoring.state_of(run).busy]
    st.session_state[_BUSY] = busy
    st.fragment(_cards, run_every=_FAST if busy else _SLOW)(list(runs))


def draw_one(run: OpenRun) -> None:
    """The card of a run that is not scored yet, for the pages that need its counts."""
    draw([run])


def _cards(runs: list[OpenRun]) -> None:
    states = [scoring.state_of(run) for run in runs]
    busy = [run.key for run, state in zip(runs, states, strict=True) if state.busy]
    if busy != st.session_state.get(_BUSY):
        st.rerun()  # a score began or ended, here or elsewhere: the whole page has changed
    for run, state in zip(runs, states, strict=True):
        _card(run, state)


def _card(run: OpenRun, state: scoring.State) -> None:
    with st.container(border=True, gap="small"):
        left, middle, right = st.columns([4, 4, 3], vertical_alignment="center")
        trained = f" · trained on {escape(run.run.trained_on)}" if run.run.trained_on else ""
        left.markdown(f"**{escape(run.run.model)}**  \n:small[:gray[on {escape(run.run.dataset)}{trained}]]")
        with middle:
            _draw_state(run, state)
        with right.container(horizontal=True, horizontal_alignment="right", gap="small"):
            _draw_buttons(run, state)
        if state.fault and not state.busy:
            st.error(escape(state.fault), icon=":material/error:")
            log = tail(scoring.log_of(run))
            if log:
                with st.expander("What the process said"):
                    st.code(log, language=None, wrap_lines=True)


def _draw_state(run: OpenRun, state: scoring.State) -> None:
    if state.busy:
        share = state.progress.share if state.kind == scoring.RUNNING and state.progress else 0.0
        st.progress(min(1.0, share), text=escape(state.sentence))
        return
    if not run.scored:
        st.markdown(":gray[:material/radio_button_unchecked:] Not scored yet")
        return
    counts = loaders.counts(run)
    scored = counts.scored
    head = headline("pooled", scored.confusion, scored.classes)
    what = f"IoU of {escape(scored.classes.names[1])}" if run.dataset.task == "change" else "Mean IoU"
    refused = int((counts.tiles["status"] == "refused").sum())
    parts = [f"{some(len(scored), 'tile')} scored"]
    if refused:
        parts.append(f"{refused:,} refused")
    if state.stopped:
        parts.append("stopped before the end")
    st.markdown(f"{what} **{score(head.value, 4)}** :gray[pooled]  \n:small[:gray[{' · '.join(parts)}]]")


def _draw_buttons(run: OpenRun, state: scoring.State) -> None:
    if state.busy:
        st.button(
            "Stop",
            key=f"stop {run.key}",
            on_click=scoring.stop,
            args=(run,),
            icon=":material/stop_circle:",
            help="What was scored is kept; score again to go on.",
        )
        return
    st.button(
        "Score again" if run.scored and not state.stopped else "Go on" if state.stopped else "Score",
        key=f"score {run.key}",
        on_click=scoring.start,
        args=([run],),
        icon=":material/play_arrow:",
        type="secondary" if run.scored else "primary",
        help="Scores the tiles whose files are new or have changed; the others are kept.",
    )
    _draw_edit(run)
    if run.scored:
        st.button("Open", key=f"open {run.key}", on_click=_open, args=(run.key,), icon=":material/arrow_forward:")


def _draw_edit(run: OpenRun) -> None:
    pressed = st.button(
        "",
        key=f"edit run {run.key}",
        icon=":material/edit:",
        help="Edit this run: its folder, threshold and the rest",
    )
    if pressed:
        st.switch_page(router.DATA, query_params={"edit": "run", "entry": run.key})


def _open(key: str) -> None:
    st.session_state["run"] = key
    st.switch_page(router.OVERVIEW)


def draw_unscored(run: OpenRun) -> None:
    """In place of a page that needs counts: say that there are none and offer to make them."""
    st.info(
        f"{escape(run.key)} is not scored yet, so there is nothing to show here. Scoring reads every pair of files "
        "once; what is counted is kept.",
        icon=":material/hourglass_empty:",
    )
    draw_one(run)
    st.page_link(router.DATA, label="See how its files will be read", icon=":material/arrow_forward:")
