"""Do truth and prediction lie on the same ground? Pixels are compared in any case; the user is told."""

from __future__ import annotations

from analysis.reading.header import Georeference, Header
from analysis.words.notices import INFO, WARNING, Notice

TOLERANCE_PX = 0.01


def compare(truth: Header, prediction: Header, tile: str) -> list[Notice]:
    """Notices on what differs between the georeferences of a pair; none where both have none."""
    t, p = truth.georeference, prediction.georeference
    if t is None and p is None:
        return []
    if t is None or p is None:
        which = "predictions" if p is None else "ground truth files"
        message = f"The {which} carry no georeference and the other side does; the two are compared pixel by pixel."
        return [Notice("one-side-georeferenced", INFO, message, tile)]
    if t.definition and p.definition and t.definition != p.definition and t.crs != p.crs:
        message = (
            f"{truth.path.name} is in {t.crs} and the prediction {prediction.path.name} in {p.crs}; they are compared "
            "pixel by pixel. If they do not show the same ground, reproject the prediction."
        )
        return [Notice("crs-differs", WARNING, message, tile)]
    if truth.width != prediction.width or truth.height != prediction.height:
        return []
    offset = _largest_offset(t, p, truth.width, truth.height)
    if offset <= TOLERANCE_PX:
        return []
    gsd = t.gsd
    metres = f" ({offset * gsd:,.4g} m)" if gsd else ""
    message = (
        f"The prediction {prediction.path.name} lies up to {offset:,.4g} px{metres} from its ground truth "
        f"{truth.path.name}, by their georeferences; they are compared pixel by pixel. If the shift is real, "
        "resample the prediction to the grid of the ground truth."
    )
    return [Notice("georeference-offset", WARNING, message, tile)]


def _largest_offset(t: Georeference, p: Georeference, width: int, height: int) -> float:
    """Largest distance between the two places of a tile's corner, in px of the truth."""
    a, b, _, d, e, _ = t.transform
    pixel: float = abs(a * e - b * d) ** 0.5
    if not pixel:
        return 0.0
    far = 0.0
    for column, row in ((0, 0), (width, 0), (0, height), (width, height)):
        x = _place(t, column, row)
        y = _place(p, column, row)
        far = max(far, ((x[0] - y[0]) ** 2 + (x[1] - y[1]) ** 2) ** 0.5)
    return far / pixel


def _place(g: Georeference, column: int, row: int) -> tuple[float, float]:
    a, b, c, d, e, f = g.transform
    return a * column + b * row + c, d * column + e * row + f
