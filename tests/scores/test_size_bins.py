"""Objects by size: by hand, and against a slow twin on random tables."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.scores import EDGE_SETS, parse_edges, size_bins, size_bins_by_gsd
from analysis.scores.size_bins import unit_of

from . import masks

K = 3
COLUMNS = ("side", "cls", "area", "edge", "hit", "outcome", "tile")


def table(*rows: tuple[int, int, int, bool, int, int, int]) -> dict[str, np.ndarray]:
    return {
        name: np.array([row[i] for row in rows], bool if name == "edge" else np.int32) for i, name in enumerate(COLUMNS)
    }


HAND = table(
    # side, cls, area, edge, hit, outcome, tile
    (0, 1, 100, False, 90, 0, 0),
    (0, 1, 100, False, 30, 4, 0),
    (0, 1, 399, False, 0, 3, 0),
    (0, 1, 400, False, 400, 0, 0),
    (0, 1, 100, True, 0, 3, 0),
    (0, 2, 100, False, 50, 4, 1),
    (1, 1, 500, False, 400, 0, 0),
    (1, 1, 90, False, 90, 0, 0),
    (1, 1, 90, True, 0, 3, 1),
)
GSD = np.array([0.5, 0.25])


def test_by_hand() -> None:
    # Tile 0 has 0.5 m: 100 px are 25 m2, 400 px are 100 m2. Tile 1 has 0.25 m.
    bins = size_bins(HAND, GSD, K, edges=parse_edges("25, 100", "area", "m2"))
    assert bins.truth[1].tolist() == [0, 3, 1]
    assert bins.found[1].tolist() == [0, 1, 1]
    np.testing.assert_allclose(bins.recall[1], [np.nan, 1 / 3, 1])
    np.testing.assert_allclose(bins.mean_covered[1], [np.nan, (0.9 + 0.3 + 0) / 3, 1])
    np.testing.assert_allclose(bins.pooled_covered[1], [np.nan, 120 / 599, 1])
    assert bins.predicted[1].tolist() == [1, 0, 1]
    np.testing.assert_allclose(bins.precision[1], [1, np.nan, 1])
    # Recall or precision is undefined in the first two bins, so F1 is.
    np.testing.assert_allclose(bins.f1[1], [np.nan, np.nan, 1])
    assert bins.edge_cut.tolist() == [[0, 0], [1, 1], [0, 0]]
    # 100 px of 0.25 m are 6.25 m2.
    assert bins.truth[2].tolist() == [1, 0, 0]
    together = bins.together()
    assert together.truth.tolist() == [1, 3, 1]
    assert together.edge_cut.tolist() == [1, 1]
    assert bins.together([2]).truth.tolist() == [1, 0, 0]
    assert together.caption == ("5 ground truth and 2 predicted objects · 1 and 1 cut by a tile's edge left out")


def test_the_switch_brings_cut_objects_in() -> None:
    bins = size_bins(HAND, GSD, K, edges=parse_edges("25, 100", "area", "m2"), with_edge_cut=True)
    assert bins.truth[1].tolist() == [0, 4, 1]
    assert bins.edge_cut[1].tolist() == [1, 1]
    assert "cut by a tile's edge counted" in bins.together().caption


def test_unit_follows_the_gsd_of_tiles_with_objects() -> None:
    assert size_bins(HAND, GSD, K).edges is EDGE_SETS["area_m2"]
    assert size_bins(HAND, [0.5, np.nan], K).edges is EDGE_SETS["area_px"]
    # A tile without objects may lack its GSD.
    assert unit_of(HAND, [0.5, 0.25, np.nan]) == "m2"
    assert unit_of(table(), [np.nan]) == unit_of(table(), []) == "m2"


def test_tiles_without_gsd_are_left_out_of_m2_and_counted() -> None:
    bins = size_bins(HAND, [0.5, np.nan], K, edges=EDGE_SETS["area_m2"])
    assert bins.no_gsd.tolist() == [[0, 0], [0, 1], [1, 0]]
    # Counted once: the cut object of that tile is among those without a GSD.
    assert bins.edge_cut[1].tolist() == [1, 0]
    assert "1 and 1 in tiles without a GSD left out" in bins.caption


def test_f1_of_nothing_right_is_zero() -> None:
    bins = size_bins(table((0, 1, 5, False, 0, 3, 0), (1, 1, 5, False, 0, 3, 0)), [0.1], K)
    assert bins.f1[1, 0] == 0


def test_no_objects() -> None:
    for empty in (table(), pd.DataFrame(table())):
        bins = size_bins(empty, np.zeros(0), K).together()
        assert bins.truth.sum() == 0
        assert np.isnan(bins.recall).all()
    assert size_bins_by_gsd(table(), np.zeros(0), K) == []


def test_edges_of_widths_are_refused() -> None:
    with pytest.raises(ValueError, match="not of widths"):
        size_bins(HAND, GSD, K, edges=EDGE_SETS["width_m"])


@pytest.mark.parametrize(("gsd", "px"), [(0.2, 625), (0.1, 2500), (0.3, 10000), (0.7, 10000), (0.15, 40000)])
def test_an_area_on_an_edge_is_on_it_in_spite_of_decimals(gsd: float, px: int) -> None:
    edge = round(px * gsd * gsd, 6)
    one = table((0, 1, px, False, 0, 3, 0), (0, 1, px - 1, False, 0, 3, 0))
    bins = size_bins(one, [gsd], K, edges=parse_edges(str(edge), "area", "m2"))
    assert bins.truth[1].tolist() == [1, 1]


def test_by_gsd() -> None:
    groups = size_bins_by_gsd(HAND, [0.5, 0.2500001], K)
    assert [(g.group.label, int(g.group.tiles.sum())) for g in groups] == [("25 cm", 1), ("50 cm", 1)]
    whole = size_bins(HAND, [0.5, 0.2500001], K)
    np.testing.assert_array_equal(sum(g.bins.objects for g in groups), whole.objects)
    in_px = size_bins_by_gsd(HAND, [0.5, np.nan], K)
    assert [g.group.label for g in in_px] == ["50 cm", "GSD not known"]
    assert [g.bins.edges.unit for g in in_px] == ["px", "px"]
    assert [g.group.label for g in size_bins_by_gsd(HAND, [0.5, np.nan], K, edges=EDGE_SETS["area_m2"])] == ["50 cm"]


row = st.tuples(
    st.integers(0, 1),
    st.integers(0, K - 1),
    st.sampled_from([1, 4, 15, 16, 17, 400, 401, 5000]),
    st.booleans(),
    st.integers(0, 400),
    st.integers(0, 4),
    st.integers(0, 2),
).map(lambda r: (*r[:4], min(r[4], r[2]), *r[5:]))


@masks.patient
@given(
    st.lists(row, max_size=12), st.tuples(*[st.sampled_from([0.2, 0.25, 0.5, None])] * 3), st.booleans(), st.booleans()
)
def test_against_a_slow_twin(rows, gsd, in_m2, cut) -> None:
    edges = parse_edges("1, 16, 25", "area", "m2" if in_m2 else "px")
    limits = [Fraction(1), Fraction(16), Fraction(25)]
    numbers = np.array([np.nan if g is None else g for g in gsd])
    bins = size_bins(pd.DataFrame(table(*rows)), numbers, K, edges=edges, with_edge_cut=cut)
    chosen: dict[tuple[int, int, int], list[tuple[int, int, int]]] = {}
    no_gsd = edge_cut = 0
    for side, cls, area, edge, hit, outcome, tile in rows:
        if in_m2 and gsd[tile] is None:
            no_gsd += 1
            continue
        edge_cut += edge
        if edge and not cut:
            continue
        size = area * Fraction(str(gsd[tile])) ** 2 if in_m2 else Fraction(area)
        chosen.setdefault((cls, side, sum(size >= limit for limit in limits)), []).append((area, hit, outcome))
    assert (bins.no_gsd.sum(), bins.edge_cut.sum()) == (no_gsd, edge_cut)
    assert bins.objects.sum() == sum(len(v) for v in chosen.values())
    for cls in range(K):
        for b in range(4):
            truth, predicted = chosen.get((cls, 0, b), []), chosen.get((cls, 1, b), [])
            recall = masks.ratio(sum(o == 0 for _, _, o in truth), len(truth))
            precision = masks.ratio(sum(o == 0 for _, _, o in predicted), len(predicted))
            f1 = None if None in (recall, precision) else masks.ratio(2 * recall * precision, recall + precision) or 0
            assert masks.same(bins.recall[cls, b], recall)
            assert masks.same(bins.precision[cls, b], precision)
            assert masks.same(bins.f1[cls, b], f1)
            assert masks.same(bins.mean_covered[cls, b], masks.slow_mean([Fraction(h, a) for a, h, _ in truth]))
            assert masks.same(
                bins.pooled_covered[cls, b], masks.ratio(sum(h for _, h, _ in truth), sum(a for a, _, _ in truth))
            )
            for outcome in range(5):
                assert bins.objects[cls, 0, b, outcome] == sum(o == outcome for _, _, o in truth)
