"""The command line: exit statuses, and one clear line for whatever is wrong."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ..bench import TWO, Bench, command

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture
def bench(tmp_path):
    bench = Bench(tmp_path)
    bench.pair("a", [[0, 1]], [[0, 1]])
    bench.workspace(classes=TWO)
    return bench


def error(*arguments) -> str:
    """The one line that a command says before it ends with status 2."""
    status, out, err = command(*arguments)
    assert status == 2
    assert out == ""
    assert "Traceback" not in err
    (line,) = err.splitlines()
    assert line.startswith("orthoscope: ")
    return line.removeprefix("orthoscope: ")


def test_0_where_every_tile_was_scored(bench):
    answer = bench.score()
    assert answer.status == 0
    lines = answer.out.splitlines()
    assert lines[0] == "m@d: 1 tiles scored, 0 refused"
    assert lines[1].startswith("  mean IoU 1.0000  (Pooled")
    assert "m@d: done" in answer.err


def test_3_where_some_were_refused(bench):
    bench.write("masks/b.png", [[0, 1]])
    answer = bench.score()
    assert answer.status == 3
    assert "m@d: 1 tiles scored, 1 refused" in answer.out
    assert "  refused: b has no prediction: no file matches" in answer.out
    assert bench.check().status == 3


def test_a_prediction_without_truth_does_not_change_the_status(bench):
    bench.write("runs/b.png", [[0, 1]])
    answer = bench.score()
    assert answer.status == 0
    assert "without a ground truth, not scored: 1 (b)." in answer.out
    assert bench.check().status == 0


def test_scoring_again_reads_what_changed_and_says_the_same(bench):
    first = bench.score()
    assert bench.score().report == first.report
    bench.write("runs/a.png", [[0, 0]])
    assert bench.score().tiles["a"]["iou"]["1"] == 0.0


@pytest.mark.parametrize("name", ["score", "check", "export"])
def test_workspaces_that_cannot_be_read(tmp_path, name):
    more = ["--csv", tmp_path / "x.csv"] if name == "export" else []
    missing = error(name, tmp_path / "none.toml", *more)
    assert missing.startswith(f"{tmp_path / 'none.toml'}: no such workspace file. Check the path")
    assert "is a folder; expected a workspace file" in error(name, tmp_path, *more)
    bad = tmp_path / "bad.toml"
    bad.write_text("[[dataset]\n")
    assert "bad.toml: is no valid TOML" in error(name, bad, *more)
    bad.write_text("")
    if name != "check":
        assert "bad.toml: describes no run" in error(name, bad, *more)


def test_an_unknown_run(bench):
    assert error("score", bench.file, "--run", "x@d") == 'workspace.toml: no run is named "x@d". Known: "m@d".'


def test_an_unknown_split(bench):
    bench.workspace('split = "tset"', classes=TWO)
    for name in ("score", "check"):
        assert '"tset" is no split and no list file under' in error(name, bench.file)


def test_outputs_that_cannot_be_written_are_told_before_any_work(bench, own_cache):
    folder = bench.folder
    for option in ("--json", "--csv"):
        assert f"{folder}: is a folder" in error("score", bench.file, option, folder)
        assert "the folder /no/such/folder does not exist" in error("score", bench.file, option, "/no/such/folder/x")
        assert "is a folder" in error("score", bench.file, option, "")
    assert "is the name of the CSV's manifest" in error("score", bench.file, "--csv", folder / "x.json")
    assert "is the name of the CSV's manifest" in error("export", bench.file, "--csv", folder / "x.json")
    for name in ("x.json", "x.csv"):
        assert "is the name of the CSV or of its manifest too" in error(
            "score", bench.file, "--csv", folder / "x.csv", "--json", folder / name
        )
    assert not own_cache.exists()
    assert {p.name for p in folder.iterdir()} == {"masks", "runs", "workspace.toml"}


def test_a_cache_that_cannot_be_written(bench, tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("ORTHOSCOPE_CACHE", str(tmp_path / "file/cache"))
    assert "cannot be written" in error("score", bench.file)


def test_usage(bench, capsys):
    for arguments in (
        [],
        ["scor"],
        ["score"],
        ["score", str(bench.file), "--workers", "0"],
        ["export", str(bench.file)],
    ):
        with pytest.raises(SystemExit) as caught:
            command(*arguments)
        assert caught.value.code == 2


def test_signals_are_heard_only_while_scoring(bench):
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    bench.score()
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


def test_from_outside(bench, own_cache):
    """As a child process: names of any language on a terminal that knows none, and a reader that hangs up."""
    bench.pair("Gemüse-地図", [[0, 1]], [[9, 1]])
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "ORTHOSCOPE_CACHE": str(own_cache)}
    call = [sys.executable, "-m", "analysis", "score", str(bench.file), "--workers", "1"]
    done = subprocess.run(call, cwd=PROJECT, env=environment, capture_output=True, timeout=120, check=False)
    assert done.returncode == 0
    assert "Gemüse-地図" in done.stdout.decode()
    assert b"Traceback" not in done.stderr


def test_check_reports_without_scoring(bench, own_cache):
    answer = bench.check()
    assert answer.status == 0
    for line in (
        'Dataset "d" (segmentation)',
        "  tiles         1",
        f"  ground truth  1 files match {bench.folder}/masks",
        "    read as     0/1; values 0, 1 in all 1 files",
        "    size        2 x 1 px",
        "    format      PNG; uint8, 1 band",
        "  classes       0 background, 1 building; background 0",
        'Run "m@d"',
        "  pairs         1; 0 tiles without a pair",
    ):
        assert line in answer.out.splitlines()
    assert not own_cache.exists()


def test_check_deep_finds_what_only_pixels_tell(bench):
    bench.write("masks/b.png", [[0, 7]])
    bench.write("runs/b.png", [[0, 1]])
    bench.workspace(classes='0 = "background"\n1 = "building"\n2 = "road"')
    assert bench.check().status == 0
    deep = bench.check("--deep")
    assert deep.status == 3
    assert "b.png holds values outside the class list (0..2): 7 (1 px)" in deep.out


def test_check_splits_reads_every_split(bench):
    bench.pair("b", [[1, 1]], [[1, 1]])
    bench.text("train.txt", "a\n")
    bench.text("test.txt", "b\n")
    bench.workspace('splits = {train = "train.txt", test = "test.txt"}\nsplit = "test"', classes=TWO)
    out = bench.check("--splits").out
    assert "  split test: 1 tiles read, 0 refused; share of each class 0.00 %, 100.00 %" in out
    assert "  split train: 1 tiles read, 0 refused; share of each class 50.00 %, 50.00 %" in out
