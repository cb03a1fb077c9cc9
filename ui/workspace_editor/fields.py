"""The fields of a form: texts that are read while they are typed, choices, and paths that show what lies there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.preflight.folders import FolderLook, fixed_part, look_into
from ui.loaders import stamp_of
from ui.text import code, escape, some
from ui.workspace_editor.drafts import Form
from ui.workspace_editor.spelling import State

_PAUSE = "0.4s"
_MOST_PICKS = 24
_WHOLE = ("root", "predictions")  # relative to the workspace file, which is not on the screen


def key_of(form: Form, name: str) -> str:
    """The key of a field's widget."""
    return f"{form.id} {name}"


def text(
    form: Form,
    state: State,
    name: str,
    label: str,
    place: DeltaGenerator | None = None,
    *,
    placeholder: str = "",
    help: str | None = None,
) -> None:
    """A line of text; ``state`` holds it from here on."""
    key = _begin(form, name, state[name])
    field = (place or st).text_input(label, key=key, live=_PAUSE, placeholder=placeholder, help=help)
    state[name] = field or ""


def lines(
    form: Form, state: State, name: str, label: str, place: DeltaGenerator, help: str, placeholder: str = ""
) -> None:
    """Several lines of text."""
    key = _begin(form, name, state[name])
    rows = max(2, str(state[name]).count("\n") + 1, placeholder.count("\n") + 1)
    state[name] = (
        place.text_area(label, key=key, help=help, placeholder=placeholder, height=34 + 24 * min(rows, 6)) or ""
    )


def choice(
    form: Form,
    state: State,
    name: str,
    label: str,
    options: Sequence[str],
    labels: Sequence[str],
    place: DeltaGenerator | None = None,
    help: str | None = None,
) -> None:
    """One of a few; what the form holds and is no option is offered as it is."""
    known = list(options)
    shown = dict(zip(options, labels, strict=True))
    if state[name] not in known:
        known.append(state[name])
    key = _begin(form, name, state[name])
    if st.session_state[key] not in known:
        st.session_state[key] = state[name]
    at = (place or st).selectbox(label, known, format_func=lambda o: shown.get(o, o), key=key, help=help)
    state[name] = at if at is not None else known[0]


def free_choice(
    form: Form,
    state: State,
    name: str,
    label: str,
    options: Sequence[str],
    *,
    placeholder: str,
    help: str,
    place: DeltaGenerator | None = None,
) -> None:
    """One of a few, or anything else that is typed; nothing too."""
    known = [o for o in options if o]
    key = key_of(form, name)
    if key not in st.session_state:
        st.session_state[key] = state[name] or None
    if (held := st.session_state[key]) and held not in known:
        known.append(held)
    state[name] = (place or st).selectbox(
        label, known, index=None, key=key, accept_new_options=True, placeholder=placeholder, help=help
    ) or ""


def path(
    form: Form,
    state: State,
    name: str,
    label: str,
    base: Path | None,
    *,
    placeholder: str = "",
    help: str | None = None,
) -> None:
    """A path or a pattern below a folder, with what lies there and the folders that it can be completed with.

    Parameters
    ----------
    base : Path or None
        What a relative path is relative to; None where that is not known yet.
    """
    with st.container(gap="xsmall"):
        text(form, state, name, label, placeholder=placeholder, help=help)
        if base is None:
            return
        typed = str(state[name]).strip()
        if not typed and name not in _WHOLE:
            return
        begun = fixed_part(typed) if typed else "."
        folder = _joined(base, begun)
        if folder is not None:
            found = look(folder)
            _say(found, typed, whole=name in _WHOLE)
            _offer_folders(form, name, found, typed, begun)


def folded(form: Form, label: str, *, used: bool) -> DeltaGenerator:
    """A folded box, open from the start where it holds something; it does not move while someone types in it."""
    return st.expander(label, expanded=bool(st.session_state.setdefault(key_of(form, f"open {label}"), used)))


def look(folder: Path) -> FolderLook:
    """A folder's content, looked at again when the folder has changed."""
    return _look(folder, stamp_of(folder))


def _begin(form: Form, name: str, value: str) -> str:
    key = key_of(form, name)
    if key not in st.session_state:
        st.session_state[key] = value
    return key


def _joined(base: Path, typed: str) -> Path | None:
    try:
        return base / Path(typed).expanduser()
    except (RuntimeError, ValueError):
        return None


def _say(found: FolderLook, typed: str, *, whole: bool) -> None:
    """What lies in a folder; its whole path only where that is not clear from another field."""
    if not found.exists:
        if typed and not found.path.is_file():
            shown = str(found.path) if whole else typed
            st.caption(f":orange[:material/folder_off:] There is no folder {code(shown)} yet.")
        return
    kinds = ", ".join(f"{n:,} {escape(ending or 'without ending')}" for ending, n in found.kinds.most_common(4))
    parts = [f"{some(found.files, 'file')} ({kinds})" if found.files else "no file"]
    parts[0] += f", such as {code(found.first[0])}" if found.first else ""
    if found.folders:
        parts.append(some(len(found.folders), "folder"))
    if whole:
        parts.insert(0, code(str(found.path)))
    st.caption(f":material/folder_open: {' · '.join(parts)}")


def _offer_folders(form: Form, name: str, found: FolderLook, typed: str, begun: str) -> None:
    """The folders below what was typed, or below the nearest that is there, as buttons that complete the path."""
    folders = list(found.folders)
    if not found.exists:
        if found.above is None:
            return
        missing = found.path.parts[len(found.above.parts) :]
        parts = begun.split("/")
        if len(missing) > len(parts):
            return  # what the path is relative to is not there itself
        begun = "/".join(parts[: len(parts) - len(missing)]) or ("/" if begun.startswith("/") else ".")
        folders = [f for f in look(found.above).folders if f.casefold().startswith(missing[0].casefold())]
    up = [".."] if typed and begun not in (".", "..") and not begun.endswith("/..") else []
    offered = [*up, *folders[:_MOST_PICKS]]
    if not offered:
        return
    st.pills(
        f"Folders for {name}",
        offered,
        format_func=lambda o: ":material/arrow_upward: up" if o == ".." else escape(o),
        key=key_of(form, f"{name} pick"),
        label_visibility="collapsed",
        on_change=_pick,
        args=(form, name, begun),
    )
    if len(folders) > _MOST_PICKS:
        st.caption(f"and {len(folders) - _MOST_PICKS:,} more folders; type the first letters")


def _pick(form: Form, name: str, begun: str) -> None:
    picked = st.session_state.get(key_of(form, f"{name} pick"))
    if picked is None:
        return
    if picked == "..":
        new = begun.rstrip("/").rpartition("/")[0] or ("/" if begun.startswith("/") else ".")
    else:
        new = picked if begun == "." else f"{begun.rstrip('/')}/{picked}"
    st.session_state[key_of(form, name)] = new
    st.session_state[key_of(form, f"{name} pick")] = None


@st.cache_resource(max_entries=64, ttl=120.0, show_spinner="Looking into the folder")
def _look(folder: Path, stamp: object) -> FolderLook:
    return look_into(folder)
