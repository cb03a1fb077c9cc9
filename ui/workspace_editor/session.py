"""What a form holds from rerun to rerun, its draft on disk, and the way into it and out of it."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import streamlit as st

from analysis.errors import StoreError
from ui.text import escape
from ui.workspace_editor import drafts
from ui.workspace_editor.drafts import Draft, Form
from ui.workspace_editor.fields import key_of
from ui.workspace_editor.spelling import State

_SAID = "_editor_said"


def enter(kind: str, entry: str = "") -> None:
    """Open a form; the address holds which."""
    st.query_params["edit"] = kind
    if entry:
        st.query_params["entry"] = entry
    else:
        st.query_params.pop("entry", None)
    st.session_state.pop(_SAID, None)


def begin(form: Form, digest: str, initial: State) -> tuple[State, str, bool]:
    """What stands in the form: from this session, else from the draft, else from the file.

    Returns
    -------
    state : dict
        The one object that widgets and callbacks change.
    digest : str
        Of the workspace file when the form was opened.
    restored : bool
        Whether it came back from a draft.
    """
    key = key_of(form, "kept")
    if key not in st.session_state:
        draft = drafts.load(form)
        st.session_state[key] = (draft.digest if draft else digest, draft.state if draft else initial, bool(draft))
    kept: tuple[str, State, bool] = st.session_state[key]
    return kept[1], kept[0], kept[2]


def keep(form: Form, draft: Draft, initial: State) -> None:
    """Write what was typed to the draft, where it has changed; a form as it was opened needs none."""
    key = key_of(form, "written")
    content: Any = repr(draft)
    if st.session_state.get(key) == content:
        return
    try:
        # Drawing picks these where nothing was picked: that alone is nothing typed.
        picked = {k for k in ("own_classes", "task", "dataset") if not initial.get(k)}
        if _plain(draft.state, picked) == _plain(initial, picked):
            drafts.drop(form)
        else:
            drafts.save(form, draft)
    except StoreError as error:
        st.warning(f"What you type is not kept over a reload: {escape(str(error))}", icon=":material/cloud_off:")
        return
    st.session_state[key] = content


def load_again(form: Form, digest: str) -> None:
    """Take the file as it is now for what the form was opened on."""
    key = key_of(form, "kept")
    _, state, restored = st.session_state[key]
    st.session_state[key] = (digest, state, restored)
    st.session_state.pop(key_of(form, "written"), None)


def leave(form: Form) -> None:
    """Close the form and forget what was typed."""
    with suppress(StoreError):  # where it cannot be deleted, it comes back with the form
        drafts.drop(form)
    for key in [k for k in st.session_state if str(k).startswith(f"{form.id} ")]:
        del st.session_state[key]
    st.query_params.pop("edit", None)
    st.query_params.pop("entry", None)


def say(kind: str, name: str, old: str) -> None:
    """Remember what was saved, for the lists to say; an empty name means that ``old`` was removed."""
    st.session_state[_SAID] = (kind, name, old)


def said() -> tuple[str, str, str] | None:
    """What was saved last, until it was dismissed or another form is opened."""
    found: tuple[str, str, str] | None = st.session_state.get(_SAID)
    return found


def dismiss() -> None:
    """It was read."""
    st.session_state.pop(_SAID, None)


def _plain(state: State, left_out: set[str]) -> State:
    """A form as it is compared: without the numbers of rows."""
    rows = [{k: v for k, v in row.items() if k != "u"} for row in state.get("classes", [])]
    return {**{k: v for k, v in state.items() if k not in left_out}, "classes": rows}
