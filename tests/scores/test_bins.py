"""Edges of bins: labels, what a user may type, the named sets."""

from __future__ import annotations

import math

import pytest

from analysis.errors import SelectionError
from analysis.scores import EDGE_SETS, edge_set, parse_edges
from analysis.scores.bins import MOST_EDGES, without_empty_tail


def test_bounds_and_labels() -> None:
    edges = parse_edges("10, 50,100", "area", "m2")
    assert edges.bounds == ((0, 10), (10, 50), (50, 100), (100, math.inf))
    assert edges.labels == ("under 10 m²", "10 to 50 m²", "50 to 100 m²", "100 m² and more")
    assert len(edges) == 4
    assert edges.as_rule()["edges"] == [10, 50, 100]


def test_widths_in_px_are_whole() -> None:
    assert EDGE_SETS["width_px"].labels == (
        "1 to 3 px",
        "4 to 6 px",
        "7 to 10 px",
        "11 to 15 px",
        "16 to 20 px",
        "21 to 32 px",
        "over 32 px",
    )
    assert parse_edges("1 2 3 5", "width", "px").labels == ("1 px", "2 px", "3 to 4 px", "over 4 px")
    with pytest.raises(SelectionError, match="fractions of a pixel"):
        parse_edges("2, 2.5", "width", "px")
    assert parse_edges("1, 2.5", "width", "m").labels == ("under 1 m", "1 to 2.5 m", "2.5 m and more")


def test_coco() -> None:
    coco = EDGE_SETS["coco"]
    assert coco.labels == ("small: under 1,024 px", "medium: 1,024 to 9,216 px", "large: 9,216 px and more")
    assert [edge * 0.25**2 for edge in coco.edges] == [64, 576]
    assert [edge * 0.5**2 for edge in coco.edges] == [256, 2304]


@pytest.mark.parametrize("text", ["10,50,100", " 10 ;50; 100 ", "10 50 100", "0, 10, 50, 100.0", "10,50,100,"])
def test_what_may_be_typed(text: str) -> None:
    assert parse_edges(text, "area", "px").edges == (10, 50, 100)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "nothing that parts bins"),
        ("0", "nothing that parts bins"),
        ("10, x", "'x', which is not a positive number"),
        ("-5", "'-5', which is not"),
        ("nan", "not a positive number"),
        ("inf", "not a positive number"),
        ("1e3", "not a positive number"),
        ("10, 10", "do not ascend"),
        ("50, 10", "do not ascend"),
        ("5, 0", "do not ascend"),
        ("9" * 400, "do not ascend"),
        (" ".join(str(i) for i in range(1, MOST_EDGES + 2)), "at most 20"),
    ],
)
def test_what_may_not_be_typed(text: str, said: str) -> None:
    with pytest.raises(SelectionError, match=said):
        parse_edges(text, "area", "px")


def test_sets_by_id() -> None:
    assert edge_set("coco", "area") is EDGE_SETS["coco"]
    with pytest.raises(SelectionError, match="width_px, width_m"):
        edge_set("coco", "width")


def test_edges_that_part_nothing_are_left_away() -> None:
    widths = EDGE_SETS["width_m"]
    assert without_empty_tail(widths, 33 * 0.25) is widths
    assert without_empty_tail(widths, 33 * 0.2).edges == (1.5, 2.5, 4, 6)
    assert without_empty_tail(EDGE_SETS["coco"], 2000).names == ("small", "medium and large")
