"""``docs/metrics.md``, made from the registries: ``python -m analysis.reports.metrics_page``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from analysis.scores import CONVENTIONS, EDGE_SETS, LINE_METRICS, METRICS, OBJECT_METRICS, RANKINGS, SIZE_METRICS
from analysis.words.outcomes import OBJECT_MEANING, OUTCOMES, REASONS, SIDE_LABELS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "metrics.md"

_HEAD = """# Metrics, conventions, rankings, objects

Made from the registries in `analysis/scores`, which tables, tooltips and exports read too.

TP, FP and FN of a class are pixels. Counts are taken once per tile: a matrix of ground truth by prediction
whose last column holds predicted values outside the class list (never right, never dropped). Ignored and
nodata pixels of the ground truth are in no count. An undefined number is shown as "–", is empty in CSV and
`null` in JSON, and is never 0.

Boundary IoU compares the bands of `boundary_px` px (3, unless the workspace file says otherwise) along the
boundaries of a class, on its inner side. Other than in the original, the edge of a tile is no boundary, nor
are ignored pixels: a tile's edge is where the picture ends, not where an object does.
"""

_OBJECTS = f"""
## Objects

{OBJECT_MEANING} Whether corners touch is a setting, `connectivity` (8, unless the workspace file says otherwise).

What becomes of an object is one of five outcomes on each side; the first that applies, in this order, holds. A
missed object names the class that most of its pixels were taken for.
"""

_SIZES = """
### By size

Ground truth objects are binned by their own area, predicted ones by the predicted area. An edge belongs to the bin
above it; the first bin starts at 0 and the last one is open. Bins are in m² where every tile with objects has a GSD,
in px otherwise. Objects that a tile's edge cuts have a false area: they are left out, with their number shown, unless
the switch is set. Where a tile has more than 2,000 objects on a side, those under 4 px are in the counts above but in
no size bin. An empty bin is undefined, not 0.
"""

_LINES = """
## Centre lines

The centre line of a narrow class is the skeleton of its mask (Zhang and Suen 1984), in the ground truth and in the
prediction. The width at a pixel of it is twice the distance to the nearest pixel that is not of the class, less 1, and
reads 0 to 2 px less than it is. Pixels of the ground truth's line whose width the edge of a tile or an ignored pixel
could falsify are left out, with their number shown. A pixel is found where the other line is within the tolerance:
`tolerance_m` metres (1.5, unless the workspace file says otherwise), 3 px where the GSD is not known.
"""

_REASONS = """
### Where the IoU of a class goes

1 - IoU = (FP + FN) / union. Every false negative lies in a ground truth object, every false positive in a predicted
one, so both split exactly by what became of that object, tile by tile and pooled. "If mended" is the IoU if all pixels
of a reason were right: false negatives become true positives, false positives leave the union; what the class gains
that they really are is not counted. The background has no objects, so its IoU is not explained.
"""


def metrics_page() -> str:
    """The page's text."""
    parts = [_HEAD]
    parts += ["## Metrics\n", *_metrics(METRICS)]
    parts += [
        "\n## Conventions\n",
        "The same counts give different means; each names a rule, so that two numbers can be compared.\n",
        *_table(
            ("convention", "rule", "why it differs", "who uses it"),
            [(f"**{c.label}** `{c.id}`", c.rule, c.differs, c.used_by) for c in CONVENTIONS.values()],
        ),
        "\n## Rankings of tiles\n",
        *_table(
            ("ranking", "what it is for"),
            [(f"**{r.label}** `{r.id}`", r.purpose) for r in RANKINGS.values()],
        ),
        "\nTiles whose value is undefined are listed last and apart; equal tiles stand in natural order.",
    ]
    parts += [_OBJECTS, *_outcomes(), "", *_metrics(OBJECT_METRICS)]
    parts += [_REASONS, *_table(("reason", "which pixels"), [(f"**{r.label}**", r.definition) for r in REASONS])]
    parts += [_SIZES, *_metrics(SIZE_METRICS), "", *_bins("area"), _LINES, *_metrics(LINE_METRICS), "", *_bins("width")]
    return "\n".join(parts) + "\n"


def _metrics(registry: Mapping[str, Any]) -> Iterator[str]:
    yield from _table(
        ("metric", "formula", "better", "undefined when", "unit", "source"),
        [
            (f"**{m.label}** `{m.id}`", m.formula, m.better, m.undefined_when, m.unit, m.source)
            for m in registry.values()
        ],
    )


def _outcomes() -> Iterator[str]:
    yield from _table(
        ("side", "outcome", "definition"),
        [(SIDE_LABELS[o.side], f"**{o.label}** `{o.id}`", o.definition) for side in OUTCOMES for o in side],
    )


def _bins(of: str) -> Iterator[str]:
    yield from _table(
        ("bins", "edges", "why"),
        [(f"**{e.label}** `{e.id}`", "; ".join(e.labels), e.note) for e in EDGE_SETS.values() if e.of == of],
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield "| " + " | ".join(head) + " |"
    yield "| " + " | ".join("---" for _ in head) + " |"
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"


if __name__ == "__main__":
    PAGE.write_text(metrics_page(), encoding="utf-8")
