"""Label runs, bit by hand and against numpy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.kernels.runs import FIRST_CAPACITY, RunBuffer, extract_runs

from . import twin
from .samples import blocks

PLAIN = np.arange(256, dtype=np.uint8)


def listed(runs, rows):
    return [
        (y, int(runs.start[i]), int(runs.end[i]), int(runs.label[i]))
        for y in range(rows)
        for i in range(runs.row[y], runs.row[y + 1])
    ]


def test_runs_of_a_small_map():
    raw = np.array([[5, 5, 7, 7, 7], [5, 5, 5, 5, 5], [7, 5, 7, 9, 5]], np.uint8)
    lut = np.zeros(256, np.uint8)
    lut[[5, 7, 9]] = 0, 1, 1
    runs, raw_counts = extract_runs(raw, lut)
    # Row 2: 7 and 9 are one class, so their columns 2 and 3 are one run.
    assert listed(runs, 3) == [
        (0, 0, 2, 0),
        (0, 2, 5, 1),
        (1, 0, 5, 0),
        (2, 0, 1, 1),
        (2, 1, 2, 0),
        (2, 2, 4, 1),
        (2, 4, 5, 0),
    ]
    assert runs.row.tolist() == [0, 2, 3, 7]
    # 5: 2 + 5 + 2; 7: 3 + 0 + 2; 9: 1.
    assert {i: n for i, n in enumerate(raw_counts.tolist()) if n} == {5: 9, 7: 5, 9: 1}


def test_only_the_rows_that_count_are_counted():
    raw = np.array([[1, 1], [2, 3], [4, 4]], np.uint8)
    runs, raw_counts = extract_runs(raw, PLAIN, above=1, below=1)
    assert runs.row.tolist() == [0, 1, 3, 4]
    assert np.flatnonzero(raw_counts).tolist() == [2, 3]


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.integers(0, 2**31), st.integers(1, 20), st.integers(1, 150), st.sampled_from([1, 3, 40, 200]))
def test_runs_equal_numpys(seed, height, width, coarse):
    raw = blocks(np.random.default_rng(seed), (height, width), [0, 1, 128, 255], coarse)
    runs, raw_counts = extract_runs(raw, PLAIN)
    assert listed(runs, height) == twin.runs(raw)
    assert raw_counts.tolist() == np.bincount(raw.ravel(), minlength=256).tolist()


@pytest.mark.parametrize("width", [1, 7, 8, 31, 32, 33, 64, 71])
def test_a_change_is_found_at_every_column(width):
    for x in range(1, width):
        raw = np.zeros((2, width), np.uint8)
        raw[:, x:] = 255
        assert listed(extract_runs(raw, PLAIN)[0], 2) == [
            (y, a, b, v) for y in (0, 1) for a, b, v in ((0, x, 0), (x, width, 255))
        ]


def test_a_buffer_grows_and_counts_nothing_twice():
    noise = np.random.default_rng(0).integers(0, 256, (300, 401), dtype=np.uint8)
    raw_counts = np.zeros(256, np.int64)
    buffer = RunBuffer()
    runs = buffer.extract(noise, PLAIN, raw_counts)
    assert buffer.used > 2 * FIRST_CAPACITY
    assert listed(runs, 300) == twin.runs(noise)
    assert raw_counts.tolist() == np.bincount(noise.ravel(), minlength=256).tolist()
    # A smaller map afterwards finds the longer buffers.
    assert listed(buffer.extract(noise[:1, :3].copy(), PLAIN, raw_counts), 1) == twin.runs(noise[:1, :3])
