"""The pixel grid of a scene, and the shapes that are drawn on it.

Positions are (y, x) in metres from the top left corner, y to the south. The centre of pixel (row, column) lies
at ((row + 0.5) * gsd, (column + 0.5) * gsd).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]
Window = tuple[slice, slice]


@dataclass(frozen=True)
class Grid:
    """Size of a scene in px and its ground sampling distance in metres per pixel."""

    rows: int
    columns: int
    gsd: float

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns) in px."""
        return self.rows, self.columns

    @property
    def extent(self) -> tuple[float, float]:
        """(height, width) in metres."""
        return self.rows * self.gsd, self.columns * self.gsd

    def window(self, low: npt.ArrayLike, high: npt.ArrayLike) -> Window | None:
        """The pixels around the box from ``low`` to ``high``, (y, x) in metres; None where it misses the scene."""
        first = np.maximum(np.floor(np.asarray(low) / self.gsd).astype(int), 0)
        last = np.minimum(np.ceil(np.asarray(high) / self.gsd).astype(int) + 1, self.shape)
        if (first >= last).any():
            return None
        return slice(int(first[0]), int(last[0])), slice(int(first[1]), int(last[1]))

    def centres(self, window: Window | None = None) -> tuple[Floats, Floats]:
        """Positions of the pixel centres in metres: y of shape (rows, 1) and x of shape (1, columns), float32."""
        rows, columns = window or (slice(0, self.rows), slice(0, self.columns))
        y = (np.arange(rows.start, rows.stop, dtype=np.float32) + 0.5) * np.float32(self.gsd)
        x = (np.arange(columns.start, columns.stop, dtype=np.float32) + 0.5) * np.float32(self.gsd)
        return y[:, None], x[None, :]


@dataclass(frozen=True)
class Line:
    """A road, a river or a ditch.

    Parameters
    ----------
    points : ndarray of shape (n, 2), float64
        The centre line, (y, x) in metres.
    width : float
        In metres.
    kind : str
        ``main``, ``local``, ``track``, ``river`` or ``ditch``.
    """

    points: npt.NDArray[np.float64]
    width: float
    kind: str


@dataclass(frozen=True)
class Bands:
    """Where each pixel lies with respect to lines that are drawn with their width.

    Parameters
    ----------
    margin : ndarray of shape (rows, columns), float32
        Distance to the nearest edge of a line in metres, negative inside; cut off at the reach it was made with.
    line : ndarray of shape (rows, columns), int16
        Index of the line that this edge belongs to; -1 beyond the reach.
    along : ndarray of shape (rows, columns), float32
        Position along that line in metres.
    """

    margin: Floats
    line: npt.NDArray[np.int16]
    along: Floats

    @property
    def inside(self) -> Mask:
        """True for the pixels whose centre lies within half a width of a centre line."""
        return self.margin <= 0


def draw_lines(grid: Grid, lines: list[Line], reach: float) -> Bands:
    """Draw lines with their width, exactly: by the distance of each pixel centre to each centre line.

    Parameters
    ----------
    reach : float
        How far beyond the edges the margin is wanted, in metres.
    """
    margin = np.full(grid.shape, reach, np.float32)
    nearest = np.full(grid.shape, -1, np.int16)
    along = np.zeros(grid.shape, np.float32)
    for index, line in enumerate(lines):
        half = line.width / 2
        steps = np.diff(line.points, axis=0)
        lengths = np.hypot(steps[:, 0], steps[:, 1])
        starts = np.concatenate([[0.0], np.cumsum(lengths)])
        for k in range(len(steps)):
            a, b = line.points[k], line.points[k + 1]
            window = grid.window(np.minimum(a, b) - half - reach, np.maximum(a, b) + half + reach)
            if window is None or lengths[k] == 0:
                continue
            y, x = grid.centres(window)
            dy, dx = (float(v) for v in steps[k] / lengths[k])
            y, x = y - np.float32(a[0]), x - np.float32(a[1])
            t = np.clip(y * dy + x * dx, 0, float(lengths[k]))
            gap = np.sqrt((y - t * dy) ** 2 + (x - t * dx) ** 2) - np.float32(half)
            closer = gap < margin[window]
            margin[window][closer] = gap[closer]
            nearest[window][closer] = index
            along[window][closer] = t[closer] + np.float32(starts[k])
    return Bands(margin, nearest, along)


@dataclass(frozen=True)
class Box:
    """A rectangle on the ground.

    Parameters
    ----------
    centre : tuple of float
        (y, x) in metres.
    angle : float
        Direction of the length in radians, from the x axis towards the south.
    length, width : float
        In metres.
    """

    centre: tuple[float, float]
    angle: float
    length: float
    width: float

    def shifted(self, along: float, across: float) -> tuple[float, float]:
        """The (y, x) of a point given by its distance from the centre along and across the length, in metres."""
        c, s = np.cos(self.angle), np.sin(self.angle)
        return self.centre[0] + along * s + across * c, self.centre[1] + along * c - across * s


def box_frame(grid: Grid, box: Box, beyond: float) -> tuple[Window, Floats, Floats] | None:
    """The pixels around a box and where they lie in it.

    Returns
    -------
    (window, along, across) or None
        ``along`` and ``across``, float32 of shape (rows, columns) of the window: metres from the centre in the
        directions of the length and of the width. None where box and scene do not meet.
    """
    reach = np.hypot(box.length, box.width) / 2 + beyond
    window = grid.window(np.subtract(box.centre, reach), np.add(box.centre, reach))
    if window is None:
        return None
    y, x = grid.centres(window)
    y, x = y - np.float32(box.centre[0]), x - np.float32(box.centre[1])
    c, s = float(np.cos(box.angle)), float(np.sin(box.angle))
    return window, x * c + y * s, y * c - x * s


def inside_box(box: Box, along: Floats, across: Floats) -> Mask:
    """True for the positions that lie in the box."""
    inside: Mask = (np.abs(along) <= box.length / 2) & (np.abs(across) <= box.width / 2)
    return inside


def smooth_curve(corners: npt.ArrayLike, step: float = 4.0) -> npt.NDArray[np.float64]:
    """A smooth line through the corners, (n, 2) in metres, with a point about every ``step`` metres (Catmull-Rom)."""
    points = np.asarray(corners, np.float64)
    padded = np.concatenate([2 * points[:1] - points[1:2], points, 2 * points[-1:] - points[-2:-1]])
    pieces = []
    for before, a, b, after in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        t = np.arange(0, 1, min(1.0, step / max(np.hypot(*(b - a)), 1e-6)))[:, None]
        bend = 2 * before - 5 * a + 4 * b - after
        pieces.append(a + 0.5 * t * (b - before + t * (bend + t * (3 * (a - b) + after - before))))
    return np.concatenate([*pieces, points[-1:]])
