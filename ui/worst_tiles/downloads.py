"""What can be taken away from the Worst tiles page: all tiles that pass the filters as CSV, and its manifest."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import streamlit as st

from analysis.reports.csv_report import csv_bytes
from analysis.reports.manifest import manifest, manifest_bytes
from analysis.selection.ordering import in_current_order
from ui.selection import View
from ui.text import some
from ui.worst_tiles.ranking import Ranked


def draw(view: View, ranked: Ranked) -> None:
    """The two buttons; the bytes are made when one is clicked."""
    line = st.container(horizontal=True, gap="small", vertical_alignment="center")
    line.download_button(
        "CSV",
        lambda: _csv(view, ranked),
        "worst_tiles.csv",
        "text/csv",
        on_click="ignore",
        icon=":material/download:",
        key="worst_csv",
        help=f"All {some(len(view.chosen), 'tile')} that pass the filters, with counts by class: in this order, then "
        "those without a value, then the refused ones with their reasons.",
    )
    line.download_button(
        "How it was made",
        lambda: _manifest(view, ranked),
        "worst_tiles.json",
        "application/json",
        on_click="ignore",
        icon=":material/description:",
        key="worst_json",
        help="The manifest of the CSV: settings, filters, order, versions and hashes, so that it can be made again.",
    )


def _csv(view: View, ranked: Ranked) -> bytes:
    return csv_bytes([_entry(view, ranked)], view.among)


def _manifest(view: View, ranked: Ranked) -> bytes:
    entries = [_entry(view, ranked)]
    content = csv_bytes(entries, view.among)
    return manifest_bytes(manifest([view.run], entries, content, selection_of(view, ranked), view.among))


def _entry(view: View, ranked: Ranked) -> Any:
    return view.run.run.model, view.run.run.dataset, in_current_order(view.chosen, ranked.sequence)


def selection_of(view: View, ranked: Ranked) -> dict[str, Any]:
    """What the manifest says of the selection: filters, ranking, order, seed, number of tiles, and all as a link."""
    link = ranked.ordering.link(view.scored.classes)
    words = {"rank": "ranking", "by": "metric", "cls": "class", "truth": "truth", "predicted": "predicted"}
    seed = {"seed": ranked.ordering.seed} if "seed" in link else {}
    return {
        **view.selection.filters,
        "rank": {word: link[key] for key, word in words.items() if key in link},
        "order": ranked.ordering.order,
        **seed,
        "tiles": len(view.chosen),
        "query": "&".join(part for part in (view.selection.query(), urlencode(link)) if part),
    }
