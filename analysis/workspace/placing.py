"""Where in a workspace file an entry goes, and what goes with it when it is taken out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from analysis.workspace.entries import DATASET, RUN, Entry, find_entries
from analysis.workspace.statements import BLANK, COMMENT, Statement


def added(statements: Sequence[Statement], kind: str, entry: Sequence[Statement], end: str) -> list[Statement]:
    """A file with an entry more: after the last of its kind, the first dataset before the first run."""
    same, runs = find_entries(statements, kind), find_entries(statements, RUN)
    if same:
        last = max(e.at[-1] for e in same) + 1
        at = _after_tail(statements, last)
    else:
        at = _with_head(statements, runs[0].at[0]) if kind == DATASET and runs else len(statements)
    before, after = list(statements[:at]), list(statements[at:])
    blank = Statement(end, BLANK)
    if before and not before[-1].text.endswith("\n"):
        before[-1] = replace(before[-1], text=before[-1].text + end)
    lead = [blank] if before and before[-1].kind != BLANK else []
    tail = [blank] if after and after[0].kind != BLANK else []
    return [*before, *lead, *entry, *tail, *after]


def removed(statements: Sequence[Statement], entry: Entry) -> list[Statement]:
    """A file without an entry, the comments right above its header and right below its last key, and the blank lines
    behind it.
    """
    gone = {*entry.at, *range(_with_head(statements, entry.at[0]), entry.at[0])}
    at = _after_tail(statements, entry.at[-1] + 1)
    gone |= set(range(entry.at[-1] + 1, at))
    while at < len(statements) and statements[at].kind == BLANK:
        gone.add(at)
        at += 1
    return [s for i, s in enumerate(statements) if i not in gone]


def _with_head(statements: Sequence[Statement], at: int) -> int:
    """Where an entry begins with the comments right above its header."""
    while at > 0 and statements[at - 1].kind == COMMENT:
        at -= 1
    return at


def _after_tail(statements: Sequence[Statement], at: int) -> int:
    """Where an entry ends with commented-out keys right below it; comments above another header are that one's."""
    stop = next((i for i in range(at, len(statements)) if statements[i].kind != COMMENT), len(statements))
    return stop if stop == len(statements) or statements[stop].kind == BLANK else at
