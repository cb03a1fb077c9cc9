"""Writing to a workspace file: only the lines that were asked for change."""

from __future__ import annotations

import os
import re
import stat
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.errors import WorkspaceError
from analysis.workspace.edit import WorkspaceFile, written_path
from analysis.workspace.load import load_workspace
from analysis.workspace.statements import join, split
from analysis.workspace.toml_text import value_text

TEXT = """\
# My workspace
[scoring]   # how
boundary_px = 5

# ---- data ----
[[dataset]]
name = "Villages"   # the small ones
task = "segmentation"
root = "data/villages"
truth = "masks/{id}_m.png"
splits = {train = "train.txt", test = "test.txt"} # lists
#split = "train"
gsd = {default = 0.25, "N-33" = 0.5}
ignore = [
  255,  # void
]

# classes of the survey
[dataset.classes]
0 = "background"
1 = {name = "building", color = "#d55e00"}   # roofs
4 = {name = "road", narrow = true}

[[dataset]]
name = 'Change'
task = "change"
root = "data/change"
truth = "label"
classes = {0 = "same", 1 = "changed"}  # inline

# the first model
[[run]]
model = "U-Net"
dataset = "Villages"
trained_on = "Villages"  # and nothing else
predictions = "runs/unet"
# threshold = 0.4

# the second
[[run]]
predictions = "runs/other"
dataset = "Change"
model = "Other"
threshold = 0.5

# notes at the end
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "workspace.toml"
    file.write_text(TEXT, encoding="utf-8", newline="")
    return file


def changes(old: str, new: str) -> tuple[list[str], list[str]]:
    """Lines that are gone and lines that are new, in order."""
    a, b = old.split("\n"), new.split("\n")
    while a and b and a[0] == b[0]:
        a, b = a[1:], b[1:]
    while a and b and a[-1] == b[-1]:
        a, b = a[:-1], b[:-1]
    return a, b


def dataset(file: WorkspaceFile, old: str, /, **changed: object) -> WorkspaceFile:
    values = {**file.datasets[old], **changed}
    return file.with_dataset({k: v for k, v in values.items() if v is not None}, old)


def run(file: WorkspaceFile, key: str, **changed: object) -> WorkspaceFile:
    values = {**file.runs[key], **changed}
    return file.with_run({k: v for k, v in values.items() if v is not None}, key)


def test_the_statements_of_a_text_are_the_text() -> None:
    assert join(split(TEXT)) == TEXT
    strange = (
        'a = """\n[[run]]\n# no comment\n"""\n"x=y".z = [ [1,\n2], [\n3]]\r\n[[ "dataset" ]] # c\n  [dataset.\'c d\']'
    )
    assert join(split(strange)) == strange
    assert [s.path for s in split(strange)] == [("a",), ("x=y", "z"), ("dataset",), ("dataset", "c d")]


def test_nothing_changed_is_nothing_written(path: Path) -> None:
    file = WorkspaceFile.open(path)
    for name in file.datasets:
        assert dataset(file, name).text == TEXT
    for key in file.runs:
        assert run(file, key).text == TEXT


def test_a_value_changes_and_its_comment_stays(path: Path) -> None:
    file = WorkspaceFile.open(path)
    assert changes(TEXT, dataset(file, "Villages", root="other").text) == (
        ['root = "data/villages"'],
        ['root = "other"'],
    )
    assert changes(TEXT, run(file, "U-Net@Villages", trained_on="Change").text) == (
        ['trained_on = "Villages"  # and nothing else'],
        ['trained_on = "Change"  # and nothing else'],
    )
    assert changes(TEXT, dataset(file, "Villages", ignore=[0]).text)[1] == ["ignore = [0]"]


