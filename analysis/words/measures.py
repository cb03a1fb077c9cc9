"""Lengths for people: GSDs, tolerances."""

from __future__ import annotations

from collections.abc import Iterable

TOLERANCE_PX = 3
"""Tolerance of centre lines where no GSD is known, in px."""


def round_gsd(gsd: float) -> float:
    """A GSD to four digits: what files of one resolution share in spite of their last decimals."""
    return float(f"{gsd:.4g}")


def gsd_label(gsd: float) -> str:
    """``25 cm``, ``1.2 m``; a GSD that is not known is NaN."""
    if gsd != gsd:
        return "GSD not known"
    return f"{gsd * 100:.4g} cm" if gsd < 1 else f"{gsd:.4g} m"


def tolerance_words(tolerance_m: float, gsds: Iterable[float]) -> str:
    """The tolerance of centre lines: ``within 1.5 m (6 px at 25 cm, 3 px at 50 cm)``.

    Parameters
    ----------
    tolerance_m : float
        In metres.
    gsds : iterable of float
        m per px of the tiles, NaN where not known: there the tolerance is 3 px.
    """
    rounded = [round_gsd(gsd) if gsd == gsd else None for gsd in gsds]
    known = sorted({gsd for gsd in rounded if gsd is not None})
    if not known:
        return f"within {TOLERANCE_PX} px"
    parts = [f"{tolerance_m / gsd:.3g} px at {gsd_label(gsd)}" for gsd in known]
    if None in rounded:
        parts.append(f"{TOLERANCE_PX} px where the GSD is not known")
    return f"within {tolerance_m:g} m ({', '.join(parts)})"
