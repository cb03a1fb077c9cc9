"""The editor of a dataset or a run: form, preflight of what is typed, the lines that will be written, and saving."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis import OpenWorkspace
from analysis.errors import OrthoscopeError, StoreError, WorkspaceError
from analysis.workspace.edit import WorkspaceFile
from analysis.workspace.entries import DATASET, RUN
from analysis.workspace.model import SEGMENTATION, Workspace
from analysis.workspace.presets import PRESETS
from ui import selection
from ui.text import code, escape
from ui.workspace_editor import dataset_form, live, run_form, session, welcome
from ui.workspace_editor.drafts import Draft, Form
from ui.workspace_editor.fields import key_of
from ui.workspace_editor.spelling import State, state_of, values_of

_STAND_IN = {"0": "background", "1": "class 1", "2": "class 2"}  # not binary, so that nothing is decided about coding


@dataclass(frozen=True)
class Typed:
    """What the form amounts to.

    Parameters
    ----------
    missing : list of str
        Labels of the fields that must be filled in.
    file : WorkspaceFile or None
        The file with the entry; None where a field cannot be read.
    trial : Workspace or None
        The workspace with the entry, stand-ins in place of what is missing; None where it cannot be.
    fault : str
        Why not; empty where all is well.
    """

    missing: list[str]
    file: WorkspaceFile | None = None
    trial: Workspace | None = None
    fault: str = ""

    @property
    def ready(self) -> bool:
        """Whether it can be saved."""
        return not self.missing and not self.fault and self.file is not None


def draw(opened: OpenWorkspace, form: Form) -> None:
    """Draw the editor in place of the page's lists.

    Raises
    ------
    WorkspaceError
        The file cannot be read.
    """
    file = WorkspaceFile.open(opened.workspace.path)
    if form.kind == RUN and not file.datasets:
        welcome.draw_dataset_first()
        return
    entries = file.datasets if form.kind == DATASET else file.runs
    if form.entry and form.entry not in entries:
        _draw_gone(form)
        return
    original = entries.get(form.entry, {})
    state, digest, restored = session.begin(form, file.digest, state_of(form.kind, original))

    head = st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute")
    what = f"Add a {form.kind}" if not form.entry else f"Edit {escape(form.entry)}"
    head.title(what, anchor=False, width="content")
    buttons = head.container(horizontal=True, width="content")
    verb = "It will be made when you save" if not file.path.exists() else "Comments and all other lines stay"
    st.caption(f"Written to {code(str(file.path))}. {verb}.")
    note = st.container()
    if restored:
        st.caption(":material/history: What you typed here before is back. Discard forgets it.")

    left, right = st.columns([5, 6], gap="large")
    with left:
        if form.kind == DATASET:
            below_classes = dataset_form.draw(form, state, file.path.resolve().parent)
        else:
            below_classes = None
            run_form.draw(form, state, file.check())
    typed = _read(form, state, original, file)
    session.keep(form, Draft(digest, state), state_of(form.kind, original))
    if below_classes is not None and typed.trial is not None:
        with below_classes:
            dataset_form.offer_values(form, state, _entry_of(typed, form, state))
    with right:
        changed = digest != file.digest
        if changed:
            _draw_changed(form, file)
        _draw_preflight(form, state, typed)
        _draw_lines(file, typed)
    if typed.missing:
        note.caption(f":material/edit_note: Still needed: {_listed(typed.missing)}.")
    _draw_buttons(buttons, form, state, typed, digest, blocked=changed)


def _read(form: Form, state: State, original: dict[str, Any], file: WorkspaceFile) -> Typed:
    missing = _missing(form, state)
    base = file.path.resolve().parent
    try:
        if form.kind == DATASET:
            values = values_of(DATASET, dataset_form.tidied(state, original), original, base)
            changed = file.with_dataset(values, form.entry or None)
            trial = file.with_dataset(_with_stand_ins(values, state), form.entry or None)
        else:
            values = values_of(RUN, state, original, base)
            changed = file.with_run(values, form.entry or None)
            trial = file.with_run({"model": "…", **values}, form.entry or None)
    except WorkspaceError as error:
        return Typed(missing, fault=str(error))
    place = {"dataset": "root", "run": "predictions"}[form.kind]
    if not str(state[place]).strip():
        return Typed(missing, changed)
    try:
        found = trial.check() if missing else changed.check()
    except WorkspaceError as error:
        return Typed(missing, changed, fault=str(error).removeprefix(f"{file.path.name}, "))
    return Typed(missing, changed, found)


def _missing(form: Form, state: State) -> list[str]:
    def empty(name: str) -> bool:
        return not str(state[name]).strip()

    if form.kind == RUN:
        labels = {"model": "a model", "dataset": "a dataset", "predictions": "the predictions"}
        return [label for name, label in labels.items() if empty(name)]
    labels = {"name": "a name", "root": "the root folder"}
    missing = [label for name, label in labels.items() if empty(name)]
    preset = PRESETS.get(state["preset"])
    if preset is None and empty("truth"):
        missing.append("the ground truth")
    named = [r for r in state["classes"] if str(r["id"]).strip() or str(r["name"]).strip()]
    if dataset_form.task_of(state) == SEGMENTATION and dataset_form.own_classes(state) and not named:
        missing.append("the classes")
    return missing


def _with_stand_ins(values: dict[str, Any], state: State) -> dict[str, Any]:
    trial = {"name": "…", **values}
    if not state["preset"]:
        trial.setdefault("truth", ".")
    if dataset_form.task_of(state) == SEGMENTATION and not values.get("classes") and dataset_form.own_classes(state):
        trial["classes"] = _STAND_IN
        for key in ("truth_values", "truth_colors", "background"):
            trial.pop(key, None)
    return trial


def _entry_of(typed: Typed, form: Form, state: State) -> Any:
    assert typed.trial is not None
    if form.kind == DATASET:
        return typed.trial.dataset(state["name"] if state["name"].strip() else "…")
    model = state["model"] if state["model"].strip() else "…"
    return next(r for r in typed.trial.runs if r.model == model and r.dataset == state["dataset"])


def _draw_preflight(form: Form, state: State, typed: Typed) -> None:
    with st.container(border=True, key="preflight_live"):
        head = st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute")
        head.markdown("**What is there, and how it will be read**")
        head.button(
            "Look again",
            key=key_of(form, "look again"),
            type="tertiary",
            icon=":material/refresh:",
            on_click=live.forget,
        )
        if typed.fault:
            st.warning(escape(typed.fault), icon=":material/edit:")
            return
        no_truth = form.kind == DATASET and not state["preset"] and not state["truth"].strip()
        if typed.trial is None or no_truth:
            wanted = {DATASET: "the root folder and where its ground truth lies", RUN: "where the predictions lie"}
            st.caption(f"Type {wanted[form.kind]}: what lies there is shown here while you type.")
            return
        try:
            entry = _entry_of(typed, form, state)
            if form.kind == DATASET:
                live.draw_dataset(typed.trial, entry, classes_known="the classes" not in typed.missing)
            else:
                live.draw_run(typed.trial, entry)
        except OrthoscopeError as error:
            st.warning(escape(str(error)), icon=":material/edit:")


def _draw_lines(file: WorkspaceFile, typed: Typed) -> None:
    if typed.file is None:
        return
    lines = list(difflib.unified_diff(file.text.splitlines(), typed.file.text.splitlines(), n=2, lineterm=""))[2:]
    with st.container(border=True, key="lines_to_write"):
        st.markdown("**Lines that will be written**")
        if lines:
            shown = ["…" if line.startswith("@@") else line for line in lines][0 if len(file.text) > 0 else 1 :]
            st.code("\n".join(shown), language="diff", height=300 if len(shown) > 14 else "content")
        else:
            st.caption("None: nothing has changed.")


def _draw_changed(form: Form, file: WorkspaceFile) -> None:
    with st.container(border=True):
        st.markdown(
            f":orange[:material/sync_problem:] {code(file.path.name)} was changed on disk meanwhile; your entries are "
            "kept. Load it again, look at what they would change now, and save."
        )
        st.button("Load it again", key=key_of(form, "reload"), on_click=session.load_again, args=(form, file.digest))


def _draw_buttons(place: DeltaGenerator, form: Form, state: State, typed: Typed, digest: str, *, blocked: bool) -> None:
    place.button(
        "Discard",
        key=key_of(form, "discard"),
        icon=":material/close:",
        help="Back to the lists; what you typed here is forgotten.",
        on_click=session.leave,
        args=(form,),
    )
    if form.entry:
        _draw_remove(place, form, digest)
    needed = f"Still needed: {_listed(typed.missing)}." if typed.missing else None
    saved = place.button(
        "Save",
        key=key_of(form, "save"),
        type="primary",
        icon=":material/save:",
        disabled=not typed.ready or blocked,
        help=needed or (escape(typed.fault) if typed.fault else "Writes the lines below to the file."),
    )
    if saved and typed.file is not None:
        _save(form, state, typed.file, digest)


def _draw_remove(place: DeltaGenerator, form: Form, digest: str) -> None:
    box = place.popover("Remove", icon=":material/delete:")
    with box:
        st.markdown(
            f"Take {code(form.entry)} out of the workspace file? No file of data is deleted, and the counts stay until "
            "you clear them."
        )
        if st.button("Remove it", key=key_of(form, "remove"), type="primary"):
            _save(form, None, WorkspaceFile.open(form.workspace), digest)


def _save(form: Form, state: State | None, file: WorkspaceFile, digest: str) -> None:
    """Write the file and go back to the lists; without a state the entry is removed."""
    try:
        file.require(digest)
        if state is None:
            file = file.without_dataset(form.entry) if form.kind == DATASET else file.without_run(form.entry)
        file.save()
    except (WorkspaceError, StoreError) as error:
        st.error(escape(str(error)), title="Nothing was written", icon=":material/error:")
        return
    name = "" if state is None else state["name"] if form.kind == DATASET else f"{state['model']}@{state['dataset']}"
    session.leave(form)
    session.say(form.kind, name, form.entry)
    if form.kind == RUN and name:
        selection.pick_next(name)
    st.rerun()


def _draw_gone(form: Form) -> None:
    st.title("Not here any more", anchor=False)
    st.info(f"The workspace file has no {form.kind} named {code(form.entry)}; it was renamed or removed.")
    st.button("Back to the lists", on_click=session.leave, args=(form,), icon=":material/arrow_back:")


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def form_of(workspace: Path) -> Form | None:
    """The form that the address names; None where it names none."""
    kind, entry = st.query_params.get("edit", ""), st.query_params.get("entry", "")
    return Form(workspace, kind, entry) if kind in (DATASET, RUN) else None
