"""How a folder of binary masks is coded: decided from a sample, in natural order, never for a tile."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.reading.coding import SAMPLE_FILES, decide, needs_decision, take_sample
from analysis.reading.rules import (
    CLASSES,
    COLORS,
    GREY,
    PREDICTION,
    PROBABILITY,
    TRUTH,
    VALUES,
    ZERO_255,
    ZERO_ONE,
    LabelRule,
)
from analysis.words.classes import ClassList, ClassSpec

from ..bench import write


def rule(ids=(0, 1), side=TRUTH, **keys):
    return LabelRule(side=side, classes=ClassList(tuple(ClassSpec(i, f"c{i}", "#000000") for i in ids), 0), **keys)


def coding(folder, *values, dtype="uint8", given=None, ending="tif", **options):
    """The coding of a folder with a file for each of the values."""
    paths = [write(folder / f"t_{i}.{ending}", v, dtype, **options) for i, v in enumerate(values)]
    decided, _ = decide(given or rule(), paths)
    return decided.coding


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0, 1], ZERO_ONE),
        ([0, 0], ZERO_ONE),  # nothing to tell by
        ([1, 1], ZERO_ONE),
        ([0, 255], ZERO_255),
        ([255, 255], ZERO_255),
        ([0, 254], GREY),
        ([0, 2], GREY),
        ([1, 255], GREY),  # both 1 and 255
        ([0, 3, 128, 255], GREY),
    ],
)
def test_whole_numbers(tmp_path, values, expected):
    assert coding(tmp_path, [values]) == expected


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int16", "int32", "int64"])
def test_the_type_does_not_matter_for_whole_numbers(tmp_path, dtype):
    assert coding(tmp_path, [[0, 1]], dtype=dtype) == ZERO_ONE
    if dtype != "int8":
        assert coding(tmp_path, [[0, 255]], dtype=dtype) == ZERO_255


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0, 1], PROBABILITY),  # a float that holds 0 and 1 alone is a hard probability
        ([0, 0.5], PROBABILITY),
        ([0.2, np.nan], PROBABILITY),
        ([0, 255], ZERO_255),
        ([0, 17, 255], GREY),
        ([0.3, 1.0000002], PROBABILITY),  # as averages of overlapping windows leave them
        ([0.5, 200.5], GREY),  # as smoothing leaves them
        ([-3.5, 2.25], PROBABILITY),  # logits: refused later, with their range
        ([0.5, 8.25], PROBABILITY),  # so are these: as grey levels none would reach the cut
        ([-0.5, 0.5, 300.5], PROBABILITY),
    ],
)
def test_floats(tmp_path, values, expected):
    assert coding(tmp_path, [values], dtype="float32") == expected


def test_the_folder_decides_and_not_a_file(tmp_path):
    # the first file alone would be 0/1
    assert coding(tmp_path, [[0, 1]], [[0, 200]]) == GREY
    assert coding(tmp_path, [[0, 1]], [[0, 255]]) == GREY
    assert coding(tmp_path, [[0, 0]], [[0, 255]]) == ZERO_255


def test_the_sample_goes_on_until_something_was_seen(tmp_path):
    empty = [[[0, 0]]] * (SAMPLE_FILES + 5)
    assert coding(tmp_path, *empty, [[0, 255]], [[0, 7]]) == ZERO_255  # the last file is not read
    assert coding(tmp_path, *empty[:3], [[0, 255]], [[0, 7]]) == GREY


def test_the_sample_says_what_it_saw(tmp_path):
    paths = [write(tmp_path / f"t_{i}.png", [[0, 255 * (i == 2)]]) for i in range(3)]
    (tmp_path / "broken.png").write_bytes(b"x")
    decided, sample = decide(rule(), [*paths, tmp_path / "broken.png"])
    assert (sample.files, sample.unreadable, sample.values) == (3, 1, {0.0, 255.0})
    assert decided.evidence == "values 0, 255 in all 4 files"
    assert decide(rule(), [])[0].evidence == "no file"
    assert decide(rule(), [tmp_path / "broken.png"])[0].evidence == "no readable file"
    many = [write(tmp_path / "grey.png", np.arange(100, dtype=np.uint8)[None])] * (SAMPLE_FILES + 1)
    assert decide(rule(), many)[0].evidence == "values 0, 1, 2, 3, 4, 5, 6, 7, … in the first 64 of 65 files"


def test_nodata_and_ignored_values_do_not_count(tmp_path):
    assert coding(tmp_path, [[0, 1, 255]], nodata=255) == ZERO_ONE
    assert coding(tmp_path, [[0, 1, 255]], given=rule(ignore_values=frozenset({255}))) == ZERO_ONE
    # what is ignored in a truth is a value like any other in a prediction
    assert coding(tmp_path, [[0, 1, 255]], given=rule(side=PREDICTION, ignore_values=frozenset({255}))) == GREY


def test_a_tag_on_the_only_value_but_0_stands_on_a_class(tmp_path):
    assert coding(tmp_path, [[0, 255]], nodata=255) == ZERO_255
    assert coding(tmp_path, [[0, 1]], nodata=1) == ZERO_ONE
    assert coding(tmp_path, [[0, 255]], nodata=0) == ZERO_255


def test_score_bands_are_looked_at_together(tmp_path):
    scores = np.array([[[0.9, 0.1], [0.5, 0.5]]], np.float32)
    assert coding(tmp_path, scores, given=rule(side=PREDICTION), photometric="MINISBLACK") == PROBABILITY


def test_three_bands_are_looked_at_as_one(tmp_path):
    mask = np.dstack([np.array([[0, 255]], np.uint8)] * 3)
    assert coding(tmp_path, mask, ending="png") == ZERO_255


def test_large_files_are_sampled_in_strips(tmp_path):
    tall = np.zeros((1 << 14, 300), np.uint8)  # 4.9 million px: more than are read
    tall[:100] = 255
    path = write(tmp_path / "a.tif", tall)
    assert decide(rule(), [path])[0].coding == ZERO_255


def test_a_large_file_is_read_on_until_something_was_seen(tmp_path):
    tall = np.zeros((1 << 14, 300), np.uint8)
    tall[1000, 7] = 255  # between the strips
    path = write(tmp_path / "a.tif", tall)
    decided, sample = decide(rule(), [path])
    assert (decided.coding, sample.values) == (ZERO_255, {0.0, 255.0})
    assert take_sample([path], rule(), go_on=False).values == {0.0}


def test_only_binary_datasets_without_maps_are_decided(tmp_path):
    assert needs_decision(rule())
    for given, expected in (
        (rule((0, 1, 2)), CLASSES),
        (rule((1, 2)), CLASSES),
        (rule(values={0: 0, 7: 1}), VALUES),
        (rule(colors={(0, 0, 0): 0}), COLORS),
    ):
        assert not needs_decision(given)
        assert coding(tmp_path, [[0, 200]], given=given) == expected


def test_for_the_others_a_small_sample_is_read_for_the_report(tmp_path):
    paths = [write(tmp_path / f"t_{i}.png", [[0, 0]]) for i in range(20)]
    _, sample = decide(rule((0, 1, 2)), paths)
    assert sample.files == 8
    assert take_sample(paths, rule(), files=3, go_on=False).files == 3
