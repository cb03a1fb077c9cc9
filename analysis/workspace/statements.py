"""A TOML text as its statements: headers, keys with their values, comments and blank lines, each with its own letters.

Joined again they are the text, letter by letter; so whoever changes one statement leaves all others as they were.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

BLANK, COMMENT, HEADER, VALUE = "blank", "comment", "header", "value"


@dataclass(frozen=True)
class Statement:
    """One statement.

    Parameters
    ----------
    text : str
        Its lines, line ends included.
    kind : {"blank", "comment", "header", "value"}
    path : tuple of str
        For a header the names between its brackets, for a value the key; a dotted key has several names.
    many : bool
        Whether a header has two brackets on each side.
    """

    text: str
    kind: str
    path: tuple[str, ...] = ()
    many: bool = False


def split(text: str) -> list[Statement]:
    """The statements of a valid TOML text, in order.

    A statement ends at the first line at which it is TOML by itself: lists and long texts go over several lines.
    """
    found: list[Statement] = []
    waiting = ""
    for line in _lines(text):
        waiting += line
        statement = _read(waiting)
        if statement is not None:
            found.append(statement)
            waiting = ""
    if waiting:
        raise ValueError("the text is no TOML")
    return found


def join(statements: Sequence[Statement]) -> str:
    """The text that these statements are."""
    return "".join(s.text for s in statements)


def _lines(text: str) -> list[str]:
    """Lines with their ends; other signs that Python takes for line ends are letters here."""
    lines = text.split("\n")
    ended = [f"{line}\n" for line in lines[:-1]]
    return [*ended, lines[-1]] if lines[-1] else ended


def _read(text: str) -> Statement | None:
    bare = text.strip(" \t\r\n")
    if not bare:
        return Statement(text, BLANK)
    if bare.startswith("#") and "\n" not in bare:
        return Statement(text, COMMENT)
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None
    if bare.startswith("["):
        return Statement(text, HEADER, _header_path(content), bare.startswith("[["))
    return Statement(text, VALUE, _key_path(text))


def _header_path(content: Any) -> tuple[str, ...]:
    """Names of a header: the only way down an otherwise empty document."""
    path: list[str] = []
    while content:
        if isinstance(content, list):
            content = content[0]
            continue
        name = next(iter(content))
        path.append(name)
        content = content[name]
    return tuple(path)


def _key_path(text: str) -> tuple[str, ...]:
    """Names of the key of a value: what stands before the first sign of equality that is not within quotes."""
    for at in (i for i, letter in enumerate(text) if letter == "="):
        try:
            inner: Any = tomllib.loads(f"{text[:at]}= 0")
        except tomllib.TOMLDecodeError:
            continue
        path: list[str] = []
        while isinstance(inner, dict):
            path.append(next(iter(inner)))
            inner = inner[path[-1]]
        return tuple(path)
    return ()
