"""Changing a workspace file: an entry at a time, all other lines as they were, and never over another's change."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from analysis.errors import WorkspaceError
from analysis.workspace.entries import DATASET, RUN, Entry, changed_entry, find_entries, new_entry
from analysis.workspace.load import parse_workspace, read_text
from analysis.workspace.model import Workspace
from analysis.workspace.placing import added, removed
from analysis.workspace.statements import Statement, join, split

_BOM = "\ufeff"


@dataclass(frozen=True)
class WorkspaceFile:
    """A workspace file as it was read, with the changes that are to be written.

    Every change gives another `WorkspaceFile`; nothing is written before `save`.

    Parameters
    ----------
    path : Path
    digest : str
        Of the content that was read; empty where there was no file.
    text : str
        The content with all changes, without a byte order mark.
    bom : bool
        Whether the file begins with one.
    """

    path: Path
    digest: str
    text: str
    bom: bool = False

    @classmethod
    def open(cls, path: Path) -> WorkspaceFile:
        """Read a file; one that does not exist, or is empty, is the beginning of a new one.

        Raises
        ------
        WorkspaceError
            It cannot be read, or something in it cannot be.
        """
        if not path.exists():
            return cls(path, "", "")
        text = read_text(path)
        parse_workspace(text.removeprefix(_BOM), path)
        return cls(path, _digest(text.encode()), text.removeprefix(_BOM), text.startswith(_BOM))

    @property
    def datasets(self) -> dict[str, dict[str, Any]]:
        """What the file itself says of each dataset, by name; what presets fill in is not among it."""
        return {e.values["name"]: e.values for e in find_entries(self._statements, DATASET)}

    @property
    def runs(self) -> dict[str, dict[str, Any]]:
        """What the file itself says of each run, by ``model@dataset``."""
        return {_key(e): e.values for e in find_entries(self._statements, RUN)}

    def check(self) -> Workspace:
        """The workspace that the file will be.

        Raises
        ------
        WorkspaceError
            Something in it cannot be; the message says what.
        """
        return parse_workspace(self.text, self.path)

    def with_dataset(self, values: Mapping[str, Any], old: str | None = None) -> WorkspaceFile:
        """Add a dataset, or change the one named ``old``; its runs follow when it is renamed.

        Parameters
        ----------
        values : mapping
            All keys that the dataset is to have, as the file spells them.

        Raises
        ------
        WorkspaceError
            There is none named ``old``.
        """
        changed = self._with(DATASET, values, old)
        name = values.get("name")
        if old is None or name == old or not isinstance(name, str):
            return changed
        for key, run in self.runs.items():
            renamed = {k: name if k in ("dataset", "trained_on") and v == old else v for k, v in run.items()}
            if renamed != run:
                changed = changed._with(RUN, renamed, key)
        return changed

    def with_run(self, values: Mapping[str, Any], old: str | None = None) -> WorkspaceFile:
        """Add a run, or change the one with the key ``old``.

        Raises
        ------
        WorkspaceError
            There is none with this key.
        """
        return self._with(RUN, values, old)

    def without_dataset(self, name: str) -> WorkspaceFile:
        """Take a dataset out.

        Raises
        ------
        WorkspaceError
            Runs use it, or there is none with this name.
        """
        users = [key for key, run in self.runs.items() if run.get("dataset") == name]
        if users:
            listed = ", ".join(f'"{key}"' for key in users[:5]) + (", …" if len(users) > 5 else "")
            raise WorkspaceError(
                f'{self.path.name}: the dataset "{name}" cannot be removed, for runs use it: {listed}. '
                "Remove these first, or give them another dataset."
            )
        return self._without(DATASET, name)

    def without_run(self, key: str) -> WorkspaceFile:
        """Take a run out.

        Raises
        ------
        WorkspaceError
            There is none with this key.
        """
        return self._without(RUN, key)

    def save(self) -> WorkspaceFile:
        """Check the text and write it, whole; a link stays a link, and the file keeps its mode.

        Raises
        ------
        WorkspaceError
            The text is no workspace, the file was changed meanwhile, or it cannot be written. The file is then as
            it was.
        """
        self.check()
        self.require(self.digest)
        content = (_BOM if self.bom else "").encode() + self.text.encode()
        target = self.path.resolve()
        beside = target.with_name(f".{target.name}.{os.getpid()}")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            if target.exists() and not os.access(target, os.W_OK):
                raise PermissionError(0, "it is write-protected")
            with beside.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            if target.exists():
                beside.chmod(stat.S_IMODE(target.stat().st_mode))
            self.require(self.digest)
            os.replace(beside, target)
        except OSError as error:
            raise WorkspaceError(
                f"{self.path}: cannot be written ({error.strerror or error}). Check the permissions of the file and "
                "its folder; your entries are kept."
            ) from None
        finally:
            with suppress(OSError):
                beside.unlink(missing_ok=True)
        return WorkspaceFile.open(self.path)

    def require(self, digest: str) -> None:
        """Make sure that the file still holds what was read when its digest was taken.

        Raises
        ------
        WorkspaceError
            It does not.
        """
        if _digest_on_disk(self.path) != digest:
            raise WorkspaceError(
                f"{self.path.name}: the file was changed on disk meanwhile; your entries are kept. Load it again, "
                "look at what they would change now, and save."
            )

    @cached_property
    def _statements(self) -> tuple[Statement, ...]:
        return tuple(split(self.text))

    @property
    def _end(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\n"

    def _with(self, kind: str, values: Mapping[str, Any], old: str | None) -> WorkspaceFile:
        statements = self._statements
        if old is None:
            return self._replaced(added(statements, kind, new_entry(kind, values, self._end), self._end))
        entry = self._find(kind, old)
        own = [statements[i] for i in entry.at]
        changed = changed_entry(kind, own, entry.values, values, self._end)
        if changed == own:
            return self
        rest = [s for i, s in enumerate(statements) if i not in entry.at]  # its tables come together, where it begins
        return self._replaced([*rest[: entry.at[0]], *changed, *rest[entry.at[0] :]])

    def _without(self, kind: str, name: str) -> WorkspaceFile:
        return self._replaced(removed(self._statements, self._find(kind, name)))

    def _find(self, kind: str, name: str) -> Entry:
        for entry in find_entries(self._statements, kind):
            if (_key(entry) if kind == RUN else entry.values["name"]) == name:
                return entry
        raise WorkspaceError(
            f'{self.path.name}: no {kind} named "{name}" stands there as [[{kind}]]; it was renamed or removed '
            "meanwhile, or is written as a list in one line, which only an editor can change."
        )

    def _replaced(self, statements: list[Statement]) -> WorkspaceFile:
        return WorkspaceFile(self.path, self.digest, join(statements), self.bom)


def written_path(text: str, base: Path) -> str:
    """A typed path as the file is to hold it: one under the file's folder is relative to it, with slashes."""
    typed = text.strip()
    if Path(typed).is_absolute():
        with suppress(ValueError, OSError):
            return Path(typed).relative_to(base.resolve()).as_posix()
    return typed


def _key(entry: Entry) -> str:
    return f"{entry.values.get('model')}@{entry.values.get('dataset')}"


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def _digest_on_disk(path: Path) -> str:
    try:
        return _digest(path.read_bytes())
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise WorkspaceError(f"{path}: cannot be read ({error.strerror or error}).") from None
