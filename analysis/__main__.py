"""``python -m analysis``: see `analysis.commands`."""

from __future__ import annotations

import sys

from analysis.commands.main import main

if __name__ == "__main__":
    sys.exit(main())
