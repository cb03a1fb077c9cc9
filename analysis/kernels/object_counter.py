"""Objects and centre lines of a tile, put together: each object is told the length and width of its line."""

from __future__ import annotations

from typing import Any

from analysis.kernels.centre_lines import LineCounts, LineTally
from analysis.kernels.layout import ObjectSettings
from analysis.kernels.object_rows import LineSums
from analysis.kernels.objects import ObjectTally
from analysis.kernels.segments import Segments

_LINE_ARRAYS = ("line_truth", "line_match", "line_links", "line_gaps", "line_prediction")


class ObjectCounter:
    """Counts the objects and, where there are narrow classes, the centre lines of tiles; one a worker.

    Parameters
    ----------
    n_classes : int
        K.
    settings : ObjectSettings
    """

    def __init__(self, n_classes: int, settings: ObjectSettings) -> None:
        background, connectivity, narrow = settings
        self._objects = ObjectTally(n_classes, background, connectivity, narrow)
        self._lines = LineTally(n_classes, narrow) if narrow else None

    def reset(self, height: int, width: int, tolerance_px: float) -> None:
        """Begin a tile of that size; px."""
        self._objects.reset(height, width)
        if self._lines:
            self._lines.reset(height, width, tolerance_px)

    def add(self, segments: Segments, counted: int, row: int) -> None:
        """Add the segments of the next rows of the tile."""
        self._objects.add(segments, counted, row)
        if self._lines:
            self._lines.add(segments, counted, row)

    def finish(self) -> dict[str, Any]:
        """What was counted.

        Returns
        -------
        dict
            ``outcomes`` and, with narrow classes, the ``line_*`` arrays, as in `analysis.kernels.layout`; ``objects``,
            name of a column -> array with one entry an object; ``objects_left_out``, objects that have no entry.
        """
        lines = self._lines.finish() if self._lines else None
        sums = self._sums(lines) if lines is not None and lines.px_row.size else None
        found = self._objects.finish(sums)
        arrays = {} if lines is None else {name: getattr(lines, name) for name in _LINE_ARRAYS}
        return {"outcomes": found.outcomes, "objects": found.rows, "objects_left_out": found.left_out, **arrays}

    def _sums(self, lines: LineCounts) -> LineSums:
        places = self._objects.locate(lines.px_side, lines.px_row, lines.px_column)
        return self._objects.line_sums(places, lines.px_width, places[lines.link_first], lines.link_diagonal)
