"""Charts of objects and lines: what is drawn, what is written, what a click carries, names that are never markup."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.charts.explain_bars import explain_chart
from analysis.charts.frame import ink_on, outcome_style
from analysis.charts.outcome_bars import outcome_chart
from analysis.charts.size_bars import SizeSeries, size_chart
from analysis.charts.width_bars import width_chart
from analysis.pictures.colors import luminance
from analysis.scores import (
    EDGE_SETS,
    OBJECT_METRICS,
    SIZE_METRICS,
    explain,
    line_scores,
    object_scores,
    size_bins,
    width_bins,
)
from analysis.scores.object_metrics import LINE_METRICS
from analysis.words.classes import ClassList, ClassSpec

from ..scores.line_arrays import one_tile
from ..scores.test_explain import hand
from ..scores.test_size_bins import GSD, HAND

NAMES = ("ground", "<b>x</b>", "road & way")
CLASSES = ClassList(tuple(ClassSpec(i, name, "#d55e00", narrow=i == 2) for i, name in enumerate(NAMES)), 0)
OUTCOMES, COUNTS = hand()
BINS = size_bins(HAND, GSD, 3)
LINE = one_tile({4: ([3, 1, 6, 0], 5, 6, 8, 1), 40: ([0, 2, 8, 1], 9, 8, 9, 0)}, (1, 2), (20, 14, 14))
THEMES = pytest.mark.parametrize("dark", [False, True])


def clicks(figure) -> set[tuple[int, ...]]:
    return {tuple(point) for trace in figure.data for point in trace.customdata}


@THEMES
def test_explain(dark: bool) -> None:
    figure = explain_chart(explain(OUTCOMES, COUNTS, CLASSES), CLASSES, dark=dark)
    parts = {trace.name: trace for trace in figure.data}
    assert list(parts) == ["IoU", "Missed", "False", "Part found", "Merged", "Split", "Boundary of found"]
    # Rows are the classes with objects; the second of them is in neither map.
    assert [parts[name].x[0] for name in parts] == pytest.approx([0.68, 0.11, 0.04, 0, 0, 0, 0.17])
    assert np.isnan(parts["IoU"].x[1])
    assert list(parts["Missed"].text) == ["0.110", ""]
    assert [tuple(c) for c in parts["Missed"].customdata] == [(1, 3, 0), (2, 3, 0)]
    assert [tuple(c) for c in parts["False"].customdata] == [(1, 3, 1), (2, 3, 1)]
    assert tuple(parts["Boundary of found"].customdata[0]) == (1, 0, -1)
    assert "IoU if all of this were right: 0.790" in parts["Missed"].hovertext[0]
    assert "110 px of the ground truth not predicted as it" in parts["Missed"].hovertext[0]
    # Told apart without colour.
    patterns = [trace.marker.pattern.shape for trace in figure.data[1:]]
    assert len(set(patterns)) == len(patterns)


@THEMES
def test_outcomes(dark: bool) -> None:
    figure = outcome_chart(object_scores(OUTCOMES), CLASSES, dark=dark)
    found = {trace.name: trace for trace in figure.data}
    assert list(found) == ["Found", "Merged", "Split", "Part found / Part right", "Missed", "False"]
    assert found["Found"].x[0] == pytest.approx(20 / 25)
    assert found["Missed"].x[0] == pytest.approx(4 / 25)
    assert found["Missed"].text[0] == "4"
    assert clicks(figure) == {(k, code, side) for k in (1, 2) for code in range(5) for side in (0, 1)}
    assert [a.text for a in figure.layout.annotations] == ["25", "24", "0", "0"]
    assert np.isnan(found["Found"].x[2:]).all()
    assert "4 of 25 objects, 16.0 %" in found["Missed"].hovertext[0]


@THEMES
@pytest.mark.parametrize("metric", SIZE_METRICS)
def test_size(metric: str, dark: bool) -> None:
    series = [SizeSeries("all", "#0b6e7f", BINS.together()), SizeSeries(NAMES[1], "#d55e00", BINS.together([1]), 1)]
    figure = size_chart(series, metric, dark=dark)
    bars = [trace for trace in figure.data if trace.type == "bar"]
    texts = [trace for trace in figure.data if trace.type == "scatter"]
    side = {"size_precision": 1, "size_f1": -1}.get(metric, 0)
    assert clicks(figure) == {(k, b, side, s) for s, k in enumerate((-1, 1)) for b in range(7)}
    np.testing.assert_array_equal(bars[1].y, SIZE_METRICS[metric].compute(BINS.together([1])))
    # The last bin is empty: a dash, and no bar.
    assert np.isnan(bars[0].y[-1])
    assert texts[0].text[-1] == "–"
    if metric == "size_recall":
        assert [text for text in texts[1].text if text != "–"] == ["n 2", "n 1", "n 1"]
        assert "2 ground truth objects, 0 predicted" in bars[1].hovertext[1]
    assert bars[0].marker.opacity[0] == 0.5


def test_series_share_their_edges() -> None:
    other = size_bins(HAND, GSD, 3, edges=EDGE_SETS["coco"])
    with pytest.raises(ValueError, match="same edges"):
        size_chart(
            [SizeSeries("a", "#000000", BINS.together()), SizeSeries("b", "#000000", other.together())],
            "size_f1",
            dark=True,
        )
    with pytest.raises(ValueError, match="same edges"):
        size_chart([], "size_f1", dark=True)


@THEMES
def test_width(dark: bool) -> None:
    bins = width_bins(LINE, [0.25], CLASSES)
    figure = width_chart(bins, 0, CLASSES, "within 1.5 m", dark=dark)
    bars = [trace for trace in figure.data if trace.type == "bar"]
    assert [trace.name for trace in bars] == [
        "predicted as road &amp; way",
        "predicted as ground",
        "predicted as &lt;b&gt;x&lt;/b&gt;",
        "predicted as outside the class list",
    ]
    assert [trace.y[0] for trace in bars] == pytest.approx([0.6, 0.3, 0.1, 0])
    assert sum(trace.y[5] for trace in bars) == pytest.approx(1)
    marks = figure.data[-1]
    assert marks.name == "completeness, within 1.5 m"
    assert marks.y[0] == pytest.approx(0.5)
    assert np.isnan(marks.y[1])
    assert [a.text for a in figure.layout.annotations] == ["2 m", "–", "–", "–", "–", "2 m"]
    assert {tuple(c) for c in marks.customdata} == {(2, b, -1) for b in range(6)}
    assert tuple(bars[1].customdata[5]) == (2, 5, 0)
    in_px = width_chart(width_bins(LINE, [np.nan], CLASSES), 0, CLASSES, "within 3 px", dark=dark)
    assert in_px.layout.annotations[1].text == "10 px"


def test_names_are_escaped() -> None:
    figures = [
        explain_chart(explain(OUTCOMES, COUNTS, CLASSES), CLASSES, dark=False),
        outcome_chart(object_scores(OUTCOMES), CLASSES, dark=False),
        size_chart([SizeSeries(NAMES[1], "#d55e00", BINS.together([1]), 1)], "covered_share", dark=False),
        width_chart(width_bins(LINE, [0.25], CLASSES), 0, CLASSES, "within 1.5 m", dark=False),
    ]
    for figure in figures:
        text = figure.to_json().replace("\\u003c", "<")
        assert "<b>x" not in text
        assert "&lt;b&gt;x" in text


def test_text_can_be_read_on_every_part() -> None:
    for code in range(5):
        for side in (0, 1):
            ground = luminance(outcome_style(code, side)[0]) + 0.05
            ink = luminance(ink_on(outcome_style(code, side)[0])) + 0.05
            assert max(ground, ink) / min(ground, ink) > 4.5, (code, side)


def test_metrics_compute_what_they_name() -> None:
    scores, lines = object_scores(OUTCOMES), line_scores(LINE, [0.25])
    named = {"object_precision": "precision", "object_recall": "recall", "object_f1": "f1"}
    for id, metric in OBJECT_METRICS.items():
        np.testing.assert_array_equal(metric.compute(scores), getattr(scores, named.get(id, id)))
    for id, metric in LINE_METRICS.items():
        np.testing.assert_array_equal(metric.compute(lines), getattr(lines, {"line_f1": "f1"}.get(id, id)))
    names = {"size_recall": "recall", "covered_share": "mean_covered", "pooled_covered_share": "pooled_covered"}
    names |= {"size_precision": "precision", "size_f1": "f1"}
    for id, metric in SIZE_METRICS.items():
        np.testing.assert_array_equal(metric.compute(BINS), getattr(BINS, names[id]))


def test_labels_say_the_tolerance_where_it_matters() -> None:
    labels = {id: metric.label_with("within 3 px") for id, metric in LINE_METRICS.items()}
    assert labels["completeness"] == "Completeness within 3 px"
    assert labels["gaps_per_km"] == "Gaps per km within 3 px"
    assert labels["cldice"] == "clDice"
    assert sum("within" in label for label in labels.values()) == 5
