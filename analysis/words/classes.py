"""Classes of a dataset, their order and their colours."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

BACKGROUND_NAMES = ("background", "unlabelled", "unlabeled")
MAX_CLASSES = 250
"""Labels are handled as 8-bit class indices; the codes above are kept for other uses."""
IGNORED = 255
"""Class index of a truth pixel that no count may see."""
OUTSIDE = "outside the class list"
"""How predictions of no class, the last column of every matrix, are called."""

# Okabe and Ito's colours, which colour-blind people tell apart, then lighter and darker relatives.
PALETTE = (
    "#d9d9d9",
    "#d55e00",
    "#009e73",
    "#0072b2",
    "#e69f00",
    "#cc79a7",
    "#56b4e9",
    "#f0e442",
    "#7f4a1e",
    "#5e4fa2",
    "#66c2a5",
    "#999999",
)


@dataclass(frozen=True)
class ClassSpec:
    """One class: the id that stands in the files, its name, its colour, and whether it is narrow."""

    id: int
    name: str
    color: str
    narrow: bool = False


@dataclass(frozen=True)
class ClassList:
    """The classes of a dataset in ascending id; every matrix follows this order.

    Parameters
    ----------
    classes : tuple of ClassSpec
        In ascending id.
    background : int or None
        The id of the class that the foreground mean leaves out.
    """

    classes: tuple[ClassSpec, ...]
    background: int | None = None

    def __len__(self) -> int:
        return len(self.classes)

    @cached_property
    def ids(self) -> tuple[int, ...]:
        """Class ids, ascending."""
        return tuple(c.id for c in self.classes)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Class names, in the order of the ids."""
        return tuple(c.name for c in self.classes)

    @cached_property
    def foreground(self) -> tuple[int, ...]:
        """Indices (not ids) of the classes in the foreground mean."""
        return tuple(i for i, c in enumerate(self.classes) if c.id != self.background)

    @cached_property
    def narrow(self) -> tuple[int, ...]:
        """Indices (not ids) of the narrow classes."""
        return tuple(i for i, c in enumerate(self.classes) if c.narrow)

    @property
    def binary(self) -> bool:
        """Whether the classes are exactly 0 and 1."""
        return self.ids == (0, 1)

    def index_of(self, name: str) -> int:
        """Index of the class with this name.

        Raises
        ------
        KeyError
            No class has this name.
        """
        try:
            return self.names.index(name)
        except ValueError:
            raise KeyError(name) from None


def default_color(position: int) -> str:
    """A colour for the class at this position of the list, for classes that name none."""
    return PALETTE[position % len(PALETTE)]
