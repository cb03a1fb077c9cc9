"""The objects that are listed as CSV, and its manifest."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

from streamlit.delta_generator import DeltaGenerator

from analysis.reports.manifest import manifest_bytes, object_manifest
from analysis.reports.objects_csv import ObjectEntry, object_csv
from analysis.selection.model import chosen
from analysis.selection.objects import Positions
from ui import loaders
from ui.selection import View
from ui.small_objects.filters import Wish
from ui.small_objects.numbers import Shapes
from ui.text import some


def draw(place: DeltaGenerator, view: View, found: Shapes, wish: Wish, positions: Positions) -> None:
    """The two buttons; the bytes are made when one is clicked."""
    place.download_button(
        "CSV",
        lambda: b"".join(_csv(view, found, positions)),
        "objects.csv",
        "text/csv",
        on_click="ignore",
        icon=":material/download:",
        type="tertiary",
        key="objects_csv",
        help=f"All {some(len(positions), 'object')} that pass the filters, in this order, with their sizes and boxes.",
    )
    place.download_button(
        "How it was made",
        lambda: _manifest(view, found, wish, positions),
        "objects.json",
        "application/json",
        on_click="ignore",
        icon=":material/description:",
        type="tertiary",
        key="objects_json",
        help="The manifest of the CSV: settings, filters, what the columns and outcomes mean, versions and hashes.",
    )


def _csv(view: View, found: Shapes, positions: Positions) -> Iterator[bytes]:
    # All columns are read from disk only now. The rows are those of `found.table`, in the same order.
    table = view.run.objects(found.counts).iloc[positions]
    return object_csv([ObjectEntry(view.run.run.model, view.run.run.dataset, found.classes, found.counts.tiles, table)])


def _manifest(view: View, found: Shapes, wish: Wish, positions: Positions) -> bytes:
    digest = hashlib.sha256()
    for piece in _csv(view, found, positions):
        digest.update(piece)
    whole = loaders.shapes(view.run)
    selection: dict[str, Any] = {**view.selection.filters, "objects": wish.words, "written": len(positions)}
    content = object_manifest(
        view.run,
        whole.take(chosen(whole, view.selection)),
        len(found.table["tile"]),
        digest.hexdigest(),
        selection,
        bins=[bins[0] for bins in (wish.filter.area, wish.filter.width) if bins],
        with_edge_cut=wish.filter.cut is not False,
    )
    return manifest_bytes(content)
