"""The five conventions side by side."""

from __future__ import annotations

import streamlit as st

from ui import section, tables
from ui.overview.numbers import Numbers
from ui.selection import View
from ui.text import escape, score


def draw(view: View, found: Numbers) -> None:
    """The same counts in five conventions, each with its support and why it differs."""
    frame = tables.conventions_frame(list(found.heads.values()))
    title = "The same counts, five conventions"
    section.csv(section.head(title), title, view, "conventions", lambda: frame.drop(columns=["differs"]))
    st.table(
        {
            "Convention": [f"**{escape(name)}**" for name in frame["convention"]],
            "Score": [f"**{score(value, 4)}**" for value in frame["score"]],
            "Mean of": [
                escape(terms) + (f", without {escape(left)}" if left else "")
                for terms, left in zip(frame["terms"], frame["left_out"], strict=True)
            ],
            "Tiles": [f"{used:,} of {n:,}" for used, n in zip(frame["tiles_used"], frame["tiles"], strict=True)],
            "Why it differs": [escape(text) for text in frame["differs"]],
        },
        border="horizontal",
        hide_index=True,
        alt="The score in five conventions",
    )
