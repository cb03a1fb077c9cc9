"""Opening and reading rasters: headers, orientation, masks, and files that are damaged."""

from __future__ import annotations

import io
import os
from contextlib import nullcontext

import numpy as np
import pytest
import rasterio
from PIL import Image
from rasterio.transform import Affine

from analysis.errors import TileError
from analysis.reading.raster import Raster, environment, read_header, write_raster

from ..bench import write

UTM = "EPSG:32652"
NORTH_UP = (0.5, 0.0, 1000.0, 0.0, -0.5, 2000.0)
RAMP = np.arange(35, dtype=np.uint8).reshape(5, 7)


def whole(path):
    with Raster(path) as raster:
        return raster.read((0, raster.header.height), (0, raster.header.width))


def noise(height=64, width=64):
    return np.random.default_rng(0).integers(0, 256, (height, width), dtype=np.uint8)


def test_a_header(tmp_path):
    path = write(tmp_path / "a.tif", RAMP.astype(np.int16), crs=UTM, transform=NORTH_UP, nodata=-9999)
    header = read_header(path)
    assert (header.driver, header.dtype, header.size) == ("GTiff", "int16", "7 x 5")
    assert (header.bands, header.alpha, header.nodata, header.palette) == ((1,), None, -9999, False)
    assert (header.georeference.crs, header.gsd, header.south_up) == (UTM, 0.5, False)


def test_a_crs_without_a_length_has_no_gsd(tmp_path):
    path = write(tmp_path / "a.tif", RAMP, crs="EPSG:4326", transform=(1e-5, 0, 5, 0, -1e-5, 50))
    assert read_header(path).gsd is None


def test_feet_are_turned_into_metres(tmp_path):
    # US survey feet: 1200 / 3937 m
    path = write(tmp_path / "a.tif", RAMP, crs="EPSG:2263", transform=(2, 0, 1000, 0, -2, 2000))
    assert read_header(path).gsd == pytest.approx(2 * 1200 / 3937)


def test_an_identity_transform_is_no_georeference_and_never_south_up(tmp_path):
    plain = write(tmp_path / "plain.tif", RAMP)
    lost = write(tmp_path / "lost.tif", RAMP, crs=UTM, transform=(1, 0, 0, 0, 1, 0))
    for path in (plain, lost):
        header = read_header(path)
        assert (header.georeference, header.south_up) == (None, False)
        assert (whole(path)[0] == RAMP).all()


def test_a_south_up_raster_is_turned_with_its_transform(tmp_path):
    path = write(tmp_path / "a.tif", RAMP, crs=UTM, transform=(0.5, 0, 1000, 0, 0.5, 1997.5))
    header = read_header(path)
    assert header.south_up
    assert header.georeference.transform == NORTH_UP
    assert (whole(path)[0] == RAMP[::-1]).all()
    with Raster(path) as raster:  # rows 1 and 2 from the north, columns 2 to 4
        assert (raster.read((1, 3), (2, 5))[0] == RAMP[::-1][1:3, 2:5]).all()


def test_a_window_is_counted_from_the_north(tmp_path):
    with Raster(write(tmp_path / "a.png", RAMP)) as raster:
        assert (raster.read((1, 3), (2, 5))[0] == RAMP[1:3, 2:5]).all()


def test_bands_and_alpha(tmp_path):
    rgba = np.dstack([RAMP, RAMP + 1, RAMP + 2, np.where(RAMP < 9, 0, 255).astype(np.uint8)])
    with Raster(write(tmp_path / "a.png", rgba)) as raster:
        assert (raster.header.bands, raster.header.alpha) == ((1, 2, 3), 4)
        assert (raster.read((0, 5), (0, 7))[2] == RAMP + 2).all()
        assert (raster.read_mask((0, 5), (0, 7)) == (RAMP < 9)).all()
        assert (raster.read_mask((1, 2), (0, 7)) == (RAMP < 9)[1:2]).all()


def test_a_mask_inside_the_file(tmp_path):
    path = tmp_path / "a.tif"
    with (
        rasterio.Env(GDAL_TIFF_INTERNAL_MASK=True),
        rasterio.open(path, "w", driver="GTiff", height=5, width=7, count=1, dtype="uint8") as dataset,
    ):
        dataset.write(RAMP, 1)
        dataset.write_mask(RAMP > 3)
    with Raster(path) as raster:
        assert raster.header.file_mask
        assert (raster.read_mask((0, 5), (0, 7)) == (RAMP <= 3)).all()


def test_a_mask_beside_the_file(tmp_path):
    path = tmp_path / "a.tif"
    with (
        rasterio.Env(GDAL_TIFF_INTERNAL_MASK=False),
        rasterio.open(path, "w", driver="GTiff", height=5, width=7, count=1, dtype="uint8") as dataset,
    ):
        dataset.write(RAMP, 1)
        dataset.write_mask(RAMP > 3)
    assert (tmp_path / "a.tif.msk").exists()
    for held in (nullcontext(), environment()):
        with held, Raster(path) as raster:
            assert raster.header.file_mask
            assert (raster.read_mask((0, 5), (0, 7)) == (RAMP <= 3)).all()


