"""Whether a tile was scored, and what was counted on it."""

from __future__ import annotations

SCORED, REFUSED = "scored", "refused"

PIXELS, OBJECTS = "pixels", "objects"
"""What the column ``counted`` of a tile begins with."""
