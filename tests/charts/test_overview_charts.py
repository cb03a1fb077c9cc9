"""Charts by scene and of the loss: what is drawn, what a click carries, and names that are never markup."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.charts.loss import recovery_chart, spread_chart
from analysis.charts.scenes import MOST, drawn, scene_chart
from analysis.scores import by_scene, concentration, recovery
from tests.scores.masks import class_list

NAMES = ["<b>x</b>", "", "sheet & 2"]


def tiles(n: int) -> np.ndarray:
    return np.array([[[50 - i % 40, i % 40, 0], [0, 10, 0]] for i in range(n)])


def texts(figure) -> list[str]:
    return [a.text for a in figure.layout.annotations]


def test_scenes_as_they_are_ordered_and_what_a_click_carries():
    scenes = by_scene(tiles(3), NAMES, class_list(2))
    order = [2, 0, 1]
    figure = scene_chart(scenes, order, 0.5, "mean IoU", dark=False)
    bars = figure.data[0]
    np.testing.assert_array_equal(bars.x, scenes.values[order])
    assert [c and list(c) for c in bars.customdata] == [None, [0], [1]], "no scene leads nowhere"
    assert list(figure.layout.yaxis.ticktext) == ["no scene", "&lt;b&gt;x&lt;/b&gt;", "sheet &amp; 2"]
    assert "all 0.500" in texts(figure)
    assert "<b>x</b>" not in "".join(bars.hovertext).replace("<b>&lt;", "")


def test_a_scene_without_a_value_has_a_dash_and_no_bar():
    scenes = by_scene(np.array([[[5, 0, 0], [0, 0, 0]], [[5, 1, 0], [0, 1, 0]]]), ["a", "b"], class_list(2))
    figure = scene_chart(scenes, [1, 0], np.nan, "mean IoU", dark=True)
    assert np.isnan(figure.data[0].x[1])
    assert list(figure.data[1].text) == ["0.500", "–"]
    assert not figure.layout.shapes, "no line where the whole has no value"


def test_of_many_scenes_the_first_and_the_last_are_drawn():
    assert drawn(range(MOST)) == list(range(MOST))
    shown = drawn(range(60))
    assert shown == [*range(12), None, *range(48, 60)]
    n = 60
    scenes = by_scene(tiles(n), [f"s{i}" for i in range(n)], class_list(2))
    figure = scene_chart(scenes, list(range(n)), 0.4, "mean IoU", dark=False)
    assert len(figure.data[0].y) == MOST
    assert "36 scenes between are in the table" in texts(figure)


@pytest.mark.parametrize("dark", [False, True])
def test_the_spread_has_its_half_marked_on_the_curve(dark):
    held = concentration([1, 60, 20, 19])
    figure = spread_chart(held, ["a", "<i>", "c", "d"], dark=dark)
    points = next(t for t in figure.data if t.customdata is not None)
    assert [list(c) for c in points.customdata] == [[1], [2], [3], [0]]
    np.testing.assert_allclose(points.x, [0.25, 0.5, 0.75, 1])
    np.testing.assert_allclose(points.y, [0.6, 0.8, 0.99, 1])
    assert "1 tile holds 60 %" in texts(figure)
    assert "&lt;i&gt;" in points.hovertext[0]
    assert "<i>" not in figure.to_json().replace("\\u003c", "<")


def test_the_spread_of_nothing():
    for held in (concentration([0, 0]), concentration(np.zeros(0, int))):
        figure = spread_chart(held, ["a", "b"], dark=False)
        assert not texts(figure)


def test_the_score_without_the_worst_tiles():
    found = recovery(tiles(20), np.array([1]), (2,))
    figure = recovery_chart(found, [f"t{i}" for i in range(20)], 2, "mean IoU", dark=False)
    points = next(t for t in figure.data if t.customdata is not None)
    np.testing.assert_array_equal(points.y, found.values[1:])
    assert [c[0] for c in points.customdata] == found.order[found.steps[1:] - 1].tolist()
    assert f"2 tiles perfect: {found.at(2):.3f}" in texts(figure)
    assert figure.layout.yaxis.title.text == "Mean IoU, pooled"
    empty = recovery_chart(recovery(np.zeros((0, 2, 3), int), np.array([1])), [], 0, "mean IoU", dark=False)
    assert not texts(empty)


def test_many_tiles_are_thinned():
    held = concentration(np.arange(50_000))
    figure = spread_chart(held, [str(i) for i in range(50_000)], dark=False)
    assert all(len(trace.x) < 150 for trace in figure.data)
