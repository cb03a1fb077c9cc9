"""Charts: shares, what is shown, what a click carries, and names that are never markup."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.charts.class_bars import class_chart
from analysis.charts.confusion import By, confusion_chart, shares
from analysis.charts.style import ink, plain
from analysis.scores import pooled_by_class
from analysis.words.classes import ClassList, ClassSpec

CLASSES = ClassList((ClassSpec(0, "ground", "#d9d9d9"), ClassSpec(1, "<b>x</b>", "#d55e00")), 0)
CONFUSION = np.array([[6, 2, 0], [0, 0, 0]], np.int64)
OUTSIDE = np.array([[6, 1, 1], [2, 8, 0]], np.int64)


@pytest.mark.parametrize(
    ("by", "wanted"),
    [
        ("truth", [[0.75, 0.125, 0.125], [0.2, 0.8, 0.0]]),
        ("prediction", [[0.75, 1 / 9, 1.0], [0.25, 8 / 9, 0.0]]),
        ("px", [[6 / 18, 1 / 18, 1 / 18], [2 / 18, 8 / 18, 0.0]]),
    ],
)
def test_shares(by: By, wanted: list[list[float]]) -> None:
    np.testing.assert_allclose(shares(OUTSIDE, by), wanted)


def test_an_empty_row_is_undefined_and_shown_as_a_dash() -> None:
    figure = confusion_chart(CONFUSION, CLASSES, "truth", dark=False)
    texts = {(a.y, a.x): a.text for a in figure.layout.annotations}
    assert texts[1, 0] == "–"
    assert texts[0, 1] == "25.0"


@pytest.mark.parametrize(("confusion", "columns"), [(CONFUSION, 2), (OUTSIDE, 3)])
def test_the_column_outside_is_shown_where_it_has_px(confusion: np.ndarray, columns: int) -> None:
    figure = confusion_chart(confusion, CLASSES, "px", dark=True)
    assert len(figure.layout.xaxis.ticktext) == columns
    assert len(figure.data[1].x) == 2 * columns


def test_clicks_carry_the_cell() -> None:
    figure = confusion_chart(OUTSIDE, CLASSES, "truth", dark=False)
    points = figure.data[1]
    assert [tuple(c) for c in points.customdata] == [(r, c) for r in range(2) for c in range(3)]
    assert all((y, x) == tuple(c) for x, y, c in zip(points.x, points.y, points.customdata, strict=True))


def test_names_are_escaped() -> None:
    for figure in (
        confusion_chart(OUTSIDE, CLASSES, "truth", dark=False),
        class_chart(pooled_by_class(OUTSIDE[np.newaxis]), CLASSES, dark=False),
    ):
        assert "<b>x" not in figure.to_json().replace("\\u003c", "<")
    assert plain("<b>&") == "&lt;b&gt;&amp;"


def test_many_classes_are_not_written_into_cells() -> None:
    classes = ClassList(tuple(ClassSpec(i, f"class {i}", "#123456") for i in range(30)))
    figure = confusion_chart(np.ones((30, 31), np.int64), classes, "truth", dark=False)
    assert not figure.layout.annotations


@pytest.mark.parametrize("dark", [False, True])
def test_numbers_can_be_read_on_every_shade(dark: bool) -> None:
    assert {ink(share, dark) for share in np.linspace(0, 1, 21)} == {"#ffffff", "#10181b"}


def test_a_class_without_a_value_has_no_bar() -> None:
    figure = class_chart(pooled_by_class(np.array([[[5, 0, 0], [0, 0, 0]]])), CLASSES, dark=False)
    assert np.isnan(figure.data[0].x[1])
    assert "–" in [a.text for a in figure.layout.annotations]
