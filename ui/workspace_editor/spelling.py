"""What stands in a form, as texts, and what stands in the workspace file, as values; and the way between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from analysis.errors import WorkspaceError
from analysis.workspace.edit import written_path
from analysis.workspace.entries import DATASET

State = dict[str, Any]
"""A form: field -> text, and for classes a list of rows with ``u`` (a number of its own), id, name, color, narrow."""


class FieldError(WorkspaceError):
    """A field of a form that cannot be read.

    Parameters
    ----------
    field : str
    message : str
        Written for the user.
    """

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field


TEXTS = {
    DATASET: ("name", "task", "preset", "root", "images", "before", "after", "truth", "split"),
    "run": ("model", "dataset", "trained_on", "predictions", "split", "resize"),
}
NUMBERS = {DATASET: (), "run": ("threshold",)}
MAPS = {DATASET: ("splits", "truth_values", "truth_colors"), "run": ("prediction_values", "prediction_colors")}
_PATHS = ("root", "predictions")


def empty_state(kind: str) -> State:
    """A form in which nothing was typed."""
    state: State = dict.fromkeys((*TEXTS[kind], *NUMBERS[kind], *MAPS[kind]), "")
    if kind == DATASET:
        state |= {"tiling": "", "gsd": "", "ignore": "", "background": "", "classes": [], "own_classes": False}
    return state


def state_of(kind: str, values: Mapping[str, Any]) -> State:
    """The form of an entry of the file."""
    state = empty_state(kind)
    for key in TEXTS[kind]:
        state[key] = str(values.get(key, ""))
    for key in NUMBERS[kind]:
        state[key] = _number_text(values[key]) if key in values else ""
    for key in MAPS[kind]:
        state[key] = _map_text(values.get(key, {}))
    if kind == DATASET:
        gsd = values.get("gsd", "")
        state["gsd"] = _map_text(gsd) if isinstance(gsd, Mapping) else _number_text(gsd) if gsd != "" else ""
        state["tiling"] = str(values.get("tiling", {}).get("size", ""))
        state["ignore"] = ", ".join(str(v) for v in values.get("ignore", []))
        state["background"] = str(values.get("background", ""))
        state["classes"] = class_rows(values.get("classes", {}))
        state["own_classes"] = "classes" in values
    return state


def class_rows(classes: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The table of classes of a form."""
    rows = []
    for u, (number, value) in enumerate(classes.items()):
        own = value if isinstance(value, Mapping) else {"name": value}
        rows.append(
            {
                "u": u,
                "id": number,
                "name": str(own.get("name", "")),
                "color": str(own.get("color", "")),
                "narrow": bool(own.get("narrow", False)),
            }
        )
    return rows


def values_of(kind: str, state: State, original: Mapping[str, Any], base: Path) -> dict[str, Any]:
    """What the file is to say: only what was filled in; a field that was not touched keeps its value as spelled.

    Parameters
    ----------
    original : mapping
        The entry as the file has it; empty for a new one.
    base : Path
        The workspace file's folder.

    Raises
    ------
    FieldError
        A field cannot be read.
    """
    before = state_of(kind, original)
    values: dict[str, Any] = {}
    for key in state:
        if key == "own_classes":
            continue
        if key in original and state[key] == before.get(key) and (key != "classes" or state["own_classes"]):
            values[key] = original[key]
            continue
        value = _value(key, state, original, base)
        if value is not None:
            values[key] = value
    return values


def _value(key: str, state: State, original: Mapping[str, Any], base: Path) -> Any:
    if key == "classes":
        return (_classes(state, original.get("classes", {})) or None) if state["own_classes"] else None
    text = str(state[key]).strip()
    if not text:
        return None
    if key in _PATHS:
        return written_path(text, base)
    readers: dict[str, Callable[[str, str], Any]] = {
        "threshold": _number,
        "tiling": lambda k, t: {"size": _whole(k, t)},
        "gsd": lambda k, t: _map(k, t, _number) if "=" in t else _number(k, t),
        "ignore": lambda k, t: [_raw(k, part) for part in _parts(t)],
        "background": lambda k, t: t if t == "none" else _whole(k, t),
        "splits": lambda k, t: _map(k, t, lambda _, v: v),
    }
    if key in ("truth_values", "truth_colors", "prediction_values", "prediction_colors"):
        return _map(key, text, _whole)
    return readers[key](key, text) if key in readers else text


def _classes(state: State, original: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for row in state["classes"]:
        number, name = str(row["id"]).strip(), str(row["name"]).strip()
        if not number and not name:
            continue
        if not number.lstrip("-").isdecimal():
            raise FieldError("classes", f'give the class "{name}" an id, a whole number as it stands in the masks.')
        if not name:
            raise FieldError("classes", f"give the class {number} a name.")
        if number in found:
            raise FieldError("classes", f"the id {number} stands there twice.")
        own: dict[str, Any] = {"name": name}
        if row["color"]:
            own["color"] = row["color"]
        if row["narrow"]:
            own["narrow"] = True
        before = original.get(number)
        same = class_rows({number: before})[0] | {"u": row["u"]} == row | {"id": number} if before else False
        found[number] = before if same else own if len(own) > 1 else name
    return found


def _number_text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) and float(f"{value:g}") == value else str(value)


def _map_text(values: Mapping[str, Any]) -> str:
    return "\n".join(f"{k} = {_number_text(v)}" for k, v in values.items())


def _parts(text: str) -> list[str]:
    return [p.strip() for p in text.replace("\n", ",").split(",") if p.strip()]


def _map(key: str, text: str, read: Callable[[str, str], Any]) -> dict[str, Any]:
    found = {}
    for part in _parts(text):
        name, sign, value = (p.strip().strip("\"'") for p in part.partition("="))
        if not (name and sign and value):
            raise FieldError(key, f'expected lines such as "name = value"; found "{part}".')
        found[name] = read(key, value)
    return found


def _number(key: str, text: str) -> float | int:
    try:
        number = float(text)
    except ValueError:
        raise FieldError(key, f'expected a number with a decimal point; found "{text}".') from None
    return int(text) if text.lstrip("-").isdecimal() else number


def _whole(key: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise FieldError(key, f'expected a whole number; found "{text}".') from None


def _raw(key: str, text: str) -> int | str:
    text = text.strip("\"'")
    return text if text.startswith("#") else _whole(key, text)