def test_keys_come_and_go(path: Path) -> None:
    file = WorkspaceFile.open(path)
    assert changes(TEXT, dataset(file, "Villages", split="test").text) == ([], ['split = "test"'])
    text = dataset(file, "Villages", split="test").text
    assert text.index("splits =") < text.index('\nsplit = "test"') < text.index("gsd =")
    assert changes(TEXT, dataset(file, "Villages", gsd=None).text) == (['gsd = {default = 0.25, "N-33" = 0.5}'], [])
    assert changes(TEXT, run(file, "Other@Change", threshold=None).text) == (["threshold = 0.5"], [])


def test_tables_in_braces_are_changed_entry_by_entry(path: Path) -> None:
    file = WorkspaceFile.open(path)
    new = dataset(file, "Villages", splits={"train": "t.txt", "test": "test.txt"}).text
    assert changes(TEXT, new)[1] == ['splits = {train = "t.txt", test = "test.txt"} # lists']
    new = dataset(file, "Change", classes={"0": "same", "1": {"name": "new", "color": "#ff0000"}}).text
    assert changes(TEXT, new)[1] == ['classes = {0 = "same", 1 = {name = "new", color = "#ff0000"}}  # inline']


def test_classes_of_their_own_table(path: Path) -> None:
    file = WorkspaceFile.open(path)
    classes = file.datasets["Villages"]["classes"]
    new = dataset(file, "Villages", classes=classes | {"1": {"name": "house", "color": "#d55e00"}}).text
    assert changes(TEXT, new)[1] == ['1 = {name = "house", color = "#d55e00"}   # roofs']
    new = dataset(file, "Villages", classes=classes | {"5": "water"}).text
    assert changes(TEXT, new) == ([], ['5 = "water"'])
    new = dataset(file, "Villages", classes={k: v for k, v in classes.items() if k != "1"}).text
    assert changes(TEXT, new) == (['1 = {name = "building", color = "#d55e00"}   # roofs'], [])
    assert "# classes of the survey" in new


@pytest.mark.parametrize(
    "spelled",
    [
        '[dataset.classes]\n0 = "a"\n1 = "b"\n',
        'classes = {0 = "a", 1 = "b"}\n',
        'classes.0 = "a"\nclasses.1 = "b"\n',
        'classes.0.name = "a"\nclasses.1 = {name = "b"}\n',
        '[dataset.classes.0]\nname = "a"\n[dataset.classes.1]\nname = "b" # x\n',
        '[dataset.classes]\n0.name = "a"\n[dataset.classes.1]\nname = "b"\n',
    ],
)
def test_every_spelling_of_classes(tmp_path: Path, spelled: str) -> None:
    path = tmp_path / "w.toml"
    head = '[[dataset]]\nname = "d"\ntask = "segmentation"\nroot = "."\ntruth = "m"\n'
    path.write_text(head + spelled + '\n# end\n[[run]]\nmodel = "m"\ndataset = "d"\npredictions = "p"\n')
    wanted: list[dict[str, object]] = [
        {"0": "a", "1": "b", "7": {"name": "c", "narrow": True}},
        {"0": "a", "1": {"name": "B", "color": "#000000"}},
        {"1": "b"},
        {"2": "x"},
    ]
    for classes in wanted:
        file = dataset(WorkspaceFile.open(path), "d", classes=classes, gsd=0.5)
        assert tomllib.loads(file.text)["dataset"][0]["classes"] == classes
        assert tomllib.loads(file.text)["dataset"][0]["gsd"] == 0.5
        assert "# end\n[[run]]" in file.text
        file.check()
    removed = dataset(WorkspaceFile.open(path), "d", classes=None, task="change")
    assert "classes" not in removed.text
    removed.check()


