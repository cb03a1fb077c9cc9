"""What a preset is, for someone who has to choose one: a sentence, its folders, and what of them is there."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from analysis.preflight.layout import Part, preset_parts
from analysis.workspace.presets import PRESETS, Preset
from ui.loaders import stamp_of
from ui.text import escape, some


def draw(preset: Preset, root: Path | None) -> None:
    """One preset, with what lies under the root that was typed."""
    st.caption(f"{escape(preset.about)} {escape(_filled_in(preset))}")
    parts = _parts(preset.id, root, stamp_of(root) if root else None)
    st.code(_tree(preset, parts, root), language=None)


def draw_all() -> None:
    """All presets, for the page on which nothing is there yet."""
    for tab, preset in zip(st.tabs([escape(p.label) for p in PRESETS.values()]), PRESETS.values(), strict=True):
        with tab:
            draw(preset, None)


def _filled_in(preset: Preset) -> str:
    keys = [k for k in preset.keys() if k not in ("task",)]  # noqa: SIM118
    keys += ["classes"] if preset.classes else []
    keys += ["tiling"] if preset.tiling else []
    return f"It fills in {', '.join(keys)}; what you type below goes before it."


def _tree(preset: Preset, parts: list[Part], root: Path | None) -> str:
    lines = [f"{root.name if root else 'ROOT'}/"]
    wide = max(len(p.pattern) for p in parts)
    found_roles = {p.role for p in parts if p.files}
    said: set[str] = set()
    for part in parts:
        note = "  or" if part.role in said and part.role != "split list" else part.role
        said.add(part.role)
        if part.files is not None:
            note = f"{note:<15}{_state(part, found_roles)}"
        lines.append(f"  {part.pattern:<{wide}}   {note}".rstrip())
    return "\n".join(lines)


def _state(part: Part, found_roles: set[str]) -> str:
    if part.files:
        return "found" if part.role == "split list" else f"found: {some(part.files, 'file')}"
    if part.role in found_roles and part.role != "split list":
        return "–"
    return "MISSING" if part.needed else "not there"


@st.cache_resource(max_entries=32, ttl=120.0, show_spinner="Comparing the folders with the preset")
def _parts(preset: str, root: Path | None, stamp: object) -> list[Part]:
    return preset_parts(PRESETS[preset], root)
