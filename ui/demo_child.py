"""The process that makes the demo: draws it and scores it, both through the command line, under one lock.

``python -m ui.demo_child FOLDER`` ends at once where another process is at it. It imports nothing of Streamlit.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from analysis.store.folder import RunLock

WORKSPACE = "workspace.toml"
_REFUSED_SOME = 3


def lock_folder(folder: Path) -> Path:
    """Where the lock and the log of the demo's making lie: beside the demo, for its own folder is made whole."""
    return folder.with_name(f"{folder.name}-making")


def main(folder: Path) -> int:
    """Make and score the demo; the exit status of the step that failed, or 0."""
    lock = RunLock(lock_folder(folder))
    if not lock.take(wait=False):
        return 0
    try:
        for step in (["demo", str(folder)], ["score", str(folder / WORKSPACE)]):
            status = subprocess.run([sys.executable, "-m", "analysis", *step], check=False).returncode
            if status not in (0, _REFUSED_SOME):
                return status
        return 0
    finally:
        lock.free()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
