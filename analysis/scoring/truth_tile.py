"""The truth of one tile alone, for the truth table."""

from __future__ import annotations

from typing import Any

from analysis.catalogue.tiles import Tile
from analysis.errors import TileError
from analysis.kernels.truth import TruthCounter
from analysis.reading.labels import LabelFile
from analysis.reading.raster import Raster
from analysis.reading.rules import LabelRule
from analysis.scoring.recipe import base_row, refusal
from analysis.scoring.strips import STRIP_PIXELS
from analysis.scoring.tile import area_of
from analysis.scoring.verdicts import check_truth
from analysis.words.status import SCORED


def count_truth(tile: Tile, rule: LabelRule, counter: TruthCounter) -> dict[str, Any]:
    """A tile's row for the truth table, where no prediction is read."""
    row = {k: v for k, v in base_row(tile, rule.coding).items() if not k.startswith("prediction")}
    source = tile.truth
    assert source is not None
    try:
        with Raster(source.path) as raster:
            file = LabelFile(raster, rule)
            at = area_of(source, raster.header)
            counter.start(at.height, at.width)
            for top in range(0, at.height, step := max(1, STRIP_PIXELS // at.width)):
                rows = (at.rows[0] + top, at.rows[0] + min(at.height, top + step))
                counter.add(file.read(rows, at.columns).codes, file.table, row=top)
            counts = counter.finish()
            file.note_counts(counts.raw_counts)
            check_truth(file)
    except TileError as error:
        return row | refusal(error.code, str(error))
    return row | {
        "status": SCORED,
        "height": at.height,
        "width": at.width,
        "gsd": raster.header.gsd,
        "ignored": counts.ignored,
        "truth_hash": counts.hash,
        "pixels": counts.pixels,
    }
