"""``python -m analysis.kernels``: compile the kernels into their cache."""

from __future__ import annotations

import time

from analysis.kernels.compiling import compile_kernels


def main() -> None:
    """Compile and say how long it took."""
    began = time.perf_counter()
    compile_kernels()
    print(f"Kernels ready after {time.perf_counter() - began:.1f} s.")


if __name__ == "__main__":
    main()
