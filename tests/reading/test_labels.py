"""Label files as codes: what each kind of file becomes, and what is refused."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
import rasterio
from PIL import Image

from analysis.errors import TileError
from analysis.reading.labels import LabelFile
from analysis.reading.raster import Raster
from analysis.reading.rules import (
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
from analysis.reading.tally import values_with_pixels
from analysis.words.classes import IGNORED, ClassList, ClassSpec

from ..bench import write

I = IGNORED  # noqa: E741


def rule(ids=(0, 1, 2), side=TRUTH, **keys) -> LabelRule:
    classes = ClassList(tuple(ClassSpec(i, f"c{i}", "#000000") for i in ids), 0)
    return LabelRule(side=side, classes=classes, **keys)


def binary(coding, side=TRUTH, **keys) -> LabelRule:
    return rule((0, 1), side, coding=coding, **keys)


def indices(path, given: LabelRule, size=None):
    """Class indices, and the file for what it noted."""
    with Raster(path) as raster:
        file = LabelFile(raster, given, size)
        block = file.read((0, file.height), (0, file.width))
        file.note_counts(np.bincount(block.codes.ravel(), minlength=256))
        return file.table[block.codes].tolist(), file, block.scores


def refusal(path, given: LabelRule) -> TileError:
    with pytest.raises(TileError) as caught:
        indices(path, given)
    assert path.name in str(caught.value)
    return caught.value


# One band of whole numbers


@pytest.mark.parametrize(
    "dtype", ["uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "float32", "float64"]
)
def test_the_value_is_the_class_id_in_every_type(tmp_path, dtype):
    path = write(tmp_path / "a.tif", [[0, 1], [2, 7]], dtype)
    found, file, _ = indices(path, rule((0, 2, 7)))
    # 0 -> first class, 7 -> third; 1 is no class: made harmless and noted
    assert found == [[0, I], [1, 2]]
    assert file.unknown == {"1": 1}
    assert indices(path, rule((0, 2, 7), PREDICTION))[0] == [[0, 3], [1, 2]]


def test_negative_and_large_ids(tmp_path):
    path = write(tmp_path / "a.tif", [[-1, 300], [70000, 300]], "int32")
    assert indices(path, rule((-1, 300, 70000)))[0] == [[0, 1], [2, 1]]


def test_a_float_is_known_only_where_it_holds_a_whole_number(tmp_path):
    path = write(tmp_path / "a.tif", [[0, 1.5], [2, np.nan]], "float32")
    found, file, _ = indices(path, rule())
    assert found == [[0, I], [2, I]]
    assert file.unknown == {"1.5": 1}  # NaN is no value: ignored in a truth, wrong in a prediction
    assert indices(path, rule(side=PREDICTION))[0] == [[0, 3], [2, 3]]


def test_ignored_values_come_before_the_map(tmp_path):
    path = write(tmp_path / "a.png", [[10, 30], [99, 30]])
    mapped = rule(coding=VALUES, values={10: 0, 30: 2}, ignore_values=frozenset({30}))
    found, file, _ = indices(path, mapped)
    assert found == [[0, I], [I, I]]
    assert file.unknown == {"99": 1}
    # in a prediction nothing is ignored
    assert indices(path, replace(mapped, side=PREDICTION))[0] == [[0, 2], [3, 2]]


def test_a_value_map_of_16_bits(tmp_path):
    path = write(tmp_path / "a.tif", [[1000, -5]], "int16")
    assert indices(path, rule(coding=VALUES, values={1000: 1, -5: 2}))[0] == [[1, 2]]


def test_one_bit(tmp_path):
    path = write(tmp_path / "a.tif", [[0, 1], [1, 0]], nbits=1)
    assert indices(path, binary(ZERO_ONE))[0] == [[0, 1], [1, 0]]
    for name in ("b.png", "b.tif"):
        Image.fromarray(np.array([[False, True]])).save(tmp_path / name)
        assert indices(tmp_path / name, binary(ZERO_ONE))[0] == [[0, 1]], name


# Nodata, alpha, masks


def test_nodata_is_ignored_in_a_truth_and_wrong_in_a_prediction(tmp_path):
    path = write(tmp_path / "a.tif", [[0, -9999], [2, 1]], "int16", nodata=-9999)
    assert indices(path, rule())[0] == [[0, I], [2, 1]]
    assert indices(path, rule(side=PREDICTION))[0] == [[0, 3], [2, 1]]
    path = write(tmp_path / "b.tif", [[0, 255], [2, 1]], nodata=255)
    assert indices(path, rule())[0] == [[0, I], [2, 1]]


@pytest.mark.parametrize(("dtype", "values"), [("uint8", [[0, 1], [0, 2]]), ("int16", [[0, 1], [0, 2]])])
def test_nodata_that_is_a_class_is_not_believed(tmp_path, dtype, values):
    found, file, _ = indices(write(tmp_path / "a.tif", values, dtype, nodata=0), rule())
    assert found == values
    assert (file.nodata_doubted, file.nodata_pixels) == (True, 2)


def test_nodata_by_coding(tmp_path):
    masks = write(tmp_path / "a.tif", [[0, 1], [255, 1]], nodata=255)
    assert indices(masks, binary(ZERO_ONE))[0] == [[0, 1], [I, 1]]
    pictures = write(tmp_path / "b.tif", [[0, 255], [255, 0]], nodata=255)
    assert indices(pictures, binary(ZERO_255))[0] == [[0, 1], [1, 0]]
    likely = write(tmp_path / "c.tif", [[0, 0.7], [-1, 0.2]], "float32", nodata=-1)
    assert indices(likely, binary(PROBABILITY, PREDICTION))[0] == [[0, 1], [2, 0]]


def test_a_tag_that_no_8_bit_value_can_have(tmp_path):
    path = tmp_path / "a.vrt"
    write(tmp_path / "a.tif", [[0, 1]])
    path.write_text(
        '<VRTDataset rasterXSize="2" rasterYSize="1"><VRTRasterBand dataType="Byte" band="1">'
        "<NoDataValue>-9999</NoDataValue><SimpleSource><SourceFilename relativeToVRT='1'>a.tif</SourceFilename>"
        "<SourceBand>1</SourceBand></SimpleSource></VRTRasterBand></VRTDataset>"
    )
    assert indices(path, rule())[0] == [[0, 1]]


def test_an_alpha_band_masks_where_it_is_0(tmp_path):
    labels, alpha = np.array([[1, 2], [1, 0]], np.uint8), np.array([[255, 0], [1, 255]], np.uint8)
    Image.fromarray(np.dstack([labels, alpha]), "LA").save(tmp_path / "la.png")
    write(tmp_path / "rgba.png", np.dstack([labels] * 3 + [alpha]))
    write(tmp_path / "rgba.tif", np.dstack([labels] * 3 + [alpha]), photometric="RGB", alpha="YES")
    for name in ("la.png", "rgba.png", "rgba.tif"):
        assert indices(tmp_path / name, rule())[0] == [[1, I], [1, 0]], name
        assert indices(tmp_path / name, rule(side=PREDICTION))[0] == [[1, 3], [1, 0]], name


@pytest.mark.parametrize("constant", [0, 128, 255])
def test_a_constant_alpha_means_nothing(tmp_path, constant):
    labels = np.array([[1, 2], [1, 0]], np.uint8)
    path = write(tmp_path / "a.png", np.dstack([labels] * 3 + [np.full_like(labels, constant)]))
    assert indices(path, rule())[0] == labels.tolist()


def test_an_alpha_that_is_0_in_a_window_still_masks_it(tmp_path):
    alpha = np.array([[0, 0], [255, 255]], np.uint8)
    path = write(tmp_path / "a.png", np.dstack([np.ones((2, 2), np.uint8)] * 3 + [alpha]))
    with Raster(path) as raster:
        file = LabelFile(raster, rule())
        assert file.table[file.read((0, 1), (0, 2)).codes].tolist() == [[I, I]]


def test_a_mask_inside_a_tiff(tmp_path):
    path = tmp_path / "a.tif"
    with (
        rasterio.Env(GDAL_TIFF_INTERNAL_MASK=True),
        rasterio.open(path, "w", driver="GTiff", height=1, width=3, count=1, dtype="uint8") as dataset,
    ):
        dataset.write(np.array([[1, 2, 0]], np.uint8), 1)
        dataset.write_mask(np.array([[True, False, True]]))
    assert indices(path, rule())[0] == [[1, I, 0]]


# Palettes, colours, bands


def test_the_index_of_a_palette_is_the_class(tmp_path):
    for name in ("a.png", "a.tif"):
        path = write(tmp_path / name, [[0, 2], [1, 1]], palette={0: (9, 9, 9), 1: (0, 0, 2), 2: (1, 1, 1)})
        assert indices(path, rule())[0] == [[0, 2], [1, 1]]


COLOR_RULE = {"coding": COLORS, "colors": {(255, 0, 0): 1, (0, 0, 0): 0}, "ignore_colors": frozenset({(9, 9, 9)})}


def test_colours_are_looked_up(tmp_path):
    pixels = np.array([[[255, 0, 0], [0, 0, 0]], [[9, 9, 9], [1, 2, 3]]], np.uint8)
    found, file, _ = indices(write(tmp_path / "a.png", pixels), rule(**COLOR_RULE))
    assert found == [[1, 0], [I, I]]
    assert file.unknown == {"#010203": 1}
    found, _, _ = indices(write(tmp_path / "a.png", pixels), rule(side=PREDICTION, **COLOR_RULE))
    assert found == [[1, 0], [3, 3]]


def test_colours_of_a_palette_and_of_greys(tmp_path):
    palette = {0: (0, 0, 0), 1: (9, 9, 9), 7: (255, 0, 0), 8: (5, 5, 5)}
    found, file, _ = indices(write(tmp_path / "a.png", [[7, 0], [1, 8]], palette=palette), rule(**COLOR_RULE))
    assert found == [[1, 0], [I, I]]
    assert file.unknown == {"#050505": 1}
    grey = rule(coding=COLORS, colors={(0, 0, 0): 0, (128, 128, 128): 2})
    assert indices(write(tmp_path / "b.png", [[128, 0]]), grey)[0] == [[2, 0]]


def test_colours_with_an_alpha_band(tmp_path):
    pixels = np.array([[[255, 0, 0, 255], [255, 0, 0, 0]]], np.uint8)
    assert indices(write(tmp_path / "a.png", pixels), rule(**COLOR_RULE))[0] == [[1, I]]


def test_three_equal_bands_are_one(tmp_path):
    labels = np.array([[0, 1], [2, 0]], np.uint8)
    for name in ("a.png", "a.tif"):
        path = write(tmp_path / name, np.dstack([labels] * 3))
        assert indices(path, rule())[0] == labels.tolist()


def test_three_bands_of_a_jpeg_may_differ_by_3(tmp_path):
    mask = np.kron(np.array([[0, 255], [255, 0]], np.uint8), np.ones((8, 8), np.uint8))
    path = write(tmp_path / "a.jpg", np.dstack([mask] * 3), QUALITY=95)
    found, _, _ = indices(path, binary(GREY))
    assert found == (mask // 255).tolist()


@pytest.mark.parametrize("side", [TRUTH, PREDICTION])
def test_three_unequal_bands_are_refused_with_the_key_to_set(tmp_path, side):
    pixels = np.array([[[255, 0, 0], [0, 0, 0]]], np.uint8)
    error = refusal(write(tmp_path / "a.png", pixels), rule(side=side))
    assert error.code == "unequal-bands"
    assert f"say with {side}_colors which colour is which class" in str(error)


@pytest.mark.parametrize(("bands", "dtype"), [(2, "uint8"), (4, "uint16"), (3, "float32"), (5, "uint8")])
def test_other_band_counts_are_refused(tmp_path, bands, dtype):
    path = write(tmp_path / "a.tif", np.zeros((2, 2, bands), dtype), photometric="MINISBLACK")
    error = refusal(path, rule())
    assert error.code == "band-count"
    assert f"has {bands} bands of {dtype}" in str(error)
    assert "Write the class ids as one band" in str(error)


def test_complex_numbers_are_refused(tmp_path):
    path = write(tmp_path / "a.tif", np.zeros((2, 2), np.complex64))
    assert "complex numbers" in str(refusal(path, rule()))


# Binary codings


def test_zero_one_and_zero_255(tmp_path):
    path = write(tmp_path / "a.png", [[0, 1], [255, 7]])
    assert indices(path, binary(ZERO_ONE))[0] == [[0, 1], [I, I]]
    assert indices(path, binary(ZERO_255))[0] == [[0, I], [1, I]]


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "int16", "float32"])
def test_grey_is_cut_above_127(tmp_path, dtype):
    path = write(tmp_path / "a.tif", [[0, 127], [128, 255]], dtype)
    found, file, scores = indices(path, binary(GREY, PREDICTION))
    assert found == [[0, 0], [1, 1]]
    assert file.grey == 2
    assert (scores is None) == (dtype != "uint8")


def test_the_threshold_cuts_grey_predictions_and_not_truths(tmp_path):
    path = write(tmp_path / "a.png", [[60, 70], [127, 128]])
    assert indices(path, binary(GREY, PREDICTION, threshold=0.25))[0] == [[0, 1], [1, 1]]  # 63.75
    assert indices(path, binary(GREY, threshold=0.25))[0] == [[0, 0], [0, 1]]


def test_full_levels_of_16_bits_are_class_1_and_other_levels_are_not_guessed(tmp_path):
    path = write(tmp_path / "a.tif", [[0, 65535], [65535, 0]], "uint16")
    assert indices(path, binary(GREY))[0] == [[0, 1], [1, 0]]
    path = write(tmp_path / "b.tif", [[0, 65535], [300, 40000]], "uint16")
    found, file, _ = indices(path, binary(GREY))
    assert found == [[0, 1], [I, I]]
    assert file.unknown == {"300": 1, "40000": 1}


def test_negative_grey_is_unknown(tmp_path):
    _, file, _ = indices(write(tmp_path / "a.tif", [[-1, 200]], "int16"), binary(GREY))
    assert file.unknown == {"-1": 1}


def test_probabilities(tmp_path):
    path = write(tmp_path / "a.tif", [[0.0, 0.49], [0.5, 1.0], [np.nan, 0.51]], "float32")
    found, _, scores = indices(path, binary(PROBABILITY, PREDICTION))
    assert found == [[0, 0], [1, 1], [2, 1]]  # equal to the threshold is class 1; NaN is no value
    assert np.array_equal(scores, np.array([[0, 0.49], [0.5, 1], [np.nan, 0.51]], np.float32), equal_nan=True)
    assert indices(path, binary(PROBABILITY, PREDICTION, threshold=0.51))[0][2] == [2, 1]
    assert indices(path, binary(PROBABILITY, PREDICTION, threshold=0.52))[0][2] == [2, 0]


def test_probabilities_a_hair_outside_are_clipped(tmp_path):
    path = write(tmp_path / "a.tif", [[-0.0005, 1.0005]], "float32")
    found, _, scores = indices(path, binary(PROBABILITY, PREDICTION))
    assert (found, scores.tolist()) == ([[0, 1]], [[0.0, 1.0]])
    refusal(write(tmp_path / "b.tif", [[0.5, 1.01]], "float32"), binary(PROBABILITY, PREDICTION))


def test_probabilities_in_a_folder_of_grey_levels_are_refused(tmp_path):
    error = refusal(write(tmp_path / "a.tif", [[0.25, 0.75]], "float32"), binary(GREY, PREDICTION))
    assert error.code == "coding-mismatch"
    assert "a.tif holds fractions up to 0.75, while its folder was read as grey levels" in str(error)
    assert indices(write(tmp_path / "b.tif", [[0.25, 200]], "float32"), binary(GREY, PREDICTION))[0] == [[0, 1]]
    assert indices(write(tmp_path / "c.tif", [[0, 1]], "float32"), binary(GREY, PREDICTION))[0] == [[0, 0]]


def test_logits_are_refused_with_their_range(tmp_path):
    error = refusal(write(tmp_path / "a.tif", [[-3.5, 2.25]], "float32"), binary(PROBABILITY, PREDICTION))
    assert error.code == "not-probabilities"
    assert "values from -3.5 to 2.25" in str(error)
    assert "sigmoid" in str(error)


# Score bands


def test_k_float_bands_are_taken_by_the_highest(tmp_path):
    scores = np.array([[[0.1, 0.8, 0.1], [5, -2, 7]], [[3, 3, 0], [np.nan, 1, 0]]], np.float32)
    path = write(tmp_path / "a.tif", scores, photometric="MINISBLACK")
    found, file, probabilities = indices(path, rule(side=PREDICTION))
    assert found == [[1, 2], [0, 3]]  # of equal scores the first; NaN is no value
    assert (file.argmax, probabilities) == (True, None)
    assert refusal(path, rule()).code == "band-count"  # a truth has no scores


def test_two_float_bands_of_a_binary_dataset_keep_the_probability(tmp_path):
    scores = np.array([[[0.9, 0.1], [0.25, 0.75]]], np.float32)
    path = write(tmp_path / "a.tif", scores, photometric="MINISBLACK")
    found, _, probabilities = indices(path, binary(PROBABILITY, PREDICTION))
    assert found == [[0, 1]]
    assert np.allclose(probabilities, [[0.1, 0.75]])


# Size


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ((4, 4), [[0, 0, 1, 1], [0, 0, 1, 1], [2, 2, 0, 0], [2, 2, 0, 0]]),
        ((1, 1), [[0]]),  # the centre lies on the corner of all four; the lower right one is taken
        ((3, 3), [[0, 1, 1], [2, 0, 0], [2, 0, 0]]),
        ((2, 3), [[0, 1, 1], [2, 0, 0]]),
    ],
)
def test_resizing_takes_the_nearest_pixel(tmp_path, size, expected):
    path = write(tmp_path / "a.png", [[0, 1], [2, 0]])
    found, file, _ = indices(path, rule(side=PREDICTION), size)
    assert found == expected
    assert file.resized


def test_resizing_down_takes_centres(tmp_path):
    # 6 columns to 2: centres at 1.5 and 4.5, so columns 1 and 4
    path = write(tmp_path / "a.png", [[0, 1, 0, 2, 0, 2]])
    assert indices(path, rule(side=PREDICTION), (1, 2))[0] == [[1, 0]]


@pytest.mark.parametrize("size", [(7, 5), (2, 9), (13, 3)])
def test_resizing_in_windows_is_resizing_the_whole(tmp_path, size):
    labels = np.random.default_rng(1).integers(0, 3, (5, 7), dtype=np.uint8)
    path = write(tmp_path / "a.png", labels)
    with Raster(path) as raster:
        file = LabelFile(raster, rule(side=PREDICTION), size)
        whole = file.read((0, size[0]), (0, size[1])).codes
        rows = [file.read((r, r + 1), (0, size[1])).codes for r in range(size[0])]
        columns = [file.read((0, size[0]), (c, c + 1)).codes for c in range(size[1])]
    assert (np.concatenate(rows) == whole).all()
    assert (np.concatenate(columns, axis=1) == whole).all()


def test_resizing_keeps_the_scores_beside_the_codes(tmp_path):
    path = write(tmp_path / "a.tif", [[0.25, 0.75]], "float32")
    found, _, scores = indices(path, binary(PROBABILITY, PREDICTION), (2, 4))
    assert found == [[0, 0, 1, 1]] * 2
    assert scores.tolist() == [[0.25, 0.25, 0.75, 0.75]] * 2


def test_values_are_listed_with_their_pixels_most_frequent_first():
    counts = Counter({str(v): v * 1000 for v in range(1, 8)})
    assert (
        values_with_pixels(counts) == "7 (7,000 px), 6 (6,000 px), 5 (5,000 px), 4 (4,000 px), 3 (3,000 px) and 2 more"
    )
    assert values_with_pixels(Counter({"9": 1})) == "9 (1 px)"
