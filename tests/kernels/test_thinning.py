"""Thinning against scikit-image, pixel for pixel."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from skimage.morphology import skeletonize

from analysis.kernels.columns import BLOCK, columns_of, set_span
from analysis.kernels.thinning import thin
from tests.kernels.samples import blocks

AROUND = [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)]
SIZES = [(1, 1), (1, 200), (200, 1), (15, 63), (16, 64), (17, 65), (32, 128), (33, 129), (90, 300)]


def pack(mask):
    grid = columns_of(*mask.shape)
    words = np.zeros(grid.size, np.uint64)
    for y, x in np.argwhere(mask):
        set_span(words, grid, y, x, x + 1)
    return grid, words


def unpack(grid, words):
    table = words[grid.stride :][: -grid.stride].copy()[: (len(words) // grid.stride - 2) * grid.stride]
    rows = table.reshape(-1, grid.stride)[:, BLOCK : BLOCK + grid.height]
    bits = np.unpackbits(np.ascontiguousarray(rows.T).view(np.uint8), axis=1, bitorder="little")
    assert not bits[:, grid.width :].any()
    return bits[:, : grid.width] > 0


def thinned(mask):
    grid, words = pack(mask)
    line, other, gone = np.full((3, grid.size), 7, np.uint64)
    live, queue = np.full((2, grid.size // BLOCK), 9, np.int32)
    thin(words, grid, line, other, gone, live, queue)
    assert np.array_equal(unpack(grid, words), mask)
    return unpack(grid, line)


def same(mask):
    np.testing.assert_array_equal(thinned(mask), skeletonize(mask))
    return True


@pytest.mark.parametrize(("y", "x"), [(1, 1), (15, 63), (16, 64), (31, 128)])
def test_every_neighbourhood(y, x):
    for code in range(256):
        mask = np.zeros((40, 150), bool)
        mask[y, x] = True
        for bit, (dy, dx) in enumerate(AROUND):
            mask[y + dy, x + dx] = code >> bit & 1
        assert same(mask)


def test_every_neighbourhood_of_squares():
    # Several passes on, where what the first ones leave is thinned in turn.
    for code in range(256):
        small = np.zeros((3, 3), bool)
        small[1, 1] = True
        for bit, (dy, dx) in enumerate(AROUND):
            small[1 + dy, 1 + dx] = code >> bit & 1
        assert same(np.kron(small, np.ones((5, 7), bool)))


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    st.integers(0, 2**31),
    st.tuples(st.integers(1, 100), st.integers(1, 200)),
    st.integers(1, 60),
    st.floats(0.05, 0.95),
)
def test_random_masks(seed, shape, coarse, share):
    rng = np.random.default_rng(seed)
    assert same(blocks(rng, shape, [0, 1], coarse) > 0)
    assert same(rng.random(shape) < share)


@pytest.mark.parametrize("shape", SIZES)
def test_full_and_empty_tiles(shape):
    assert same(np.ones(shape, bool))
    assert not thinned(np.zeros(shape, bool)).any()


def test_big_blobs_rings_and_spirals():
    y, x = np.indices((300, 420)) - np.array([150, 200])[:, None, None]
    radius, turn = np.hypot(y, x), np.arctan2(y, x)
    assert same(radius < 140)
    assert same((radius < 140) & (radius > 100))
    assert same((radius / 12 - turn / np.pi) % 2 < 1.2)
    assert same(np.abs(y) + np.abs(x) // 2 < 90)
    assert same((np.abs(y) < 140) & (np.abs(x) < 190) & ((y + 150) * (x + 201) % 97 > 0))
