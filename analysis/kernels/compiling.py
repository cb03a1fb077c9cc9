"""Compiling the kernels ahead of time, so that the first tile does not wait for it."""

from __future__ import annotations

import hashlib
import importlib
import pkgutil
import platform
from pathlib import Path
from typing import Any

import numba
import numpy as np
from filelock import FileLock
from numba.core.registry import CPUDispatcher

import analysis.kernels
from analysis.kernels.centre_lines import LineTally
from analysis.kernels.histogram import score_histogram
from analysis.kernels.layout import IGNORED
from analysis.kernels.objects import ObjectTally
from analysis.kernels.pair import PairCounter
from analysis.kernels.runs import extract_runs
from analysis.kernels.segments import SegmentBuffer
from analysis.kernels.truth import TruthCounter


def kernels() -> list[Any]:
    """Return the compiled functions of this package, each once."""
    found = {}
    for info in pkgutil.iter_modules(analysis.kernels.__path__):
        if info.name != "__main__":
            for value in vars(importlib.import_module(f"analysis.kernels.{info.name}")).values():
                if isinstance(value, CPUDispatcher):
                    found[value.py_func] = value
    return list(found.values())


def needs_compiling() -> bool:
    """Return whether the machine code on disk is of other sources than these, or none is there."""
    try:
        return _stamp().read_text(encoding="ascii") != _sources()
    except OSError:
        return True


def compile_kernels() -> None:
    """Compile every kernel, with the argument types that scoring uses; nothing where that was done.

    numba's own cache looks only at the file of a kernel, and would go on to use an old version of what that kernel
    calls in another file: where any source has changed, all machine code is made again. One process compiles,
    others wait for it. Nothing may have been counted before in this process.
    """
    with FileLock(_cache() / "kernels.lock"):
        if not needs_compiling():
            return
        for old in (*_cache().glob("*.nbi"), *_cache().glob("*.nbc")):
            old.unlink(missing_ok=True)
        _run_every_kernel()
        _stamp().write_text(_sources(), encoding="ascii")


def _cache() -> Path:
    """Folder where numba keeps the machine code of this package."""
    path = Path(kernels()[0].stats.cache_path)
    path.mkdir(parents=True, exist_ok=True)
    return path


def _stamp() -> Path:
    return _cache() / "kernels.compiled"


def _sources() -> str:
    """Digest of all that decides the machine code, but the processor, which numba looks at itself."""
    digest = hashlib.blake2b(f"{numba.__version__} {platform.python_version()}".encode(), digest_size=16)
    for path in sorted(Path(analysis.kernels.__path__[0]).glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _run_every_kernel() -> None:
    """Count a tiny tile in every way that there is."""
    lut = np.arange(256, dtype=np.uint8)
    tile = np.array([[0, 1], [1, IGNORED]], np.uint8)
    plain = np.array([[0, 1], [1, 0]], np.uint8)
    pair = PairCounter(2, boundary_px=1)
    for truth in (plain, tile):
        pair.start(2, 2)
        pair.add(truth, lut, plain, lut, above=0, below=0, row=0)
        pair.finish()
    alone = TruthCounter(2)
    alone.start(2, 2)
    alone.add(tile, lut)
    alone.finish()
    runs, _ = extract_runs(plain, lut)
    objects = ObjectTally(2, background=0, connectivity=8, narrow=(1,))
    objects.reset(2, 2)
    objects.add(SegmentBuffer().overlay(runs, runs, 0, 2, 2), 2, 0)
    places = objects.locate(0, [0], [1])
    objects.finish(objects.line_sums(places, [1], places, [True]))
    lines = LineTally(2, (1,))
    lines.reset(2, 2, 1.0)
    lines.add(SegmentBuffer().overlay(extract_runs(tile, lut)[0], extract_runs(plain, lut)[0], 0, 2, 2), 2, 0)
    lines.finish()
    score_histogram(tile, plain)
    score_histogram(tile, plain.astype(np.float32))
