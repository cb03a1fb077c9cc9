"""Making the demo: draw the scenes, cut them into tiles, split, fit the models, predict."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import numpy as np

from analysis.demo.describe import SPLITS, is_demo, write_note, write_workspace
from analysis.demo.land import survey
from analysis.demo.models import MODELS, Labels, Model
from analysis.demo.paint import paint
from analysis.demo.plan import lay_out
from analysis.demo.recipes import RECIPES, TILE
from analysis.errors import WorkspaceError
from analysis.reading.raster import Raster, write_raster

Report = Callable[[str, float], None]
T = TypeVar("T")

_OUTPUT = Path("landcover", "output")
_LEFTOVER_AGE = 900  # seconds after which an unfinished demo beside the folder is taken for abandoned
_MATRIX_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def make_demo(folder: Path, *, seed: int = 7, scenes: int = len(RECIPES), report: Report | None = None) -> Path:
    """Make the demo: a synthetic land-cover dataset, three models fitted on it and their predictions.

    It is built beside the folder and renamed at the end, so what is there is whole. Where the same demo is there
    already, nothing is done.

    Parameters
    ----------
    folder : Path
        Made if it is missing; empty otherwise.
    seed : int, optional
        The same seed gives the same files, byte for byte, on the same machine.
    scenes : int, optional
        How many of the scenes to make, at least 1; two hold every class.
    report : callable, optional
        Called with a stage for people and the share that is done, from 0 to 1.

    Returns
    -------
    Path
        Of ``workspace.toml`` in the folder.

    Raises
    ------
    WorkspaceError
        The folder holds something else, or cannot be written.
    """
    if not 1 <= scenes <= len(RECIPES):
        raise ValueError(f"scenes must lie between 1 and {len(RECIPES)}, not {scenes}")
    folder = Path(folder).resolve()
    workspace = folder / "workspace.toml"
    if is_demo(folder, seed, scenes):
        return workspace
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise WorkspaceError(
                f"The demo needs a new or an empty folder, and {folder} holds something else or another demo. "
                "Name another folder, or delete this one first."
            )
        folder.parent.mkdir(parents=True, exist_ok=True)
        _remove_leftovers(folder)
        making = Path(tempfile.mkdtemp(prefix=_prefix(folder), dir=folder.parent))
        try:
            _make(making, seed, scenes, report or (lambda stage, share: None))
            _put_in_place(making, folder)
        finally:
            shutil.rmtree(making, ignore_errors=True)
    except OSError as error:
        raise WorkspaceError(f"The demo cannot be written to {folder}: {error.strerror or error}.") from error
    return workspace


def scene_rng(index: int, seed: int) -> np.random.Generator:
    """Random numbers of one scene, so that it does not depend on the others."""
    return np.random.default_rng([seed, index])


def split_tiles(ids: list[str], seed: int) -> dict[str, list[str]]:
    """Random split lists over tiles, as LandCover.ai has them; each in the order it was drawn."""
    drawn = [ids[i] for i in np.random.default_rng([seed, 201]).permutation(len(ids))]
    first, second = round(SPLITS["train"] * len(ids)), round((SPLITS["train"] + SPLITS["val"]) * len(ids))
    return {"train": drawn[:first], "val": drawn[first:second], "test": drawn[second:]}


def _make(folder: Path, seed: int, scenes: int, report: Report) -> None:
    (folder / _OUTPUT).mkdir(parents=True)
    ids = [tile for recipe in RECIPES[:scenes] for tile in recipe.tiles()]
    splits = split_tiles(ids, seed)
    for name, tiles in splits.items():
        (folder / "landcover" / f"{name}.txt").write_text("\n".join(tiles) + "\n", encoding="utf-8")
    for model in MODELS:
        (folder / "runs" / model.slug).mkdir(parents=True)

    report("Drawing the scenes", 0.0)
    with worker_pool() as pool:
        # The 50 cm scenes take longest, so they are begun first.
        order = sorted(range(scenes), key=lambda i: -RECIPES[i].gsd)
        drawn = [pool.submit(_write_scene, folder, i, seed) for i in order]
        _follow(drawn, "Drawing the scenes", 0.0, 0.6, report)
        fitting = [pool.submit(fit_model, folder, i, splits["train"], seed) for i in reversed(range(len(MODELS)))]
        fitted = _follow(fitting, "Fitting the models", 0.6, 0.8, report)
        wanted = splits["val"] + splits["test"]
        parts = [wanted[start::8] for start in range(8)]
        predicting = [pool.submit(_predict, folder, fitted, part) for part in parts]
        _follow(predicting, "Predicting", 0.8, 1.0, report)
    write_workspace(folder / "workspace.toml", scenes)
    write_note(folder / "demo.json", seed, scenes, dict(splits))


def _follow(futures: list[Future[T]], stage: str, begin: float, end: float, report: Report) -> list[T]:
    for done, future in enumerate(as_completed(futures), 1):
        future.result()
        report(stage, begin + (end - begin) * done / len(futures))
    return [future.result() for future in futures]


@contextmanager
def worker_pool() -> Iterator[ProcessPoolExecutor]:
    """Processes whose matrix products use one thread each: threads that fight for the cores are ten times slower."""
    before = {name: os.environ.get(name) for name in _MATRIX_THREADS}
    os.environ.update(dict.fromkeys(_MATRIX_THREADS, "1"))
    pool = ProcessPoolExecutor(
        min(4, os.cpu_count() or 1), multiprocessing.get_context("spawn"), initializer=_end_with_parent
    )
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _end_with_parent() -> None:
    """Watch the parent: a worker whose parent was killed would wait for work for ever."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _write_scene(folder: Path, index: int, seed: int) -> None:
    recipe, rng = RECIPES[index], scene_rng(index, seed)
    plan = lay_out(recipe, rng)
    land = survey(recipe, plan, rng, seed)
    picture = paint(recipe, plan, land, rng, seed)
    for tile, (row, column) in recipe.tiles().items():
        window = np.s_[row * TILE : (row + 1) * TILE, column * TILE : (column + 1) * TILE]
        write_raster(folder / _OUTPUT / f"{tile}.jpg", picture[window], driver="JPEG", QUALITY=90)
        write_raster(folder / _OUTPUT / f"{tile}_m.png", land.truth[window], driver="PNG", ZLEVEL=2)


