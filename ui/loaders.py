"""What pages read, kept in memory: keyed by the names, sizes and time stamps of the files behind it.

A new score changes those files, so it shows without a restart. Nothing that is cached may be changed; arrays are
frozen.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import streamlit as st

from analysis import OpenRun, OpenWorkspace, open_workspace
from analysis.catalogue.tiling import Window
from analysis.pictures.layers import TileLayers, tile_layers
from analysis.pictures.pixels import files_of
from analysis.pictures.small import Small
from analysis.pictures.thumbnails import Thumbnails, Wanted
from analysis.pictures.tile import TileFinder
from analysis.preflight.report import DatasetReport, RunReport, check_dataset, check_run
from analysis.store.load import SHAPE_ARRAYS, RunCounts, load_notices
from analysis.words.notices import Notice
from analysis.workspace.model import Dataset

Stamp = tuple[tuple[str, int, int], ...]
ObjectColumns = dict[str, npt.NDArray[Any]]

LISTED = (
    *("side", "cls", "outcome", "edge", "area", "hit", "taken", "top", "left", "bottom", "right"),
    *("line_px", "width_sum"),
)
"""What pages need of every object; the rest is read when a file of them is made."""

_LOOK_AGAIN = 120.0  # seconds after which folders are listed again


def stamp_of(*paths: Path) -> Stamp:
    """Name, size (bytes) and time stamp (ns) of files; zeros for those that are not there."""
    found = []
    for path in paths:
        try:
            status = path.stat()
            found.append((str(path), status.st_size, status.st_mtime_ns))
        except OSError:
            found.append((str(path), 0, 0))
    return tuple(found)


def workspace(path: Path) -> OpenWorkspace:
    """The workspace of a file, read again when the file has changed.

    Raises
    ------
    WorkspaceError
    """
    return _workspace(path, stamp_of(path))


def counts(run: OpenRun) -> RunCounts:
    """All counts of a run that pages need; empty where it was never scored.

    Raises
    ------
    StoreError
    """
    return _counts(run, stamp_of_run(run))


def shapes(run: OpenRun) -> RunCounts:
    """Counts of objects and centre lines beside the confusion, of the tiles of `counts`.

    Raises
    ------
    StoreError
    """
    return _shapes(run, stamp_of_run(run))


def objects(run: OpenRun) -> ObjectColumns:
    """Object rows of a run as arrays by name; ``tile`` is the position among the tiles of `counts`.

    Raises
    ------
    StoreError
    """
    return _objects(run, stamp_of_run(run))


def notices(run: OpenRun) -> list[Notice]:
    """All notices of a run, gathered."""
    return _notices(run, stamp_of_run(run))


def tile_notices(run: OpenRun, tile: str) -> list[Notice]:
    """The notices that came up while one tile was scored."""
    return _tile_notices(run, stamp_of_run(run)).get(tile, [])


def dataset_report(opened: OpenWorkspace, dataset: Dataset) -> DatasetReport:
    """The preflight report of a dataset; folders are looked at again after two minutes."""
    return _dataset_report(opened, dataset.name, stamp_of(opened.workspace.path))


def run_report(run: OpenRun) -> RunReport:
    """The preflight report of a run; folders are looked at again after two minutes."""
    return _run_report(run, run.key, stamp_of(run.workspace.path))


def look_again() -> None:
    """Forget what the folders held."""
    _dataset_report.clear()
    _run_report.clear()
    _finder.clear()


def layers(run: OpenRun, tile: str, gsd: float | None) -> TileLayers:
    """A tile's pictures, encoded for the viewer.

    Parameters
    ----------
    gsd : float or None
        Metres per px, for the scale bar.

    Raises
    ------
    SelectionError
        The tile is not in the folders.
    """
    finder = _finder(run, run.key, stamp_of_run(run))
    stamp = (*stamp_of_run(run), *stamp_of(*files_of(finder.find(tile))))
    return _layers(finder, run, run.key, tile, gsd, stamp)


def crop(run: OpenRun, tile: TileLayers, part: Window) -> TileLayers:
    """A part of a tile, encoded for the viewer; the last few parts are kept.

    Parameters
    ----------
    tile : TileLayers
        The whole tile.
    part : Window
        Rows and columns of the tile.

    Raises
    ------
    SelectionError
        The tile is not in the folders.
    """
    finder = _finder(run, run.key, stamp_of_run(run))
    stamp = (*stamp_of_run(run), *stamp_of(*files_of(finder.find(tile.tile))))
    return _crop(finder, run, tile, run.key, tile.tile, part.rows, part.columns, stamp)


def thumbnails(run: OpenRun, wanted: Sequence[Wanted], seconds: float) -> list[Small | None]:
    """Small pictures of tiles that are ready in so many seconds; None where one is still being made."""
    finder = _finder(run, run.key, stamp_of_run(run))
    return _maker().fetch(finder, run.store.folder / "thumbnails", run.dataset.classes, wanted, seconds)


def stamp_of_run(run: OpenRun) -> Stamp:
    """What all that is known of a run depends on; it changes with every score."""
    files = (*run.store.tiles.files(), *run.store.objects.files())
    return stamp_of(run.workspace.path, run.store.folder / "run.json", *files)


@st.cache_resource(max_entries=4, show_spinner=False)
def _workspace(path: Path, stamp: Stamp) -> OpenWorkspace:
    return open_workspace(path)


@st.cache_resource(max_entries=12, show_spinner="Reading counts")
def _counts(_run: OpenRun, stamp: Stamp) -> RunCounts:
    found = _run.counts()
    for array in found.arrays.values():
        array.setflags(write=False)
    return found


@st.cache_resource(max_entries=6, show_spinner="Reading counts of objects")
def _shapes(_run: OpenRun, stamp: Stamp) -> RunCounts:
    found = _run.counts(("confusion", *SHAPE_ARRAYS))
    for array in found.arrays.values():
        array.setflags(write=False)
    return found


@st.cache_resource(max_entries=4, show_spinner="Reading objects")
def _objects(_run: OpenRun, stamp: Stamp) -> ObjectColumns:
    frame = _run.objects(_shapes(_run, stamp), LISTED)
    found = {str(name): frame[name].to_numpy() for name in frame.columns}
    found["tile"] = found["tile"].astype(np.int32)
    for array in found.values():
        array.setflags(write=False)
    return found


@st.cache_resource(max_entries=12, show_spinner=False)
def _notices(_run: OpenRun, stamp: Stamp) -> list[Notice]:
    return _run.notices(_counts(_run, stamp))


@st.cache_resource(max_entries=4, show_spinner=False)
def _tile_notices(_run: OpenRun, stamp: Stamp) -> dict[str, list[Notice]]:
    found: dict[str, list[Notice]] = {}
    for notice in load_notices(_run.store):
        found.setdefault(notice.tile or "", []).append(notice)
    return found


@st.cache_resource(max_entries=16, ttl=_LOOK_AGAIN, show_spinner="Looking at the dataset's folders")
def _dataset_report(_opened: OpenWorkspace, name: str, stamp: Stamp) -> DatasetReport:
    return check_dataset(_opened.workspace, _opened.workspace.dataset(name))


@st.cache_resource(max_entries=16, ttl=_LOOK_AGAIN, show_spinner="Pairing predictions with ground truth")
def _run_report(_run: OpenRun, key: str, stamp: Stamp) -> RunReport:
    return check_run(_run.workspace, _run.run)


@st.cache_resource(max_entries=4, ttl=_LOOK_AGAIN, show_spinner="Finding the tiles' files")
def _finder(_run: OpenRun, key: str, stamp: Stamp) -> TileFinder:
    return TileFinder(_run)


@st.cache_resource(max_entries=1, show_spinner=False)
def _maker() -> Thumbnails:
    return Thumbnails()


@st.cache_resource(max_entries=64, show_spinner=False)
def _layers(_finder: TileFinder, _run: OpenRun, key: str, tile: str, gsd: float | None, stamp: Stamp) -> TileLayers:
    return tile_layers(_finder.pixels(tile), _run.dataset.classes, gsd)


@st.cache_resource(max_entries=8, show_spinner=False)
def _crop(
    _finder: TileFinder,
    _run: OpenRun,
    _tile: TileLayers,
    key: str,
    name: str,
    rows: tuple[int, int],
    columns: tuple[int, int],
    stamp: Stamp,
) -> TileLayers:
    return tile_layers(_finder.pixels(name, Window(rows, columns), _tile.limits), _run.dataset.classes, _tile.gsd)
