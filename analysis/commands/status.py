"""Exit statuses of the command line."""

from __future__ import annotations

OK, USAGE, REFUSED, STOPPED = 0, 2, 3, 130
