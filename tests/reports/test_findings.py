"""Findings over a whole run: polarity, and the same truth in two splits."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.findings.polarity import polarity_notice
from analysis.words.classes import ClassList, ClassSpec

from ..bench import TWO, Bench

BINARY = ClassList((ClassSpec(0, "off", "#000000"), ClassSpec(1, "on", "#ffffff")), 0)


def notice(*matrix, classes=BINARY):
    return polarity_notice(np.array([matrix]), classes)


def test_an_inverted_prediction_is_told():
    # as it stands: 1 of union 10; the other way round: 4 of union 5, counted from rows (truth) by columns
    found = notice((1, 5, 0), (4, 0, 0))
    assert found.code == "polarity"
    assert "IoU of on 0.800 instead of 0.000" in found.message
    assert "prediction_values" in found.message


@pytest.mark.parametrize(
    "matrix",
    [
        ((5, 1, 0), (0, 4, 0)),  # right as it is
        ((5, 20, 0), (8, 0, 0)),  # the other way round fits no better than 8 / (8 + 0 + 5): told
        ((90, 5, 0), (5, 0, 0)),  # a rare class that is missed: 5 of union 95 the other way round
        ((0, 0, 0), (0, 0, 0)),
        ((4, 0, 0), (6, 4, 0)),  # 0.4 as it is, 6 of union 14 = 0.43 the other way round: less than twice
    ],
)
def test_what_is_not_told(matrix):
    found = notice(*matrix)
    plain = (5, 20, 0) in matrix
    assert (found is not None) == plain


def test_only_binary_runs_with_tiles_have_a_polarity():
    three = ClassList((*BINARY.classes, ClassSpec(2, "x", "#000000")), 0)
    assert polarity_notice(np.zeros((1, 3, 4), np.int64), three) is None
    assert polarity_notice(np.zeros((0, 2, 3), np.int64), BINARY) is None


def test_the_numbers_stay_as_they_are(tmp_path):
    bench = Bench(tmp_path)
    bench.pair("a", [[0, 0, 0, 255]], [[255, 255, 255, 0]])
    bench.workspace(task="change")
    answer = bench.score()
    assert answer.pooled["iou"]["1"] == 0.0
    assert "IoU of changed 1.000 instead of 0.000" in answer.notice("polarity")["message"]
    bench.workspace(run="prediction_values = {255 = 0, 0 = 1}", task="change")
    answer = bench.score()
    assert (answer.pooled["iou"]["1"], answer.codes) == (1.0, [])


def test_a_truth_that_stands_in_two_splits(tmp_path):
    bench = Bench(tmp_path)
    for tile, labels in {"a": [[0, 1]], "b": [[0, 1]], "c": [[1, 0]], "d": [[0, 0]], "e": [[0, 0]]}.items():
        bench.pair(tile, labels, labels)
    bench.text("train.txt", "a\nd\n")
    bench.text("test.txt", "b\nc\ne\n")
    bench.workspace('splits = {train = "train.txt", test = "test.txt"}', classes=TWO)
    notice = bench.score().notice("same-truth-in-splits")
    # d and e are of one class alone: that says nothing
    assert (notice["count"], notice["tiles"]) == (2, ["a", "b"])
    assert "such as a (train) and b (test)" in notice["message"]