def test_new_entries_stand_with_their_kind(path: Path) -> None:
    file = WorkspaceFile.open(path)
    values = {"name": "New", "task": "change", "root": "n", "truth": "label", "gsd": 0.2}
    gone, new = changes(TEXT, file.with_dataset(values).text)
    assert gone == []
    assert [line for line in new if line] == [
        "[[dataset]]",
        'name = "New"',
        'task = "change"',
        'root = "n"',
        'truth = "label"',
        "gsd = 0.2",
    ]
    text = file.with_dataset(values).text
    assert text.index('classes = {0 = "same"') < text.index('name = "New"') < text.index("# the first model")
    text = file.with_run({"model": "Third", "dataset": "Change", "predictions": "p"}).text
    assert 'threshold = 0.5\n\n[[run]]\nmodel = "Third"\ndataset = "Change"\npredictions = "p"\n\n# notes' in text
    assert len(load_workspace(file.with_dataset(values).save().path).datasets) == 3


def test_a_new_file(tmp_path: Path) -> None:
    path = tmp_path / "new" / "w.toml"
    file = WorkspaceFile.open(path)
    classes = {"0": "background", "1": {"name": "a b", "color": "#123456", "narrow": True}}
    values = {"name": "D", "task": "segmentation", "root": ".", "truth": "m", "classes": classes}
    file = file.with_dataset(values).with_run({"model": "M", "dataset": "D", "predictions": "p", "split": "s"})
    file.save()
    assert path.read_bytes().decode() == (
        '[[dataset]]\nname = "D"\ntask = "segmentation"\nroot = "."\ntruth = "m"\n\n[dataset.classes]\n'
        '0 = "background"\n1 = {name = "a b", color = "#123456", narrow = true}\n\n'
        '[[run]]\nmodel = "M"\ndataset = "D"\npredictions = "p"\nsplit = "s"\n'
    )
    assert [r.key for r in load_workspace(path).runs] == ["M@D"]
    assert list(path.parent.iterdir()) == [path]


def test_removing(path: Path) -> None:
    file = WorkspaceFile.open(path)
    text = file.without_run("U-Net@Villages").text
    start, end = TEXT.index("# the first model"), TEXT.index("# the second")
    assert text == TEXT[:start] + TEXT[end:]
    text = file.without_run("Other@Change").text
    assert text == TEXT[: TEXT.index("# the second")] + "# notes at the end\n"
    with pytest.raises(WorkspaceError, match='"Villages" cannot be removed, for runs use it: "U-Net@Villages"'):
        file.without_dataset("Villages")
    text = file.without_run("U-Net@Villages").without_dataset("Villages").text
    assert "# ---- data ----" not in text
    assert list(tomllib.loads(text)) == ["scoring", "dataset", "run"]
    with pytest.raises(WorkspaceError, match='no run named "x@y"'):
        file.without_run("x@y")


def test_a_renamed_dataset_is_renamed_in_its_runs(path: Path) -> None:
    file = dataset(WorkspaceFile.open(path), "Villages", name="Towns")
    assert list(file.runs) == ["U-Net@Towns", "Other@Change"]
    assert file.runs["U-Net@Towns"]["trained_on"] == "Towns"
    assert 'trained_on = "Towns"  # and nothing else' in file.text
    assert 'name = "Towns"   # the small ones' in file.text
    assert [line for line in TEXT.split("\n") if "Villages" not in line] == [
        line for line in file.text.split("\n") if "Towns" not in line
    ]


def test_line_ends_mark_and_mode_are_kept(path: Path) -> None:
    raw = ("\ufeff" + TEXT.rstrip("\n").replace("\n", "\r\n")).encode()
    path.write_bytes(raw)
    path.chmod(0o640)
    file = run(WorkspaceFile.open(path), "Other@Change", threshold=0.25).save()
    assert path.read_bytes() == raw.replace(b"threshold = 0.5", b"threshold = 0.25")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    dataset(file, "Villages", split="test").save()
    content = path.read_bytes()
    assert b'split = "test"\r\n' in content
    assert content.count(b"\n") == content.count(b"\r\n")
    assert not content.endswith(b"\n")


