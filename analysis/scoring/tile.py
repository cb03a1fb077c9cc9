"""One tile: its two files read once, counted, and what the user must know about it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from analysis.catalogue.sides import Source
from analysis.catalogue.tiles import Tile
from analysis.errors import TileError
from analysis.kernels.histogram import score_histogram
from analysis.kernels.pair import PairCounter, TileCounts
from analysis.reading.georeference import compare
from analysis.reading.header import Header
from analysis.reading.labels import LabelFile
from analysis.reading.raster import Raster
from analysis.scoring.recipe import Recipe, base_row, refusal
from analysis.scoring.strips import Area, strips
from analysis.scoring.verdicts import check_truth, object_notices, prediction_notices, truth_notices
from analysis.words.notices import WARNING, Notice
from analysis.words.status import SCORED
from analysis.workspace.model import NEAREST

_OPEN_SHEETS = 4


class TileScorer:
    """Scores tiles one after the other; one a worker."""

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe
        self._counter = PairCounter(len(recipe.truth.classes), recipe.boundary_px, recipe.objects)
        self._sheets: OrderedDict[Path, Raster] = OrderedDict()

    def score(self, tile: Tile) -> dict[str, Any]:
        """The tile's row for the store; a tile that cannot be scored becomes a refused row."""
        row = base_row(tile, self._recipe.reading, self._recipe.counted(tile.scene))
        try:
            row |= self._score(tile)
        except TileError as error:
            row |= refusal(error.code, str(error))
        return row

    def close(self) -> None:
        """Close the sheets that were kept open."""
        for raster in self._sheets.values():
            raster.close()
        self._sheets.clear()

    def _score(self, tile: Tile) -> dict[str, Any]:
        recipe = self._recipe
        if tile.truth is None or tile.prediction is None:
            raise ValueError(f"tile {tile.id} has no pair")
        with self._open(tile.truth) as t, self._open(tile.prediction) as p:
            truth = LabelFile(t, recipe.truth)
            at = area_of(tile.truth, t.header)
            prediction, beside, notices = self._fit(tile, t.header, at, p)
            tolerance = recipe.tolerance_px(tile.scene, t.header.gsd)
            counts, histogram = self._count(truth, at, prediction, beside, tolerance)
            truth.note_counts(counts.truth_raw_counts)
            prediction.note_counts(counts.prediction_raw_counts)
            check_truth(truth)
            outside = int(counts.confusion[:, -1].sum())
            notices += [*truth_notices(truth, tile.id), *prediction_notices(prediction, tile.id, outside)]
            notices += object_notices(counts.objects, tile.id)
            notices += compare(t.header, p.header, tile.id)
            notices += self._picture_notices(tile, t.header, at)
            return {
                "status": SCORED,
                "height": at.height,
                "width": at.width,
                "gsd": t.header.gsd,
                "valid": counts.valid,
                "ignored": counts.ignored,
                "truth_hash": counts.truth_hash,
                "prediction_hash": counts.prediction_hash,
                "confusion": counts.confusion,
                "edges": counts.edges,
                "boundary": counts.boundary,
                "bands": counts.bands,
                "histogram": histogram,
                **counts.objects,
                "notices": notices,
            }

    def _fit(self, tile: Tile, truth: Header, at: Area, raster: Raster) -> tuple[LabelFile, Area, list[Notice]]:
        """The prediction under its rule and the part of it that belongs to the tile; resized where asked for."""
        source = tile.prediction
        assert source is not None
        assert tile.truth is not None
        own = raster.header
        area = area_of(source, own)
        sheets = source.window is not None and tile.truth.window is not None
        fits = (area.height, area.width) == (at.height, at.width)
        if sheets:
            fits = fits and (own.height, own.width) == (truth.height, truth.width)
        elif source.window is not None and tile.row is not None and tile.column is not None:
            # A cut truth and a whole predicted sheet: k must mean the same place in both.
            fits = fits and (area.rows[0], area.columns[0]) == (tile.row * at.height, tile.column * at.width)
        if fits:
            return LabelFile(raster, self._recipe.prediction), area, []
        whole = source.window is None and tile.truth.window is None
        if self._recipe.resize == NEAREST and (whole or sheets):
            size = (truth.height, truth.width)
            message = (
                f"{tile.id}: the prediction of {own.size} px was resized to the {truth.size} px of the ground truth "
                "by the nearest pixel, as the workspace asks."
            )
            return LabelFile(raster, self._recipe.prediction, size), at, [Notice("resized", WARNING, message, tile.id)]
        raise TileError(
            "size-mismatch",
            f"the ground truth {truth.path.name} has {at.width} x {at.height} px"
            + (f" of a sheet of {truth.size} px" if tile.truth.window else "")
            + f", the prediction {own.path.name} has {area.width} x {area.height} px"
            + (f" of a sheet of {own.size} px" if source.window else "")
            + '. Predict at the size of the ground truth, or set resize = "nearest" in the run.',
        )

    def _count(
        self, truth: LabelFile, at: Area, prediction: LabelFile, beside: Area, tolerance: float
    ) -> tuple[TileCounts, Any]:
        counter, histogram = self._counter, None
        counter.start(at.height, at.width, tolerance)
        for s in strips(truth, at, prediction, beside, counter.halo):
            counter.add(s.truth, truth.table, s.prediction, prediction.table, above=s.above, below=s.below, row=s.row)
            if s.scores is not None:
                counted = s.truth[s.above : len(s.truth) - s.below]
                bins = score_histogram(truth.table[counted], s.scores)
                histogram = bins if histogram is None else histogram + bins
        return counter.finish(), histogram

    def _picture_notices(self, tile: Tile, truth: Header, at: Area) -> list[Notice]:
        notices = []
        for role in self._recipe.roles:
            source = tile.pictures.get(role)
            if source is None:
                continue  # the catalogue has said so
            try:
                with self._open(source) as raster:
                    header = raster.header
            except TileError as error:
                notices.append(Notice(f"{role}-unreadable", WARNING, str(error), tile.id))
                continue
            size = area_of(source, header)
            if (size.height, size.width) != (at.height, at.width):
                message = (
                    f"The {role} {source.path.name} has {size.width} x {size.height} px and its ground truth "
                    f"{truth.path.name} {at.width} x {at.height} px; the tile is scored, and shown without it."
                )
                notices.append(Notice(f"{role}-size", WARNING, message, tile.id))
        return notices

    @contextmanager
    def _open(self, source: Source) -> Iterator[Raster]:
        """A tile's file for the moment; sheets stay open, for the tiles that follow lie in them too."""
        if source.window is None:
            with Raster(source.path) as raster:
                yield raster
            return
        kept = self._sheets.pop(source.path, None) or Raster(source.path)
        self._sheets[source.path] = kept
        while len(self._sheets) > _OPEN_SHEETS:
            self._sheets.popitem(last=False)[1].close()
        yield kept


def area_of(source: Source, header: Header) -> Area:
    """The part of a file that a tile is."""
    if source.window is None:
        return Area((0, header.height), (0, header.width))
    return Area(source.window.rows, source.window.columns)
