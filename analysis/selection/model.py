"""A selection: the tiles that a user has chosen with filters, and its form in a link.

A link carries names and ids only; they are looked up, so a name that is not there is an error and not a path.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any
from urllib.parse import parse_qs, urlencode

import numpy as np
import numpy.typing as npt

from analysis.errors import SelectionError
from analysis.scores import CountsBundle, class_counts, classes_in_mean, overall, wrong_pixels
from analysis.store.load import RunCounts
from analysis.words.classes import ClassList
from analysis.words.order import normal
from analysis.words.status import SCORED

PAGE_KEYS = frozenset(
    {"rank", "by", "cls", "truth", "predicted", "tile", "order", "seed", "show", "page", "thumbs", "edit", "entry"}
    | {"matrix", "sort", "loss", "object"}
    | {"of", "score", "bins", "edges", "cut", "series", "who", "side", "outcome", "size", "width", "taken", "edge"}
    | {"gsd", "first", "leaf"}
)
"""Keys of a link that say how a page shows the selection, not which tiles are in it."""


@dataclass(frozen=True)
class Selection:
    """Filters; an empty one lets every tile pass.

    Parameters
    ----------
    run : str
        ``model@dataset``; empty: the first run.
    scene, split : tuple of str
        Tiles of any of these.
    present, absent : tuple of str
        Class names: in the tile's truth or prediction, or in neither.
    text : str
        Part of the tile's id, in any case.
    low, high : float or None
        Bounds of the tile's mean IoU over ``classes``; a tile without one passes neither.
    wrong : int or None
        At least so many wrong px.
    partial : bool
        Whether windows that the tiling rule leaves out take part.
    classes : tuple of str
        Names of the foreground classes that means are taken over; empty: all of them. It leaves no tile out.
    """

    run: str = ""
    scene: tuple[str, ...] = ()
    split: tuple[str, ...] = ()
    present: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    text: str = ""
    low: float | None = None
    high: float | None = None
    wrong: int | None = None
    partial: bool = False
    classes: tuple[str, ...] = ()

    @property
    def narrows(self) -> bool:
        """Whether there is a filter that tiles must pass."""
        return bool(self.filters.keys() - {"classes"})

    def among(self, classes: ClassList) -> tuple[int, ...] | None:
        """Indices of the classes that means are taken over, ascending; None: all foreground classes.

        Raises
        ------
        SelectionError
            A name is none of a foreground class.
        """
        if not self.classes:
            return None
        _check("foreground class", self.classes, {classes.names[i] for i in classes.foreground})
        return tuple(sorted(classes.index_of(name) for name in self.classes))

    @property
    def filters(self) -> dict[str, Any]:
        """What is not at its default, by name; the run is no filter."""
        found = {f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) != f.default}
        found.pop("run", None)
        return {name: list(v) if isinstance(v, tuple) else v for name, v in found.items()}

    def query(self) -> str:
        """The selection as a query string."""
        pairs: list[tuple[str, str]] = [("run", self.run)] if self.run else []
        for name, value in self.filters.items():
            values = value if isinstance(value, list) else [value]
            pairs += [(name, "1" if v is True else f"{v:g}" if isinstance(v, float) else str(v)) for v in values]
        return urlencode(pairs)


def parse_selection(query: str | Mapping[str, Sequence[str]]) -> Selection:
    """Read a selection from a link's query string, or from its keys and values.

    Raises
    ------
    SelectionError
        A key is unknown or a value cannot be read.
    """
    content = parse_qs(query.lstrip("?"), keep_blank_values=True) if isinstance(query, str) else query
    known = {f.name for f in fields(Selection)}
    values: dict[str, Any] = {}
    for key, found in content.items():
        if key in PAGE_KEYS:
            continue
        if key not in known:
            raise SelectionError(f'"{key}" is no filter. Known filters: {", ".join(sorted(known))}.')
        given = [v for v in found if v != ""]
        if not given:
            continue
        values[key] = _value(key, given)
    return Selection(**values)


def _value(key: str, given: Sequence[str]) -> Any:
    if key in ("scene", "split", "present", "absent", "classes"):
        return tuple(dict.fromkeys(given))
    last = given[-1]
    try:
        if key in ("low", "high"):
            number = float(last)
            if not np.isfinite(number):
                raise ValueError
            return number
        if key == "wrong":
            return int(last)
    except ValueError:
        raise SelectionError(f'the filter {key} must be a number; found "{last}".') from None
    if key == "partial":
        return last.lower() in ("1", "true", "yes")
    return last


def chosen(counts: RunCounts, selection: Selection) -> npt.NDArray[np.bool_]:
    """Which tiles pass, refused ones included where no filter speaks of their pixels; shape (tiles,).

    Raises
    ------
    SelectionError
        A scene, split or class is named that the run does not have.
    """
    tiles = counts.tiles
    passed = np.ones(len(tiles), bool)
    if not selection.partial:
        passed &= ~tiles["partial"].to_numpy(bool)
    for name, wanted in (("scene", selection.scene), ("split", selection.split)):
        if wanted:
            _check(name, wanted, set(tiles[name]))
            passed &= tiles[name].isin(wanted).to_numpy(bool)
    if selection.text:
        part = normal(selection.text).casefold()
        passed &= np.array([part in normal(i).casefold() for i in tiles["id"]], dtype=bool)
    if selection.present or selection.absent:
        _check("class", (*selection.present, *selection.absent), set(counts.classes.names))
        held = class_counts(counts.confusion)[..., :2].sum(axis=-1) > 0
        passed &= (tiles["status"] == SCORED).to_numpy(bool)
        for name in selection.present:
            passed &= held[:, counts.classes.index_of(name)]
        for name in selection.absent:
            passed &= ~held[:, counts.classes.index_of(name)]
    if selection.low is not None or selection.high is not None:
        members = classes_in_mean(counts.classes, among=selection.among(counts.classes))
        mean = overall("iou", CountsBundle(confusion=counts.confusion), members)
        passed &= mean >= (-np.inf if selection.low is None else selection.low)
        passed &= mean <= (np.inf if selection.high is None else selection.high)
    if selection.wrong is not None:
        passed &= (tiles["status"] == SCORED).to_numpy(bool) & (wrong_pixels(counts.confusion) >= selection.wrong)
    return passed


def _check(what: str, wanted: Sequence[str], known: set[str]) -> None:
    for name in wanted:
        if name not in known:
            listed = ", ".join(sorted(known - {""})[:12]) or "none"
            raise SelectionError(f'no {what} is named "{name}" in this run. Known: {listed}.')
