"""Reading a workspace file: TOML to checked records. No dataset folder is looked at here."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

from analysis.errors import WorkspaceError
from analysis.reading.rules import PREDICTION, TRUTH, Color, LabelRule
from analysis.words.order import normal
from analysis.workspace.class_tables import read_classes
from analysis.workspace.fields import Table
from analysis.workspace.model import CHANGE, NEAREST, NEVER, SEGMENTATION, Dataset, Run, ScoringSettings, Workspace
from analysis.workspace.presets import PRESETS, Preset

DATASET_KEYS = (
    "name",
    "task",
    "preset",
    "root",
    "images",
    "before",
    "after",
    "truth",
    "splits",
    "split",
    "tiling",
    "gsd",
    "ignore",
    "background",
    "truth_values",
    "truth_colors",
    "classes",
)
RUN_KEYS = (
    "model",
    "dataset",
    "trained_on",
    "predictions",
    "prediction_values",
    "prediction_colors",
    "threshold",
    "resize",
    "split",
)
_MOST_PX = 1 << 20


def load_workspace(path: str | os.PathLike[str]) -> Workspace:
    """Read a workspace file.

    Raises
    ------
    WorkspaceError
        The file is missing, is no TOML, has an unknown key or a value that cannot be; the message names it.
    """
    file = Path(path)
    return parse_workspace(read_text(file).removeprefix("\ufeff"), file.expanduser())


def read_text(file: Path) -> str:
    """The text of a file as it is, line ends and byte order mark included.

    Raises
    ------
    WorkspaceError
        It is missing, cannot be read, or is no UTF-8.
    """
    try:
        file = file.expanduser()
        return file.read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise WorkspaceError(
            f"{file}: no such workspace file. Check the path, or make a demo with: python -m analysis demo FOLDER"
        ) from None
    except IsADirectoryError:
        raise WorkspaceError(
            f"{file}: is a folder; expected a workspace file such as {file / 'workspace.toml'}"
        ) from None
    except UnicodeDecodeError:
        raise WorkspaceError(f"{file}: is not UTF-8 text; save it as UTF-8.") from None
    except OSError as error:
        raise WorkspaceError(f"{file}: cannot be read ({error.strerror or error}).") from None
    except (RuntimeError, ValueError) as error:  # no such home folder, or a NUL character
        raise WorkspaceError(f"{str(file)!r}: is no path of a file ({error}).") from None


def parse_workspace(text: str, path: Path) -> Workspace:
    """Read the text of a workspace file that lies, or will lie, at ``path``.

    Raises
    ------
    WorkspaceError
        It is no TOML, has an unknown key or a value that cannot be; the message names it.
    """
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        hint = ""
        if "\\" in str(error) or "hex value" in str(error):
            hint = " In double quotes a backslash means something else: write paths with / or in single quotes."
        raise WorkspaceError(f"{path.name}: is no valid TOML: {error}.{hint}") from None
    return _workspace(path.resolve(), content)


def _workspace(file: Path, content: dict[str, Any]) -> Workspace:
    Table(file.name, content, ("scoring", "dataset", "run"))
    scoring = Table(f"{file.name}, scoring", content.get("scoring", {}), ("connectivity", "tolerance_m", "boundary_px"))
    connectivity = scoring.whole("connectivity", 8, 4, 8)
    if connectivity not in (4, 8):
        raise scoring.wrong("connectivity", "4 or 8", connectivity)
    settings = ScoringSettings(
        connectivity, scoring.number("tolerance_m", 1.5, 0.0, 1000.0), scoring.whole("boundary_px", 3, 1, 60)
    )
    datasets = [_dataset(file, i, d) for i, d in enumerate(_tables(file, content, "dataset"), 1)]
    _no_doubles(file, "dataset", [d.name for d in datasets])
    by_name = {d.name: d for d in datasets}
    runs = [_run(file, i, r, by_name) for i, r in enumerate(_tables(file, content, "run"), 1)]
    _no_doubles(file, "run", [r.key for r in runs])
    return Workspace(file, settings, tuple(datasets), tuple(runs))


def _tables(file: Path, content: dict[str, Any], key: str) -> list[Any]:
    tables = content.get(key, [])
    if not isinstance(tables, list):
        raise WorkspaceError(f"{file.name}: write [[{key}]] with two brackets on each side, once for each {key}.")
    return tables


def _no_doubles(file: Path, what: str, names: list[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise WorkspaceError(f'{file.name}: two {what}s are named "{name}". Give each a name of its own.')


def _dataset(file: Path, number: int, values: Any) -> Dataset:
    table = Table(f"{file.name}, dataset {number}", values, DATASET_KEYS)
    name = table.text("name")
    table = Table(f'{file.name}, dataset "{name}"', values, DATASET_KEYS)
    preset = _preset(table)
    task = table.choice("task", (SEGMENTATION, CHANGE), preset.task if preset else None)
    root = (file.parent / table.path("root")).resolve()
    offered = preset.keys() if preset else {}

    def patterns(key: str) -> tuple[str, ...]:
        if key in values:
            return (table.pattern(key, table.text(key)),)
        return tuple(offered.get(key, ()))

    if not patterns("truth"):
        raise WorkspaceError(
            f'{table.where}: the key "truth" is missing: a folder, or a pattern such as "masks/{{id}}.png".'
        )
    for key in ("before", "after") if task == SEGMENTATION else ("images",):
        if key in values:
            other = "images" if task == SEGMENTATION else "before and after"
            raise WorkspaceError(f'{table.where}: a {task} dataset has {other}, not "{key}".')
    classes = read_classes(table, task, preset)
    numbers, colors = _ignored(table)
    values_map = table.raw_to_class("truth_values", classes.ids)
    colors_map = table.color_to_class("truth_colors", classes.ids)
    if values_map and colors_map:
        raise WorkspaceError(f"{table.where}: truth_values and truth_colors exclude each other; keep one.")
    return Dataset(
        name=name,
        task=task,
        root=root,
        truth=patterns("truth"),
        images=patterns("images"),
        before=patterns("before"),
        after=patterns("after"),
        rule=LabelRule(
            side=TRUTH,
            classes=classes,
            values=values_map,
            colors=colors_map,
            ignore_values=numbers,
            ignore_colors=colors,
        ),
        splits=table.texts("splits") if "splits" in values else offered.get("splits", {}),
        split=table.optional_text("split"),
        tiling=_tiling(table, preset),
        gsd=_gsd(table) if "gsd" in values else offered.get("gsd", {}),
        columns=preset.columns if preset else {},
        preset=preset.id if preset else None,
    )


def _preset(table: Table) -> Preset | None:
    name = table.optional_text("preset")
    if name is None:
        return None
    if name not in PRESETS:
        raise table.wrong("preset", " or ".join(f'"{p}"' for p in PRESETS), name)
    return PRESETS[name]


def _ignored(table: Table) -> tuple[frozenset[int], frozenset[Color]]:
    """Raw values and colours of the key ``ignore``."""
    listed = table.values.get("ignore", [])
    expected = 'a list of whole numbers and colours, such as [255] or ["#000000"]'
    if not isinstance(listed, list):
        raise table.wrong("ignore", expected, listed)
    numbers, colors = set(), set()
    for value in listed:
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 63:
            numbers.add(value)
        elif isinstance(value, str):
            colors.add(table.color("ignore", value))
        else:
            raise table.wrong("ignore", expected, value)
    return frozenset(numbers), frozenset(colors)


def _tiling(table: Table, preset: Preset | None) -> int | None:
    if "tiling" not in table.values:
        return preset.tiling if preset else None
    inner = Table(f"{table.where}, tiling", table.values["tiling"], ("size",))
    if "size" not in inner.values:
        raise WorkspaceError(f"{inner.where}: write tiling = {{size = 512}}.")
    return inner.whole("size", 0, 1, _MOST_PX)


def _gsd(table: Table) -> dict[str, float]:
    value = table.values["gsd"]
    if not isinstance(value, dict):
        return {"default": table.number("gsd", 0.0, 1e-4, 1e5)}
    inner = Table(f"{table.where}, gsd", value)
    return {normal(scene): inner.number(scene, 0.0, 1e-4, 1e5) for scene in inner.values}


def _run(file: Path, number: int, values: Any, datasets: dict[str, Dataset]) -> Run:
    table = Table(f"{file.name}, run {number}", values, RUN_KEYS)
    model = table.text("model")
    table = Table(f'{file.name}, run "{model}"', values, RUN_KEYS)
    dataset = table.text("dataset")
    if dataset not in datasets:
        known = ", ".join(f'"{name}"' for name in datasets) or "none"
        raise WorkspaceError(f'{table.where}: no dataset is named "{dataset}". Known: {known}.')
    classes = datasets[dataset].classes
    values_map = table.raw_to_class("prediction_values", classes.ids)
    colors_map = table.color_to_class("prediction_colors", classes.ids)
    if values_map and colors_map:
        raise WorkspaceError(f"{table.where}: prediction_values and prediction_colors exclude each other; keep one.")
    return Run(
        model=model,
        dataset=dataset,
        predictions=table.pattern("predictions", str(table.path("predictions"))),
        base=file.parent,
        rule=LabelRule(
            side=PREDICTION,
            classes=classes,
            values=values_map,
            colors=colors_map,
            threshold=table.number("threshold", 0.5, 0.0, 1.0),
        ),
        trained_on=table.optional_text("trained_on"),
        resize=table.choice("resize", (NEVER, NEAREST), NEVER),
        split=table.optional_text("split"),
    )
