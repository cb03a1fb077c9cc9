"""No kernel touches memory that is not its own: one process counts many tiles with every index checked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

# Tiles of one counter one after the other: what the tile before left behind must do no harm.
CODE = """
import numpy as np
from analysis.kernels.centre_lines import LineTally
from analysis.kernels.histogram import score_histogram
from analysis.kernels.layout import IGNORED
from analysis.kernels.objects import ObjectTally
from analysis.kernels.pair import PairCounter
from analysis.kernels.runs import extract_runs
from analysis.kernels.segments import SegmentBuffer
from analysis.kernels.truth import TruthCounter
from tests.kernels.object_tiles import add_strips

rng = np.random.default_rng(3)
lut = np.arange(256, dtype=np.uint8)
segments = SegmentBuffer()
lines = {k: LineTally(k, sorted({0, k // 2, k - 1})) for k in (1, 2, 5, 30)}
counters = {k: (PairCounter(k, int(rng.integers(1, 30))), TruthCounter(k)) for k in (1, 2, 5, 30)}
tallies = {k: ObjectTally(k, None if k == 1 else 0, 4 + 4 * (k % 2), (k - 1, k // 2)) for k in counters}
for _ in range(240):
    k = int(rng.choice(list(counters)))
    pair, alone = counters[k]
    shape = tuple(int(n) for n in rng.integers(1, 140, 2))
    block = int(rng.integers(1, 20))
    coarse = rng.integers(0, rng.integers(1, k + 1), shape, dtype=np.uint8)
    truth = np.ascontiguousarray(np.kron(coarse, np.ones((block, block), np.uint8))[: shape[0], : shape[1]])
    prediction = np.where(rng.random(shape) < rng.choice([0, 0.02, 0.5]), rng.integers(0, k + 1, shape), truth)
    prediction = np.minimum(prediction, k).astype(np.uint8)
    truth[rng.random(shape) < rng.choice([0, 0.1, 1])] = IGNORED
    pair.start(*shape)
    pair.add(truth, lut, prediction, np.minimum(lut, np.uint8(k)))
    counts = pair.finish()
    assert counts.valid + counts.ignored == truth.size
    alone.start(*shape)
    alone.add(truth, lut)
    assert alone.finish().ignored == counts.ignored
    objects = tallies[k]
    add_strips(objects, truth, prediction, k, rng.integers(1, 140, 3))
    sides, rows, columns = (rng.integers(-3, 140, 200) for _ in range(3))
    places = objects.locate(np.abs(sides) % 2, rows, columns)
    found = objects.finish(objects.line_sums(places, sides, places, sides < 9))
    assert found.outcomes[..., 0].sum() == objects.n_objects == found.rows["area"].size + found.left_out
    of_truth, of_prediction = extract_runs(truth, lut)[0], extract_runs(prediction, np.minimum(lut, np.uint8(k)))[0]
    lines[k].reset(*shape, float(rng.choice([0, 1.5, 6, 70])))
    lines[k].add(segments.overlay(of_truth, of_prediction, 0, shape[0], k), shape[0], 0)
    found = lines[k].finish()
    assert found.line_truth.sum() + found.line_gaps[:, 1].sum() == (found.px_side == 0).sum()
    score_histogram(truth, rng.random(shape, dtype=np.float32))
print("done")
"""


def test_every_index_is_in_bounds(tmp_path):
    checked = os.environ | {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    answer = subprocess.run([sys.executable, "-c", CODE], cwd=ROOT, env=checked, capture_output=True, text=True)
    assert answer.stdout.strip() == "done", answer.stderr[-2000:]
