"""Scores of centre lines: by hand, against a slow twin, and the length against lines of known length."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.scores import LineCounts, line_scores, tile_line_scores
from analysis.scores.lines import DIAGONAL, STRAIGHT
from analysis.words.measures import gsd_label, tolerance_words

from . import masks
from .line_arrays import joined, line_counts, one_tile

# 100 px of line, 70 near the prediction's line, 60 inside its mask; 80 px predicted, 72 near, 64 inside the truth.
HAND = one_tile({5: ([20, 60, 20], 70, 60, 60, 20)}, gaps=(3, 7), prediction=(80, 72, 64))


def test_by_hand() -> None:
    s = line_scores(HAND, [0.5])
    assert (s.kept[0], s.left_out[0], s.predicted[0], s.gaps[0]) == (100, 7, 80, 3)
    assert s.completeness[0] == pytest.approx(0.7)
    assert s.correctness[0] == pytest.approx(0.9)
    assert s.quality[0] == pytest.approx(72 / (80 + 30))
    assert s.f1[0] == pytest.approx(2 * 0.7 * 0.9 / 1.6)
    # Precision is of the prediction's line in the truth's mask, sensitivity of the truth's line in the predicted mask.
    assert s.topology_precision[0] == pytest.approx(64 / 80)
    assert s.topology_sensitivity[0] == pytest.approx(60 / 100)
    assert s.cldice[0] == pytest.approx(2 * 0.8 * 0.6 / 1.4)
    assert s.km[0] == pytest.approx((60 * 0.948 + 20 * 1.343) * 0.5 / 1000)
    assert s.gaps_per_km[0] == pytest.approx(3 / s.km[0])


NOTHING = one_tile({1: ([0, 0, 0], 0, 0, 0, 0)}, gaps=(0, 0), prediction=(0, 0, 0))


@pytest.mark.parametrize(
    ("counts", "completeness", "correctness", "both"),
    [
        (NOTHING, None, None, None),
        # Only the truth has a line, only the prediction has one.
        (one_tile({1: ([4, 0, 0], 0, 0, 3, 0)}, (0, 0), (0, 0, 0)), 0, None, 0),
        (one_tile({1: ([0, 0, 0], 0, 0, 0, 0)}, (0, 0), (9, 0, 0)), None, 0, 0),
        # All of the truth's line is left out, though the prediction lies on it.
        (one_tile({1: ([0, 0, 0], 0, 0, 0, 0)}, (0, 9), (9, 9, 9)), None, 1, None),
        (one_tile({1: ([0, 0, 0], 0, 0, 0, 0)}, (0, 9), (0, 0, 0)), None, None, None),
        # Both have lines, far apart.
        (one_tile({1: ([4, 0, 0], 0, 0, 3, 0)}, (0, 0), (9, 0, 0)), 0, 0, 0),
    ],
)
def test_when_scores_are_undefined(counts, completeness, correctness, both) -> None:
    s = line_scores(counts, [0.25])
    assert masks.same(s.completeness[0], completeness)
    assert masks.same(s.topology_sensitivity[0], completeness)
    assert masks.same(s.correctness[0], correctness)
    assert masks.same(s.topology_precision[0], correctness)
    for value in (s.quality[0], s.f1[0], s.cldice[0]):
        assert masks.same(value, both)


def test_gaps_per_km_is_of_the_tiles_with_a_gsd() -> None:
    s = line_scores(joined(HAND, HAND, HAND), [0.5, np.nan, 0.25])
    assert s.gaps[0] == 9
    assert s.km[0] == pytest.approx(83.74 * 0.75 / 1000)
    assert s.gaps_per_km[0] == pytest.approx(6 / s.km[0])
    none = line_scores(HAND, [np.nan])
    assert np.isnan(none.km[0])
    assert np.isnan(none.gaps_per_km[0])
    without_length = line_scores(NOTHING, [0.5])
    assert without_length.km[0] == 0
    assert np.isnan(without_length.gaps_per_km[0])


def test_no_tiles() -> None:
    s = line_scores(joined(HAND).take(np.zeros(1, bool)), [])
    assert s.kept[0] == 0
    assert np.isnan([s.completeness[0], s.f1[0], s.km[0]]).all()


def test_from_the_arrays_of_a_run() -> None:
    names = ("truth", "match", "links", "gaps", "prediction")
    again = LineCounts.of({f"line_{name}": getattr(HAND, name) for name in names})
    assert all(np.array_equal(getattr(again, name), getattr(HAND, name)) for name in names)


def test_wrong_shapes() -> None:
    with pytest.raises(ValueError, match="axes"):
        LineCounts(HAND.truth, HAND.match[:, :, :5], HAND.links, HAND.gaps, HAND.prediction)
    with pytest.raises(ValueError, match="share"):
        LineCounts(HAND.truth, HAND.match, HAND.links, HAND.gaps[0], HAND.prediction)
    with pytest.raises(ValueError, match="integers"):
        LineCounts(HAND.truth * 1.0, HAND.match, HAND.links, HAND.gaps, HAND.prediction)


def test_digital_lines_have_their_length_on_average() -> None:
    # A line of length 1000 in direction a has 1000 sin a diagonal and 1000 (cos a - sin a) straight steps.
    angles = np.linspace(0, np.pi / 4, 1001)
    lengths = STRAIGHT * (np.cos(angles) - np.sin(angles)) + DIAGONAL * np.sin(angles)
    assert lengths.mean() == pytest.approx(1, abs=0.002)
    assert np.abs(lengths - 1).max() < 0.06


@masks.patient
@given(line_counts(c=2), st.data())
def test_against_a_slow_twin(counts, data) -> None:
    n = len(counts.truth)
    gsd = data.draw(st.lists(st.sampled_from([0.25, 0.5, None]), min_size=n, max_size=n))
    pooled = line_scores(counts, np.array([np.nan if g is None else g for g in gsd]))
    tiles = tile_line_scores(counts, np.array([np.nan if g is None else g for g in gsd]))
    for c in range(2):
        groups = [(pooled, (c,), range(n))] + [(tiles, (i, c), [i]) for i in range(n)]
        for scores, at, chosen in groups:
            kept = matched = inside = near = right = whole = left = gaps = 0
            metres = Fraction(0)
            for i in chosen:
                kept += int(counts.truth[i, c].sum())
                matched += int(counts.match[i, c, :, 0].sum())
                inside += int(counts.match[i, c, :, 1].sum())
                left += int(counts.gaps[i, c, 1])
                whole, near, right = (
                    int(a + b) for a, b in zip((whole, near, right), counts.prediction[i, c], strict=True)
                )
                if gsd[i] is not None:
                    gaps += int(counts.gaps[i, c, 0])
                    straight, diagonal = (int(x) for x in counts.links[i, c].sum(0))
                    metres += (Fraction("0.948") * straight + Fraction("1.343") * diagonal) * Fraction(gsd[i])
            blind = kept == 0 and (left > 0 or whole == 0)
            for a, b, whole_name, parts in (
                (matched, near, "f1", ("completeness", "correctness")),
                (inside, right, "cldice", ("topology_sensitivity", "topology_precision")),
            ):
                x, y = masks.ratio(a, kept), masks.ratio(b, whole)
                assert masks.same(getattr(scores, parts[0])[at], x)
                assert masks.same(getattr(scores, parts[1])[at], y)
                mean = masks.ratio(2 * x * y, x + y) or 0 if None not in (x, y) else 0
                assert masks.same(getattr(scores, whole_name)[at], None if blind else mean)
            quality = masks.ratio(near, whole + kept - matched)
            assert masks.same(scores.quality[at], None if blind else quality)
            known = any(gsd[i] is not None for i in chosen)
            assert masks.same(scores.km[at], metres / 1000 if known else None)
            per_km = masks.ratio(gaps, metres / 1000) if known else None
            value = scores.gaps_per_km[at]
            assert np.isnan(value) if per_km is None else value == pytest.approx(float(per_km))


def test_tolerance_in_words() -> None:
    assert tolerance_words(1.5, [0.5, 0.25, 0.25]) == "within 1.5 m (6 px at 25 cm, 3 px at 50 cm)"
    assert tolerance_words(1.5, [0.2, np.nan]) == "within 1.5 m (7.5 px at 20 cm, 3 px where the GSD is not known)"
    assert tolerance_words(1.5, [np.nan]) == tolerance_words(1.5, []) == "within 3 px"
    assert tolerance_words(2, [1.25]) == "within 2 m (1.6 px at 1.25 m)"
    assert gsd_label(0.075) == "7.5 cm"
    assert gsd_label(np.nan) == "GSD not known"
