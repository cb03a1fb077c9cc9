"""Plain numbers for files: NaN becomes None, arrays become lists, classes are keyed by id."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from analysis.words.classes import ClassList


def plain(value: Any) -> Any:
    """A number as Python's own, NaN as None; whole numbers stay whole."""
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return int(value)
    number = float(value)
    return None if np.isnan(number) else number


def by_class(classes: ClassList, values: Iterable[Any]) -> dict[str, Any]:
    """Class id (as text) -> plain number."""
    return {str(i): plain(v) for i, v in zip(classes.ids, values, strict=True)}
