"""``python -m benchmarks``: what scoring costs beside decoding the same files, and beside the usual ways.

Every contender runs once a round, in turning order, over the same tiles in the same worker processes; medians of
rounds are printed, ratios first. Orthoscope counts all of its pixels (confusion, edge and boundary profiles, Boundary
IoU bands, hashes), and these with objects of all classes and the centre lines of roads, both with writing them to the
store; the others give a confusion matrix.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from analysis.api import open_workspace
from analysis.catalogue.run import catalogue_run
from analysis.catalogue.tiles import Tile
from analysis.kernels.compiling import compile_kernels
from analysis.scoring.recipe import make_recipe
from analysis.scoring.run import prepare
from analysis.scoring.workers import BATCH
from analysis.store.run_store import RunStore
from benchmarks.contenders import run_batch, start
from benchmarks.data import describe, make_data

NAMES = {
    "decode": "decoding alone (the limit)",
    "orthoscope": "Orthoscope, all pixel counts, stored",
    "full": "Orthoscope, with objects and centre lines, stored",
    "bincount": "masked bincount",
    "sklearn": "scikit-learn confusion_matrix",
}


def one_round(pool: ProcessPoolExecutor, name: str, tiles: list[Tile], store: RunStore) -> tuple[float, list[Any]]:
    """Seconds of one contender over all tiles, and what it returned."""
    began = time.perf_counter()
    batches = [tiles[i : i + BATCH] for i in range(0, len(tiles), BATCH)]
    results: list[Any] = []
    rows: list[Any] = []
    for future in [pool.submit(run_batch, name, batch) for batch in batches]:
        found = future.result()
        results += found
        if name in ("orthoscope", "full"):
            rows += found
            if len(rows) >= 256:
                store.add(rows)
                rows = []
    if rows:
        store.add(rows)
    return time.perf_counter() - began, results


def main() -> None:
    """Make the data, check that all agree, time them, print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--pairs", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--folder", type=Path, default=Path(__file__).parent / "results" / "tiles")
    chosen = parser.parse_args()
    workspace = make_data(chosen.folder, chosen.pairs)
    compile_kernels()
    with tempfile.TemporaryDirectory() as cache:
        os.environ["ORTHOSCOPE_CACHE"] = cache
        run = open_workspace(workspace).run("m")
        found = catalogue_run(run.run, run.dataset)
        rules = prepare(run.run, found)
        recipes = [make_recipe(run.workspace, run.run, rules, objects=objects) for objects in (False, True)]
        tiles = found.tiles[: chosen.pairs]
        times: dict[str, list[float]] = {name: [] for name in NAMES}
        with ProcessPoolExecutor(chosen.workers, get_context("spawn"), start, recipes) as pool:
            results = {name: one_round(pool, name, tiles, run.store)[1] for name in NAMES}
            _check(results)
            names = list(NAMES)
            for i in range(chosen.rounds):
                turn = i % len(names)
                for name in names[turn:] + names[:turn]:
                    times[name].append(one_round(pool, name, tiles, run.store)[0])
    _print(times, chosen, describe(chosen.folder))


def _check(results: dict[str, list[Any]]) -> None:
    ours = [row["confusion"][:, :-1] for row in results["orthoscope"]]
    if not all(np.array_equal(a, row["confusion"][:, :-1]) for a, row in zip(ours, results["full"], strict=True)):
        sys.exit("Orthoscope counts pixels differently with objects: nothing was timed.")
    for name in ("bincount", "sklearn"):
        if not all(np.array_equal(a, b) for a, b in zip(ours, results[name], strict=True)):
            sys.exit(f"{name} and Orthoscope count differently: nothing was timed.")


def _print(times: dict[str, list[float]], chosen: argparse.Namespace, files: dict[str, Any]) -> None:
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numpy", "rasterio", "numba", "scikit-learn"))
    print(f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}, {libraries}")
    print(
        f"{chosen.pairs} pairs of 512 x 512 px, 5 classes, 8-bit PNG of {files['mean_kib']:.1f} KiB; "
        f"{chosen.workers} workers; medians of {chosen.rounds} interleaved rounds\n"
    )
    print("| what | x decoding | ms a pair | pairs a second |")
    print("| --- | ---: | ---: | ---: |")
    for name, label in NAMES.items():
        ratio = statistics.median(a / b for a, b in zip(times[name], times["decode"], strict=True))
        seconds = statistics.median(times[name]) / chosen.pairs
        print(f"| {label} | {ratio:.2f} | {1000 * seconds:.2f} | {1 / seconds:,.0f} |")


if __name__ == "__main__":
    main()
