"""Values as TOML text, in the style of the documentation; a value that is changed keeps its comment and its spacing.

The one user of tomlkit.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import tomlkit
from tomlkit.items import InlineTable, Table

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def key_text(name: str) -> str:
    """A key, in quotes where it needs them."""
    return name if _BARE.fullmatch(name) else value_text(name)


def value_text(value: Any) -> str:
    """A value on one line. A text with backslashes stands in single quotes, as a path of Windows is best written."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key_text(k)} = {value_text(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(value_text(v) for v in value) + "]"
    if isinstance(value, str) and "\\" in value and "'" not in value and value.isprintable():
        return f"'{value}'"
    return str(tomlkit.item(value).as_string())


def changed_value(text: str, value: Any) -> str:
    """The statement ``key = old  # comment`` with another value.

    A table in braces keeps the entries that stay as they are; of a list only the comment behind it is kept.
    """
    document = tomlkit.parse(text)
    holder: Any = document
    key = next(iter(document))
    while isinstance(holder[key], Table):  # a dotted key
        holder = holder[key]
        key = next(iter(holder))
    old = holder[key]
    if isinstance(old, InlineTable) and isinstance(value, Mapping) and set(old) & set(value):
        _merge(old, value)
    else:
        holder[key] = tomlkit.value(value_text(value))
    return document.as_string()


def _merge(table: InlineTable, value: Mapping[str, Any]) -> None:
    for name in [n for n in table if n not in value]:
        del table[name]
    for name, new in value.items():
        old = table.get(name)
        if isinstance(old, InlineTable) and isinstance(new, Mapping) and set(old) & set(new):
            _merge(old, new)
        elif name not in table or not same(table.unwrap()[name], new):
            table[name] = tomlkit.value(value_text(new))


def same(a: Any, b: Any) -> bool:
    """Whether two values are the same for TOML: 1 is not true, and tables have an order only for the reader."""
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return set(a) == set(b) and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    return isinstance(a, bool) == isinstance(b, bool) and bool(a == b)
