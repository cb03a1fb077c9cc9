"""Three segmentation models that are fitted in seconds, so that what goes wrong in the demo is a model's own doing.

Each is small on purpose and blind in its own way: to all but the pixel's colour; to anything but what a straight
cut through the features separates; to what is finer than its grid and to what lies beyond the tile.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Protocol

import numpy as np
import numpy.typing as npt

from analysis.demo.features import colour_index, doubled, smoothed, tile_features
from analysis.demo.grid import Floats

Labels = npt.NDArray[np.uint8]
CLASSES = 5


class Model(Protocol):
    """A model of the demo; ``name`` and ``about`` are for people, ``slug`` names its folder."""

    name: str
    slug: str
    about: str

    def fit(self, tiles: Iterable[tuple[Labels, Labels]], rng: np.random.Generator) -> None:
        """Fit to (image, truth) pairs of shapes (rows, columns, 3) and (rows, columns), uint8."""

    def predict(self, image: Labels) -> Labels:
        """Class ids of shape (rows, columns), uint8, for an image of shape (rows, columns, 3), uint8."""


class PixelColour:
    """How often each class has the colour of the pixel: a Gaussian a class, all classes taken for equally common."""

    name, slug = "Pixel colour", "pixel-colour"
    about = "sees one pixel at a time; a Gaussian a class"

    def fit(self, tiles: Iterable[tuple[Labels, Labels]], rng: np.random.Generator) -> None:
        """Fit means and covariances, and tabulate the answer for every colour."""
        drawn = [_draw(np.moveaxis(image, 2, 0), truth, 4000, 0.5, rng) for image, truth in tiles]
        colours = np.concatenate([c for c, _ in drawn]).astype(np.float64)
        classes = np.concatenate([k for _, k in drawn])
        steps = np.arange(64) * 4 + 2.0
        every = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3)
        scores = np.full((len(every), CLASSES), -np.inf)
        for k in np.unique(classes):
            of_class = colours[classes == k]
            away = every - of_class.mean(axis=0)
            spread = np.cov(of_class.T) + np.eye(3)
            scores[:, k] = -0.5 * np.linalg.slogdet(spread)[1]
            scores[:, k] -= 0.5 * np.einsum("ij,ij->i", away @ np.linalg.inv(spread), away)
        self._table = scores.argmax(axis=1).astype(np.uint8)

    def predict(self, image: Labels) -> Labels:
        """Look every pixel's colour up."""
        found: Labels = self._table[colour_index(image)]
        return found


