"""A legend: colour chips with their names, drawn in the browser so that a name is text and never markup."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from analysis.pictures.colors import Swatch

_CSS = """
ul { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 4px 14px;
     font-family: var(--st-font); font-size: 0.84rem; color: var(--st-text-color); line-height: 1.35; }
li { display: inline-flex; align-items: center; gap: 6px; max-width: 100%; overflow-wrap: anywhere; }
i { flex: none; width: 13px; height: 13px; border-radius: 3px; border: 1px solid rgba(127, 140, 144, 0.7);
    box-sizing: border-box; }
"""
_JS = """
export default function (component) {
  const { data, parentElement } = component;
  const list = parentElement.querySelector("ul");
  list.replaceChildren(...data.entries.map(({ color, second, label }) => {
    const item = document.createElement("li");
    const chip = document.createElement("i");
    chip.style.background = second
      ? `repeating-linear-gradient(135deg, ${color} 0 3px, ${second} 3px 6px)`
      : color;
    const name = document.createElement("span");
    name.textContent = label;
    item.append(chip, name);
    return item;
  }));
}
"""

_legend = st.components.v2.component("orthoscope_legend", html="<ul aria-label='Legend'></ul>\n", css=_CSS, js=_JS)


def draw(entries: Sequence[Swatch], key: str) -> None:
    """Draw a legend.

    Parameters
    ----------
    key : str
        Unique on the page.
    """
    content = [{"color": e.color, "second": e.second, "label": e.label} for e in entries]
    _legend(key=key, data={"entries": content}, height="content")
