"""The table of classes: a row a class, with a colour to pick."""

from __future__ import annotations

from typing import Any

import streamlit as st

from analysis.preflight.values import FoundValues
from analysis.words.classes import default_color
from ui.text import some
from ui.workspace_editor.drafts import Form
from ui.workspace_editor.fields import key_of
from ui.workspace_editor.spelling import State

_WIDTHS = [1.1, 4, 0.9, 1.1, 0.7]
_SHOWN = 12  # rows; more scroll
_TOP = 255


def draw(form: Form, state: State) -> None:
    """The rows, and a button for one more; ``state`` holds them from here on."""
    rows: list[dict[str, Any]] = state["classes"]
    if rows:
        for place, head in zip(st.columns(_WIDTHS, gap="small"), ("Id", "Name", "Colour", "Narrow", ""), strict=True):
            place.caption(head)
    box = st.container(height=500 if len(rows) > _SHOWN else "content", border=False, gap="xsmall")
    with box:
        for at, row in enumerate(rows):
            _draw_row(form, state, row, at)
    st.button(
        "Add a class",
        key=key_of(form, "class more"),
        icon=":material/add:",
        on_click=_add,
        args=(form, state),
    )


def fill(state: State, found: FoundValues) -> str:
    """Add the values that were found and have no row yet; colours become classes of their own.

    Returns
    -------
    str
        What was done, in a sentence.
    """
    rows: list[dict[str, Any]] = state["classes"]
    if found.colors and not found.values:
        ids = [n for n in range(len(found.colors) + len(rows)) if str(n) not in {r["id"] for r in rows}]
        new = dict(zip(found.colors, ids, strict=False))
        for color, number in new.items():
            rows.append(
                {"u": _next(rows), "id": str(number), "name": f"class {number}", "color": color, "narrow": False}
            )
        state["truth_colors"] = "\n".join(
            [*filter(None, [state["truth_colors"]]), *(f"{color} = {number}" for color, number in new.items())]
        )
        return f"{some(len(new), 'colour')} in {some(found.files, 'mask')}, frequent ones first: give them their names."
    values = list(found.values)
    note = ""
    if values == [0, _TOP]:
        values, note = [0, 1], f" 0 and {_TOP} are read as a binary mask: {_TOP} is class 1."
    elif _TOP in values and len(values) > 2 and values[-2] < _TOP - 5 and not _has(rows, _TOP):
        values.remove(_TOP)
        ignored = [p.strip() for p in state["ignore"].split(",") if p.strip()]
        state["ignore"] = ", ".join(dict.fromkeys([*ignored, str(_TOP)]))
        note = f" {_TOP} was put among the ignored values, as is usual; add a row for it if it is a class."
    missing = [v for v in values if not _has(rows, v)]
    for value in missing:
        name = "background" if value == 0 and not rows else f"class {value}"
        rows.append({"u": _next(rows), "id": str(value), "name": name, "color": "", "narrow": False})
    if not found.values:
        return "No mask could be read, so no value was found."
    if not missing:
        return f"Every value of the first {some(found.files, 'mask')} has a row already.{note}"
    return f"{some(len(missing), 'value')} added from {some(found.files, 'mask')}: give them their names.{note}"


def _draw_row(form: Form, state: State, row: dict[str, Any], at: int) -> None:
    number, name, color, narrow, gone = st.columns(_WIDTHS, gap="small", vertical_alignment="center")
    keys = {part: key_of(form, f"class {row['u']} {part}") for part in ("id", "name", "color", "narrow", "gone")}
    for part in ("id", "name", "narrow"):
        st.session_state.setdefault(keys[part], row[part])
    touched = key_of(form, f"class {row['u']} touched")
    automatic = not row["color"] and not st.session_state.get(touched)
    if automatic:
        st.session_state[keys["color"]] = default_color(at)
    else:
        st.session_state.setdefault(keys["color"], row["color"] or default_color(at))
    what = f"of class {at + 1}"
    row["id"] = number.text_input(f"Id {what}", key=keys["id"], live=True, label_visibility="collapsed") or ""
    row["name"] = name.text_input(f"Name {what}", key=keys["name"], live=True, label_visibility="collapsed") or ""
    picked = color.color_picker(
        f"Colour {what}",
        key=keys["color"],
        label_visibility="collapsed",
        on_change=_touch,
        args=(touched,),
    )
    row["color"] = "" if automatic else str(picked)
    row["narrow"] = narrow.checkbox(f"Narrow {what}", key=keys["narrow"], label_visibility="collapsed")
    gone.button(
        "",
        key=keys["gone"],
        icon=":material/close:",
        type="tertiary",
        help="Take this class out",
        on_click=_drop,
        args=(state, row["u"]),
    )


def _has(rows: list[dict[str, Any]], number: int) -> bool:
    return str(number) in {str(row["id"]).strip() for row in rows}


def _touch(key: str) -> None:
    st.session_state[key] = True


def _add(form: Form, state: State) -> None:
    rows = state["classes"]
    ids = {str(r["id"]).strip() for r in rows}
    number = next(n for n in range(len(rows) + 1) if str(n) not in ids)
    name = "background" if not rows else ""
    rows.append({"u": _next(rows), "id": str(number), "name": name, "color": "", "narrow": False})


def _drop(state: State, u: int) -> None:
    state["classes"] = [row for row in state["classes"] if row["u"] != u]


def _next(rows: list[dict[str, Any]]) -> int:
    return max((row["u"] for row in rows), default=-1) + 1
