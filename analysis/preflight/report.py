"""The preflight report: what the folders hold and how it will be read, from names, headers and a sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from analysis.catalogue.dataset import DatasetCatalogue, catalogue_dataset
from analysis.catalogue.listing import Listing
from analysis.catalogue.run import RunCatalogue, catalogue_run, refusals
from analysis.errors import TileError
from analysis.preflight.folders import fixed_part
from analysis.reading.coding import Sample, decide
from analysis.reading.georeference import compare
from analysis.reading.header import Header
from analysis.reading.raster import environment, read_header
from analysis.reading.rules import LabelRule
from analysis.words.notices import Notice, gather
from analysis.workspace.model import Dataset, Run, Workspace

_PAIRS = 8
"""So many pairs are opened to compare georeferences before scoring."""
_FIRST = 3


@dataclass(frozen=True)
class SideReport:
    """What one side's files are.

    Parameters
    ----------
    where : str
        The pattern that was taken.
    files : int
    skipped : dict of str to int
        What lay beside them, by kind.
    sizes, dtypes, drivers, crs, gsd : Counter
        Over the files of the sample: ``width x height`` px, data type and bands, format, coordinate system, m per px.
    rule : LabelRule
        How they are read, and what that was decided from.
    unreadable : int
        Files of the sample that cannot be read.
    first : tuple of str
        The first few files, below the part of the pattern that has no field.
    values : tuple of float
        Values of the sample, ascending; ignored ones and nodata left out.
    """

    where: str
    files: int
    skipped: dict[str, int]
    rule: LabelRule
    sizes: Counter[str] = field(default_factory=Counter)
    dtypes: Counter[str] = field(default_factory=Counter)
    drivers: Counter[str] = field(default_factory=Counter)
    crs: Counter[str] = field(default_factory=Counter)
    gsd: Counter[str] = field(default_factory=Counter)
    unreadable: int = 0
    first: tuple[str, ...] = ()
    values: tuple[float, ...] = ()


@dataclass(frozen=True)
class DatasetReport:
    """What a dataset holds.

    Parameters
    ----------
    splits : dict of str to int
        Tiles by split; "" for those in none.
    scenes : int
    pictures : dict of str to int
        Role -> tiles that have one.
    """

    dataset: Dataset
    split: str | None
    tiles: int
    partial: int
    scenes: int
    splits: dict[str, int]
    truth: SideReport
    pictures: dict[str, int]
    notices: list[Notice]


@dataclass(frozen=True)
class RunReport:
    """What a run's folder holds, and which tiles pair.

    Parameters
    ----------
    first_pairs : tuple of (str, str, str)
        Tile, ground truth file and prediction file of the first few pairs.
    """

    run: Run
    pairs: int
    refused: int
    predictions: SideReport
    notices: list[Notice]
    first_pairs: tuple[tuple[str, str, str], ...] = ()


def check_dataset(workspace: Workspace, dataset: Dataset) -> DatasetReport:
    """Look at a dataset's folders.

    Raises
    ------
    WorkspaceError
        Its split is unknown.
    """
    return _dataset_report(dataset, catalogue_dataset(dataset, dataset.split, workspace.path.parent))


def check_run(workspace: Workspace, run: Run) -> RunReport:
    """Pair a run's predictions with its dataset's ground truth.

    Raises
    ------
    WorkspaceError
        The split is unknown.
    """
    found = catalogue_run(run, workspace.dataset(run.dataset))
    side = _side(run.rule, found.predictions)
    refused = refusals(found.tiles)
    notices = [n for n in found.notices if n not in found.of_dataset.notices]
    notices += [*refused, *_georeferences(found)]
    pairs = [(t.id, t.truth.path.name, t.prediction.path.name) for t in found.tiles if t.truth and t.prediction]
    return RunReport(run, found.pairs, len(refused), side, gather(notices), tuple(pairs[:_FIRST]))


def _dataset_report(dataset: Dataset, found: DatasetCatalogue) -> DatasetReport:
    splits = Counter(t.split for t in found.tiles)
    return DatasetReport(
        dataset=dataset,
        split=found.split,
        tiles=sum(t.truth is not None for t in found.tiles),
        partial=sum(t.partial for t in found.tiles),
        scenes=len({t.scene for t in found.tiles if t.scene}),
        splits={name: splits[name] for name in sorted(splits)},
        truth=_side(dataset.rule, found.truth),
        pictures={role: sum(role in t.pictures for t in found.tiles) for role in found.pictures},
        notices=gather(found.notices),
    )


def _side(rule: LabelRule, listing: Listing) -> SideReport:
    paths = [f.path for f in listing.files]
    decided, sample = decide(rule, paths)
    folder = listing.base / fixed_part(listing.pattern.text)
    first = tuple(_below(path, folder) for path in paths[:_FIRST])
    return _with_headers(SideReport(listing.where, len(paths), listing.skipped, decided, first=first), sample)


def _below(path: Path, base: Path) -> str:
    return path.relative_to(base).as_posix() if base in path.parents else path.name


def _with_headers(side: SideReport, sample: Sample) -> SideReport:
    headers = sample.headers
    return replace(
        side,
        sizes=Counter(h.size for h in headers),
        dtypes=Counter(f"{h.dtype}, {_bands(h)}" for h in headers),
        drivers=Counter(h.driver for h in headers),
        crs=Counter(h.georeference.crs or "no CRS" if h.georeference else "none" for h in headers),
        gsd=Counter(f"{h.gsd:g} m" if h.gsd else "not in the file" for h in headers),
        unreadable=sample.unreadable,
        values=tuple(sorted(sample.values)),
    )


def _bands(header: Header) -> str:
    n = len(header.bands)
    kind = "palette" if header.palette else f"{n} band{'s' if n != 1 else ''}"
    return kind + (" and alpha" if header.alpha else "")


def _georeferences(found: RunCatalogue) -> list[Notice]:
    notices: list[Notice] = []
    pairs = [(t.id, t.truth.path, t.prediction.path) for t in found.tiles if t.truth and t.prediction]
    with environment():
        for tile, truth, prediction in _spread(pairs):
            try:
                notices += compare(read_header(truth), read_header(prediction), tile)
            except TileError:
                continue  # said when it is scored, with the reason
    return notices


def _spread(pairs: Sequence[tuple[str, Path, Path]]) -> list[tuple[str, Path, Path]]:
    step = max(1, len(pairs) // _PAIRS)
    return list(pairs[::step][:_PAIRS])
