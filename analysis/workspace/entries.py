"""The datasets and runs of a workspace file as groups of its statements, and how one of them is changed."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from analysis.workspace.load import DATASET_KEYS, RUN_KEYS
from analysis.workspace.statements import BLANK, COMMENT, HEADER, VALUE, Statement, join
from analysis.workspace.toml_text import changed_value, key_text, same, value_text

DATASET, RUN = "dataset", "run"
_ORDER = {DATASET: DATASET_KEYS, RUN: RUN_KEYS}
_OWN_TABLE = ("classes",)  # written as a table of its own below the others, an entry a line


@dataclass
class Entry:
    """One ``[[dataset]]`` or ``[[run]]``.

    Parameters
    ----------
    kind : {"dataset", "run"}
    at : list of int
        Its statements' places in the file: its header, its values and its sub-tables, comments in between included.
    values : dict
        What it says, as plain Python values.
    """

    kind: str
    at: list[int]
    values: dict[str, Any]


def find_entries(statements: Sequence[Statement], kind: str) -> list[Entry]:
    """All entries of a kind, in the order of the file.

    What stands between the last value of an entry and the next header (comments, blank lines) belongs to no entry.
    """
    groups: list[list[int]] = []
    inside = False
    pending: list[int] = []
    for i, statement in enumerate(statements):
        if statement.kind in (BLANK, COMMENT):
            pending.append(i)
            continue
        if statement.kind == HEADER:
            inside = statement.path[0] == kind
            if inside and len(statement.path) == 1 and statement.many:
                groups.append([])
                pending = []
        if inside and groups:
            groups[-1] += [*pending, i] if groups[-1] and pending and pending[0] == groups[-1][-1] + 1 else [i]
        pending = []
    return [Entry(kind, at, _values([statements[i] for i in at], kind)) for at in groups]


def new_entry(kind: str, values: Mapping[str, Any], end: str = "\n") -> list[Statement]:
    """The statements of an entry that is not in the file yet; only the keys that have a value are written."""
    order = [k for k in _ORDER[kind] if k in values]
    lines = [Statement(f"[[{kind}]]{end}", HEADER, (kind,), True)]
    lines += [_line((k,), values[k], end) for k in order if k not in _OWN_TABLE]
    for key in (k for k in order if k in _OWN_TABLE):
        lines += _own_table(kind, key, values[key], end)
    return lines


def changed_entry(
    kind: str, statements: Sequence[Statement], old: Mapping[str, Any], new: Mapping[str, Any], end: str = "\n"
) -> list[Statement]:
    """The statements of an entry with other values: what stays the same keeps its place, spelling and comments."""
    found = list(statements)
    open_end = not found[-1].text.endswith("\n")  # the last line of a file that ends without one
    if open_end:
        found[-1] = replace(found[-1], text=found[-1].text + end)
    for key in [k for k in old if k not in new]:
        found = _without(found, kind, (key,))
    for key in _ORDER[kind]:
        if key in new and (key not in old or not same(old[key], new[key])):
            found = _with(found, kind, (key,), old.get(key), new[key], end)
    if open_end:
        found[-1] = replace(found[-1], text=found[-1].text.removesuffix("\n").removesuffix("\r"))
    return found


def _with(found: list[Statement], kind: str, path: tuple[str, ...], old: Any, new: Any, end: str) -> list[Statement]:
    """A value set: in its statement, in its sub-table, or in a new statement."""
    places = _places(found, kind)
    at = next((i for i, place in enumerate(places) if found[i].kind == VALUE and place == path), None)
    if at is not None:
        text = changed_value(found[at].text, new)
        return [*found[:at], replace(found[at], text=text), *found[at + 1 :]]
    if old is None:
        return _insert(found, kind, path, new, end)
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        return _insert(_without(found, kind, path), kind, path, new, end)
    for name in [n for n in old if n not in new]:
        found = _without(found, kind, (*path, name))
    for name, value in new.items():
        if name not in old or not same(old[name], value):
            found = _with(found, kind, (*path, name), old.get(name), value, end)
    return found


def _insert(found: list[Statement], kind: str, path: tuple[str, ...], value: Any, end: str) -> list[Statement]:
    """A statement more: in the sub-table that it belongs to, else among the entry's own keys in their usual order."""
    if len(path) == 1 and path[0] in _OWN_TABLE:
        return [*found, *_own_table(kind, path[0], value, end)]
    places = _places(found, kind)
    table = (kind, *path[:-1])
    head = next((i for i, s in enumerate(found) if s.kind == HEADER and s.path == table), None)
    if head is not None:
        stop = next((i for i in range(head + 1, len(found)) if found[i].kind == HEADER), len(found))
        siblings = [i for i in range(head + 1, stop) if found[i].kind == VALUE]
        relative = path[-1:]
    else:  # dotted keys: beside those that begin alike
        siblings = [i for i, p in enumerate(places) if found[i].kind == VALUE and p[:-1] == path[:-1]]
        head, relative = 0, path
    if len(path) == 1:
        order = _ORDER[kind]
        siblings = [i for i in siblings if order.index(places[i][0]) < order.index(path[0])]
    at = (siblings[-1] if siblings else head) + 1
    return [*found[:at], _line(relative, value, end), *found[at:]]


def _without(found: list[Statement], kind: str, path: tuple[str, ...]) -> list[Statement]:
    """An entry without a value, wherever and however it is spelled; the comments of a table go with it."""
    places = _places(found, kind)
    kept, dropping = [], False
    for statement, place in zip(found, places, strict=True):
        gone = place[: len(path)] == path
        if statement.kind == HEADER:
            dropping = gone
        if not (gone or dropping):
            kept.append(statement)
    for at in (i for i, s in enumerate(found) if s.kind == VALUE and path[: len(places[i])] == places[i] != path):
        table = tomllib.loads(found[at].text)
        for name in places[at]:
            table = table[name]
        inner = _dropped(table, path[len(places[at]) :])
        kept = [replace(s, text=changed_value(s.text, inner)) if s is found[at] else s for s in kept]
    return kept


def _dropped(table: Mapping[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    if len(path) == 1:
        return {k: v for k, v in table.items() if k != path[0]}
    return {k: _dropped(v, path[1:]) if k == path[0] else v for k, v in table.items()}


def _places(found: Sequence[Statement], kind: str) -> list[tuple[str, ...]]:
    """For every statement its key below the entry, through all tables; for comments that of their table."""
    places: list[tuple[str, ...]] = []
    table: tuple[str, ...] = ()
    for statement in found:
        if statement.kind == HEADER:
            table = statement.path[1:]
        places.append((*table, *statement.path) if statement.kind == VALUE else table)
    return places


def _own_table(kind: str, key: str, values: Mapping[str, Any], end: str) -> list[Statement]:
    head = Statement(f"[{kind}.{key_text(key)}]{end}", HEADER, (kind, key))
    return [Statement(end, BLANK), head, *(_line((name,), value, end) for name, value in values.items())]


def _line(path: tuple[str, ...], value: Any, end: str) -> Statement:
    return Statement(f"{'.'.join(map(key_text, path))} = {value_text(value)}{end}", VALUE, path)


def _values(statements: Sequence[Statement], kind: str) -> dict[str, Any]:
    values: dict[str, Any] = tomllib.loads(join(statements))[kind][0]
    return values
