"""A folder with a workspace in it, and the command line over it: what most tests of the outside need."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.commands.main import main
from analysis.reading.raster import write_raster

FIVE = '0 = "background"\n1 = "building"\n2 = "woodland"\n3 = "water"\n4 = "road"'
TWO = '0 = "background"\n1 = "building"'
DRIVERS = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG", ".tif": "GTiff", ".tiff": "GTiff", ".bmp": "BMP"}

Array = npt.NDArray[Any]


def array(values: Any, dtype: Any = np.uint8) -> Array:
    """Nested lists or an array, as the given type."""
    return np.ascontiguousarray(np.asarray(values).astype(dtype) if not isinstance(values, np.ndarray) else values)


def write(path: Path, values: Any, dtype: Any = np.uint8, **options: Any) -> Path:
    """Write a raster; its format follows from its name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    driver = options.pop("driver", None) or DRIVERS[path.suffix.lower()]
    write_raster(path, array(values, dtype), driver=driver, **options)
    return path


@dataclass(frozen=True)
class Answer:
    """What a command said."""

    status: int
    out: str
    err: str
    report: dict[str, Any]

    @property
    def run(self) -> dict[str, Any]:
        """The only run of the report."""
        (run,) = self.report["runs"]
        return run

    @property
    def tiles(self) -> dict[str, Any]:
        return self.run["tiles"]

    @property
    def pooled(self) -> dict[str, Any]:
        return self.run["pooled"]

    @property
    def codes(self) -> list[str]:
        """Codes of the notices, in order."""
        return [n["code"] for n in self.run["notices"]]

    def notice(self, code: str) -> dict[str, Any]:
        """The only notice of this code."""
        found = [n for n in self.run["notices"] if n["code"] == code]
        assert len(found) == 1, f"{code}: {len(found)} times in {self.codes}"
        return found[0]

    def reason(self, tile: str) -> str:
        """Why a tile was refused."""
        assert self.tiles[tile]["status"] == "refused", self.tiles[tile]
        return self.tiles[tile]["reason"]


def command(*arguments: object) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of a command, in this process."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = main([str(a) for a in arguments])
    return status, out.getvalue(), err.getvalue()


class Bench:
    """A folder with a workspace."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "bench"
        self.folder.mkdir(exist_ok=True)
        self.file = self.folder / "workspace.toml"

    def write(self, name: str, values: Any, dtype: Any = np.uint8, **options: Any) -> Path:
        """Write a raster below the folder."""
        return write(self.folder / name, values, dtype, **options)

    def pair(self, tile: str, truth: Any, prediction: Any, **options: Any) -> None:
        """Write the truth and the prediction of a tile as PNG, in ``masks`` and ``runs``."""
        self.write(f"masks/{tile}.png", truth, **options)
        self.write(f"runs/{tile}.png", prediction, **options)

    def text(self, name: str, content: str | bytes) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def toml(self, content: str) -> Path:
        """Write the workspace file as it stands."""
        return self.text("workspace.toml", content)

    def workspace(
        self, dataset: str = "", run: str = "", *, task: str = "segmentation", classes: str = FIVE, top: str = ""
    ) -> Path:
        """Write a workspace of one dataset ``d`` and one run ``m``; what is not said is folders masks and runs."""
        text = f'{top}\n[[dataset]]\nname = "d"\n'
        text += "" if "preset =" in dataset else f'task = "{task}"\n'
        text += "" if "root =" in dataset else 'root = "."\n'
        text += "" if "truth =" in dataset or "preset =" in dataset else 'truth = "masks"\n'
        text += dataset + "\n"
        if task == "segmentation" and "preset =" not in dataset:
            text += f"[dataset.classes]\n{classes}\n"
        text += '[[run]]\nmodel = "m"\ndataset = "d"\n'
        text += "" if "predictions =" in run else 'predictions = "runs"\n'
        return self.toml(text + run + "\n")

    def score(self, *arguments: object) -> Answer:
        """Score the workspace; the report is read back."""
        target = self.folder / "report.json"
        target.unlink(missing_ok=True)
        status, out, err = command("score", self.file, "--json", target, "--workers", 1, *arguments)
        report = json.loads(target.read_text(encoding="utf-8")) if target.exists() else {}
        return Answer(status, out, err, report)

    def check(self, *arguments: object) -> Answer:
        """The preflight report."""
        return Answer(*command("check", self.file, *arguments), {})
