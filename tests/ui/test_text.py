"""Numbers and names for the screen."""

from __future__ import annotations

import math

import pandas as pd
import pytest

from ui import tables, text


@pytest.mark.parametrize(
    "name", ["<b>x</b>", "$x$", ":red[x]", "_a_", "`a`", "[a](b)", "# a", "~a~", "a|b", "\\", "&lt;"]
)
def test_every_mark_is_escaped(name: str) -> None:
    shown = text.escape(name)
    assert shown.replace("\u2060", "").replace("\\\\", "\0").replace("\\", "").replace("\0", "\\") == name
    for before, mark in zip(" " + shown, shown, strict=False):
        assert mark.isalnum() or mark in "\\ \u2060" or before == "\\"


def test_line_breaks_become_spaces() -> None:
    assert text.escape("a\nb") == "a b"


@pytest.mark.parametrize("name", ["a", "a`b", "``", "a```b`"])
def test_code_has_a_longer_fence(name: str) -> None:
    shown = text.code(name)
    fence = shown[: len(shown) - len(shown.lstrip("`"))] if "`" not in name else shown.split(" ")[0]
    assert fence not in name


def test_an_undefined_number_is_a_dash() -> None:
    for show in (text.score, text.gain, text.whole, text.share):
        assert show(math.nan) == "–"
        assert show(None) == "–"


def test_numbers() -> None:
    assert text.score(0.12345) == "0.123"
    assert text.gain(0.5) == "+0.5000"
    assert text.whole(1234567) == "1,234,567"
    assert text.share(0.0004) == "< 0.1 %"
    assert text.share(0.0) == "0.0 %"
    assert text.some(1, "tile") == "1 tile"
    assert text.some(1200, "tile") == "1,200 tiles"
    assert [text.duration(s) for s in (5, 600, 7200)] == ["5 s", "10 min", "2.0 h"]


def test_csv_of_a_table() -> None:
    frame = pd.DataFrame({tables.SWATCH: ["data:"], "=class": ["-a"], "iou": [math.nan], "px": [3]})
    content = tables.frame_csv(frame, {"model": "m, n"}).decode("utf-8-sig")
    assert content == "model,'=class,iou,px\r\n\"m, n\",'-a,,3\r\n"
