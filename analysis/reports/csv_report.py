"""The CSV report: one row a tile, refused ones with their reason; a manifest lies beside it.

UTF-8 with a byte order mark (so that spreadsheets show every letter), comma, decimal point, an empty cell where a
number is undefined.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import numpy as np

from analysis.reports.numbers import plain
from analysis.scores import accuracy, class_counts, class_scores, classes_in_mean, mean_defined, pixel_outcomes
from analysis.store.load import RunCounts
from analysis.words.status import SCORED

COLUMNS = (
    "model",
    "dataset",
    "tile",
    "scene",
    "status",
    "reason",
    "valid_pixels",
    "ignored_pixels",
    "miou",
    "accuracy",
)
CLASS_COLUMNS = ("iou", "tp", "fp", "fn")
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")

Entry = tuple[str, str, RunCounts]
"""Model, dataset and the counts of the tiles to write, in the order to write them."""


def safe_text(text: str) -> str:
    """A cell that no spreadsheet takes for a formula: those that could be one get a leading apostrophe."""
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text


def csv_bytes(entries: Sequence[Entry], among: Collection[int] | None = None) -> bytes:
    """The whole file.

    Parameters
    ----------
    entries : sequence of Entry
    among : collection of int or None
        Indices of the classes that ``miou`` is the mean over; None: all foreground classes.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    names = list(dict.fromkeys(name for _, _, counts in entries for name in counts.classes.names))
    writer.writerow([*COLUMNS, *(safe_text(f"{column} {name}") for name in names for column in CLASS_COLUMNS)])
    for entry in entries:
        writer.writerows(_rows(entry, names, among))
    return b"\xef\xbb\xbf" + text.getvalue().encode()


def _rows(entry: Entry, names: Sequence[str], among: Collection[int] | None) -> Iterator[list[Any]]:
    model, dataset, counts = entry
    classes, matrices = counts.classes, counts.confusion
    iou = class_scores(class_counts(matrices)).iou
    outcomes = pixel_outcomes(class_counts(matrices))
    means = mean_defined(iou[:, classes_in_mean(classes, among=among)])
    right = accuracy(matrices)
    at = {name: classes.names.index(name) for name in names if name in classes.names}
    for i, tile in enumerate(counts.tiles.to_dict("records")):
        scored = tile["status"] == SCORED
        texts = [model, dataset, *(tile[name] for name in ("id", "scene", "status", "reason"))]
        row: list[Any] = [safe_text(text) for text in texts]
        row += [int(tile["valid"]), int(tile["ignored"])] if scored else ["", ""]
        row += [_cell(means[i]), _cell(right[i])] if scored else ["", ""]
        for name in names:
            k = at.get(name)
            if k is None or not scored:
                row += [""] * len(CLASS_COLUMNS)
            else:
                row += [_cell(iou[i, k]), int(outcomes.tp[i, k]), int(outcomes.fp[i, k]), int(outcomes.fn[i, k])]
        yield row


def _cell(value: np.floating[Any]) -> Any:
    number = plain(value)
    return "" if number is None else repr(number)
