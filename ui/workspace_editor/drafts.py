"""What is being typed, kept in the folder of the counts: it survives a reload and a restart of the server.

A link never carries paths, so drafts are not in the URL.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from analysis.store.folder import cache_folder, make_folder, read_json, write_json, writing
from ui.workspace_editor.spelling import empty_state


@dataclass(frozen=True)
class Form:
    """A form that is open.

    Parameters
    ----------
    workspace : Path
    kind : {"dataset", "run"}
    entry : str
        Name of the dataset or key of the run that is changed; empty for a new one.
    """

    workspace: Path
    kind: str
    entry: str = ""

    @property
    def id(self) -> str:
        """A short name of the form, for keys and files."""
        content = json.dumps([str(self.workspace), self.kind, self.entry])
        return f"{self.kind}-{hashlib.blake2b(content.encode(), digest_size=8).hexdigest()}"


@dataclass(frozen=True)
class Draft:
    """What was typed into a form.

    Parameters
    ----------
    digest : str
        Of the workspace file when the form was opened.
    state : dict
        Field -> what stands in it.
    """

    digest: str
    state: dict[str, Any]


def load(form: Form) -> Draft | None:
    """The draft of a form; None where there is none that fits."""
    content = read_json(_path(form))
    if content is None or not isinstance(content.get("state"), dict) or not isinstance(content.get("digest"), str):
        return None
    state = content["state"]
    wanted = empty_state(form.kind)
    if any(not isinstance(state.get(key), type(value)) for key, value in wanted.items()):
        return None
    return Draft(content["digest"], {key: state[key] for key in wanted})


def save(form: Form, draft: Draft) -> None:
    """Write a draft, whole.

    Raises
    ------
    StoreError
        The folder cannot be written.
    """
    path = _path(form)
    make_folder(path.parent)
    write_json(path, {"workspace": str(form.workspace), "kind": form.kind, "entry": form.entry, **asdict(draft)})


def drop(form: Form) -> None:
    """Forget a draft.

    Raises
    ------
    StoreError
        The folder cannot be written.
    """
    path = _path(form)
    with writing(path):
        path.unlink(missing_ok=True)


def waiting(workspace: Path) -> list[Form]:
    """The forms of a workspace that have a draft."""
    found = []
    for path in sorted((cache_folder() / "drafts").glob("*.json")):
        content = read_json(path) or {}
        form = Form(workspace, str(content.get("kind")), str(content.get("entry", "")))
        if content.get("workspace") == str(workspace) and form.kind in ("dataset", "run") and load(form) is not None:
            found.append(form)
    return found


def _path(form: Form) -> Path:
    return cache_folder() / "drafts" / f"{form.id}.json"
