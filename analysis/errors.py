"""Every error that Orthoscope raises on purpose.

OrthoscopeError
├── WorkspaceError      the workspace file, or what it names, cannot be used
├── SelectionError      a selection or a query string that means nothing
├── StoreError          counts cannot be written, read or locked
└── TileError           one tile cannot be scored; becomes its reason, never a crash

A message names the file, what was expected, what was found and the next step.
"""

from __future__ import annotations


class OrthoscopeError(Exception):
    """Base class: its text is written for the user and can be shown as it is."""


class WorkspaceError(OrthoscopeError):
    """The workspace file, or something that it names, cannot be used."""


class SelectionError(OrthoscopeError):
    """A selection names something that is not there, or cannot be read."""


class StoreError(OrthoscopeError):
    """Counts cannot be written to, read from or locked in the store."""


class TileError(OrthoscopeError):
    """One tile cannot be scored.

    Parameters
    ----------
    code : str
        The code of the notice that the refusal becomes, such as ``size-mismatch``.
    message : str
        The reason, written for the user.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
