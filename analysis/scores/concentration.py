"""Where the lost IoU is: how few tiles hold most wrong pixels, and what the score would be without the worst."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.scores.formulas import Counts, Scores, as_confusion, class_counts, pixel_outcomes, pool, safe_divide
from analysis.scores.formulas import wrong_pixels as all_wrong
from analysis.scores.ranking import rank
from analysis.scores.tile_damage import damage, mean_iou, replaced


@dataclass(frozen=True, eq=False)
class Concentration:
    """Tiles, or scenes, by the wrong px that they hold.

    Parameters
    ----------
    order : ndarray of int, shape (N,)
        Positions, most wrong px first; ties stay in the given order.
    shares : ndarray of float64, shape (N + 1,)
        Share of all wrong px that the first n hold, from 0 to 1; NaN where no px is wrong.
    total : int
        Wrong px of all together.
    """

    order: NDArray[np.intp]
    shares: Scores
    total: int

    def __len__(self) -> int:
        return len(self.order)

    def holding(self, share: float) -> int | None:
        """The fewest tiles that together hold this share of all wrong px; None where no px is wrong."""
        if not self.total:
            return None
        # A share is a quotient of whole numbers: the last digit of the product must not cost a tile.
        return int(np.searchsorted(self.shares, share - 1e-12))


def concentration(wrong: ArrayLike) -> Concentration:
    """How wrong px are spread over tiles.

    Parameters
    ----------
    wrong : array_like of int, shape (N,)
        Wrong px of each tile (such as `wrong_by_tile` gives) or of each scene. N may be 0.
    """
    px = np.asarray(wrong, np.int64)
    order = np.argsort(-px, kind="stable")
    held = np.concatenate([[0], np.cumsum(px[order])])
    return Concentration(order, safe_divide(held, held[-1]), int(held[-1]))


def wrong_by_tile(confusion: ArrayLike, class_index: int | None = None) -> Counts:
    """Wrong px of each tile, shape (N,): all of them, or false positives and false negatives of one class.

    Parameters
    ----------
    confusion : array_like of int, shape (N, K, K + 1)
        Axes (tile, truth, prediction).
    class_index : int or None
    """
    if class_index is None:
        return all_wrong(confusion)
    outcomes = pixel_outcomes(class_counts(confusion))
    return np.asarray(outcomes.fp[..., class_index] + outcomes.fn[..., class_index])


@dataclass(frozen=True, eq=False)
class Recovery:
    """The pooled mean IoU if the tiles that cost most were perfect.

    Parameters
    ----------
    order : ndarray of int, shape (N,)
        Positions of the tiles, most damage first; those without a damage last.
    steps : ndarray of int, shape (M,)
        Numbers of tiles that are made perfect, from 0 to N.
    values : ndarray of float64, shape (M,)
        The score then; NaN where no class of the mean occurs.
    """

    order: NDArray[np.intp]
    steps: NDArray[np.intp]
    values: Scores

    def at(self, tiles: int) -> float:
        """The score with so many tiles made perfect.

        Raises
        ------
        KeyError
            It is none of the steps.
        """
        found = np.flatnonzero(self.steps == tiles)
        if not found.size:
            raise KeyError(tiles)
        return float(self.values[found[0]])


def recovery(confusion: ArrayLike, members: NDArray[np.intp], also: tuple[int, ...] = ()) -> Recovery:
    """What the pooled mean IoU would be if the predictions of the worst n tiles were their ground truth.

    The score of each step is made anew from the summed counts. It is not the sum of the single damages: a class that
    leaves or fills up with one tile changes what the next one is worth.

    Parameters
    ----------
    confusion : array_like of int, shape (N, K, K + 1)
        Axes (tile, truth, prediction). N may be 0: the one step is undefined.
    members : ndarray of int
        Indices of the classes in the mean, such as `classes_in_mean` gives.
    also : tuple of int
        Steps that must be among those of the result, from 0 to N.
    """
    matrix = as_confusion(confusion)
    tiles = class_counts(matrix)
    ranking = rank(damage(matrix, members), "lower")
    order = np.concatenate([ranking.order, ranking.undefined])
    steps = np.union1d(grid(len(order)), np.array(also, np.intp)).astype(np.intp)
    totals = np.broadcast_to(pool(tiles), (len(steps), *tiles.shape[1:])).copy()
    if len(steps) > 1:
        totals[1:] += np.cumsum(np.add.reduceat(replaced(tiles)[order], steps[:-1], axis=0), axis=0)
    return Recovery(order, steps, mean_iou(totals, members))


def grid(tiles: int, most: int = 60) -> NDArray[np.intp]:
    """Numbers of tiles from 0 to all: each of the first ten, then about ``most`` at equal distance."""
    even = np.linspace(0, tiles, min(most, tiles) + 1).round()
    return np.unique(np.concatenate([even, np.arange(min(10, tiles) + 1)])).astype(np.intp)
