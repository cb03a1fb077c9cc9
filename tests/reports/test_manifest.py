"""The manifest beside a CSV ties it to how it was made."""

from __future__ import annotations

import hashlib
import json

import pytest

from ..bench import TWO, Bench


@pytest.fixture
def bench(tmp_path):
    bench = Bench(tmp_path)
    bench.pair("a", [[0, 1]], [[0, 0]])
    bench.write("masks/b.png", [[0, 1]])
    bench.workspace(classes=TWO)
    return bench


def made(bench):
    target = bench.folder / "out.csv"
    bench.score("--csv", target)
    return target, json.loads((bench.folder / "out.json").read_text())


def test_what_it_says(bench):
    target, found = made(bench)
    assert found["csv_sha256"] == hashlib.sha256(target.read_bytes()).hexdigest()
    assert (found["schema"], found["selection"]) == (1, {})
    assert {"python", "numpy", "rasterio"} <= found["versions"].keys()
    (run,) = found["runs"]
    assert (run["model"], run["dataset"], run["pixels"]) == ("m", "d", 2)
    assert run["tiles"] == {"scored": 1, "refused": 1, "partial": 0}
    # building is missed: IoU 0; background 1 of union 2
    assert run["scores"]["pooled"] == 0.0
    assert run["scores"]["pooled_with_background"] == 0.25
    assert run["settings"]["readings"]["truth"]["coding"] == "0/1"


def test_the_digest_of_the_content_changes_with_a_pixel_and_only_then(bench):
    first = made(bench)[1]["runs"][0]["content_sha256"]
    assert made(bench)[1]["runs"][0]["content_sha256"] == first
    bench.write("runs/a.png", [[1, 1]])
    assert made(bench)[1]["runs"][0]["content_sha256"] != first
