"""Reading a workspace file: every key, and a clear line for every mistake."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from analysis.errors import WorkspaceError
from analysis.workspace.load import load_workspace
from analysis.workspace.model import ScoringSettings

DATASET = '[[dataset]]\nname = "d"\ntask = "segmentation"\nroot = "."\ntruth = "masks"\n'
CLASSES = '[dataset.classes]\n0 = "background"\n1 = "building"\n4 = "road"\n'
RUN = '[[run]]\nmodel = "m"\ndataset = "d"\npredictions = "runs"\n'


def load(folder: Path, text: str):
    path = folder / "workspace.toml"
    path.write_text(text, encoding="utf-8")
    return load_workspace(path)


def complaint(folder: Path, text: str) -> str:
    with pytest.raises(WorkspaceError) as caught:
        load(folder, text)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_every_key_is_read(tmp_path):
    workspace = load(
        tmp_path,
        """
        [scoring]
        connectivity = 4
        tolerance_m = 2
        boundary_px = 5
        [[dataset]]
        name = "Land cover"
        task = "segmentation"
        root = "data"
        images = "images/{id}.jpg"
        truth = "masks/{id}_m.png"
        splits = {train = "train.txt", test = "lists/test.txt"}
        split = "test"
        tiling = {size = 256}
        gsd = {default = 0.25, "N-33" = 0.5}
        ignore = [255, "#000000", -9999]
        background = 4
        truth_values = {10 = 1, 30 = 4}
        [dataset.classes]
        0 = "background"
        1 = {name = "building", color = "#614A4A"}
        4 = {name = "road", narrow = true}
        [[dataset]]
        name = "Change"
        task = "change"
        root = "/far"
        before = "A"
        after = "B"
        truth = "label"
        truth_colors = {"#ffffff" = 1, "#000000" = 0}
        [[run]]
        model = "m"
        dataset = "Land cover"
        trained_on = "Elsewhere"
        predictions = "runs/m/{id}.tif"
        prediction_values = {0 = 0, 7 = 4}
        threshold = 0.25
        resize = "nearest"
        split = "train"
        """,
    )
    assert workspace.scoring == ScoringSettings(4, 2.0, 5)
    land, change = workspace.datasets
    assert (land.name, land.task, land.root) == ("Land cover", "segmentation", (tmp_path / "data").resolve())
    assert (land.images, land.truth) == (("images/{id}.jpg",), ("masks/{id}_m.png",))
    assert (land.splits, land.split) == ({"train": "train.txt", "test": "lists/test.txt"}, "test")
    assert (land.tiling, land.gsd) == (256, {"default": 0.25, "N-33": 0.5})
    assert [land.gsd_of(s) for s in ("N-33", "other")] == [0.5, 0.25]
    assert land.rule.ignore_values == {255, -9999}
    assert land.rule.ignore_colors == {(0, 0, 0)}
    assert (land.rule.values, land.classes.background) == ({10: 1, 30: 4}, 4)
    assert land.classes.ids == (0, 1, 4)
    assert [c.narrow for c in land.classes.classes] == [False, False, True]
    assert land.classes.classes[1].color == "#614a4a"
    assert (change.before, change.after, change.images, change.root) == (("A",), ("B",), (), Path("/far"))
    assert change.rule.colors == {(255, 255, 255): 1, (0, 0, 0): 0}
    assert change.classes.names == ("unchanged", "changed")
    assert change.classes.background == 0
    (run,) = workspace.runs
    assert (run.key, run.trained_on, run.predictions) == ("m@Land cover", "Elsewhere", "runs/m/{id}.tif")
    assert (run.rule.values, run.rule.threshold) == ({0: 0, 7: 4}, 0.25)
    assert (run.resize, run.split, run.base) == ("nearest", "train", tmp_path.resolve())


def test_defaults(tmp_path):
    workspace = load(tmp_path, DATASET + CLASSES + RUN)
    assert workspace.scoring == ScoringSettings(8, 1.5, 3)
    (dataset,), (run,) = workspace.datasets, workspace.runs
    assert (dataset.tiling, dataset.split, dataset.gsd_of("x")) == (None, None, None)
    assert (run.rule.threshold, run.resize, run.split, run.trained_on) == (0.5, "never", None, None)


def test_a_byte_order_mark_and_windows_line_ends_are_of_no_account(tmp_path):
    path = tmp_path / "workspace.toml"
    path.write_bytes(b"\xef\xbb\xbf" + (DATASET + CLASSES).replace("\n", "\r\n").encode())
    assert load_workspace(path).datasets[0].name == "d"


@pytest.mark.parametrize(
    ("text", "key", "hint"),
    [
        ("conectivity = 4\n", "conectivity", "Known keys: scoring, dataset, run"),
        ("[scoring]\nconectivity = 4\n", "conectivity", 'Did you mean "connectivity"?'),
        (DATASET + 'clases = "x"\n' + CLASSES, "clases", 'Did you mean "classes"?'),
        (DATASET + CLASSES + RUN + "treshold = 0.5\n", "treshold", 'Did you mean "threshold"?'),
        (DATASET + "tiling = {size = 512, overlap = 0}\n" + CLASSES, "overlap", "Known keys: size"),
        (DATASET + '[dataset.classes]\n0 = {name = "a", colour = "#000000"}\n', "colour", 'Did you mean "color"?'),
        ("datasets = 3\n", "datasets", 'Did you mean "dataset"?'),
    ],
)
def test_an_unknown_key_is_named_with_the_nearest_known_one(tmp_path, text, key, hint):
    message = complaint(tmp_path, text)
    assert f'unknown key "{key}"' in message
    assert hint in message


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("root = 3", "root must be a text; found the whole number 3"),
        ('truth = ["a", "b"]', "truth must be a text; found a list"),
        ('truth = "  "', "truth must be a text"),
        ('truth = "masks/*.png"', "has a star"),
        ('truth = "masks/{id.png"', "has a brace that is no field"),
        ('truth = "masks\\u0000"', "NUL"),
        ('root = "~no_such_user_here/x"', "root is no path"),
        ('before = "A"', 'a segmentation dataset has images, not "before"'),
        ("ignore = 255", "ignore must be a list"),
        ("ignore = [true]", "found true or false"),
        ("ignore = [255.0]", "found the number 255.0"),
        ('ignore = ["black"]', 'must be a colour such as "#614a4a"; found the text "black"'),
        ("ignore = [99999999999999999999]", "ignore must be"),
        ("background = true", 'background must be a class id or "none"'),
        ("background = 1.0", 'background must be a class id or "none"'),
        ("background = 7", 'background must be a class id or "none"; found the whole number 7'),
        ("truth_values = {x = 1}", '"x" is no whole number'),
        ("truth_values = {1 = 9}", "1 must be a class id (0, 1, 4); found the whole number 9"),
        ("truth_values = {1 = true}", "must be a class id"),
        ("truth_values = {1 = 0, 01 = 4}", "the raw value 1 stands there twice"),
        ("truth_colors = {red = 1}", "must be a colour"),
        ('truth_colors = {"#aabbcc" = 1, "#AABBCC" = 0}', "stands there twice"),
        ('truth_values = {1 = 1}\ntruth_colors = {"#aabbcc" = 1}', "exclude each other"),
        ("tiling = 512", "tiling: expected a table"),
        ("tiling = {}", "write tiling = {size = 512}"),
        ("tiling = {size = 0}", "size must be a whole number from 1"),
        ("tiling = {size = 512.0}", "size must be a whole number"),
        ("gsd = 0", "gsd must be a number from 0.0001"),
        ("gsd = true", "gsd must be a number"),
        ("gsd = nan", "gsd must be a number"),
        ('gsd = {default = "0.25"}', "default must be a number"),
        ("splits = {test = 3}", "test must be a text"),
        ('preset = "landcover"', 'preset must be "landcover-ai" or'),
        ('name = "e"', "no valid TOML"),
    ],
)
def test_a_wrong_value_of_a_dataset_is_named(tmp_path, line, said):
    key = line.split(" ")[0]
    kept = "".join(f"{old}\n" for old in DATASET.splitlines() if not old.startswith(key) or key == "name")
    assert said in complaint(tmp_path, kept + line + "\n" + CLASSES)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("threshold = 1.5", "threshold must be a number from 0 to 1; found the number 1.5"),
        ("threshold = nan", "threshold must be a number"),
        ('resize = "bilinear"', 'resize must be "never" or "nearest"; found the text "bilinear"'),
        ('predictions = "runs/{id}/*"', "has a star"),
        ('dataset = "e"', 'no dataset is named "e". Known: "d"'),
        ("prediction_values = {1 = 3}", "must be a class id"),
        ('prediction_values = {1 = 1}\nprediction_colors = {"#aabbcc" = 1}', "exclude each other"),
        ("trained_on = 3", "trained_on must be a text"),
    ],
)
def test_a_wrong_value_of_a_run_is_named(tmp_path, line, said):
    key = line.split(" ")[0]
    kept = "".join(f"{old}\n" for old in RUN.splitlines() if not old.startswith(key))
    message = complaint(tmp_path, DATASET + CLASSES + kept + line + "\n")
    assert said in message
    assert 'run "m"' in message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[dataset]\nname = "d"\n', "write [[dataset]] with two brackets"),
        ("scoring = 3\n", "expected a table, found the whole number"),
        ("dataset = [1]\n", "dataset 1: expected a table"),
        ("[scoring]\nconnectivity = 6\n", "connectivity must be 4 or 8; found the whole number 6"),
        ("[scoring]\nboundary_px = 0\n", "boundary_px must be a whole number from 1 to 60"),
        ("[scoring]\ntolerance_m = -1\n", "tolerance_m must be a number"),
        ('[[dataset]]\ntask = "change"\n', 'the key "name" is missing'),
        ('[[dataset]]\nname = "d"\nroot = "."\ntruth = "masks"\n', 'the key "task" is missing'),
        ('[[dataset]]\nname = "d"\ntask = "detection"\nroot = "."\n', 'task must be "segmentation" or "change"'),
        ('[[dataset]]\nname = "d"\ntask = "change"\nroot = "."\n', 'the key "truth" is missing'),
        (DATASET, "[dataset.classes] is missing"),
        (DATASET + CLASSES + DATASET + CLASSES, 'two datasets are named "d"'),
        (DATASET + CLASSES + RUN + RUN, 'two runs are named "m@d"'),
        (DATASET.replace("segmentation", "change") + 'images = "x"\n', 'has before and after, not "images"'),
        (RUN, 'no dataset is named "d". Known: none'),
    ],
)
def test_a_wrong_table_is_named(tmp_path, text, said):
    assert said in complaint(tmp_path, text)


def test_files_that_are_no_workspace(tmp_path):
    with pytest.raises(WorkspaceError, match="no such workspace file"):
        load_workspace(tmp_path / "missing.toml")
    with pytest.raises(WorkspaceError, match="is a folder; expected a workspace file"):
        load_workspace(tmp_path)
    (tmp_path / "latin.toml").write_bytes('name = "Bâle"'.encode("latin-1"))
    with pytest.raises(WorkspaceError, match="is not UTF-8 text"):
        load_workspace(tmp_path / "latin.toml")
    (tmp_path / "bad.toml").write_text("name = \n")
    with pytest.raises(WorkspaceError, match=re.escape("bad.toml: is no valid TOML: Invalid value (at line 1")):
        load_workspace(tmp_path / "bad.toml")
    with pytest.raises(WorkspaceError, match="cannot be read|no such workspace"):
        load_workspace(tmp_path / "bad.toml" / "workspace.toml")
    with pytest.raises(WorkspaceError, match="is no path"):
        load_workspace("~no_such_user_here/workspace.toml")
    with pytest.raises(WorkspaceError, match="is no path"):
        load_workspace("a\0b")


def test_a_windows_path_in_double_quotes_is_explained(tmp_path):
    for path in (r"C:\data", r"C:\users\me"):
        assert "write paths with / or in single quotes" in complaint(tmp_path, f'[[dataset]]\nroot = "{path}"\n')
    assert "backslash" not in complaint(tmp_path, "a = \n")


def test_a_scene_is_found_in_any_unicode_form(tmp_path):
    # "é" as one sign in the workspace file, as e and an accent in a file name
    workspace = load(tmp_path, DATASET + 'gsd = {"Orl\u00e9ans" = 0.2}\n' + CLASSES)
    assert workspace.datasets[0].gsd_of("Orle\u0301ans") == 0.2


def test_runs_are_found_by_key_or_by_a_model_that_has_one_run(tmp_path):
    second = DATASET.replace('"d"', '"e"') + CLASSES
    runs = RUN + RUN.replace('"d"', '"e"') + RUN.replace('"m"', '"n"')
    workspace = load(tmp_path, DATASET + CLASSES + second + runs)
    assert workspace.run("m@e").dataset == "e"
    assert workspace.run("n").key == "n@d"
    with pytest.raises(WorkspaceError, match='several runs are named "m"'):
        workspace.run("m")
    with pytest.raises(WorkspaceError, match='no run is named "x". Known: "m@d", "m@e", "n@d"'):
        workspace.run("x")
    with pytest.raises(WorkspaceError, match='no dataset is named "x". Known: "d", "e"'):
        workspace.dataset("x")
