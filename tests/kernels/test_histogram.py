"""The score histogram."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.kernels.histogram import score_histogram
from analysis.kernels.layout import IGNORED


def found(counts):
    return {(int(t), int(b)): int(counts[t, b]) for t, b in np.argwhere(counts)}


def test_probabilities():
    truth = np.array([[0, 0, 1, 1], [1, 0, IGNORED, 2]], np.uint8)
    scores = np.array([[0.0, 0.5, 1.0, 0.999], [np.nan, 1 / 256, 0.3, 0.3]], np.float32)
    # 0.5 * 256 = 128; 1.0 goes to the last bin; 0.999 * 256 = 255.7; NaN, ignored and class 2 are left out.
    assert found(score_histogram(truth, scores)) == {(0, 0): 1, (0, 128): 1, (0, 1): 1, (1, 255): 2}


def test_beyond_the_range_goes_to_the_outer_bins():
    scores = np.array([[-0.1, 1.5, np.inf, -np.inf]], np.float32)
    assert found(score_histogram(np.zeros((1, 4), np.uint8), scores)) == {(0, 0): 2, (0, 255): 2}


def test_grey_values():
    truth = np.array([[0, 1, 1, IGNORED]], np.uint8)
    scores = np.array([[0, 255, 127, 9]], np.uint8)
    assert found(score_histogram(truth, scores)) == {
        (0, 0): 1,
        (1, 255): 1,
        (1, 127): 1,
    }


def test_against_numpy_in_any_layout():
    rng = np.random.default_rng(0)
    truth = rng.choice([0, 1, IGNORED], size=(37, 53)).astype(np.uint8)
    scores = rng.random((37, 53), dtype=np.float32)
    counts = score_histogram(np.asfortranarray(truth), scores[:, ::-1][:, ::-1])
    for value in (0, 1):
        assert counts[value].tolist() == np.histogram(scores[truth == value], 256, (0, 1))[0].tolist()
    parts = score_histogram(truth[:20], scores[:20]) + score_histogram(truth[20:], scores[20:])
    np.testing.assert_array_equal(counts, parts)


def test_refusals():
    truth = np.zeros((2, 2), np.uint8)
    with pytest.raises(TypeError, match="float64"):
        score_histogram(truth, np.zeros((2, 2)))
    with pytest.raises(TypeError, match="uint8"):
        score_histogram(np.zeros((2, 2), np.int64), np.zeros((2, 2), np.float32))
    with pytest.raises(ValueError, match="scores are"):
        score_histogram(truth, np.zeros((2, 3), np.float32))
    assert not score_histogram(truth[:0], np.zeros((0, 2), np.float32)).any()
