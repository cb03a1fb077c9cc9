"""``docs/metrics.md``, made from the registries: ``python -m analysis.reports.metrics_page``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from analysis.scores import CONVENTIONS, METRICS, RANKINGS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "metrics.md"

_HEAD = """# Metrics, conventions, rankings

Made from the registries in `analysis/scores`, which tables, tooltips and exports read too.

TP, FP and FN of a class are pixels. Counts are taken once per tile: a matrix of ground truth by prediction
whose last column holds predicted values outside the class list (never right, never dropped). Ignored and
nodata pixels of the ground truth are in no count. An undefined number is shown as "–", is empty in CSV and
`null` in JSON, and is never 0.

Boundary IoU compares the bands of `boundary_px` px (3, unless the workspace file says otherwise) along the
boundaries of a class, on its inner side. Other than in the original, the edge of a tile is no boundary, nor
are ignored pixels: a tile's edge is where the picture ends, not where an object does.
"""


def metrics_page() -> str:
    """The page's text."""
    parts = [_HEAD]
    parts += [
        "## Metrics\n",
        *_table(
            ("metric", "formula", "better", "undefined when", "unit", "source"),
            [
                (f"**{m.label}** `{m.id}`", m.formula, m.better, m.undefined_when, m.unit, m.source)
                for m in METRICS.values()
            ],
        ),
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
    return "\n".join(parts) + "\n"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield "| " + " | ".join(head) + " |"
    yield "| " + " | ".join("---" for _ in head) + " |"
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"


if __name__ == "__main__":
    PAGE.write_text(metrics_page(), encoding="utf-8")
