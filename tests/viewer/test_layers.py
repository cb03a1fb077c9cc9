"""Label maps survive their way into the browser bit by bit; images nearly."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from analysis.pictures.layers import tile_layers
from analysis.pictures.pixels import TilePixels
from analysis.words.classes import IGNORED, ClassList, ClassSpec


def class_list(count: int) -> ClassList:
    return ClassList(tuple(ClassSpec(3 * i, f"class {i}", "#102030") for i in range(count)))


def decoded(data: bytes | None) -> np.ndarray:
    assert data is not None
    with Image.open(io.BytesIO(data)) as picture:
        assert picture.mode in ("L", "RGB")
        return np.asarray(picture)


def smooth_photo(height: int, width: int) -> np.ndarray:
    rows, columns = np.mgrid[:height, :width]
    bands = (rows * 255 / height, columns * 255 / width, 128 + 60 * np.sin(rows / 17))
    return np.stack(bands, axis=2).astype(np.uint8)


@pytest.mark.parametrize("count", [2, 5, 20])
@pytest.mark.parametrize("shape", [(64, 64), (37, 101), (1, 1)])
def test_label_maps_come_back_bit_by_bit(count: int, shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(count)
    truth = rng.integers(0, count, shape, dtype=np.uint8)
    prediction = rng.integers(0, count + 1, shape, dtype=np.uint8)
    truth[0, 0], prediction[0, 0] = IGNORED, count
    layers = tile_layers(TilePixels("t", *shape, 1, {}, truth, prediction), class_list(count), 0.5)
    np.testing.assert_array_equal(decoded(layers.truth), truth)
    np.testing.assert_array_equal(decoded(layers.prediction), prediction)
    assert layers.outside == count
    assert (layers.height, layers.width) == shape


def test_images_come_back_nearly() -> None:
    photo = smooth_photo(96, 128)
    layers = tile_layers(TilePixels("t", 96, 128, 1, {"before": photo, "after": photo[::-1]}), class_list(2), None)
    assert [role for role, _ in layers.photos] == ["before", "after"]
    for (_, data), wanted in zip(layers.photos, (photo, photo[::-1]), strict=True):
        assert data[8:12] == b"WEBP"
        assert np.abs(decoded(data).astype(int) - wanted).mean() < 3
    assert layers.truth is None
    assert layers.prediction is None
    assert layers.gsd is None


def test_equal_pixels_give_equal_bytes_and_others_do_not() -> None:
    labels = np.zeros((8, 8), np.uint8)
    pixels = TilePixels("t", 8, 8, 1, {"image": smooth_photo(8, 8)}, labels, labels)
    one, two = (tile_layers(pixels, class_list(2), 0.25) for _ in range(2))
    assert one == two
    assert one.digest == two.digest
    changed = labels.copy()
    changed[7, 7] = 1
    other = tile_layers(TilePixels("t", 8, 8, 1, pixels.photos, labels, changed), class_list(2), 0.25)
    assert other.digest != one.digest


def test_truth_and_prediction_are_told_apart_in_the_digest() -> None:
    labels = np.zeros((8, 8), np.uint8)
    a = tile_layers(TilePixels("t", 8, 8, 1, {}, labels, None), class_list(2), None)
    b = tile_layers(TilePixels("t", 8, 8, 1, {}, None, labels), class_list(2), None)
    assert a.digest != b.digest


def test_an_unknown_gsd_is_none_and_faults_are_kept() -> None:
    layers = tile_layers(TilePixels("t", 4, 4, 1, {}, None, None, ("gone",)), class_list(2), float("nan"))
    assert layers.gsd is None
    assert layers.faults == ("gone",)


@pytest.mark.parametrize(("truth", "prediction"), [(2, 0), (254, 0), (0, 3), (0, IGNORED)])
def test_a_code_without_a_meaning_is_refused(truth: int, prediction: int) -> None:
    codes = [np.full((2, 2), value, np.uint8) for value in (truth, prediction)]
    with pytest.raises(ValueError, match=str(max(truth, prediction))):
        tile_layers(TilePixels("t", 2, 2, 1, {}, *codes), class_list(2), None)


def test_a_tile_of_512_px_stays_small() -> None:
    rng = np.random.default_rng(1)
    coarse = rng.integers(0, 5, (32, 32), dtype=np.uint8)
    truth = np.kron(coarse, np.ones((16, 16), np.uint8))
    noisy = np.where(rng.random(truth.shape) < 0.05, rng.integers(0, 5, truth.shape, dtype=np.uint8), truth)
    photo = (smooth_photo(512, 512) + rng.normal(0, 6, (512, 512, 1))).clip(0, 255).astype(np.uint8)
    layers = tile_layers(TilePixels("t", 512, 512, 1, {"image": photo}, truth, noisy), class_list(5), 0.25)
    assert layers.size < 150_000
