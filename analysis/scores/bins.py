"""Edges of size and width bins: named sets, and edges that a user types. Bins are a display setting, never stored.

Bins are half-open: the lower edge belongs to a bin, the upper one to the next. The first bin starts at 0 and the last
one is open, so nothing falls outside.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from analysis.errors import SelectionError
from analysis.scores.registry import by_id

Unit = Literal["m2", "px", "m"]
UNIT_LABELS = {"m2": "m²", "px": "px", "m": "m"}
MOST_EDGES = 20
CUSTOM = "custom"
_SEPARATORS = re.compile(r"\s*[,;]\s*|\s+")
_NUMBER = re.compile(r"\d+(\.\d*)?|\.\d+")


@dataclass(frozen=True)
class EdgeSet:
    """Edges of bins.

    Parameters
    ----------
    id, label : str
        For machines and for people.
    of : {"area", "width"}
        What is binned.
    unit : {"m2", "px", "m"}
    edges : tuple of float
        The edges between bins, ascending and above 0; n edges make n + 1 bins.
    note : str
        A sentence: why these.
    names : tuple of str
        Names of the bins, where they have any.
    """

    id: str
    label: str
    of: Literal["area", "width"]
    unit: Unit
    edges: tuple[float, ...]
    note: str = ""
    names: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.edges) + 1

    @cached_property
    def bounds(self) -> tuple[tuple[float, float], ...]:
        """Lower (in the bin) and upper edge (not in it) of every bin; the last upper one is infinite."""
        return tuple(zip((0.0, *self.edges), (*self.edges, math.inf), strict=True))

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """What stands under each bin, such as ``25 to 50 m²``; widths in px are whole numbers: ``4 to 6 px``."""
        unit = UNIT_LABELS[self.unit]
        found = []
        for i, (low, high) in enumerate(self.bounds):
            if self.of == "width" and self.unit == "px":
                text = _whole_px(max(low, 1), high)
            elif high == math.inf:
                text = f"{low:,g} {unit} and more" if low else f"all, in {unit}"
            else:
                text = f"under {high:,g} {unit}" if not low else f"{low:,g} to {high:,g} {unit}"
            found.append(f"{self.names[i]}: {text}" if self.names else text)
        return tuple(found)

    def as_rule(self) -> dict[str, object]:
        """The rule for a manifest: edges and how they are taken."""
        return {
            "of": self.of,
            "unit": self.unit,
            "edges": list(self.edges),
            "rule": "the lower edge is in the bin, the upper one is in the next; the first bin starts at 0, the last "
            "is open",
        }


def _whole_px(low: float, high: float) -> str:
    """Whole widths from `low` up to, not including, `high`."""
    first, last = int(low), high - 1
    if last == math.inf:
        return f"over {first - 1} px" if first > 1 else "all, in px"
    return f"{first} px" if last == first else f"{first} to {int(last)} px"


AREA_M2, AREA_PX, COCO, WIDTH_PX, WIDTH_M = "area_m2", "area_px", "coco", "width_px", "width_m"

EDGE_SETS = by_id(
    [
        EdgeSet(
            AREA_M2,
            "Steps of two, m²",
            "area",
            "m2",
            (25.0, 50.0, 100.0, 200.0, 400.0, 800.0),
            "Sheds and garages, small houses, houses, farm and terraced buildings, blocks, halls: each bin is twice as "
            "large as the one before. 25 m² are 400 px at 25 cm and 100 px at 50 cm, so even the smallest bin holds "
            "objects that both resolutions can show.",
        ),
        EdgeSet(
            AREA_PX,
            "Steps of four, px",
            "area",
            "px",
            (16.0, 64.0, 256.0, 1024.0, 4096.0, 16384.0),
            "The areas of squares of 4, 8, 16, 32, 64 and 128 px.",
        ),
        EdgeSet(
            COCO,
            "COCO, px",
            "area",
            "px",
            (32.0**2, 96.0**2),
            "Areas of squares of 32 and 96 px (cocoapi, cocoeval.py; there an object on an edge is in both bins, here "
            "in the upper one). They are 64 and 576 m² at 25 cm, 256 and 2,304 m² at 50 cm.",
            ("small", "medium", "large"),
        ),
        EdgeSet(
            WIDTH_PX,
            "Widths, px",
            "width",
            "px",
            (4.0, 7.0, 11.0, 16.0, 21.0, 33.0),
            "Fine steps where a width of a few px decides; widths over 32 px are not told apart.",
        ),
        EdgeSet(
            WIDTH_M,
            "Widths, m",
            "width",
            "m",
            (1.5, 2.5, 4.0, 6.0, 8.0),
            "Paths, tracks, one lane, two lanes, wider ones. Widths over 32 px, 8 m at 25 cm, are not told apart.",
        ),
    ]
)


def parse_edges(text: str, of: Literal["area", "width"], unit: Unit) -> EdgeSet:
    """Edges that a user typed, such as ``10, 50, 100``: positive numbers in ascending order.

    They are separated by commas, semicolons or spaces; decimals have a point. A leading 0 (of widths in px, which are
    whole, a leading 1) may stand and says nothing.

    Raises
    ------
    SelectionError
        The text holds something else, no edge, or more than 20.
    """
    example = "Write numbers like 10, 50, 100."
    words = [word for word in _SEPARATORS.split(text.strip()) if word]
    for word in words:
        if not _NUMBER.fullmatch(word):
            raise SelectionError(f"The edges {text!r} hold {word!r}, which is not a positive number. {example}")
    edges = [float(word) for word in words]
    whole = of == "width" and unit == "px"
    if whole and not all(edge.is_integer() for edge in edges):
        raise SelectionError(f"The edges {text!r} hold fractions of a pixel; widths in px are whole numbers. {example}")
    # Nothing lies below these: no width is under 1 px.
    if edges and edges[0] in ((0.0, 1.0) if whole else (0.0,)):
        del edges[0]
    if not edges:
        raise SelectionError(f"The edges {text!r} hold nothing that parts bins. {example}")
    if len(edges) > MOST_EDGES:
        raise SelectionError(f"There are {len(edges)} edges; at most {MOST_EDGES} can be shown.")
    if not all(low < high for low, high in zip([0.0, *edges], edges, strict=False)) or math.isinf(edges[-1]):
        raise SelectionError(f"The edges {text!r} do not ascend: each must be larger than the one before. {example}")
    return EdgeSet(CUSTOM, "Own edges", of, unit, tuple(edges))


def edge_set(id: str, of: Literal["area", "width"]) -> EdgeSet:
    """The named set with this id.

    Raises
    ------
    SelectionError
        There is none for areas, or none for widths.
    """
    chosen = {name: entry for name, entry in EDGE_SETS.items() if entry.of == of}
    if id not in chosen:
        raise SelectionError(f"There are no {of} bins {id!r}; choose one of {', '.join(chosen)}.")
    return chosen[id]


def without_empty_tail(edges: EdgeSet, limit: float) -> EdgeSet:
    """The set without edges above `limit`: what they would part is not told apart in the counts."""
    kept = tuple(edge for edge in edges.edges if edge <= limit)
    if len(kept) == len(edges.edges):
        return edges
    return EdgeSet(edges.id, edges.label, edges.of, edges.unit, kept, edges.note, _joined(edges.names, len(kept) + 1))


def _joined(names: Sequence[str], bins: int) -> tuple[str, ...]:
    return tuple(names[: bins - 1]) + ((" and ".join(names[bins - 1 :]),) if names else ())
