"""Typed access to one table of a workspace file, with errors that say where and what."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from analysis.errors import WorkspaceError
from analysis.reading.rules import Color
from analysis.workspace.patterns import Pattern

_WHOLE = re.compile(r"-?[0-9]{1,18}")
_HEX = re.compile(r"#[0-9a-fA-F]{6}")


class Table:
    """A TOML table and where it stands.

    Parameters
    ----------
    where : str
        For messages, such as ``workspace.toml, dataset "LandCover.ai"``.
    allowed : tuple of str
        Every key that the table may have.

    Raises
    ------
    WorkspaceError
        The value is no table, or has a key that is not allowed; the message names it.
    """

    def __init__(self, where: str, values: Any, allowed: tuple[str, ...] | None = None) -> None:
        if not isinstance(values, Mapping):
            raise WorkspaceError(f"{where}: expected a table, found {_kind(values)}.")
        self.where = where
        self.values: Mapping[str, Any] = values
        for key in values if allowed is not None else ():
            if key not in (allowed or ()):
                near = difflib.get_close_matches(key, allowed or (), 1)
                hint = f' Did you mean "{near[0]}"?' if near else f" Known keys: {', '.join(allowed or ())}."
                raise WorkspaceError(f'{where}: unknown key "{key}".{hint}')

    def wrong(self, key: str, expected: str, value: Any) -> WorkspaceError:
        """The error for a value of the wrong kind."""
        shown = f' "{value}"' if isinstance(value, str) else f" {value}" if isinstance(value, int | float) else ""
        return WorkspaceError(f"{self.where}: {key} must be {expected}; found {_kind(value)}{shown}.")

    def text(self, key: str, default: str | None = None) -> str:
        """A non-empty string."""
        value = self.values.get(key, default)
        if value is None:
            raise WorkspaceError(f'{self.where}: the key "{key}" is missing.')
        if not isinstance(value, str) or not value.strip():
            raise self.wrong(key, "a text", value)
        if "\0" in value:
            raise WorkspaceError(f"{self.where}: {key} holds a NUL character; no name can hold one.")
        return value

    def optional_text(self, key: str) -> str | None:
        """A non-empty string, or None where the key is missing."""
        return self.text(key) if key in self.values else None

    def choice(self, key: str, allowed: tuple[str, ...], default: str | None = None) -> str:
        """One of a few words."""
        value = self.text(key, default)
        if value not in allowed:
            raise self.wrong(key, " or ".join(f'"{a}"' for a in allowed), value)
        return value

    def number(self, key: str, default: float, low: float, high: float) -> float:
        """A number within a range, ends included."""
        value = self.values.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise self.wrong(key, f"a number from {low:g} to {high:g}", value)
        return float(value)

    def whole(self, key: str, default: int, low: int, high: int) -> int:
        """A whole number within a range, ends included."""
        value = self.values.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise self.wrong(key, f"a whole number from {low} to {high}", value)
        return value

    def path(self, key: str) -> Path:
        """A path; ``~`` is the home folder."""
        text = self.text(key)
        try:
            return Path(text).expanduser()
        except RuntimeError as error:  # ~name, and no such user
            raise WorkspaceError(f"{self.where}: {key} is no path ({error}).") from None

    def pattern(self, key: str, value: str) -> str:
        """A pattern, checked."""
        try:
            Pattern(value)
        except WorkspaceError as error:
            raise WorkspaceError(f"{self.where}: {key}: {error}") from None
        return value

    def texts(self, key: str) -> dict[str, str]:
        """A table of strings."""
        inner = Table(f"{self.where}, {key}", self.values.get(key, {}))
        return {name: inner.text(name) for name in inner.values}

    def raw_to_class(self, key: str, ids: tuple[int, ...]) -> dict[int, int]:
        """A map of raw values to class ids."""
        inner = Table(f"{self.where}, {key}", self.values.get(key, {}))
        found: dict[int, int] = {}
        for raw, target in inner.values.items():
            value = inner.whole_key(raw, "is no whole number; raw values stand left")
            if value in found:
                raise WorkspaceError(f"{inner.where}: the raw value {value} stands there twice; keep one.")
            found[value] = inner.class_id(raw, target, ids)
        return found

    def whole_key(self, key: str, complaint: str) -> int:
        """A key that is a whole number, as plain digits."""
        if not _WHOLE.fullmatch(key):
            raise WorkspaceError(f'{self.where}: "{key}" {complaint}.')
        return int(key)

    def color_to_class(self, key: str, ids: tuple[int, ...]) -> dict[Color, int]:
        """A map of colours to class ids."""
        inner = Table(f"{self.where}, {key}", self.values.get(key, {}))
        found: dict[Color, int] = {}
        for name, target in inner.values.items():
            color = inner.color(name, name)
            if color in found:
                raise WorkspaceError(f'{inner.where}: the colour "{name}" stands there twice; keep one.')
            found[color] = inner.class_id(name, target, ids)
        return found

    def class_id(self, key: str, value: Any, ids: tuple[int, ...]) -> int:
        """A class id of the class list."""
        if value not in ids or not isinstance(value, int) or isinstance(value, bool):
            raise self.wrong(key, f"a class id ({', '.join(map(str, ids[:12]))})", value)
        return value

    def color(self, key: str, value: Any) -> Color:
        """A colour written ``#rrggbb``."""
        if not isinstance(value, str) or not _HEX.fullmatch(value):
            raise self.wrong(key, 'a colour such as "#614a4a"', value)
        return int(value[1:3], 16), int(value[3:5], 16), int(value[5:7], 16)


def _kind(value: Any) -> str:
    names = {
        bool: "true or false",
        int: "the whole number",
        float: "the number",
        str: "the text",
        list: "a list",
        dict: "a table",
    }
    return names.get(type(value), "nothing" if value is None else f"a {type(value).__name__}")
