"""Real samples of public datasets, where the checkout has them beside it: the published figures, and the oddities."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from ..bench import Answer, Bench

SHARED = (Path(__file__).resolve().parents[2] / "../shared").resolve()
DATA = SHARED / "data"
ODD = DATA / "oddities"

if not DATA.is_dir():
    pytest.skip("the shared sample data are not here", allow_module_level=True)

LAND = '0 = "background"\n1 = "building"\n2 = "woodland"\n3 = "water"\n4 = "road"'


def score(folder: Path, dataset: str, runs: dict[str, str], classes: str = "") -> Answer:
    """Score runs (model -> lines) of one dataset; the workspace lies in a folder of its own."""
    bench = Bench(folder)
    text = f'[[dataset]]\nname = "d"\n{dataset}\n' + (f"[dataset.classes]\n{classes}\n" if classes else "")
    for model, lines in runs.items():
        text += f'[[run]]\nmodel = "{model}"\ndataset = "d"\n{lines}\n'
    bench.toml(text)
    return bench.score()


def changed(run) -> list[float]:
    """Precision, recall, F1 and IoU of the changed class."""
    return [run["pooled"][name]["1"] for name in ("precision", "recall", "f1", "iou")]


def codes(run) -> set[str]:
    return {n["code"] for n in run["notices"]}


# The figures of the README


LEVIR_256 = {
    "BIT": (7, 0.9321, 0.9455, 0.9387, 0.8846),
    "ChangeFormerV6": (7, 0.9126, 0.9040, 0.9083, 0.8320),
    "DTCDSCN": (7, 0.8854, 0.9466, 0.9150, 0.8433),
    "SiamUnet_conc": (7, 0.9252, 0.9243, 0.9248, 0.8600),
    "SiamUnet_diff": (7, 0.8981, 0.9354, 0.9164, 0.8456),
    "Unet": (7, 0.9338, 0.9150, 0.9243, 0.8592),
    "STANet": (6, 0.8853, 0.9554, 0.9190, 0.8502),
    "ChangeFormerV6_pretrained": (10, 0.9449, 0.9215, 0.9331, 0.8745),
    "ChangeFormerV6_retrained": (10, 0.8239, 0.1311, 0.2262, 0.1275),
    "ChangeFormerV7_RALA": (10, 0.7394, 0.1305, 0.2219, 0.1248),
}


def test_levir_cd_256(tmp_path):
    root = DATA / "levir_cd_256"
    answer = score(
        tmp_path,
        f'preset = "levir-cd"\nroot = "{root}"',
        {m: f'predictions = "{root}/predictions/{m}"' for m in LEVIR_256},
    )
    assert answer.status == 3
    for run in answer.report["runs"]:
        tiles, *figures = LEVIR_256[run["model"]]
        assert (run["tiles_scored"], run["tiles_refused"]) == (tiles, 29 - tiles)
        assert changed(run) == pytest.approx(figures, abs=5e-5)
        assert codes(run) == {"no-prediction"}


def test_levir_cd_1024(tmp_path):
    root = DATA / "levir_cd_1024_masks"
    models = {"BIT": (383670, 43656, 23987, 0.495), "ChangeFormerV6": (375257, 26683, 32400, 0.722)}
    answer = score(
        tmp_path,
        f'preset = "levir-cd"\nroot = "{root}"\nsplit = "test"',
        {m: f'predictions = "{root}/predictions/{m}"' for m in models},
    )
    assert answer.status == 0
    for run in answer.report["runs"]:
        pooled, (*outcomes, worst) = run["pooled"], models[run["model"]]
        assert [pooled[name]["1"] for name in ("tp", "fp", "fn")] == outcomes
        assert list(run["tiles"]) == [f"test_{i}" for i in range(1, 11)]
        assert min(run["tiles"], key=lambda t: run["tiles"][t]["f1"]["1"]) == "test_6"
        assert run["tiles"]["test_6"]["f1"]["1"] == pytest.approx(worst, abs=5e-4)


def test_dsifn(tmp_path):
    root = DATA / "dsifn_cd_256"
    figures = {
        "BIT": 0.7082,
        "ChangeFormerV6": 0.8822,
        "DTCDSCN": 0.8822,
        "SiamUnet_conc": 0.6104,
        "SiamUnet_diff": 0.4534,
        "Unet": 0.5961,
    }
    answer = score(
        tmp_path,
        f'task = "change"\nroot = "{root}"\ntruth = "label"\nbefore = "A"\nafter = "B"',
        {m: f'predictions = "{root}/predictions/{m}"' for m in figures},
    )
    assert answer.status == 0
    for run in answer.report["runs"]:
        assert (len(run["tiles"]), codes(run)) == (10, set())
        assert run["pooled"]["f1"]["1"] == pytest.approx(figures[run["model"]], abs=5e-5)


def test_field_test(tmp_path):
    root = DATA / "land_cover_field_test"
    answer = score(
        tmp_path,
        f'task = "segmentation"\nroot = "{root}"\ntruth = "labels/{{date}}_mask_{{n}}.tif"\n'
        'images = "images/{date}_patchN_{n}.tif"\ntruth_values = {10 = 0, 30 = 1, 50 = 2, 70 = 3, 100 = 4}',
        {"m": f'predictions = "{root}/predictions/{{date}}_patchN_{{n}}.tif"'},
        '0 = "building"\n1 = "road"\n2 = "field"\n3 = "forest"\n4 = "background"',
    )
    assert (answer.status, len(answer.tiles)) == (0, 4)
    assert np.array(answer.pooled["confusion"])[:, :5].tolist() == [
        [6253, 1025, 128, 297, 7368],
        [6731, 4296, 3621, 3346, 25230],
        [47, 72, 106420, 1564, 28531],
        [114, 170, 45, 240597, 18714],
        [12747, 5367, 17401, 71147, 487345],
    ]
    assert answer.pooled["accuracy"] == pytest.approx(0.8058, abs=5e-5)
    # the class named background is 4 here, not 0
    assert answer.pooled["miou"] == pytest.approx((0.180 + 0.086 + 0.674 + 0.716) / 4, abs=1e-3)
    assert {n["code"] for n in answer.run["notices"]} & {"georeference-offset", "one-side-georeferenced", "crs-differs"}


def test_landcover_ai_figures(tmp_path):
    root = DATA / "from_figures/landcover_ai"
    answer = score(
        tmp_path,
        f'preset = "landcover-ai"\nroot = "{root}"\ntruth = "masks/{{id}}_m.png"\nimages = "images/{{id}}.png"',
        {"m": f'predictions = "{root}/predictions/attention_unet"'},
    )
    assert (answer.status, len(answer.tiles), answer.codes) == (0, 7, [])
    assert answer.pooled["accuracy"] == pytest.approx(0.957, abs=5e-4)
    assert list(answer.pooled["iou"].values()) == pytest.approx([0.949, 0.595, 0.900, 0.182, 0.712], abs=5e-4)


def test_epfl_roads(tmp_path):
    root = DATA / "epfl_roads"
    figures = {"cnn48": (0.5359, 0.8538, 0.6585), "cnn64": (0.5469, 0.8576, 0.6679)}
    answer = score(
        tmp_path,
        f'task = "segmentation"\nroot = "{root}"\ntruth = "groundtruth/satImage_{{n}}.png"\n'
        'images = "images/satImage_{n}.png"',
        {m: f'predictions = "{root}/predictions/{m}/prediction_{{n}}.png"' for m in figures},
        '0 = "background"\n1 = "road"',
    )
    assert answer.status == 0
    for run in answer.report["runs"]:
        assert len(run["tiles"]) == 8
        assert changed(run)[:3] == pytest.approx(figures[run["model"]], abs=5e-5)
        assert {"grey-truth", "grey-prediction"} <= codes(run)


def test_inria_and_its_three_names(tmp_path):
    root = DATA / "inria_kitsap11"
    answer = score(
        tmp_path,
        f'task = "segmentation"\nroot = "{root}"\ntruth = "GT.png"\nimages = "RGB.png"',
        {"unet": f'predictions = "{root}/predictions/unet/mask.png"'},
        '0 = "background"\n1 = "building"',
    )
    assert (answer.status, list(answer.tiles), answer.codes) == (0, ["GT"], ["grey-truth"])
    pooled = answer.pooled
    assert [pooled[name]["1"] for name in ("tp", "fp", "fn")] == [49510, 4551, 40820]
    assert pooled["iou"]["1"] == pytest.approx(0.5218, abs=5e-5)


def test_fotbcd_and_levir_cd_plus_figures(tmp_path):
    for name, ids in (("fotbcd_mbctd", ["1", "4", "9"]), ("levir_cd_plus_mbctd", ["4", "5"])):
        root = DATA / "from_figures" / name
        answer = score(
            tmp_path,
            f'task = "change"\nroot = "{root}"\ntruth = "label"\nbefore = "before"\nafter = "after"',
            {"MBCTD": f'predictions = "{root}/predictions/MBCTD"'},
        )
        assert (answer.status, list(answer.tiles)) == (0, ids)
        assert name != "fotbcd_mbctd" or answer.tiles["9"]["iou"]["1"] < 0.001  # a complete miss


def test_the_layout_of_fotbcd(tmp_path):
    root = DATA / "from_figures/fotbcd_binary"
    answer = score(
        tmp_path,
        f'preset = "fotbcd-binary"\nroot = "{root}"\nsplit = "test"',
        {"perfect": f'predictions = "{root}/{{split}}/label/{{id}}.png"'},
    )
    assert (answer.status, list(answer.tiles), answer.pooled["iou"]["1"]) == (0, ["32", "114", "654"], 1.0)
    assert answer.tiles["654"]["tp"]["1"] == 512  # a line at the figure's edge; else it has no change


# Whole sheets of LandCover.ai and the tiles that its own script cut from them


SHEETS = ("N-33-60-D-c-4-2", "N-34-97-D-c-2-4")


@pytest.mark.parametrize(
    ("truth", "prediction"), [("sheets", "cut"), ("cut", "sheets"), ("sheets", "sheets"), ("cut", "cut")]
)
def test_sheets_and_cut_tiles_are_the_same_tiles(tmp_path, truth, prediction):
    root = DATA / "landcover_ai"
    files = {"sheets": "masks/{id}.tif", "cut": "output/{id}_m.png"}
    tiles = sorted(p.name.removesuffix("_m.png") for p in (root / "output").iterdir())
    (tmp_path / "here").mkdir()
    (tmp_path / "here/some.txt").write_text("\n".join(tiles))
    answer = score(
        tmp_path,
        f'preset = "landcover-ai"\nroot = "{root}"\ntruth = "{files[truth]}"\nsplit = "{tmp_path}/here/some.txt"',
        {"m": f'predictions = "{root}/{files[prediction]}"'},
    )
    assert answer.status == 0
    assert sorted(answer.tiles) == tiles
    assert len(tiles) == 25
    assert {t["accuracy"] for t in answer.tiles.values()} == {1.0}
    assert {t["scene"] for t in answer.tiles.values()} == set(SHEETS)
    assert answer.pooled["pixels"] == 25 * 512 * 512


def test_whole_sheets_without_a_split(tmp_path):
    root = DATA / "landcover_ai"
    answer = score(
        tmp_path,
        f'preset = "landcover-ai"\nroot = "{root}"\ntruth = "masks"',
        {"m": f'predictions = "{root}/masks"'},
    )
    # 8 x 9 full tiles a sheet; ceil(4136 / 512) * ceil(4701 / 512) windows in all
    assert (answer.run["tiles_scored"], answer.run["tiles_partial"]) == (144, 2 * (90 - 72))
    assert answer.pooled["pixels"] == 144 * 512 * 512


# Oddities: each must bring a clear notice or refusal


def odd(tmp_path, name: str, dataset: str, run: str, classes: str = "") -> Answer:
    return score(tmp_path, f'root = "{ODD / name}"\n{dataset}', {"m": run}, classes)


CHANGE = 'task = "change"\ntruth = "label"\nbefore = "A"\nafter = "B"'


def test_jpeg_bytes_under_the_name_of_a_png(tmp_path):
    answer = odd(tmp_path, "jpeg_bytes_named_png", CHANGE, f'predictions = "{ODD}/jpeg_bytes_named_png/label"')
    assert (answer.status, answer.pooled["iou"]["1"], answer.codes) == (0, 1.0, [])


def test_no_label_at_all(tmp_path):
    answer = odd(tmp_path, "pair_size_mismatch_rgba", CHANGE, f'predictions = "{ODD}/pair_size_mismatch_rgba/A"')
    assert answer.status == 3
    assert "label does not exist" in answer.notice("no-truth-files")["message"]


def test_a_picture_pair_of_another_size_is_told(tmp_path):
    truth = tmp_path / "label"
    truth.mkdir()
    Image.new("L", (768, 384)).save(truth / "test_113_0256.png")
    answer = odd(
        tmp_path, "pair_size_mismatch_rgba", CHANGE.replace('"label"', f'"{truth}"'), f'predictions = "{truth}"'
    )
    assert answer.status == 0
    assert "test_113_0256.png has 768 x 383 px" in answer.notice("after-size")["message"]


@pytest.mark.parametrize("name", ["jpeg_masks", "grey_png_masks_other_extension"])
def test_grey_masks(tmp_path, name):
    answer = odd(tmp_path, name, CHANGE, f'predictions = "{ODD}/{name}/label"')
    assert answer.status == 0
    assert "cut: above 127.5 is class 1" in answer.notice("grey-truth")["message"]
    assert answer.pooled["iou"]["1"] == 1.0


def test_a_label_that_is_the_picture(tmp_path):
    answer = odd(tmp_path, "label_is_copy_of_after", CHANGE, f'predictions = "{ODD}/label_is_copy_of_after/label"')
    (tile,) = answer.tiles
    assert "three bands that differ" in answer.reason(tile)
    assert "a picture is the wrong file" in answer.reason(tile)


def test_mixed_encodings(tmp_path):
    name = "mixed_encodings_one_folder"
    answer = odd(tmp_path, name, 'task = "change"\ntruth = "{id}.png"', f'predictions = "{ODD}/{name}/{{id}}.png"')
    message = answer.notice("grey-truth")["message"]
    assert "grey levels other than 0 and 255" in message
    pre = odd(
        tmp_path,
        name,
        'task = "change"\ntruth = "{id}_pre_disaster.png"',
        f'predictions = "{ODD}/{name}/{{id}}_post_disaster.png"',
    )
    assert "grey-prediction" in pre.codes


def test_slippy_tiles_with_palettes(tmp_path):
    name = "palette_png_webp_slippy"
    answer = odd(
        tmp_path,
        name,
        'task = "segmentation"\ntruth = "labels/{z}/{x}/{y}.png"\nimages = "images/{z}/{x}/{y}.webp"',
        f'predictions = "{ODD}/{name}/labels/{{z}}/{{x}}/{{y}}.png"',
        '0 = "background"\n1 = "parking"',
    )
    assert list(answer.tiles) == ["18_69623_104946", "18_70761_104120", "18_70762_104119"]
    assert (answer.status, answer.pooled["iou"]["1"]) == (0, 1.0)
    assert [i for i, t in answer.tiles.items() if t["iou"]["1"] is None]  # one mask is empty
    assert "image-missing" not in answer.codes


def test_colour_coded_deepglobe(tmp_path):
    name = "rgb_coded_mask_large"
    dataset = 'task = "segmentation"\ntruth = "{id}_mask.png"\nimages = "{id}_sat.jpg"\n'
    colors = {
        "#00ffff": "urban",
        "#ffff00": "agriculture",
        "#ff00ff": "rangeland",
        "#00ff00": "forest",
        "#0000ff": "water",
        "#ffffff": "barren",
    }
    table = ", ".join(f'"{c}" = {i}' for i, c in enumerate(colors))
    classes = "\n".join(f'{i} = "{n}"' for i, n in enumerate(colors.values()))
    run = f'predictions = "{ODD}/{name}/{{id}}_mask.png"\nprediction_colors = {{{table}}}'
    refused = odd(tmp_path, name, dataset, run, classes)
    assert "say with truth_colors which colour is which class" in refused.reason("172307")
    refused = odd(tmp_path, name, dataset + f"truth_colors = {{{table}}}", run, classes)
    assert "172307_mask.png holds colours outside truth_colors: #000000 (2 px)" in refused.reason("172307")
    keys = f'truth_colors = {{{table}}}\nignore = ["#000000"]'
    answer = odd(tmp_path, name, dataset + keys, run, classes)
    assert (answer.status, answer.pooled["accuracy"], answer.tiles["172307"]["ignored_pixels"]) == (0, 1.0, 2)


def test_scene_predictions_in_a_tile_folder(tmp_path):
    name = "scene_predictions_in_tile_folder"
    answer = odd(tmp_path, name, 'task = "change"\ntruth = "label"', f'predictions = "{ODD}/{name}/predictions/BIT"')
    assert answer.status == 3
    assert "test_1_0000_0768 has no prediction" in answer.reason("test_1_0000_0768")
    assert answer.notice("prediction-without-truth")["tiles"] == ["test_1", "test_2"]


def test_a_mask_of_another_scene_has_no_georeference(tmp_path):
    shutil.copyfile(DATA / "spacenet/sample_geotiff.tif", tmp_path / "picture.tif")
    answer = odd(
        tmp_path,
        "mask_of_another_scene",
        f'task = "segmentation"\ntruth = "{tmp_path}/picture.tif"',
        f'predictions = "{ODD}/mask_of_another_scene/sample_fp_mask.tif"',
        '0 = "background"\n1 = "building"',
    )
    # a picture as truth: its levels are no classes
    assert "picture.tif holds values outside the class list" in answer.reason("picture")


def test_a_figure_is_no_mask(tmp_path):
    name = "figure_autoscaled_colours"
    answer = odd(
        tmp_path,
        name,
        'task = "segmentation"\ntruth = "original_figure_3.png"',
        f'predictions = "{ODD}/{name}/original_figure_3.png"',
        LAND,
    )
    assert "three bands that differ" in answer.reason("original_figure_3")