def test_a_palette(tmp_path):
    colors = {0: (1, 2, 3), 1: (200, 0, 0)}
    for name in ("a.png", "a.tif"):
        with Raster(write(tmp_path / name, RAMP % 2, palette=colors)) as raster:
            assert raster.header.palette
            assert {i: raster.palette()[i] for i in (0, 1)} == colors


@pytest.mark.parametrize("mode", ["1", "L", "P", "LA", "RGB", "RGBA", "I;16"])
def test_what_pillow_writes_is_read(tmp_path, mode):
    image = Image.new("I;16", (3, 2), 7) if mode == "I;16" else Image.new(mode, (3, 2))
    image.save(tmp_path / "a.png")
    header = read_header(tmp_path / "a.png")
    assert header.size == "3 x 2"
    assert len(header.bands) == {"RGB": 3, "RGBA": 3}.get(mode, 1)
    assert (header.alpha is not None) == mode.endswith("A")


def test_names_that_mean_something_to_gdal_are_plain_names_here(tmp_path):
    for name in ("a?b=c.png", "a#b.png", "zip!x.png", "a:b.png", "caf\u00e9 \u5730.png", "%41.png", "vsimem.png"):
        assert (whole(write(tmp_path / name, RAMP, driver="PNG"))[0] == RAMP).all(), name


@pytest.mark.parametrize("ending", ["png", "jpg", "tif", "bmp"])
def test_a_file_that_was_cut_off_anywhere_is_unreadable(tmp_path, ending):
    """Whatever is left of it: never pixels that were not in the file."""
    path = write(tmp_path / f"a.{ending}", noise())
    content, before = path.read_bytes(), whole(path)
    assert (before == whole(path)).all()
    damaged = tmp_path / f"b.{ending}"
    last = len(content) - (13 if ending == "png" else 1)  # an ending without pixels may be wanting
    for size in [0, 1, 7, 20, 60, *np.linspace(100, last, 40).astype(int)]:
        damaged.write_bytes(content[:size])
        with pytest.raises(TileError, match=rf"b.{ending} .*[wW]rite it again") as caught:
            whole(damaged)
        assert caught.value.code == "unreadable", size


@pytest.mark.parametrize(
    "options", [{"compress": "deflate"}, {"compress": "lzw", "tiled": True, "blockxsize": 16, "blockysize": 16}]
)
def test_a_cut_off_tiff_is_unreadable(tmp_path, options):
    path = write(tmp_path / "a.tif", noise(), **options)
    content, before = path.read_bytes(), whole(path)
    for size in np.linspace(8, len(content) - 1, 40).astype(int):
        damaged = tmp_path / "b.tif"
        damaged.write_bytes(content[:size])
        try:
            found = whole(damaged)
        except TileError:
            continue
        assert (found == before).all(), size


def test_a_png_with_a_wrong_byte_in_its_pixels_is_unreadable(tmp_path):
    path = write(tmp_path / "a.png", noise())
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)
    with pytest.raises(TileError, match="a.png cannot be read as a raster"):
        whole(path)


def test_files_that_are_no_raster(tmp_path):
    (tmp_path / "text.png").write_text("this is a text\n" * 20)
    (tmp_path / "empty.png").touch()
    (tmp_path / "folder.png").mkdir()
    (tmp_path / "pointer.png").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
    os.symlink("nowhere.png", tmp_path / "broken.png")
    for name, said in {
        "text.png": "cannot be read as a raster (300 bytes)",
        "empty.png": "is empty (0 bytes). Write it again",
        "folder.png": "cannot be read",
        "pointer.png": "cannot be read as a raster",
        "broken.png": "cannot be opened (No such file or directory)",
        "missing.png": "cannot be opened (No such file or directory)",
    }.items():
        with pytest.raises(TileError) as caught:
            read_header(tmp_path / name)
        assert f"{name} {said}" in str(caught.value)
        assert caught.value.code == "unreadable"
        assert "\n" not in str(caught.value)


def test_the_content_decides_and_not_the_name(tmp_path):
    image = io.BytesIO()
    Image.fromarray(RAMP).save(image, "TIFF")
    (tmp_path / "a.png").write_bytes(image.getvalue())
    assert (whole(tmp_path / "a.png")[0] == RAMP).all()


def test_writing_keeps_what_was_given(tmp_path):
    path = tmp_path / "a.tif"
    write_raster(path, RAMP, driver="GTiff", crs=UTM, transform=NORTH_UP, nodata=3, palette={1: (9, 8, 7)})
    with rasterio.open(path) as dataset:
        assert (dataset.read(1) == RAMP).all()
        assert dataset.crs.to_epsg() == 32652
        assert dataset.transform == Affine(*NORTH_UP)
        assert dataset.nodata == 3
        assert dataset.colormap(1)[1] == (9, 8, 7, 255)
