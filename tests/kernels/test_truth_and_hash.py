"""The truth alone, and the content hash."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.kernels.layout import IGNORED
from analysis.kernels.pair import count_pair
from analysis.kernels.truth import TruthCounter

from .samples import pairs, recoded

PLAIN = np.arange(256, dtype=np.uint8)


def truth_hash(labels):
    counter = TruthCounter(250)
    counter.start(*labels.shape)
    counter.add(labels, PLAIN)
    return counter.finish().hash


def test_counts():
    counter = TruthCounter(3)
    counter.start(2, 3)
    lut = np.full(256, IGNORED, np.uint8)
    lut[[10, 11, 12]] = 0, 2, 2
    counter.add(np.array([[10, 11, 12]], np.uint8), lut, row=0)
    counter.add(np.array([[7, 11, 10]], np.uint8), lut, row=1)
    counts = counter.finish()
    # 10 twice, 11 twice and 12 once are class 2, 7 is ignored.
    assert counts.pixels.tolist() == [2, 0, 3]
    assert counts.ignored == 1
    assert {i: n for i, n in enumerate(counts.raw_counts.tolist()) if n} == {7: 1, 10: 2, 11: 2, 12: 1}


@settings(max_examples=80, deadline=None, derandomize=True)
@given(pairs(), st.data())
def test_the_truth_alone_equals_the_truth_of_the_pair(pair, data):
    counts = count_pair(pair.truth, pair.prediction, pair.k, 3)
    raw, lut = recoded(np.random.default_rng(pair.seed), pair.truth, [*range(pair.k), IGNORED])
    counter = TruthCounter(pair.k)
    height, width = raw.shape
    counter.start(height, width)
    cut = data.draw(st.integers(0, height - 1))
    if cut:
        counter.add(raw[:cut], lut)
    # A strip may bring rows around those that count.
    counter.add(raw[cut // 2 :], lut, above=cut - cut // 2, row=cut)
    alone = counter.finish()
    assert alone.hash == counts.truth_hash
    assert alone.ignored == counts.ignored
    assert alone.pixels.tolist() == counts.confusion.sum(axis=1).tolist()
    assert alone.raw_counts.tolist() == np.bincount(raw.ravel(), minlength=256).tolist()


def test_a_class_outside_the_list_is_refused():
    counter = TruthCounter(2)
    counter.start(1, 1)
    with pytest.raises(ValueError, match="above 1"):
        counter.add(np.array([[2]], np.uint8), PLAIN)


def test_hashes_differ_where_maps_differ():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, (6, 8), dtype=np.uint8)
    maps = [labels, labels.reshape(8, 6), labels.reshape(4, 12), labels[::-1].copy(), labels[:, ::-1].copy()]
    for i in range(labels.size):
        other = labels.copy()
        other.flat[i] = (other.flat[i] + 1) % 3
        maps.append(other)
    blank = np.zeros((6, 8), np.uint8)
    maps += [blank, blank.reshape(8, 6), blank + 1]
    assert len({truth_hash(m) for m in maps}) == len(maps)
    assert len(truth_hash(labels)) == 32
    # A width that needs more than 16 bits.
    assert truth_hash(np.zeros((1, 70_000), np.uint8)) != truth_hash(np.zeros((1, 70_000 - 65_536), np.uint8))
