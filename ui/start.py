"""Which workspace is open: the one that was named, or the demo."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from analysis import OpenWorkspace
from analysis.workspace.load import parse_workspace
from ui import loaders
from ui.demo import demo_workspace

VARIABLE = "ORTHOSCOPE_WORKSPACE"


def opened_workspace() -> OpenWorkspace:
    """The workspace named after ``--``, else by the environment, else the demo; empty where the file is not there.

    Raises
    ------
    WorkspaceError
        It cannot be read, or something in it cannot be.
    """
    path = named_workspace() or demo_workspace()
    if not path.exists():
        return OpenWorkspace(parse_workspace("", path))  # still to be written: the Data page helps
    return loaders.workspace(path)


def named_workspace() -> Path | None:
    """The workspace file that the user named: ``streamlit run streamlit_app.py -- --workspace FILE``."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--workspace", default=os.environ.get(VARIABLE))
    named = parser.parse_known_args(sys.argv[1:])[0].workspace
    return Path(named).expanduser().resolve() if named else None