def test_a_last_line_without_an_end(tmp_path: Path) -> None:
    path = tmp_path / "w.toml"
    path.write_text('[[dataset]]\nname = "d"\ntask = "change"\nroot = "."\ntruth = "m"')
    file = WorkspaceFile.open(path).with_run({"model": "m", "dataset": "d", "predictions": "p"})
    assert file.text.startswith('[[dataset]]\nname = "d"\ntask = "change"\nroot = "."\ntruth = "m"\n\n[[run]]\n')
    file = dataset(WorkspaceFile.open(path), "d", truth="x")
    assert file.text.endswith('truth = "x"')
    file = dataset(WorkspaceFile.open(path), "d", gsd=0.5)
    assert file.text.endswith('truth = "m"\ngsd = 0.5')


def test_what_was_changed_meanwhile_is_not_overwritten(path: Path) -> None:
    file = run(WorkspaceFile.open(path), "Other@Change", threshold=0.1)
    path.write_text(TEXT + "# someone was here\n", encoding="utf-8")
    with pytest.raises(WorkspaceError, match=r"changed on disk meanwhile; your entries are kept.*Load it again"):
        file.save()
    assert path.read_text(encoding="utf-8").endswith("# someone was here\n")
    new = WorkspaceFile.open(path.with_name("new.toml"))
    new.path.write_text("", encoding="utf-8")
    with pytest.raises(WorkspaceError, match="meanwhile"):
        new.with_dataset({"name": "d", "task": "change", "root": ".", "truth": "t"}).save()
    path.unlink()
    with pytest.raises(WorkspaceError, match="meanwhile"):
        file.save()


def test_an_invalid_entry_is_not_written(path: Path) -> None:
    file = WorkspaceFile.open(path)
    for wrong, said in (
        (dataset(file, "Villages", task="x"), "task must be"),
        (dataset(file, "Villages", name="Change"), 'two datasets are named "Change"'),
        (dataset(file, "Villages", root=None), '"root" is missing'),
        (run(file, "U-Net@Villages", dataset="none"), 'no dataset is named "none"'),
        (run(file, "U-Net@Villages", threshold=2), "threshold must be"),
    ):
        with pytest.raises(WorkspaceError, match=said):
            wrong.save()
    assert path.read_text(encoding="utf-8") == TEXT
    assert os.listdir(path.parent) == [path.name]


