"""A tall raster in strips: exactly the counts, notices and hashes of the whole."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.kernels.pair import PairCounter
from analysis.reading.labels import LabelFile
from analysis.reading.raster import Raster
from analysis.reading.rules import PREDICTION, PROBABILITY, TRUTH, LabelRule
from analysis.scoring.strips import Area, strips
from analysis.words.classes import ClassList, ClassSpec

from ..bench import write

CLASSES = ClassList(tuple(ClassSpec(i, f"c{i}", "#000000") for i in range(3)), 0)
BINARY = ClassList(CLASSES.classes[:2], 0)


def blocks(rng, height, width, values):
    coarse = rng.choice(values, (height // 6 + 1, width // 6 + 1))
    return np.kron(coarse, np.ones((6, 6)))[:height, :width]


def counts(paths, rules, most, areas=None, size=None, boundary_px=3):
    """What the kernels count, and what the files noted."""
    with Raster(paths[0]) as t, Raster(paths[1]) as p:
        truth, prediction = LabelFile(t, rules[0]), LabelFile(p, rules[1], size)
        at, beside = areas or [Area((0, truth.height), (0, truth.width))] * 2
        counter = PairCounter(len(rules[0].classes), boundary_px)
        counter.start(at.height, at.width)
        n, scores = 0, []
        for s in strips(truth, at, prediction, beside, counter.halo, most):
            counter.add(s.truth, truth.table, s.prediction, prediction.table, above=s.above, below=s.below, row=s.row)
            scores.append(s.scores)
            n += 1
        found = counter.finish()
        if scores[0] is not None:
            scores = [np.concatenate(scores)]
        return n, found, scores[0], (truth.unknown, prediction.unknown, prediction.grey)


def assert_same(one, other):
    for name in ("confusion", "edges", "boundary", "bands", "truth_raw_counts", "prediction_raw_counts"):
        assert np.array_equal(getattr(one[1], name), getattr(other[1], name)), name
    for name in ("valid", "ignored", "truth_hash", "prediction_hash"):
        assert getattr(one[1], name) == getattr(other[1], name), name
    assert (one[2] is None) == (other[2] is None)
    assert one[2] is None or np.array_equal(one[2], other[2], equal_nan=True)


@pytest.mark.parametrize("dtype", ["uint8", "int16"])
@pytest.mark.parametrize("most", [1, 7 * 40, 20 * 40, 97 * 40])
def test_strips_are_the_whole(tmp_path, dtype, most):
    rng = np.random.default_rng(3)
    paths = (
        write(tmp_path / "t.tif", blocks(rng, 300, 40, [0, 1, 2, 7]), dtype),
        write(tmp_path / "p.tif", blocks(rng, 300, 40, [0, 1, 2, 9]), dtype),
    )
    rules = LabelRule(TRUTH, CLASSES, ignore_values=frozenset({7})), LabelRule(PREDICTION, CLASSES)
    whole = counts(paths, rules, 1 << 24)
    parts = counts(paths, rules, most)
    assert whole[0] == 1
    assert parts[0] > 1
    assert_same(whole, parts)
    assert whole[3] == parts[3]  # what is unknown is noted once, in rows around a strip too


def test_unknown_values_are_noted_once_a_pixel(tmp_path):
    rng = np.random.default_rng(4)
    labels = blocks(rng, 200, 30, [0, 1, 9]).astype(np.int16)
    paths = write(tmp_path / "t.tif", np.zeros_like(labels)), write(tmp_path / "p.tif", labels)
    rules = LabelRule(TRUTH, CLASSES), LabelRule(PREDICTION, CLASSES)
    for most in (1 << 24, 1):
        assert counts(paths, rules, most)[3][1] == {"9": int((labels == 9).sum())}


def test_probabilities_in_strips(tmp_path):
    rng = np.random.default_rng(5)
    scores = rng.random((150, 20)).astype(np.float32)
    scores[70:80] = np.nan
    paths = write(tmp_path / "t.tif", blocks(rng, 150, 20, [0, 1])), write(tmp_path / "p.tif", scores)
    rules = LabelRule(TRUTH, BINARY), LabelRule(PREDICTION, BINARY, coding=PROBABILITY)
    assert_same(counts(paths, rules, 1 << 24), counts(paths, rules, 1))


def test_a_part_of_a_south_up_sheet_in_strips(tmp_path):
    rng = np.random.default_rng(6)
    sheet = blocks(rng, 200, 50, [0, 1, 2])
    paths = (
        write(tmp_path / "t.tif", sheet),
        write(tmp_path / "p.tif", blocks(rng, 200, 50, [0, 1, 2]), crs="EPSG:32652", transform=(1, 0, 9, 0, 1, 9)),
    )
    rules = LabelRule(TRUTH, CLASSES), LabelRule(PREDICTION, CLASSES)
    areas = [Area((20, 170), (5, 45)), Area((20, 170), (5, 45))]
    assert_same(counts(paths, rules, 1 << 24, areas), counts(paths, rules, 1, areas))


def test_a_resized_prediction_in_strips(tmp_path):
    rng = np.random.default_rng(7)
    paths = (
        write(tmp_path / "t.tif", blocks(rng, 201, 33, [0, 1, 2])),
        write(tmp_path / "p.tif", blocks(rng, 77, 50, [0, 1, 2])),
    )
    rules = LabelRule(TRUTH, CLASSES), LabelRule(PREDICTION, CLASSES)
    assert_same(counts(paths, rules, 1 << 24, size=(201, 33)), counts(paths, rules, 1, size=(201, 33)))


@settings(deadline=None, max_examples=15)
@given(
    seed=st.integers(0, 2**31),
    height=st.integers(2, 150),
    width=st.integers(1, 30),
    most=st.integers(1, 2000),
    boundary_px=st.sampled_from([1, 3, 12]),
)
def test_any_strips_are_the_whole(tmp_path_factory, seed, height, width, most, boundary_px):
    folder, rng = tmp_path_factory.mktemp("strips"), np.random.default_rng(seed)
    paths = [write(folder / f"{n}.tif", blocks(rng, height, width, [0, 1, 2, 255])) for n in "tp"]
    truth = replace(LabelRule(TRUTH, CLASSES), ignore_values=frozenset({255}))
    rules = truth, LabelRule(PREDICTION, CLASSES)
    whole = counts(paths, rules, 1 << 24, boundary_px=boundary_px)
    assert_same(whole, counts(paths, rules, most, boundary_px=boundary_px))
