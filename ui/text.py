"""Numbers and names for the screen: an undefined number is a dash, a name is never markup."""

from __future__ import annotations

import re

UNDEFINED = "–"
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")


def escape(text: str) -> str:
    """Text for a place that reads Markdown, shown letter by letter.

    Every mark of ASCII is escaped, and line breaks become spaces. A word joiner (which is not seen) after a colon
    keeps ``:name:`` from becoming a picture.
    """
    marked = _PUNCTUATION.sub(r"\\\1", " ".join(text.split("\n")))
    return marked.replace("\\:", "\\:\u2060")


def code(text: str) -> str:
    """Text as inline code for a place that reads Markdown; its fence is longer than any backticks in it."""
    fence = "`"
    while fence in text:
        fence += "`"
    padded = f" {text} " if "`" in text else text
    return f"{fence}{padded}{fence}"


def score(value: float | None, digits: int = 3) -> str:
    """A score; 0 to 1."""
    return UNDEFINED if value is None or value != value else f"{value:.{digits}f}"


def gain(value: float | None) -> str:
    """A gain in a score, with its sign."""
    return UNDEFINED if value is None or value != value else f"{value:+.4f}"


def whole(value: float | None) -> str:
    """A whole number with separators."""
    return UNDEFINED if value is None or value != value else f"{round(value):,}"


def share(value: float | None) -> str:
    """A share in per cent."""
    if value is None or value != value:
        return UNDEFINED
    return "< 0.1 %" if 0 < value < 0.001 else f"{100 * value:.1f} %"


def some(count: int, one: str, many: str | None = None) -> str:
    """A count with its noun: 1 tile, 2 tiles."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def duration(seconds: float) -> str:
    """A time that is left, in the unit that fits."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def size(count: int) -> str:
    """Bytes in the unit that fits: 512 B, 3.4 kB, 1.2 MB."""
    value, unit = float(count), "B"
    for larger in ("kB", "MB", "GB", "TB"):
        if value < 1000:
            break
        value, unit = value / 1000, larger
    return f"{count} B" if unit == "B" else f"{value:.1f} {unit}"


def capital(text: str) -> str:
    """Text that begins a sentence."""
    return text[:1].upper() + text[1:]