def test_a_file_that_cannot_be_written(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = run(WorkspaceFile.open(path), "Other@Change", threshold=0.1)
    with monkeypatch.context() as patch:
        patch.setattr(os, "access", lambda *_: False)
        with pytest.raises(WorkspaceError, match="cannot be written .it is write-protected."):
            file.save()
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        with pytest.raises(WorkspaceError, match="cannot be written .No space left on device."):
            file.save()
    assert os.listdir(path.parent) == [path.name]
    assert path.read_text(encoding="utf-8") == TEXT


def test_a_link_stays_a_link(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "elsewhere" / "link.toml"
    link.parent.mkdir()
    link.symlink_to(path)
    run(WorkspaceFile.open(link), "Other@Change", threshold=0.1).save()
    assert link.is_symlink()
    assert "threshold = 0.1" in path.read_text(encoding="utf-8")


def test_a_file_that_cannot_be_edited_says_so(tmp_path: Path) -> None:
    path = tmp_path / "w.toml"
    path.write_text('dataset = [{name = "d", task = "change", root = ".", truth = "m"}]\n')
    file = WorkspaceFile.open(path)
    assert len(file.check().datasets) == 1
    with pytest.raises(WorkspaceError, match="only an editor can change"):
        file.with_dataset({"name": "e"}, "d")
    path.write_text("[[dataset]]\nnam = 3\n")
    with pytest.raises(WorkspaceError, match='unknown key "nam"'):
        WorkspaceFile.open(path)


def test_entries_that_are_mixed(tmp_path: Path) -> None:
    path = tmp_path / "w.toml"
    one = '[[dataset]]\nname = "{0}"\ntask = "segmentation"\nroot = "."\ntruth = "m"\n'
    run_ = '[[run]] # {0}\nmodel = "{0}"\ndataset = "{0}"\npredictions = "p"\n'
    text = one.format("a") + run_.format("a") + '[dataset.classes]\n0 = "x" # c\n\n' + one.format("b")
    text += '[dataset.classes]\n0 = "y"\n' + run_.format("b")
    path.write_text(text)
    file = WorkspaceFile.open(path)
    assert [len(d.classes) for d in file.check().datasets] == [1, 1]
    assert dataset(file, "a").text == text
    assert run(file, "b@b", predictions="q").text == text[::-1].replace('"p"'[::-1], '"q"'[::-1], 1)[::-1]
    changed = dataset(file, "a", classes={"0": "z"})
    assert '0 = "z" # c' in changed.text
    assert [d.classes.names for d in changed.check().datasets] == [("z",), ("y",)]
    assert [r.key for r in changed.check().runs] == ["a@a", "b@b"]
    gone = file.without_run("a@a").without_dataset("a")
    assert [d.name for d in gone.check().datasets] == ["b"]


def test_paths_under_the_file_are_written_relative(tmp_path: Path) -> None:
    assert written_path(str(tmp_path / "a" / "b"), tmp_path) == "a/b"
    assert written_path(str(tmp_path), tmp_path) == "."
    assert written_path(" a/b ", tmp_path) == "a/b"
    assert written_path("~/x", tmp_path) == "~/x"
    assert written_path("/else/where", tmp_path) == "/else/where"


words = st.text(st.characters(blacklist_categories=["Cs", "Cc"]), min_size=1, max_size=12).filter(str.strip)
comments = st.text(st.characters(blacklist_categories=["Cs", "Cc"]), max_size=12)


@settings(max_examples=150, deadline=None)
@given(
    words,
    words,
    st.lists(comments, min_size=12, max_size=12),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
    st.integers(0, 2),
    st.data(),
)
def test_one_field_changes_and_no_other_line(
    tmp_path_factory: pytest.TempPathFactory,
    name: str,
    new: str,
    notes: list[str],
    end: str,
    ended: bool,
    gap: int,
    data: st.DataObject,
) -> None:
    lines = [
        "# first",
        "[[dataset]]",
        f"name = {value_text(name)}",
        'task = "segmentation"',
        'root = "."',
        "  truth   =   'masks'",
        "gsd = 0.5",
        "[dataset.classes]",
        '0 = "background"',
        "[[run]]",
        f"model = {value_text(name)}",
        f"dataset = {value_text(name)}",
        "predictions = 'p'",
        "threshold = 0.5",
    ]
    noted = [f"{line} #{notes[i % len(notes)]}" for i, line in enumerate(lines)]
    text = (end * (gap + 1)).join(noted) + (end if ended else "")
    path = tmp_path_factory.mktemp("w") / "workspace.toml"
    path.write_bytes(text.encode())
    file = WorkspaceFile.open(path)
    key, value = data.draw(
        st.sampled_from([("root", new), ("truth", "x"), ("gsd", 0.25), ("model", new), ("threshold", 0.125)])
    )
    if key in ("model", "threshold"):
        changed = run(file, f"{name}@{name}", **{key: value})
    else:
        changed = dataset(file, name, **{key: value})
    before, after = text.split(end), changed.text.split(end)
    assert len(before) == len(after)
    different = [(a, b) for a, b in zip(before, after, strict=True) if a != b]
    assert len(different) <= 1
    for a, b in different:
        assert re.match(rf"\s*{key}\s*=", a)
        assert a[a.index("#") :] == b[b.rindex(a[a.index("#") :]) :] or "#" in new + name
    entry = tomllib.loads(changed.text)["run" if key in ("model", "threshold") else "dataset"][0]
    assert entry[key] == value
