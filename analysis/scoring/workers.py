"""Worker processes: tiles go out in batches, rows come back."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait as wait_for
from typing import Any, TypeVar

from analysis.errors import StoreError
from analysis.reading.raster import environment

BATCH = 16
"""Tiles that go to a worker at once: a row of a sheet's tiles, so that its strips are decoded once."""
MOST_WORKERS = 8
_FEW_TILES = 48
_FEW_BYTES = 1 << 26

Task = TypeVar("Task")
Row = dict[str, Any]
Make = Callable[[], Callable[[Any], Row]]

_work: Callable[[Any], Row] | None = None


def default_workers() -> int:
    """As many as there are processors, eight at most."""
    return min(MOST_WORKERS, os.cpu_count() or 1)


def run_tasks(
    tasks: Sequence[Task],
    sizes: Sequence[int],
    make: Make,
    workers: int,
    stopping: Callable[[], bool],
) -> Iterator[list[Row]]:
    """Rows of all tasks, batch by batch, in no fixed order.

    Parameters
    ----------
    sizes : sequence of int
        Bytes of each task's files; little work is done in this process, for a pool takes a second to start.
    make : callable
        Makes the function that turns a task into a row; called once in each worker, so it must be picklable.
    stopping : callable
        Asked between batches; True ends the work early.

    Raises
    ------
    StoreError
        A worker died.
    """
    batches = _batches(tasks)
    if workers <= 1 or (len(tasks) <= _FEW_TILES and sum(sizes) <= _FEW_BYTES):
        yield from _here(batches, make, stopping)
        return
    context = get_context("spawn")
    pool = ProcessPoolExecutor(min(workers, len(tasks)), context, _start, (make,))
    try:
        yield from _follow(pool, batches, workers, stopping)
    except BrokenProcessPool:
        raise StoreError(
            "A worker process died: for want of memory, or because a script scores outside of "
            "if __name__ == '__main__':. What was scored so far is kept; score again to go on, with one worker "
            "(--workers 1) if it happens again."
        ) from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _batches(tasks: Sequence[Task]) -> Iterator[Sequence[Task]]:
    return (tasks[i : i + BATCH] for i in range(0, len(tasks), BATCH))


def _here(batches: Iterator[Sequence[Any]], make: Make, stopping: Callable[[], bool]) -> Iterator[list[Row]]:
    with environment():
        work = make()
        for batch in batches:
            if stopping():
                return
            yield [work(task) for task in batch]


def _follow(
    pool: ProcessPoolExecutor, batches: Iterator[Sequence[Any]], workers: int, stopping: Callable[[], bool]
) -> Iterator[list[Row]]:
    running: set[Future[list[Row]]] = {pool.submit(_batch, b) for b in islice(batches, 2 * workers)}
    while running:
        done, running = wait(running, timeout=0.5, return_when=FIRST_COMPLETED)
        if stopping():
            for future in running:
                future.cancel()
            yield from (future.result() for future in done)
            return
        running |= {pool.submit(_batch, b) for b in islice(batches, len(done))}
        yield from (future.result() for future in done)


def _start(make: Make) -> None:
    """Prepare a worker: leave Ctrl-C to the parent, and end when the parent does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:

        def follow() -> None:
            wait_for([parent.sentinel])
            os._exit(1)

        threading.Thread(target=follow, daemon=True).start()
    global _work
    environment().__enter__()  # for the life of the process
    _work = make()


def _batch(tasks: Sequence[Any]) -> list[Row]:
    assert _work is not None
    return [_work(task) for task in tasks]