class _OnFeatures:
    """A network on the features of half-resolution pixels; without a hidden layer it is a logistic regression."""

    levels: int
    lines: bool
    hidden: tuple[int, ...]
    pixels: int  # drawn from each tile
    even: float  # share of them spread evenly over the classes
    weighted: bool  # whether rare classes count for more than their pixels
    epochs, batch, rate = 12, 256, 4e-3

    def fit(self, tiles: Iterable[tuple[Labels, Labels]], rng: np.random.Generator) -> None:
        """Train by gradient descent (Adam) on small batches."""
        values, classes = self._samples(tiles, rng)
        mean, scale = values.mean(axis=0), values.std(axis=0) + np.float32(1e-3)
        values = (values - mean) / scale
        share = np.bincount(classes, minlength=CLASSES) / len(classes)
        weight = (1 / np.sqrt(np.maximum(share, 1e-4)) if self.weighted else np.ones(CLASSES)).astype(np.float32)
        weight /= weight[classes].mean()
        sizes = (values.shape[1], *self.hidden, CLASSES)
        self._layers: list[Floats] = []
        for wide, narrow in pairwise(sizes):
            self._layers += [rng.standard_normal((wide, narrow), np.float32) * np.float32(np.sqrt(2 / wide))]
            self._layers += [np.zeros(narrow, np.float32)]
        moments = [(np.zeros_like(w), np.zeros_like(w)) for w in self._layers]
        rounds = len(values) // self.batch
        order = np.concatenate([rng.permutation(len(values))[: rounds * self.batch] for _ in range(self.epochs)])
        for step, chosen in enumerate(order.reshape(-1, self.batch)):
            slopes = self._slopes(values[chosen], classes[chosen], weight)
            rate = self.rate * (1 - step / (rounds * self.epochs)) * np.sqrt(1 - 0.999 ** (step + 1))
            rate /= 1 - 0.9 ** (step + 1)
            for w, slope, (m, v) in zip(self._layers, slopes, moments, strict=True):
                m += 0.1 * (slope - m)
                v += 0.001 * (slope * slope - v)
                w -= np.float32(rate) * m / (np.sqrt(v) + np.float32(1e-8))
        # From here on the first layer takes features as they are.
        self._layers[0] /= scale[:, None]
        self._layers[1] -= mean @ self._layers[0]

    def predict(self, image: Labels) -> Labels:
        """Score the tile at half resolution, smooth the scores, and enlarge them."""
        features = tile_features(image, self.levels, self.lines)
        values = features.reshape(len(features), -1)
        for k in range(0, len(self._layers), 2):
            values = self._layers[k].T @ values + self._layers[k + 1][:, None]
            if k + 2 < len(self._layers):
                np.maximum(values, 0, out=values)
        share = doubled(smoothed(_softmax(values).reshape(CLASSES, *features.shape[1:])))
        best = np.zeros(image.shape[:2], np.uint8)
        highest = share[0]
        for k in range(1, CLASSES):
            np.copyto(best, np.uint8(k), where=share[k] > highest)
            np.maximum(highest, share[k], out=highest)
        return best

    def _samples(
        self, tiles: Iterable[tuple[Labels, Labels]], rng: np.random.Generator
    ) -> tuple[Floats, npt.NDArray[np.intp]]:
        drawn = [
            _draw(tile_features(image, self.levels, self.lines), truth[::2, ::2], self.pixels, self.even, rng)
            for image, truth in tiles
        ]
        return np.concatenate([v for v, _ in drawn]), np.concatenate([k for _, k in drawn]).astype(np.intp)

    def _slopes(self, values: Floats, classes: npt.NDArray[np.intp], weight: Floats) -> list[Floats]:
        """Slopes of the weighted cross-entropy, in the order of the layers."""
        inputs = [values]
        for k in range(0, len(self._layers) - 2, 2):
            inputs.append(np.maximum(inputs[-1] @ self._layers[k] + self._layers[k + 1], 0))
        error = _softmax((inputs[-1] @ self._layers[-2] + self._layers[-1]).T).T
        error[np.arange(len(classes)), classes] -= 1
        error *= weight[classes][:, None] / np.float32(len(classes))
        slopes: list[Floats] = []
        for layer in range(len(inputs) - 1, -1, -1):
            slopes[:0] = [inputs[layer].T @ error, error.sum(axis=0)]
            if layer:
                error = (error @ self._layers[2 * layer].T) * (inputs[layer] > 0)
        return slopes


class Texture(_OnFeatures):
    """Logistic regression on colour and contrast at four scales, rare classes weighted up."""

    name, slug = "Texture", "texture"
    about = "logistic regression on colour and contrast at four scales"
    levels, lines, hidden = 4, False, ()
    pixels, even, weighted = 700, 0.5, True


class TextureAndContext(_OnFeatures):
    """A network with one hidden layer on colour, contrast and lines at six scales."""

    name, slug = "Texture and context", "texture-and-context"
    about = "a small network on colour, contrast and lines at six scales"
    levels, lines, hidden = 6, True, (32,)
    pixels, even, weighted = 1400, 0.3, False


MODELS: tuple[type[PixelColour] | type[Texture] | type[TextureAndContext], ...] = (
    PixelColour,
    Texture,
    TextureAndContext,
)


def _draw(
    planes: npt.NDArray[np.generic], truth: Labels, count: int, even: float, rng: np.random.Generator
) -> tuple[Floats, Labels]:
    """Draw pixels of a tile, a share ``even`` of them spread evenly over the classes that occur, the rest anywhere.

    Returns
    -------
    (values, classes)
        Of shapes (n, planes), float32, and (n,), uint8.
    """
    flat = truth.ravel()
    chosen = [rng.integers(flat.size, size=round(count * (1 - even)))]
    present = np.unique(flat)
    for k in present:
        where = np.flatnonzero(flat == k)
        chosen.append(where[rng.integers(where.size, size=round(count * even / len(present)))])
    at = np.concatenate(chosen)
    return planes.reshape(len(planes), -1)[:, at].T.astype(np.float32), flat[at]


def _softmax(scores: Floats) -> Floats:
    """Shares of the classes, (classes, n), from scores of the same shape."""
    scores = np.exp(scores - scores.max(axis=0))
    share: Floats = scores / scores.sum(axis=0)
    return share