def _image(folder: Path, tile: str) -> Labels:
    with Raster(folder / _OUTPUT / f"{tile}.jpg") as raster:
        return np.ascontiguousarray(np.moveaxis(raster.read((0, TILE), (0, TILE)), 0, 2))


def fit_model(folder: Path, number: int, tiles: list[str], seed: int) -> Model:
    """Fit one of ``MODELS`` to the files of some tiles."""

    def pairs() -> Iterable[tuple[Labels, Labels]]:
        for tile in tiles:
            with Raster(folder / _OUTPUT / f"{tile}_m.png") as raster:
                yield _image(folder, tile), raster.read((0, TILE), (0, TILE))[0]

    model: Model = MODELS[number]()
    model.fit(pairs(), np.random.default_rng([seed, 202, number]))
    return model


def _predict(folder: Path, models: list[Model], tiles: list[str]) -> None:
    for tile in tiles:
        image = _image(folder, tile)
        for model in models:
            write_raster(folder / "runs" / model.slug / f"{tile}.png", model.predict(image), driver="PNG", ZLEVEL=2)


def _prefix(folder: Path) -> str:
    return f".{folder.name}.making-"


def _remove_leftovers(folder: Path) -> None:
    """Remove what a killed process left of a demo; a younger one may still be in the making."""
    for found in folder.parent.glob(f"{_prefix(folder)}*"):
        if time.time() - found.stat().st_mtime > _LEFTOVER_AGE:
            shutil.rmtree(found, ignore_errors=True)


def _put_in_place(making: Path, folder: Path) -> None:
    making.chmod(0o755)  # a temporary folder is for its owner alone
    try:
        if folder.exists():
            folder.rmdir()  # empty, as was checked; a rename onto it would fail on some systems
        making.rename(folder)
    except OSError:
        if not (folder / "demo.json").is_file():  # somebody else may have made the demo meanwhile
            raise
