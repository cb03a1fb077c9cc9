"""Counts of tiles small enough to do by hand, and what the entry refuses."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.kernels.layout import BOUNDARY_BINS, EDGE_BINS, IGNORED
from analysis.kernels.pair import PairCounter, count_pair

PLAIN = np.arange(256, dtype=np.uint8)


def tile(*rows):
    return np.array([[IGNORED if v == "-" else int(v) for v in row] for row in rows], np.uint8)


def test_confusion():
    counts = count_pair(tile("0011", "0-11"), tile("0112", "0111"), 2, 1)
    # Truth 0: (0,0) and (1,0) right, (0,1) taken for 1. Truth 1: three right, (0,3) outside the list.
    assert counts.confusion.tolist() == [[2, 1, 0], [0, 3, 1]]
    assert (counts.valid, counts.ignored) == (7, 1)


def test_edge_profile():
    truth = tile("00000", "00000", "00000", "00000", "00000")
    prediction = truth.copy()
    prediction[2, 2] = 1
    counts = count_pair(truth, prediction, 2, 1)
    # Rings of a 5 x 5 tile: 16 px at distance 1, 8 at 2, 1 at 3 (bin of the limit 4).
    assert counts.edges[:, 0, 0].tolist() == [16, 8, 1, 0, 0, 0, 0, 0, 0]
    assert counts.edges[:, 0, 2].tolist() == [16, 8, 0, 0, 0, 0, 0, 0, 0]
    assert counts.edges[:, 1, 1].tolist() == [0, 0, 1, 0, 0, 0, 0, 0, 0]


def test_edge_profile_of_a_tile_with_every_bin():
    blank = np.zeros((300, 400), np.uint8)
    rings = count_pair(blank, blank, 1, 1).edges[:, 0, 0]
    # Within L of the edge: all but the (300 - 2L) x (400 - 2L) px inside.
    inside = [(300 - 2 * limit) * (400 - 2 * limit) for limit in (0, 1, 2, 4, 8, 16, 32, 64, 128)]
    assert rings.tolist() == [*(-np.diff(inside)).tolist(), inside[-1]]


def test_boundary_profile():
    # Class 1 in column 8 only: columns 7 and 8 touch, 6 is at 2, 5 at 3, 4 and 3 at 5, 2 .. 0 beyond 5.
    truth = tile("000000001")
    counts = count_pair(truth, truth, 2, 1)
    assert counts.boundary[:, 0, 0].tolist() == [1, 1, 1, 2, 3, 0, 0]
    assert counts.boundary[:, 1, 0].tolist() == [1, 0, 0, 0, 0, 0, 0]


def test_corners_touch():
    truth = tile("000", "000", "001")
    # The corner pixel touches 3 px of class 0; the other 5 are at 2.
    assert count_pair(truth, truth, 2, 1).boundary[:, 0, 0].tolist() == [3, 5, 0, 0, 0, 0, 0]


def test_neither_ignored_pixels_nor_the_edge_are_a_boundary():
    truth = tile("00-00", "00-00")
    counts = count_pair(truth, truth % 255, 1, 3)
    assert counts.boundary[:, 0, 0].tolist() == [0, 0, 0, 0, 0, 0, 8]
    assert counts.bands.tolist() == [[0, 0]]


def test_a_boundary_is_seen_across_ignored_pixels():
    truth = tile("00--1")
    counts = count_pair(truth, tile("00001"), 2, 3)
    # From class 1 in column 4: column 1 is at 3, column 0 at 4 (bin of the limit 5).
    assert counts.boundary[:, 0, 0].tolist() == [0, 0, 1, 1, 0, 0, 0]
    assert counts.boundary[:, 1, 0].tolist() == [0, 0, 1, 0, 0, 0, 0]
    # Both bands: column 1 of class 0 and column 4 of class 1. The prediction in columns 2, 3 is not there.
    assert counts.bands.tolist() == [[1, 1], [1, 1]]


def test_bands():
    truth, prediction = tile("00011111"), tile("00000111")
    counts = count_pair(truth, prediction, 2, 2)
    # Truth: class 0 in columns 1, 2; class 1 in 3, 4. Prediction: class 0 in 3, 4; class 1 in 5, 6.
    assert counts.bands.tolist() == [[0, 4], [0, 4]]
    # Width 3: 0..2 and 2..4 share one of 5; 3..5 and 5..7 too.
    assert count_pair(truth, prediction, 2, 3).bands.tolist() == [[1, 5], [1, 5]]


def test_outside_the_class_list_is_another_class_in_the_prediction():
    counts = count_pair(tile("0000"), tile("0002"), 2, 1)
    # Predicted class 0 has a band in column 2; truth has none, and none is predicted as class 1.
    assert counts.bands.tolist() == [[0, 1], [0, 0]]
    assert counts.confusion.tolist() == [[3, 0, 1], [0, 0, 0]]
    assert counts.edges[0, 0].tolist() == [4, 3, 3]


def test_one_pixel():
    counts = count_pair(tile("1"), tile("0"), 2, 3)
    assert counts.confusion.tolist() == [[0, 0, 0], [1, 0, 0]]
    assert counts.edges[0].tolist() == [[0, 1, 0], [1, 0, 0]]
    assert counts.boundary[-1].tolist() == [[0, 1, 0], [1, 0, 0]]
    assert counts.bands.tolist() == [[0, 0], [0, 0]]


def test_all_ignored():
    counts = count_pair(tile("---", "---"), tile("012", "012"), 2, 3)
    assert (counts.valid, counts.ignored) == (0, 6)
    assert not counts.confusion.any()
    assert not counts.edges.any()
    assert not counts.boundary.any()
    assert not counts.bands.any()
    assert counts.edges.shape == (EDGE_BINS, 2, 3)
    assert counts.boundary.shape == (BOUNDARY_BINS, 2, 3)
    assert counts.prediction_raw_counts[:3].tolist() == [2, 2, 2]


def test_a_counter_forgets_the_last_tile_and_keeps_its_results():
    counter = PairCounter(2, 3)
    first, second = tile("0101", "0-01"), tile("1111111", "1111111", "1111111")
    results = []
    for labels in (first, second, first):
        counter.start(*labels.shape)
        counter.add(labels, PLAIN, labels % 255, PLAIN)
        results.append(counter.finish())
    for name in results[0].__dataclass_fields__:
        np.testing.assert_array_equal(getattr(results[0], name), getattr(results[2], name))
    assert results[1].confusion.tolist() == [[0, 0, 0], [0, 21, 0]]


def test_any_memory_layout_will_do():
    rng = np.random.default_rng(0)
    truth, prediction = rng.integers(0, 2, (2, 20, 30), dtype=np.uint8)
    expected = count_pair(truth, prediction, 2, 3)
    frozen = truth.copy()
    frozen.flags.writeable = False
    wide = np.repeat(prediction, 2, axis=1)
    for one, other in ((frozen, prediction), (np.asfortranarray(truth), wide[:, ::2])):
        assert count_pair(one, other, 2, 3).truth_hash == expected.truth_hash
        np.testing.assert_array_equal(count_pair(one, other, 2, 3).boundary, expected.boundary)


def test_halo():
    assert PairCounter(2, 3).halo == 20
    assert PairCounter(2, 45).halo == 45


def refused(message, *, k=2, shape=(50, 4), truth=None, prediction=None, **rows):
    truth = np.zeros((50, 4), np.uint8) if truth is None else truth
    prediction = np.zeros((50, 4), np.uint8) if prediction is None else prediction
    counter = PairCounter(k, 3)
    counter.start(*shape)
    with pytest.raises(ValueError, match=message):
        counter.add(truth, PLAIN, prediction, PLAIN, **rows)


def test_what_does_not_fit_is_refused():
    blank = np.zeros((50, 4), np.uint8)
    refused("does not fit 2 classes", truth=blank + 2)
    refused("does not fit 2 classes", prediction=blank + 3)
    refused("does not fit 2 classes", prediction=blank + IGNORED)
    refused("prediction", prediction=blank[:, :3])
    refused("px wide", shape=(50, 5))
    refused("do not follow", shape=(60, 4), row=1)
    refused("do not follow", shape=(49, 4))
    refused("are needed", shape=(51, 4))
    refused("are needed", shape=(90, 4), above=1, below=20)


def test_what_cannot_be_counted_is_refused():
    for k, boundary_px in ((0, 3), (251, 3), (2, 0)):
        with pytest.raises(ValueError, match="not"):
            PairCounter(k, boundary_px)
    counter = PairCounter(2, 3)
    with pytest.raises(ValueError, match="at least one pixel"):
        counter.start(0, 5)
    counter.start(2, 2)
    with pytest.raises(ValueError, match="not complete"):
        counter.finish()
    with pytest.raises(TypeError, match="uint8"):
        counter.add(np.zeros((2, 2), np.int64), PLAIN, np.zeros((2, 2), np.uint8), PLAIN)


def test_a_tile_of_one_class_after_one_of_many():
    """Codes of classes that the tile before had must not be drawn: there is no room for them."""
    counter = PairCounter(5, 3)
    lut = np.arange(256, dtype=np.uint8)
    out = np.minimum(lut, np.uint8(5))
    many = np.arange(20, dtype=np.uint8).reshape(4, 5) % 5
    many[0, 0] = IGNORED
    alone = np.full((4, 5), 1, np.uint8)
    ignored = np.full((4, 5), IGNORED, np.uint8)
    half = np.where(np.arange(5) < 3, np.uint8(IGNORED), np.uint8(1)) * np.ones((4, 1), np.uint8)
    for truth, prediction in ((many, many % 5), (ignored, alone), (half, alone), (many, alone), (half, many % 5)):
        counter.start(*truth.shape)
        counter.add(truth, lut, prediction, out)
        counts, fresh = counter.finish(), count_pair(truth, prediction, 5, 3)
        for name in ("confusion", "edges", "boundary", "bands"):
            np.testing.assert_array_equal(getattr(counts, name), getattr(fresh, name))
