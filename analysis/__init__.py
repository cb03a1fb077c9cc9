"""Orthoscope's core: where does this model fail, and why? It knows nothing of Streamlit.

>>> from analysis import open_workspace  # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from analysis.api import OpenRun, OpenWorkspace, open_workspace
    from analysis.scores import score

__all__ = ["OpenRun", "OpenWorkspace", "open_workspace", "score"]


def __getattr__(name: str) -> Any:
    """Load the interface when it is asked for, so that a worker imports no more than it needs."""
    if name == "score":
        from analysis.scores import score

        return score
    if name in __all__:
        from analysis import api

        return getattr(api, name)
    raise AttributeError(f"module 'analysis' has no attribute {name!r}")
