"""What all tests share: a cache of their own, compiled kernels, and the shared sample data where it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.kernels.compiling import compile_kernels, needs_compiling

PROJECT = Path(__file__).resolve().parents[1]


def pytest_configure() -> None:
    """Compile before the first test, so that none of them is slow by chance."""
    if needs_compiling():
        compile_kernels()


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Counts go to a folder of the test's own; the user's are never touched."""
    cache = tmp_path / "orthoscope-cache"
    monkeypatch.setenv("ORTHOSCOPE_CACHE", str(cache))
    monkeypatch.delenv("ORTHOSCOPE_WORKSPACE", raising=False)
    return cache
