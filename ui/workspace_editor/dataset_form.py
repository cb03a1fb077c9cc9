"""The form of a dataset: what its task and preset leave open comes first."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.preflight.values import find_values
from analysis.workspace.model import CHANGE, SEGMENTATION, Dataset
from analysis.workspace.presets import PRESETS, Preset
from ui.text import escape
from ui.workspace_editor import class_rows, fields, preset_help
from ui.workspace_editor.drafts import Form
from ui.workspace_editor.fields import key_of
from ui.workspace_editor.spelling import State

_TASKS = {SEGMENTATION: "Segmentation: classes on one image", CHANGE: "Change: what differs between two images"}
_ADVANCED = "Advanced: split lists, tiling, pixel size, ignored values, value maps"
_PATTERN_HELP = (
    "A folder under the root (masks), or a pattern (masks/{id}_m.png). Files whose fields in braces agree belong "
    "together; .* stands for any raster extension."
)


def draw(form: Form, state: State, base: Path) -> DeltaGenerator:
    """Draw the form; ``state`` holds what is in it from here on. Returns the place below the classes."""
    fields.text(form, state, "name", "Name", placeholder="My city", help="Shown everywhere; each dataset has its own.")
    left, right = st.columns([2, 3])
    fields.choice(
        form,
        state,
        "preset",
        "Preset",
        ["", *PRESETS],
        ["None", *(p.label for p in PRESETS.values())],
        left,
        "A public dataset whose folders and classes are known. Without one, you say where things are.",
    )
    preset = PRESETS.get(state["preset"])
    if preset is None:
        state["task"] = state["task"] or SEGMENTATION
        fields.choice(form, state, "task", "Task", list(_TASKS), list(_TASKS.values()), right)
    else:
        right.text_input("Task", _TASKS[preset.task], disabled=True, key=key_of(form, f"task of {preset.id}"))
    fields.path(
        form,
        state,
        "root",
        "Root folder",
        base,
        placeholder="data/my_city",
        help="The folder that holds everything of the dataset. A relative path begins at the workspace file's folder.",
    )
    root = root_of(state, base)
    if preset is not None:
        preset_help.draw(preset, root)
        used = any(state[k] for k in ("truth", "images", "before", "after"))
        with fields.folded(form, "Files: other than the preset's", used=used):
            _draw_files(form, state, root, preset)
    else:
        _draw_files(form, state, root, None)
    _draw_split(form, state, preset)
    _draw_classes(form, state, preset)
    place = st.container()
    _draw_more(form, state, preset)
    return place


def task_of(state: State) -> str:
    """The task by the preset, or as chosen."""
    preset = PRESETS.get(state["preset"])
    return preset.task if preset else state["task"] or SEGMENTATION


def own_classes(state: State) -> bool:
    """Whether the classes are those of the form, and not those of the task or the preset."""
    preset = PRESETS.get(state["preset"])
    given = task_of(state) == CHANGE or (preset is not None and bool(preset.classes))
    return bool(state["own_classes"]) if given else True


def tidied(state: State, original: Mapping[str, Any]) -> State:
    """The form without what its task has no use for: it may have been typed before another task was chosen."""
    unused = ("before", "after") if task_of(state) == SEGMENTATION else ("images",)
    left = {**state, **dict.fromkeys(unused, ""), "own_classes": own_classes(state)}
    if state["preset"] in PRESETS:  # the preset says the task; it is written only where it was written before
        left["task"] = task_of(state) if "task" in original else ""
    return left


def offer_values(form: Form, state: State, dataset: Dataset) -> None:
    """The button that fills the table of classes with what the masks hold; needs a ground truth that was found."""
    if task_of(state) == CHANGE or not own_classes(state):
        return
    st.button(
        "Fill in the values found in the masks",
        key=key_of(form, "fill classes"),
        icon=":material/auto_fix_high:",
        help="Reads the first 64 masks and adds a row for each value that has none.",
        on_click=_fill,
        args=(form, state, dataset),
    )
    if said := st.session_state.pop(key_of(form, "filled"), None):
        st.caption(said)


def root_of(state: State, base: Path) -> Path | None:
    """The root folder as typed; None where nothing, or no path, is typed."""
    typed = state["root"].strip()
    try:
        return (base / Path(typed).expanduser()).resolve() if typed else None
    except (OSError, RuntimeError, ValueError):
        return None


def _draw_files(form: Form, state: State, root: Path | None, preset: Preset | None) -> None:
    offered = preset.keys() if preset else {}
    roles = {"truth": "Ground truth"}
    roles |= {"images": "Images"} if task_of(state) == SEGMENTATION else {"before": "Before", "after": "After"}
    samples = {"truth": "masks", "images": "images", "before": "A", "after": "B"}
    for name, label in roles.items():
        optional = " (optional)" if name != "truth" and not preset else ""
        fields.path(
            form,
            state,
            name,
            label + optional,
            root,
            placeholder=" or ".join(offered[name]) if name in offered else samples[name],
            help=_PATTERN_HELP,
        )


def _draw_split(form: Form, state: State, preset: Preset | None) -> None:
    listed = [line.partition("=")[0].strip() for line in state["splits"].splitlines() if "=" in line]
    known = listed or list(preset.splits if preset else ())
    if preset and not known:
        known = ["train", "val", "test"]
    fields.free_choice(
        form,
        state,
        "split",
        "Split that is scored",
        known,
        placeholder="Every tile that has a ground truth",
        help="A name among the split lists, a value of the field {split}, or a list file; type to name another.",
    )


def _draw_classes(form: Form, state: State, preset: Preset | None) -> None:
    if task_of(state) == CHANGE:
        st.markdown("**Classes**")
        st.caption("A change dataset has two: 0 unchanged, 1 changed. Other codes are mapped to them under Advanced.")
        if not state["own_classes"]:
            return
    elif preset and preset.classes:
        st.markdown("**Classes**")
        st.caption(f"From the preset: {escape(', '.join(f'{c.id} {c.name}' for c in preset.classes))}.")
        key = key_of(form, "own_classes")
        st.session_state.setdefault(key, state["own_classes"])
        state["own_classes"] = st.toggle("Other classes", key=key)
        if not state["own_classes"]:
            return
    else:
        st.markdown("**Classes**")
        if not state["classes"]:
            st.caption(
                "Which value in the masks means what. Add them by hand, or let Orthoscope look into the masks once the "
                "ground truth is found."
            )
    class_rows.draw(form, state)


def _draw_more(form: Form, state: State, preset: Preset | None) -> None:
    offered = preset.keys() if preset else {}
    used = any(state[k] for k in ("splits", "tiling", "gsd", "ignore", "background", "truth_values", "truth_colors"))
    with fields.folded(form, _ADVANCED, used=used):
        left, right = st.columns(2)
        gsd = offered.get("gsd", {})
        fields.text(
            form,
            state,
            "ignore",
            "Ignored values",
            left,
            placeholder="255, #000000",
            help="Raw ground truth values and colours that are left out of every count.",
        )
        if task_of(state) == SEGMENTATION:
            ids = [str(r["id"]).strip() for r in state["classes"]] if own_classes(state) else []
            ids = ids or [str(c.id) for c in (preset.classes if preset else ())]
            labels = ["By its name", "None: every class counts", *(f"Class {i}" for i in ids)]
            fields.choice(
                form,
                state,
                "background",
                "Background class",
                ["", "none", *ids],
                labels,
                right,
                "Left out of the foreground mean. By default the class named background or unlabelled.",
            )
        fields.text(
            form,
            state,
            "tiling",
            "Tile side, px (whole sheets)",
            left,
            placeholder=str(preset.tiling) if preset and preset.tiling else "one file is one tile",
            help="Where files are whole sheets: they are cut into tiles of this side, as LandCover.ai does.",
        )
        fields.lines(
            form,
            state,
            "gsd",
            "Pixel size (GSD), m",
            left,
            "Metres per pixel where the files say none: one number, or a line for each scene: default = 0.25",
            f"{gsd['default']:g}" if gsd else "0.25",
        )
        fields.lines(
            form,
            state,
            "splits",
            "Split lists",
            right,
            "A line for each split: its name and the list file under the root.",
            "\n".join(f"{k} = {v}" for k, v in offered.get("splits", {"test": "test.txt"}).items()),
        )
        fields.lines(
            form,
            state,
            "truth_values",
            "Ground truth values",
            left,
            "Where masks use other codes: a line for each, raw value = class id. A value that is missing is outside.",
            "10 = 1",
        )
        fields.lines(
            form,
            state,
            "truth_colors",
            "Ground truth colours",
            right,
            "For colour-coded masks: a line for each, colour = class id.",
            "#614a4a = 1",
        )


def _fill(form: Form, state: State, dataset: Dataset) -> None:
    said = class_rows.fill(state, find_values(dataset))
    st.session_state[key_of(form, "filled")] = said
    st.session_state[key_of(form, f"open {_ADVANCED}")] = bool(state["truth_colors"] or state["ignore"])
    for name in ("truth_colors", "ignore"):  # filled in as well
        st.session_state.pop(key_of(form, name), None)
