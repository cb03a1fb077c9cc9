"""The pictures of one tile of a run."""

from __future__ import annotations

from analysis.api import OpenRun
from analysis.catalogue.run import RunCatalogue, catalogue_run
from analysis.catalogue.tiles import Tile
from analysis.catalogue.tiling import Window
from analysis.errors import SelectionError
from analysis.pictures.photo import Limits
from analysis.pictures.pixels import TilePixels, tile_pixels
from analysis.reading.rules import LabelRule
from analysis.scoring.run import prepare
from analysis.words.order import normal


class TileFinder:
    """Finds and reads the files of a run's tiles; the folders are listed once, when it is made.

    Parameters
    ----------
    run : OpenRun

    Raises
    ------
    WorkspaceError
        The run's split is none that the dataset knows.
    """

    def __init__(self, run: OpenRun) -> None:
        self._run = run
        found: RunCatalogue = catalogue_run(run.run, run.dataset)
        self._rules: tuple[LabelRule, LabelRule] = prepare(run.run, found)
        self._tiles = {normal(tile.id): tile for tile in found.tiles}

    @property
    def readings(self) -> list[str]:
        """How ground truth and prediction are read, in words."""
        return [rule.describe() for rule in self._rules]

    def find(self, tile_id: str) -> Tile:
        """The tile with this id.

        Raises
        ------
        SelectionError
            The run has no such tile, or its files were moved since it was scored.
        """
        try:
            return self._tiles[normal(tile_id)]
        except KeyError:
            raise SelectionError(
                f'{self._run.key} has no tile "{tile_id}" in its folders now. Look at the Data page for what is there.'
            ) from None

    def pixels(self, tile_id: str, part: Window | None = None, limits: dict[str, Limits] | None = None) -> TilePixels:
        """The tile's image or images, ground truth and prediction, reduced to at most 2048 px a side.

        Parameters
        ----------
        part : Window, optional
            Rows and columns of the tile, to see less of it more closely.
        limits : dict, optional
            ``TilePixels.limits`` of the whole tile, for a part of it to be as bright.

        Raises
        ------
        SelectionError
            The run has no such tile.
        ValueError
            The part lies outside the tile.
        """
        roles = tuple(self._run.dataset.pictures)
        return tile_pixels(self.find(tile_id), self._rules, roles, self._run.run.resize, part, limits)
