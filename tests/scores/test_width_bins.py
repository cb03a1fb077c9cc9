"""Centre lines by width: by hand in px and m, mixed resolutions, and against a slow twin."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.kernels.layout import WIDTH_BINS as WIDTHS
from analysis.scores import EDGE_SETS, gsd_groups, parse_edges, width_bins

from . import masks, object_maps
from .line_arrays import joined, line_counts, one_tile

CLASSES = object_maps.classes_of(3)  # class 2 is narrow
FINE = one_tile({4: ([3, 1, 6, 0], 5, 6, 8, 1), 8: ([0, 2, 8, 0], 9, 8, 9, 0)}, (1, 2), (20, 14, 14))
COARSE = one_tile({4: ([0, 0, 9, 1], 10, 9, 9, 0), 40: ([1, 0, 0, 0], 0, 0, 0, 0)}, (0, 0), (10, 10, 9))


def test_by_hand_in_px() -> None:
    bins = width_bins(joined(FINE, COARSE), [0.25, 0.5], CLASSES, edges=EDGE_SETS["width_px"])
    assert bins.narrow == (2,)
    assert bins.kept[0].tolist() == [0, 20, 10, 0, 0, 0, 1]
    assert bins.matched[0].tolist() == [0, 15, 9, 0, 0, 0, 0]
    assert bins.inside[0].tolist() == [0, 15, 8, 0, 0, 0, 0]
    np.testing.assert_allclose(bins.completeness[0], [np.nan, 0.75, 0.9, np.nan, np.nan, np.nan, 0])
    np.testing.assert_allclose(bins.sensitivity[0], [np.nan, 0.75, 0.8, np.nan, np.nan, np.nan, 0])
    assert bins.taken_px[0, 1].tolist() == [3, 1, 0, 1]
    np.testing.assert_allclose(bins.taken_share[0, 1], [0.6, 0.2, 0, 0.2])
    assert np.isnan(bins.taken_share[0, 0]).all()
    assert bins.left_out.tolist() == [2]
    np.testing.assert_allclose(bins.length[0], [0, 17 * 0.948 + 1.343, 9 * 0.948, 0, 0, 0, 0])


def test_resolutions_share_bins_in_metres() -> None:
    # 4 px are 1 m at 25 cm and 2 m at 50 cm; 8 px are 2 m at 25 cm.
    bins = width_bins(joined(FINE, COARSE), [0.25, 0.5], CLASSES, edges=parse_edges("1, 2", "width", "m"))
    assert bins.edges.labels == ("under 1 m", "1 to 2 m", "2 m and more")
    assert bins.kept[0].tolist() == [0, 10, 21]
    np.testing.assert_allclose(bins.completeness[0], [np.nan, 0.5, 19 / 21])
    km = (8 * 0.948 + 1.343) * 0.25 / 1000, 9 * 0.948 * (0.25 + 0.5) / 1000
    np.testing.assert_allclose(bins.length[0], [0, *km])


def test_units_follow_the_gsd() -> None:
    both = joined(FINE, COARSE)
    assert width_bins(both, [0.25, 0.5], CLASSES).edges is EDGE_SETS["width_m"]
    assert width_bins(both, [0.25, np.nan], CLASSES).edges is EDGE_SETS["width_px"]
    forced = width_bins(both, [0.25, np.nan], CLASSES, edges=EDGE_SETS["width_m"])
    assert forced.no_gsd.tolist() == [11]
    assert forced.kept.sum() == 20


def test_what_is_not_told_apart_has_no_edge() -> None:
    assert width_bins(FINE, [0.2], CLASSES).edges.edges == (1.5, 2.5, 4, 6)
    # The smallest GSD of tiles with lines decides.
    empty = one_tile({1: ([0, 0, 0, 0], 0, 0, 0, 0)}, (0, 0), (0, 0, 0))
    assert width_bins(joined(FINE, empty), [0.25, 0.01], CLASSES).edges.edges[-1] == 8
    assert width_bins(FINE, [0.25], CLASSES, edges=parse_edges("5, 40", "width", "px")).edges.edges == (5,)
    open_bin = width_bins(COARSE, [0.5], CLASSES, edges=parse_edges("16.5", "width", "m"))
    assert open_bin.kept[0].tolist() == [10, 1]


def test_wrong_edges_and_classes() -> None:
    with pytest.raises(ValueError, match="not of areas"):
        width_bins(FINE, [0.25], CLASSES, edges=EDGE_SETS["coco"])
    with pytest.raises(ValueError, match="1 narrow"):
        width_bins(FINE, [0.25], object_maps.classes_of(4))


def test_no_tiles() -> None:
    bins = width_bins(FINE.take(np.zeros(1, bool)), [], CLASSES)
    assert bins.kept.sum() == 0
    assert np.isnan(bins.completeness).all()


def test_gsd_groups() -> None:
    groups = gsd_groups([0.5, np.nan, 0.25, 0.250000001, np.nan])
    assert [(g.label, g.tiles.tolist()) for g in groups] == [
        ("25 cm", [False, False, True, True, False]),
        ("50 cm", [True, False, False, False, False]),
        ("GSD not known", [False, True, False, False, True]),
    ]
    assert gsd_groups([]) == []


@masks.patient
@given(line_counts(), st.data())
def test_against_a_slow_twin(counts, data) -> None:
    n = len(counts.truth)
    gsd = data.draw(st.lists(st.sampled_from([0.1, 0.25, 0.5, None]), min_size=n, max_size=n))
    in_m = data.draw(st.booleans())
    edges = parse_edges("1, 2, 3.3" if in_m else "2, 5, 33", "width", "m" if in_m else "px")
    numbers = np.array([np.nan if g is None else g for g in gsd])
    bins = width_bins(counts, numbers, CLASSES, edges=edges)
    limits = [Fraction(str(edge)) for edge in bins.edges.edges]
    px: dict[int, np.ndarray] = {}
    matched: dict[int, int] = {}
    unknown = 0
    for i in range(n):
        for w in range(1, WIDTHS + 1):
            here = counts.truth[i, 0, w - 1]
            if in_m and gsd[i] is None:
                unknown += int(here.sum())
                continue
            width = w * Fraction(str(gsd[i])) if in_m else Fraction(w)
            b = sum(width >= limit for limit in limits)
            px[b] = px.get(b, 0) + here
            matched[b] = matched.get(b, 0) + int(counts.match[i, 0, w - 1, 0])
    assert bins.no_gsd.tolist() == [unknown]
    assert bins.kept.sum() + unknown == counts.truth.sum()
    for b in range(len(bins.edges)):
        mine = px.get(b, np.zeros(4, np.int64))
        assert bins.predicted_as[0, b].tolist() == mine.tolist()
        assert masks.same(bins.completeness[0, b], masks.ratio(matched.get(b, 0), int(mine.sum())))
        others = [int(v) if k != 2 else 0 for k, v in enumerate(mine)]
        for k in range(4):
            assert masks.same(bins.taken_share[0, b, k], masks.ratio(others[k], sum(others)))
