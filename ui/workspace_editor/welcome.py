"""What the Data page says where there is nothing yet, and after something was saved: what to do next."""

from __future__ import annotations

import streamlit as st

from analysis import OpenWorkspace
from ui import scoring, start
from ui.text import code, escape
from ui.workspace_editor import drafts, preset_help, session
from ui.workspace_editor.drafts import Form


def draw_empty(opened: OpenWorkspace) -> None:
    """A workspace without datasets, or one whose file is not there yet."""
    path = opened.workspace.path
    there = path.exists()
    with st.container(border=True):
        st.subheader("Start with your first dataset", anchor=False)
        begun = (
            f"The workspace file {code(str(path))} describes no dataset yet."
            if there
            else f"There is no file {code(str(path))} yet; it is made when you save. Is the path right?"
        )
        st.markdown(
            f"{begun}\n\n"
            "1. **Add a dataset**: where its images and ground truth lie, and what its classes are. While you type, "
            "you see which files match.\n"
            "2. **Add a run**: the folder with the predictions of a model. You see at once how many of them pair.\n"
            "3. **Score it**: every pair is read once. Then the other pages fill."
        )
        label = "Go on with your dataset" if _has_draft(opened, "dataset") else "Add dataset"
        st.button(label, type="primary", icon=":material/add:", on_click=session.enter, args=("dataset",))
    st.markdown("**Presets** know the folders, splits and classes of public datasets:")
    preset_help.draw_all()
    st.caption("Any other layout works too: without a preset, you say where its files are.")


def draw_run_next(opened: OpenWorkspace) -> None:
    """A workspace with datasets and no run."""
    with st.container(border=True):
        st.subheader("Now add a run", anchor=False)
        st.markdown("A run is the predictions of one model on a dataset: a folder of label maps or probability maps.")
        label = "Go on with your run" if _has_draft(opened, "run") else "Add the first run"
        st.button(label, type="primary", icon=":material/add:", on_click=session.enter, args=("run",))


def draw_dataset_first() -> None:
    """In place of the form of a run, where no dataset is there that it could belong to."""
    st.title("Add a run", anchor=False)
    st.info("A run belongs to a dataset, and the workspace has none yet. Add the dataset first.")
    st.button("Add dataset", type="primary", icon=":material/add:", on_click=session.enter, args=("dataset",))


def draw_said(opened: OpenWorkspace) -> None:
    """What was just saved and what comes next; how to open one's own data while the demo is open; drafts that wait."""
    said = session.said()
    if said is not None:
        _draw_saved(opened, *said)
    elif start.named_workspace() is None:
        st.info(
            "This is the demo. To open your own data, start the app with `-- --workspace my.toml`: the file may not "
            "exist yet, this page then helps you to write it.",
            icon=":material/lightbulb:",
        )
    for form in drafts.waiting(opened.workspace.path):
        _draw_waiting(form)


def _draw_saved(opened: OpenWorkspace, kind: str, name: str, old: str) -> None:
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="saved"):
        if not name:
            st.markdown(f":green[:material/check_circle:] The {kind} {code(old)} was removed. No file was deleted.")
        else:
            st.markdown(f":green[:material/check_circle:] Saved: the {kind} **{escape(name)}**")
        if name and kind == "run":
            run = opened.run(name)
            if not run.scored and not scoring.state_of(run).busy:
                st.button(
                    "Score it now",
                    type="primary",
                    icon=":material/play_arrow:",
                    key="score saved",
                    on_click=_score,
                    args=(opened, name),
                )
        elif name and not old:
            st.button("Add a run on it", type="primary", icon=":material/add:", on_click=session.enter, args=("run",))
        st.button("Dismiss", key="dismiss saved", type="tertiary", on_click=session.dismiss)


def _draw_waiting(form: Form) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        what = f"changes to {code(form.entry)}" if form.entry else f"a new {form.kind}"
        st.markdown(f":gray[:material/edit_note:] What you typed for {what} is not saved yet.")
        st.button(
            "Go on",
            key=f"go on {form.id}",
            type="tertiary",
            icon=":material/arrow_forward:",
            on_click=session.enter,
            args=(form.kind, form.entry),
        )
        st.button("Discard", key=f"forget {form.id}", type="tertiary", on_click=session.leave, args=(form,))


def _score(opened: OpenWorkspace, name: str) -> None:
    scoring.start([opened.run(name)])
    session.dismiss()


def _has_draft(opened: OpenWorkspace, kind: str) -> bool:
    return any(form.kind == kind and not form.entry for form in drafts.waiting(opened.workspace.path))
