"""Compiling ahead: whatever scoring calls later is compiled by then."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np

from analysis.kernels import compiling
from analysis.kernels.centre_lines import LineTally
from analysis.kernels.compiling import compile_kernels, kernels, needs_compiling
from analysis.kernels.histogram import score_histogram
from analysis.kernels.layout import IGNORED, ObjectSettings
from analysis.kernels.objects import ObjectTally
from analysis.kernels.pair import PairCounter, count_pair
from analysis.kernels.runs import extract_runs
from analysis.kernels.segments import SegmentBuffer
from analysis.kernels.truth import TruthCounter
from tests.kernels.object_tiles import add_strips

ROOT = Path(__file__).parents[2]


def test_the_module_runs_and_prints_one_line():
    command = [sys.executable, "-m", "analysis.kernels"]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert len(answer.stdout.splitlines()) == 1
    assert not needs_compiling()


def test_nothing_compiles_after_compile_kernels():
    compiling._run_every_kernel()
    before = {k.py_func.__name__: list(k.signatures) for k in kernels()}
    # Those that only other kernels call have none when these come from the cache.
    assert any(before.values())
    rng = np.random.default_rng(0)
    truth, prediction = rng.integers(0, 5, (2, 90, 70), dtype=np.uint8)
    lut = np.arange(256, dtype=np.uint8)
    lut.flags.writeable = False
    truth[3, 4] = IGNORED
    frozen = truth.copy()
    frozen.flags.writeable = False
    counter = PairCounter(5, 14)
    counter.start(90, 70)
    counter.add(truth[:70], lut, prediction[:70], lut, below=20)
    counter.add(truth[30:], lut, prediction[30:], lut, above=20, row=50)
    counter.finish()
    count_pair(frozen, prediction[:, ::-1], 5, 100)
    alone = TruthCounter(5)
    alone.start(90, 70)
    alone.add(np.asfortranarray(truth), lut)
    alone.finish()
    objects = ObjectTally(5, None, 4, (0, 3))
    add_strips(objects, truth, prediction, 5, (40, 90))
    places = objects.locate(np.array([0, 1], np.int8), np.broadcast_to(np.int32(3), 2), np.array([4, 5], np.uint16))
    objects.finish(objects.line_sums(places, np.ones(2, np.int32), places[:1], [False]))
    objects.finish()
    lines = LineTally(5, [2, 3])
    lines.reset(90, 70, 6)
    plain = lut.copy()
    runs = extract_runs(truth, plain)[0], extract_runs(prediction, plain)[0]
    lines.add(SegmentBuffer().overlay(*runs, 0, 90, 5), 90, 0)
    lines.finish()
    together = PairCounter(5, 3, ObjectSettings(0, 8, (2, 4)))
    together.start(90, 70, 3.0)
    together.add(truth, lut, prediction, lut)
    together.finish()
    score_histogram(truth, rng.random((90, 70), dtype=np.float32))
    score_histogram(frozen, prediction)
    assert {k.py_func.__name__: list(k.signatures) for k in kernels()} == before


def test_no_kernel_is_compiled_twice():
    compiling._run_every_kernel()
    assert {k.py_func.__name__: len(k.signatures) for k in kernels() if len(k.signatures) > 1} == {}


def test_compiled_kernels_are_left_alone():
    compile_kernels()
    machine_code = {path: path.stat().st_mtime_ns for path in compiling._cache().glob("*.nb?")}
    assert machine_code
    compile_kernels()
    assert {path: path.stat().st_mtime_ns for path in compiling._cache().glob("*.nb?")} == machine_code


def test_an_empty_cache_needs_compiling(monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    code = "from analysis.kernels.compiling import needs_compiling; print(needs_compiling())"
    answer = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "True"


def test_another_source_needs_compiling(monkeypatch):
    monkeypatch.setattr(compiling, "_sources", lambda: "of another version")
    assert needs_compiling()
