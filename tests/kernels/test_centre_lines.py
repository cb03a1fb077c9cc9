"""Centre lines of shapes with known answers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.ndimage import distance_transform_edt
from skimage.morphology import skeletonize

from analysis.kernels.centre_lines import LineTally
from analysis.kernels.layout import IGNORED, MOST_WIDTH, WIDTH_BINS
from tests.kernels.shapes import bar, feed

TALLY = LineTally(2, (1,))


def count(truth, prediction=None, tolerance=3.0):
    truth = np.asarray(truth, np.uint8)
    return feed(TALLY, truth, truth if prediction is None else np.asarray(prediction, np.uint8), 2, tolerance)


def road(height=60, width=100, top=25, thick=7):
    """A straight road from the left edge to the right one."""
    truth = np.zeros((height, width), np.uint8)
    truth[top : top + thick] = 1
    return truth


def widths(found, side=0):
    """Px by width of the kept px of a side."""
    return np.bincount(found.px_width[(found.px_side == side) & found.px_kept])


def length(found):
    straight, diagonal = found.line_links[0].sum(axis=0)
    return 0.948 * straight + 1.343 * diagonal


@pytest.mark.parametrize("width", range(1, 21))
@pytest.mark.parametrize("turned", [False, True])
def test_straight_bar(width, turned):
    mask = bar(width, 0)
    found = count(mask.T if turned else mask)
    # Exact where the width is odd, one less where it is even; the ends are rounded off.
    inner = widths(found)
    assert inner.argmax() == width - (width % 2 == 0)
    assert inner.max() >= found.line_truth.sum() - 2 * width
    # Of 160 px both ends together lose the width, 3 px more or less; a straight link is 0.948 px.
    assert abs(length(found) / 0.948 - (160 - width)) <= 3


@pytest.mark.parametrize("width", range(1, 21))
def test_turned_bar(width):
    for angle in range(0, 91, 5):
        if angle == 45:
            continue
        found = count(bar(width, angle))
        # A pixel of the line lies beside the axis: up to two px less than the true width, never more.
        y, x = found.px_row - 119.5, found.px_column - 119.5
        along = x * np.cos(np.radians(angle)) + y * np.sin(np.radians(angle))
        inner = np.abs(along) < 80 - 1.5 * width - 2
        inner &= found.px_side == 0
        error = found.px_width[inner] - width
        assert error.min() >= -2
        assert error.max() <= 0
        assert error.mean() >= -1.6
        # Length away from the ends, where spurs run to the corners.
        both = inner[found.link_first] & inner[found.link_second]
        diagonal = int(found.link_diagonal[both].sum())
        measured = 0.948 * (int(both.sum()) - diagonal) + 1.343 * diagonal
        assert -0.075 <= measured / (2 * (80 - 1.5 * width - 2)) - 1 <= 0.03


def test_curved_road():
    y, x = np.indices((300, 300))
    ring = np.abs(np.hypot(y, x) - 200) <= 4.5
    found = count(ring)
    assert set(np.flatnonzero(widths(found))) <= {7, 8, 9}
    # A quarter of a circle of radius 200; both ends are left out where the edge is as near as the road's side.
    assert length(found) == pytest.approx(np.pi / 2 * 200 - 2 * 4.5, rel=0.05)


def test_bin_of_a_straight_road():
    found = count(road())
    # The line may bend at its ends, by a pixel that is nearer to the road's side.
    assert found.line_truth[0, 6].tolist()[::2] == [0, 0]
    assert found.line_truth[0, 6, 1] >= found.line_truth.sum() - 2
    assert found.line_links.sum() == found.line_truth.sum() - 1
    assert found.line_links[0, 6, 0] >= found.line_truth.sum() - 3
    # The road reaches both edges: what is no nearer to another class than to them is left out.
    edge = np.minimum(found.px_column, 99 - found.px_column) + 1
    truth = found.px_side == 0
    assert found.px_kept[truth].tolist() == (edge > (found.px_width + 1) / 2)[truth].tolist()
    assert found.line_gaps[0, 1] == (~found.px_kept).sum() > 0
    assert (found.px_row == 28).sum() >= 2 * 90


def test_road_along_the_edge_is_left_out():
    truth = road(top=0, thick=12)
    found = count(truth)
    # Cut lengthwise: nobody knows how wide it goes on. Its visible part is 12 px wide.
    assert found.line_truth.sum() == 0
    assert found.line_gaps[0].tolist() == [0, (found.px_side == 0).sum()]
    assert np.bincount(found.px_width).argmax() in (11, 13)
    # The prediction's line counts whole.
    assert found.line_prediction[0].tolist() == [(found.px_side == 1).sum()] * 3 == [found.line_gaps[0, 1]] * 3
    # Moved away from the edge by as much as it is wide, it is kept.
    assert count(road(top=7, thick=12)).line_truth[0, 10].sum() > 80


def test_t_junction_and_ring():
    truth = road(thick=5, width=90, height=90, top=20)
    truth[20:80, 42:47] = 1
    found = count(truth)
    assert set(np.flatnonzero(widths(found)[1:] > 3) + 1) >= {5}
    line = skeletonize(truth > 0)
    assert (found.px_side == 0).sum() == line.sum()
    y, x = np.indices((90, 90)) - 45
    ring = (np.hypot(y, x) < 30) & (np.hypot(y, x) > 24)
    found = count(ring)
    # A closed line without corners has as many links as pixels.
    assert found.line_links[0].sum() == found.line_truth.sum() == (found.px_side == 0).sum()


def test_thin_roads_and_single_pixels():
    truth = np.zeros((20, 30), np.uint8)
    truth[10, 5:25] = 1
    found = count(truth)
    assert found.line_truth[0, 0].tolist() == [0, 20, 0]
    assert found.line_links[0, 0].tolist() == [19, 0]
    single = np.zeros((9, 9), np.uint8)
    single[4, 4] = 1
    found = count(single)
    assert (found.line_truth[0, 0, 1], found.line_links.sum(), found.line_gaps.sum()) == (1, 0, 0)
    # One pixel is the whole tile.
    found = count(np.ones((1, 1)))
    assert found.px_width.tolist() == [MOST_WIDTH, MOST_WIDTH]
    assert found.px_kept.tolist() == [False, True]
    assert found.line_gaps[0].tolist() == [0, 1]


def test_pixels_that_touch_at_corners():
    truth = np.zeros((12, 12), np.uint8)
    truth[range(3, 9), range(3, 9)] = 1
    found = count(truth)
    assert found.line_links[0, 0].tolist() == [0, 5]
    # Where three meet, the corners are joined over the pixel between them already.
    truth[:] = 0
    truth[3, 2:10] = truth[4:10, 5] = 1
    assert np.array_equal(skeletonize(truth > 0), truth > 0)
    assert count(truth).line_links[0, 0].tolist() == [7 + 6, 0]


def test_full_tile_is_left_out():
    for shape in ((40, 70), (300, 500)):
        found = count(np.ones(shape))
        assert found.line_truth.sum() == 0
        assert found.line_gaps[0].tolist() == [0, (found.px_side == 0).sum()]
        assert (found.px_width == MOST_WIDTH).all()


def test_wide_roads_share_the_open_bin():
    truth = np.zeros((500, 700), np.uint8)
    truth[150:350, 150:550] = 1
    found = count(truth)
    assert found.line_truth[0, WIDTH_BINS - 1, 1] == found.line_truth[0, 32:].sum() > 150
    assert found.px_width.max() == 199


def test_matched_up_to_the_tolerance():
    truth = np.zeros((40, 60), np.uint8)
    prediction = truth.copy()
    truth[10, 10:50] = 1
    prediction[15, 10:50] = 1
    assert count(truth, prediction, 5).line_match[0, 0].tolist() == [40, 0]
    assert count(truth, prediction, 4.999).line_match[0, 0].tolist() == [0, 0]
    # 1.5 m at 0.3 m a pixel is 5 px, also where 1.5 / 0.3 is a little less.
    assert count(truth, prediction, 0.15 / 0.03).line_match[0, 0].tolist() == [40, 0]
    assert count(truth, prediction, np.nextafter(5, 0)).line_match[0, 0].tolist() == [40, 0]
    # Past the end of the prediction it is the distance from pixel to pixel that counts.
    prediction[15, 13:] = 0
    assert count(truth, prediction, 5).line_match[0, 0, 0] == 3
    assert count(truth, prediction, 50**0.5).line_match[0, 0, 0] == 3 + 5
    assert count(truth, truth, 0).line_match[0, 0].tolist() == [40, 40]


def test_gaps():
    truth = np.zeros((30, 100), np.uint8)
    truth[15, 5:95] = 1
    whole = count(truth)
    assert whole.line_gaps[0].tolist() == [0, 0]
    for holes, gaps in (([(40, 60)], 1), ([(70, 100)], 1), ([(30, 40), (60, 70)], 2), ([(0, 100)], 0)):
        prediction = truth.copy()
        for start, stop in holes:
            prediction[15, start:stop] = 0
        found = count(truth, prediction)
        assert found.line_gaps[0].tolist() == [gaps, 0]
        missed = sum(max(min(stop, 95) - max(start, 5), 0) for start, stop in holes)
        # The tolerance reaches 3 px into a hole from either side that is predicted.
        reached = 0 if missed == 90 else sum(3 * (start > 5) + 3 * (stop < 95) for start, stop in holes)
        assert found.line_match[0, 0].tolist() == [90 - missed + reached, 90 - missed]


def test_predicted_classes_under_the_line():
    tally = LineTally(4, (1, 3))
    truth = np.zeros((20, 80), np.uint8)
    truth[10, 10:70] = 3
    prediction = truth.copy()
    prediction[10, 20:30] = 2
    prediction[10, 30:45] = 4
    prediction[10, 45:50] = 0
    found = feed(tally, truth, prediction, 4, 0)
    assert found.line_truth[1, 0].tolist() == [5, 0, 10, 30, 15]
    assert found.line_truth[0].sum() == 0
    assert found.px_class.tolist() == [3] * 90
    assert found.line_gaps[1].tolist() == [1, 0]


def test_ignored_pixels_beside_a_road():
    truth = road(height=60, width=200, thick=7)
    whole = count(truth)
    truth[32:40, 80:120] = IGNORED
    found = count(truth, road(height=60, width=200, thick=7))
    # The lower side of the road is not known there: about 40 px are left out more, and no other.
    more = found.line_gaps[0, 1] - whole.line_gaps[0, 1]
    assert 38 <= more <= 42
    assert found.line_truth.sum() == whole.line_truth.sum() - more
    # As near as another class is enough: ignored pixels one row farther do no harm.
    truth = road(height=60, width=200, thick=7)
    truth[33:40, 80:120] = IGNORED
    assert np.array_equal(count(truth, road(height=60, width=200, thick=7)).line_truth, whole.line_truth)


def test_shares_equal_a_plain_script():
    rng = np.random.default_rng(4)
    y, x = np.indices((400, 400))
    roads = [np.abs(y - 200 - 50 * np.sin(x / 60)) < 6, np.abs(x - 0.6 * y - 90) < 9]
    truth = (roads[0] | roads[1]) & (y > 40) & (y < 360) & (x > 40) & (x < 360)
    prediction = np.roll(truth, (2, -1), (0, 1)) & (np.hypot(y - 210, x - 230) > 40)
    prediction[rng.integers(60, 340, 60), rng.integers(60, 340, 60)] = True
    found = count(truth, prediction, 3)
    assert found.line_gaps[0, 1] == 0
    lines = skeletonize(truth), skeletonize(prediction)
    completeness = (distance_transform_edt(~lines[1])[lines[0]] <= 3).mean()
    correctness = (distance_transform_edt(~lines[0])[lines[1]] <= 3).mean()
    sensitivity, precision = prediction[lines[0]].mean(), truth[lines[1]].mean()
    px = found.line_truth.sum()
    near, inside = found.line_match[0].sum(axis=0)
    predicted, right, within = found.line_prediction[0]
    assert near / px == pytest.approx(completeness)
    assert right / predicted == pytest.approx(correctness)
    assert max(completeness, correctness) < 0.99
    cl_dice = 2 * sensitivity * precision / (sensitivity + precision)
    assert 2 * (inside / px) * (within / predicted) / (inside / px + within / predicted) == pytest.approx(cl_dice)


def test_tiles_without_narrow_pixels():
    found = feed(LineTally(3, (2,)), np.ones((30, 40), np.uint8), np.zeros((30, 40), np.uint8), 3, 2)
    assert found.line_truth.shape == (1, WIDTH_BINS, 4)
    assert found.px_row.size == found.link_first.size == found.line_truth.sum() == found.line_prediction.sum() == 0
    none = feed(LineTally(3, ()), np.ones((30, 40), np.uint8), np.zeros((30, 40), np.uint8), 3, 2)
    assert none.line_truth.shape == (0, WIDTH_BINS, 4)


def test_what_does_not_fit_is_refused():
    for narrow in ((2,), (-1,), (1, 0), (0, 0)):
        with pytest.raises(ValueError, match="Narrow classes"):
            LineTally(2, narrow)
    for tolerance in (-1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="tolerance"):
            TALLY.reset(3, 3, tolerance)
    TALLY.reset(3, 3, 1)
    with pytest.raises(ValueError, match="not complete"):
        TALLY.finish()
