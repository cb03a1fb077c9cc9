"""The form of a run."""

from __future__ import annotations

import streamlit as st

from analysis.workspace.model import NEAREST, Workspace
from ui.workspace_editor import fields
from ui.workspace_editor.drafts import Form
from ui.workspace_editor.spelling import State


def draw(form: Form, state: State, workspace: Workspace) -> None:
    """Draw the form; ``state`` holds what is in it from here on."""
    names = [d.name for d in workspace.datasets]
    fields.text(
        form,
        state,
        "model",
        "Model",
        placeholder="My model",
        help="The model's name. Model and dataset together name the run, so two seeds are two models.",
    )
    left, right = st.columns(2)
    state["dataset"] = state["dataset"] or (names[-1] if names else "")
    fields.choice(form, state, "dataset", "Dataset", names, names, left, "What the model was run on.")
    fields.free_choice(
        form,
        state,
        "trained_on",
        "Trained on (optional)",
        names,
        placeholder="Not said",
        help="Pick a dataset, or type the name of one that is not in this workspace.",
        place=right,
    )
    fields.path(
        form,
        state,
        "predictions",
        "Predictions",
        workspace.path.parent,
        placeholder="runs/my_model",
        help="A folder, or a pattern such as runs/my_model/{id}_pred.png. A relative path begins at the workspace "
        "file's folder. Files belong to the tile whose name they share.",
    )
    dataset = next((d for d in workspace.datasets if d.name == state["dataset"]), None)
    fields.free_choice(
        form,
        state,
        "split",
        "Split (optional)",
        list(dataset.splits or ()) if dataset else [],
        placeholder=f"The dataset's: {dataset.split}" if dataset and dataset.split else "The dataset's",
        help="Where the run was made on another split than the dataset's.",
    )
    used = any(state[k] for k in ("threshold", "resize", "prediction_values", "prediction_colors"))
    with fields.folded(form, "Advanced: threshold, sizes, value maps", used=used):
        left, right = st.columns(2)
        if dataset is None or dataset.classes.binary or state["threshold"]:
            fields.text(
                form,
                state,
                "threshold",
                "Threshold",
                left,
                placeholder="0.5",
                help="Probabilities from here on are class 1. It matters only where the files hold probabilities or "
                "grey levels.",
            )
        fields.choice(
            form,
            state,
            "resize",
            "Predictions of another size",
            ["", NEAREST],
            ["Refused", "Resized to the ground truth"],
            right,
            "Resizing takes the nearest pixel, and is said on every tile.",
        )
        fields.lines(
            form,
            state,
            "prediction_values",
            "Predicted values",
            left,
            "Where predictions use other codes: a line for each, raw value = class id.",
            "10 = 1",
        )
        fields.lines(
            form,
            state,
            "prediction_colors",
            "Predicted colours",
            right,
            "For colour-coded predictions: a line for each, colour = class id.",
            "#614a4a = 1",
        )
