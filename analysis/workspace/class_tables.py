"""The class list of a dataset, as its table, its task or its preset gives it."""

from __future__ import annotations

from analysis.errors import WorkspaceError
from analysis.words.classes import BACKGROUND_NAMES, MAX_CLASSES, ClassList, ClassSpec, default_color
from analysis.workspace.fields import Table
from analysis.workspace.model import CHANGE
from analysis.workspace.presets import Preset

_CHANGE_CLASSES = (ClassSpec(0, "unchanged", "#d9d9d9"), ClassSpec(1, "changed", "#d55e00"))


def read_classes(table: Table, task: str, preset: Preset | None) -> ClassList:
    """The classes of a dataset: its own table, those of its task, or those of its preset.

    Raises
    ------
    WorkspaceError
        There are none, or two have the same id or name.
    """
    if "classes" in table.values:
        inner = Table(f"{table.where}, classes", table.values["classes"])
        specs = [_class(inner, key, preset) for key in inner.values]
        specs.sort(key=lambda c: c.id)
        specs = [c if c.color else ClassSpec(c.id, c.name, default_color(i), c.narrow) for i, c in enumerate(specs)]
    elif task == CHANGE:
        specs = list(_CHANGE_CLASSES)
    elif preset and preset.classes:
        specs = list(preset.classes)
    else:
        raise WorkspaceError(
            f'{table.where}: the table [dataset.classes] is missing: id = "name", a line for each class.'
        )
    if not specs or len(specs) > MAX_CLASSES:
        raise WorkspaceError(f"{table.where}: expected 1 to {MAX_CLASSES} classes; found {len(specs)}.")
    names = [c.name for c in specs]
    for name in names:
        if names.count(name) > 1:
            raise WorkspaceError(f'{table.where}: two classes are named "{name}". Give each a name of its own.')
    ids = tuple(c.id for c in specs)
    for i in ids:
        if ids.count(i) > 1:
            raise WorkspaceError(f"{table.where}: two classes have the id {i}. Give each an id of its own.")
    if task == CHANGE and ids != (0, 1):
        raise WorkspaceError(
            f"{table.where}: a change dataset has the classes 0 (unchanged) and 1 (changed); "
            f"found {', '.join(map(str, ids))}. Use truth_values to map other codes to them."
        )
    return ClassList(tuple(specs), _background(table, specs, ids))


def _class(table: Table, key: str, preset: Preset | None) -> ClassSpec:
    number = table.whole_key(key, 'is no class id; write id = "name" with a whole number left')
    value = table.values[key]
    like = next((c for c in preset.classes if c.id == number), None) if preset else None
    if isinstance(value, str):
        name = table.text(key)
        same = like if like and like.name == name else None
        return ClassSpec(number, name, same.color if same else "", same.narrow if same else False)
    inner = Table(f"{table.where}, {key}", value, ("name", "color", "narrow"))
    narrow = inner.values.get("narrow", False)
    if not isinstance(narrow, bool):
        raise inner.wrong("narrow", "true or false", narrow)
    color = inner.optional_text("color")
    if color is not None:
        inner.color("color", color)
    return ClassSpec(number, inner.text("name"), (color or "").lower(), narrow)


def _background(table: Table, specs: list[ClassSpec], ids: tuple[int, ...]) -> int | None:
    if "background" in table.values:
        value = table.values["background"]
        if value == "none":
            return None
        if value not in ids or not isinstance(value, int) or isinstance(value, bool):
            raise table.wrong("background", 'a class id or "none"', value)
        return value
    named = [c.id for c in specs if c.name.strip().lower() in BACKGROUND_NAMES]
    if named:
        return named[0]
    return 0 if ids == (0, 1) else None
