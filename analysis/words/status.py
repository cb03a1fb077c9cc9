"""Whether a tile was scored."""

from __future__ import annotations

SCORED, REFUSED = "scored", "refused"
