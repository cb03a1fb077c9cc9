"""Registries: metrics, conventions and rankings are entries of a list that everything reads.

An entry is a frozen dataclass with an ``id``. What shows it (a table, a tooltip, a CSV header, the
documentation) reads its fields; to add one is to add one entry.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

from analysis.errors import SelectionError


class Entry(Protocol):
    """Anything with an id, in a dataclass."""

    @property
    def id(self) -> str:
        """Lower case, stable: it stands in URLs, exports and reports."""


E = TypeVar("E", bound=Entry)
T = TypeVar("T")


def by_id(entries: Iterable[E]) -> Mapping[str, E]:
    """The entries by id, in their order, read only.

    Raises
    ------
    ValueError
        Two entries have the same id.
    """
    found: dict[str, E] = {}
    for entry in entries:
        if entry.id in found:
            raise ValueError(f"two entries have the id {entry.id!r}")
        found[entry.id] = entry
    return MappingProxyType(found)


def pick(registry: Mapping[str, T], id: str, what: str) -> T:
    """The entry with this id.

    Raises
    ------
    SelectionError
        There is none; the message lists those there are.
    """
    try:
        return registry[id]
    except KeyError:
        raise SelectionError(f"There is no {what} {id!r}; choose one of {', '.join(registry)}.") from None


def rows(registry: Mapping[str, Any]) -> list[dict[str, object]]:
    """The entries as rows for a table: every field but the functions, in the order of the class."""
    return [
        {f.name: value for f in fields(entry) if not callable(value := getattr(entry, f.name))}
        for entry in registry.values()
    ]
