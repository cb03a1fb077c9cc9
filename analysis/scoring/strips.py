"""A tile's two maps in strips of rows, each with the rows around it that the kernels need."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.reading.labels import Block, LabelFile, Range

STRIP_PIXELS = 1 << 24
"""A tile of up to this many px is read at once, a larger one in strips of about as many."""


@dataclass(frozen=True)
class Strip:
    """Some rows of a pair.

    Parameters
    ----------
    truth, prediction : ndarray of shape (above + rows + below, columns), uint8
        Codes.
    above, below : int
        Rows before and after those that count.
    row : int
        First counted row of the tile.
    scores : ndarray of shape (rows, columns), or None
        Scores of the prediction, for the counted rows.
    """

    truth: npt.NDArray[np.uint8]
    prediction: npt.NDArray[np.uint8]
    above: int
    below: int
    row: int
    scores: npt.NDArray[Any] | None


@dataclass(frozen=True)
class Area:
    """The part of a label file that a tile is, in px: half-open ranges."""

    rows: Range
    columns: Range

    @property
    def height(self) -> int:
        """Rows."""
        return self.rows[1] - self.rows[0]

    @property
    def width(self) -> int:
        """Columns."""
        return self.columns[1] - self.columns[0]


def strips(
    truth: LabelFile, at: Area, prediction: LabelFile, beside: Area, halo: int, most: int = STRIP_PIXELS
) -> Iterator[Strip]:
    """Read a pair strip by strip; every row is read once, rows that two strips need are kept.

    Parameters
    ----------
    at, beside : Area
        Of the truth and of the prediction; of the same size.
    halo : int
        Rows that a strip needs around it.
    most : int
        Px of a strip, about.
    """
    height, width = at.height, at.width
    if height * width <= most:
        pair = truth.read(at.rows, at.columns), prediction.read(beside.rows, beside.columns)
        yield Strip(pair[0].codes, pair[1].codes, 0, 0, 0, pair[1].scores)
        return
    rows = max(2 * halo, most // width, 1)
    truth_rows, prediction_rows = _Rows(truth, at, halo), _Rows(prediction, beside, halo)
    for top in range(0, height, rows):
        bottom = min(height, top + rows)
        above, below = min(halo, top), min(halo, height - bottom)
        t = truth_rows.around(top - above, bottom + below)
        p = prediction_rows.around(top - above, bottom + below)
        scores = None if p.scores is None else p.scores[above : above + bottom - top]
        yield Strip(t.codes, p.codes, above, below, top, scores)


class _Rows:
    """Rows of one map, read onwards; the last ones are kept for the next strip."""

    def __init__(self, file: LabelFile, area: Area, halo: int) -> None:
        self._file, self._area, self._halo = file, area, halo
        self._kept: Block | None = None
        self._next = 0

    def around(self, start: int, stop: int) -> Block:
        """Rows from ``start`` to ``stop``; those below ``self._next`` were kept."""
        top = self._area.rows[0]
        block = self._kept
        if block is not None:
            old = self._next - start
            block = Block(block.codes[-old:], None if block.scores is None else block.scores[-old:])
        if stop > self._next:
            new = self._file.read((top + self._next, top + stop), self._area.columns)
            block = new if block is None else _joined(block, new)
        assert block is not None
        keep = 2 * self._halo
        self._kept = Block(block.codes[-keep:].copy(), None if block.scores is None else block.scores[-keep:].copy())
        self._next = stop
        return block


def _joined(above: Block, below: Block) -> Block:
    scores = None
    if above.scores is not None and below.scores is not None:
        scores = np.concatenate([above.scores, below.scores])
    return Block(np.concatenate([above.codes, below.codes]), scores)
