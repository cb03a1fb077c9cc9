"""Arrays that grow together, for lists whose length is known only once they are made."""

from __future__ import annotations

from typing import Any

import numpy as np


class Growing:
    """Arrays of one length that keep what they hold when they grow, and their room from tile to tile.

    Parameters
    ----------
    **dtypes : str
        By name of the array, which is then an attribute.
    """

    def __init__(self, **dtypes: str) -> None:
        self._dtypes = dtypes
        self._room = 0
        self.__dict__.update({name: np.empty(0, dtype) for name, dtype in dtypes.items()})

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)

    def reserve(self, n: int) -> None:
        """Make room for ``n`` entries in all."""
        if n > self._room:
            room = n + n // 2
            for name, dtype in self._dtypes.items():
                grown = np.empty(room, dtype)
                grown[: self._room] = self.__dict__[name]
                self.__dict__[name] = grown
            self._room = room
