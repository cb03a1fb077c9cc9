"""``demo``: make the demo dataset, its models and its workspace file."""

from __future__ import annotations

import sys
from pathlib import Path

from analysis.commands.status import OK
from analysis.demo import make_demo


def demo_command(folder: Path) -> int:
    """Make the demo and say what to do with it."""
    workspace = make_demo(
        folder, report=lambda stage, share: print(f"{share:4.0%}  {stage}", file=sys.stderr, flush=True)
    )
    print(f"The demo is ready: {workspace}")
    print(f"  score it:  python -m analysis score {workspace}")
    print(f"  open it:   streamlit run streamlit_app.py -- --workspace {workspace}")
    return OK
