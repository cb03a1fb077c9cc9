"""Objects of tiles small enough to do by hand, and what the tally refuses."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.kernels import objects
from analysis.kernels.object_outcomes import FOUND, MERGED, MISSED, PART, SPLIT
from analysis.kernels.object_rows import FIELDS, LineSums
from analysis.kernels.objects import ObjectTally
from analysis.kernels.segments import empty_segments
from tests.kernels.object_tiles import add_strips, objects_of, side_rows, tile


def outcomes_of(truth, prediction, **settings):
    """Outcomes of both sides, in the order of the rows."""
    found = objects_of(tile(*truth), tile(*prediction), **settings)
    return [[row["outcome"] for row in side_rows(found, side)] for side in (0, 1)]


def test_every_field_of_a_row():
    truth = tile("......", ".11...", ".11...", "......")
    prediction = tile("......", "..11..", "..12..", "......")
    found = objects_of(truth, prediction, k=3)
    (roof,), (mate, other) = side_rows(found, 0), side_rows(found, 1)
    assert roof == {
        "side": 0, "cls": 1, "area": 4, "top": 1, "left": 1, "bottom": 3, "right": 3,
        "row_sum": 6, "column_sum": 6, "edge": False, "hit": 2, "best": 1, "best_px": 2, "best_area": 3,
        "outcome": PART, "taken": 0, "taken_px": 2, "line_px": 0, "straight": 0, "diagonal": 0, "width_sum": 0,
    }  # fmt: skip
    assert (mate["area"], mate["best"], mate["best_area"], mate["taken"], mate["taken_px"]) == (3, 0, 4, 0, 1)
    assert (other["cls"], other["hit"], other["best"], other["outcome"]) == (2, 0, -1, MISSED)
    assert tuple(found.rows) == FIELDS
    assert found.outcomes[0, 1].tolist() == [[0] * 4, [0] * 4, [0] * 4, [0] * 4, [1, 4, 2, 0]]
    assert found.outcomes[1, 2, MISSED].tolist() == [1, 1, 0, 0]


def test_types_of_the_rows():
    rows = objects_of(tile("1"), tile("1")).rows
    kinds = {name: str(values.dtype) for name, values in rows.items()}
    assert [name for name, kind in kinds.items() if kind == "int64"] == ["row_sum", "column_sum", "width_sum"]
    assert [name for name, kind in kinds.items() if kind in ("int8", "int16", "bool")] == [
        *("side", "cls", "edge", "outcome", "taken")
    ]
    assert {kinds["side"], kinds["outcome"]} == {"int8"}
    assert {kinds["cls"], kinds["taken"]} == {"int16"}


def test_roofs_that_touch_at_a_corner():
    truth = tile("......", ".11...", ".11...", "...11.", "...11.", "......")
    prediction = tile("......", ".11...", ".11...", "......", "......", "......")
    four, eight = (side_rows(objects_of(truth, prediction, connectivity=n), 0) for n in (4, 8))
    assert [(row["area"], row["outcome"]) for row in four] == [(4, FOUND), (4, MISSED)]
    # IoU 4 / 8 is not over a half.
    assert [(row["area"], row["hit"], row["outcome"]) for row in eight] == [(8, 4, PART)]


def test_slivers_are_objects():
    truth = tile(".1..11....", "..........", ".........1", "111......1", "111......1", "111......1")
    prediction = tile("....1.....", "..........", ".........1", "111......1", "111.......", "111..1....")
    truth_rows, predicted = (side_rows(objects_of(truth, prediction), side) for side in (0, 1))
    assert [(r["area"], r["hit"], r["outcome"]) for r in truth_rows] == [
        *((1, 0, MISSED), (2, 1, PART), (4, 2, PART), (9, 9, FOUND))
    ]
    assert [(r["area"], r["outcome"]) for r in predicted] == [(1, PART), (2, PART), (9, FOUND), (1, MISSED)]


def test_a_roof_cut_by_the_edge_is_marked():
    for turn in range(4):
        truth = np.rot90(tile("........", ".11.....", ".......1", ".......1", "........"), turn)
        rows = side_rows(objects_of(truth, np.zeros_like(truth)), 0)
        assert sorted((row["area"], row["edge"]) for row in rows) == [(2, False), (2, True)]


def test_two_roofs_joined_by_one_pixel():
    truth, joined = ["11.11", "11.11"], ["11.11", "11111"]
    assert outcomes_of(truth, joined) == [[MERGED, MERGED], [MERGED]]
    assert outcomes_of(truth, truth) == [[FOUND, FOUND], [FOUND, FOUND]]
    # Its best match is the roof that comes first.
    (row,) = side_rows(objects_of(tile(*truth), tile(*joined)), 1)
    assert (row["hit"], row["best"], row["best_px"], row["taken"], row["taken_px"]) == (8, 0, 4, 0, 1)
    # The other way round, the truth is in two pieces of 4 of 9 px.
    assert outcomes_of(joined, truth) == [[SPLIT], [SPLIT, SPLIT]]


def test_a_ring_and_what_is_in_its_hole():
    truth = tile("11111", "1...1", "1.1.1", "1...1", "11111")
    rows = side_rows(objects_of(truth, truth), 0)
    assert [(r["area"], r["top"], r["left"], r["bottom"], r["right"], r["edge"]) for r in rows] == [
        (16, 0, 0, 5, 5, True),
        (1, 2, 2, 3, 3, False),
    ]
    assert [(r["row_sum"], r["column_sum"], r["best"]) for r in rows] == [(32, 32, 2), (2, 2, 3)]


def test_parts_that_meet_late_are_one_object():
    # Five columns that join from the outside in, the first px of the whole at the top right.
    truth = tile(
        "........1",
        "..1.....1",
        "1.1.1...1",
        "1.1.1.1.1",
        "1.111.1.1",
        "1.1...1.1",
        "1111111.1",
        "......1.1",
        "......111",
    )
    prediction = np.zeros_like(truth)
    (row,) = side_rows(objects_of(truth, prediction, connectivity=4), 0)
    ys, xs = np.nonzero(truth)
    assert (row["area"], row["row_sum"], row["column_sum"]) == (ys.size, ys.sum(), xs.sum())
    assert (row["top"], row["left"], row["bottom"], row["right"], row["taken_px"]) == (0, 0, 9, 9, ys.size)


def test_objects_come_in_the_order_of_their_first_pixel():
    truth = tile("...2.1", ".1...1", ".111.1", "...1.1", "22.111")
    rows = side_rows(objects_of(truth, truth, k=3), 0)
    assert [(row["cls"], row["area"]) for row in rows] == [(2, 1), (1, 12), (2, 2)]


def test_ignored_pixels_are_no_part_of_an_object():
    truth = tile("111-111")
    prediction = tile("1111111")
    rows = objects_of(truth, prediction).rows
    assert rows["area"].tolist() == [3, 3, 3, 3]
    assert rows["outcome"].tolist() == [FOUND] * 4
    # What touches at a corner still does where the pixels around it are ignored.
    corner = tile("1-", "-1")
    assert objects_of(corner, corner, connectivity=8).rows["area"].tolist() == [2, 2]
    assert objects_of(corner, corner, connectivity=4).rows["area"].tolist() == [1, 1, 1, 1]


def test_a_tile_without_objects():
    for truth in (tile("..", ".."), tile("--", "--")):
        found = objects_of(truth, np.zeros_like(truth))
        assert not found.outcomes.any()
        assert {values.size for values in found.rows.values()} == {0}
        assert found.left_out == 0


def test_background_forms_no_objects_unless_there_is_none():
    truth = tile("..1", "..1")
    assert objects_of(truth, truth).rows["cls"].tolist() == [1, 1]
    assert objects_of(truth, truth, background=None).rows["cls"].tolist() == [0, 1, 0, 1]
    assert objects_of(truth, truth, background=1).rows["cls"].tolist() == [0, 0]


def test_predictions_outside_the_class_list():
    truth, prediction = tile("1111"), tile("1122")
    found = objects_of(truth, prediction, k=2)
    (row,) = side_rows(found, 0)
    assert (row["hit"], row["taken"], row["taken_px"]) == (2, 2, 2)
    assert [r["area"] for r in side_rows(found, 1)] == [2]
    assert found.outcomes[1].sum(axis=(0, 1)).tolist() == [1, 2, 2, 0]


def test_taken_for_the_class_of_most_pixels():
    truth = tile("11111111")
    assert side_rows(objects_of(truth, tile("1..33344"), k=5), 0)[0]["taken"] == 3
    # Of equals the lowest; hits do not count, however many they are.
    (row,) = side_rows(objects_of(truth, tile("11114433"), k=5), 0)
    assert (row["taken"], row["taken_px"]) == (3, 2)
    assert side_rows(objects_of(truth, tile("11111115"), k=5), 0)[0]["taken"] == 5
    assert side_rows(objects_of(truth, truth, k=5), 0)[0]["taken"] == -1
    assert side_rows(objects_of(tile("2.2."), tile("1111"), k=5), 1)[0]["taken"] == 0


def test_found_is_over_a_half():
    # 1 of 2: IoU 1/2. 2 of 3: 2/3.
    assert outcomes_of(["11."], ["1.."]) == [[PART], [PART]]
    assert outcomes_of(["111"], ["11."]) == [[FOUND], [FOUND]]
    # 1000 of 2000 and 1001 of 2000.
    for px, outcome in ((1000, PART), (1001, FOUND)):
        truth, prediction = np.ones((2, 1000), np.uint8), np.zeros((2, 1000), np.uint8)
        prediction.flat[:px] = 1
        found = objects_of(truth, prediction)
        assert found.rows["outcome"].tolist() == [outcome, outcome]
        assert found.outcomes[:, 1, FOUND, 3].tolist() == ([500_500_000] * 2 if px > 1000 else [0, 0])


def test_the_sum_of_iou_is_rounded_half_up():
    # 513 / 1024 is 0.5009765625: half a unit over 500976562.
    truth, prediction = np.ones((1, 1024), np.uint8), np.zeros((1, 1024), np.uint8)
    prediction[0, :513] = 1
    assert objects_of(truth, prediction).outcomes[:, 1, FOUND].tolist() == [
        [1, 1024, 513, 500976563],
        [1, 513, 513, 500976563],
    ]


def test_merged_from_exactly_a_half_of_two():
    assert outcomes_of(["11.11"], [".111."]) == [[MERGED, MERGED], [MERGED]]
    # A third of each is less.
    assert outcomes_of(["111.111"], ["..111.."]) == [[PART, PART], [PART]]
    # Of one only.
    assert outcomes_of(["11.111"], [".111.."]) == [[PART, PART], [PART]]


def test_what_a_merging_object_covers_least_is_merged_too():
    # 1 of 2, 2 of 2, 1 of 5.
    assert outcomes_of(["11.11.11111"], [".111111...."]) == [[MERGED, MERGED, MERGED], [MERGED]]


def test_split_from_a_tenth_and_together_a_half():
    ten, twenty = ["1" * 10], ["1" * 20]
    # 1 + 4 of 10: a tenth, and a half together.
    assert outcomes_of(ten, ["1.1111...."]) == [[SPLIT], [SPLIT, SPLIT]]
    # 1 + 3 is less than a half.
    assert outcomes_of(ten, ["1.111....."]) == [[PART], [PART, PART]]
    # 1 of 20 is no piece: one piece is left.
    assert outcomes_of(twenty, ["1." + "1" * 10 + "." * 8]) == [[PART], [PART, PART]]
    # Nor does it help others to a half: 2 + 7 + 1.
    assert outcomes_of(twenty, ["11.1111111.1........"]) == [[PART], [PART] * 3]
    # In 2 + 8 pieces, it is not one of them.
    assert outcomes_of(twenty, ["11.11111111.1......."]) == [[SPLIT], [SPLIT, SPLIT, PART]]


def test_found_goes_before_merged():
    truth, prediction = ["11111111.11"], ["11111111111"]
    assert outcomes_of(truth, prediction) == [[FOUND, MERGED], [FOUND]]


def test_found_goes_before_split():
    # 7 of 10 and 2 of 10: the second is a piece of an object that is in pieces and found.
    assert outcomes_of(["1" * 10], ["1111111.11"]) == [[FOUND], [FOUND, SPLIT]]


def test_merged_goes_before_split():
    truth, prediction = ["11111111.11111"], ["11.11111111111"]
    # The second covers 5 of 8 and 5 of 5; IoU 5/14 and 5/11. The first is a piece of an object in pieces.
    assert outcomes_of(truth, prediction) == [[MERGED, MERGED], [SPLIT, MERGED]]


def test_a_piece_is_one_of_its_best_match():
    truth = ["1111111111.1111111"]
    # The second shares 6 px with an object in pieces, and 3 with another.
    assert outcomes_of(truth, ["111.1111111111...."]) == [[SPLIT, PART], [SPLIT, SPLIT]]
    # Here it shares 2 px, a piece as well, with that object, and 3 with the other: that one is its best match.
    assert outcomes_of(truth, ["111.....111111...."]) == [[SPLIT, PART], [SPLIT, PART]]


def test_of_equal_matches_the_first_counts():
    (row,) = side_rows(objects_of(tile("111111"), tile("11.11.")), 0)
    assert (row["best"], row["best_px"], row["best_area"]) == (1, 2, 2)
    (row,) = side_rows(objects_of(tile("11.11."), tile("111111")), 1)
    assert row["best"] == 0


def test_places_of_narrow_objects_and_their_lines():
    truth = tile("33..1", ".3..1", "....1", "33333")
    prediction = tile("33..1", "....1", "33333", ".....")
    tally = ObjectTally(4, 0, 8, narrow=(3,))
    add_strips(tally, truth, prediction, 4, cuts=(1, 3))
    # Truth: road, building, road. Prediction: road, building, road.
    assert tally.n_objects == 6
    at = tally.locate([0, 0, 0, 0, 1, 1, 1], [0, 1, 3, 0, 2, 3, 0], [0, 1, 4, 4, 3, 3, 1])
    assert at.tolist() == [0, 0, 2, -1, 5, -1, 3]
    assert tally.locate(0, [-1, 4, 0, 0], [0, 0, -1, 5]).tolist() == [-1] * 4
    px = tally.locate(0, [0, 0, 1, 3, 3], [0, 1, 1, 0, 1])
    links = tally.locate(0, [0, 0, 3], [0, 1, 0])
    lines = tally.line_sums(px, [1, 2, 3, 1, 1], links, [False, True, False])
    rows = tally.finish(lines).rows
    assert rows["line_px"].tolist() == [3, 0, 2, 0, 0, 0]
    assert rows["width_sum"].tolist() == [6, 0, 2, 0, 0, 0]
    assert rows["straight"].tolist() == [1, 0, 1, 0, 0, 0]
    assert rows["diagonal"].tolist() == [1, 0, 0, 0, 0, 0]
    assert not tally.finish().rows["line_px"].any()


def test_no_places_without_narrow_classes():
    tally = ObjectTally(2, 0, 8)
    add_strips(tally, tile("1"), tile("1"), 2)
    assert tally.locate(0, [0], [0]).tolist() == [-1]


def test_counts_of_one_tile_stay_when_the_next_comes():
    tally = ObjectTally(2, 0, 8)
    add_strips(tally, tile("11.1"), tile("1..1"), 2)
    first = tally.finish()
    kept = {name: values.copy() for name, values in first.rows.items()}
    add_strips(tally, tile("1111", "1111"), tile("....", "1111"), 2)
    assert tally.finish().rows["area"].tolist() == [8, 4]
    for name, values in kept.items():
        np.testing.assert_array_equal(first.rows[name], values)


def test_the_room_of_a_very_large_tile_is_given_back(monkeypatch):
    checks = np.indices((200, 200)).sum(axis=0).astype(np.uint8) % 2
    tally = ObjectTally(2, 0, 4, (1,))
    sizes = []
    for most in (1 << 20, 1 << 20, 1 << 10):
        monkeypatch.setattr(objects, "MOST_KEPT", most)
        for labels in (checks, checks[:9]):
            add_strips(tally, labels, labels, 2)
            assert tally.n_objects == 2 * labels.sum()
            sizes.append(tally._objects.parent.size)
    assert sizes[0] == sizes[1] == sizes[2] == sizes[3] == sizes[4] > 4 * sizes[5]


@pytest.mark.parametrize(
    "settings",
    [(0, None, 8), (251, 0, 8), (2, 2, 8), (2, -1, 4), (2, 0, 6), (2, 0, 8, (2,)), (2, 0, 8, (-1,))],
)
def test_settings_that_make_no_sense_are_refused(settings):
    with pytest.raises(ValueError, match=r"class|neighbours"):
        ObjectTally(*settings)


def test_rows_that_do_not_follow_are_refused():
    tally = ObjectTally(2, 0, 8)
    add_strips(tally, tile("1", "1"), tile("1", "1"), 2)
    with pytest.raises(ValueError, match="do not follow"):
        tally.add(empty_segments(1, 1), 1, 1)
    tally.reset(2, 1)
    for ask in (tally.finish, lambda: tally.locate(0, [0], [0]), lambda: tally.n_objects):
        with pytest.raises(ValueError, match="not complete"):
            ask()


def test_lines_that_do_not_fit_are_refused():
    tally = ObjectTally(2, 0, 8, (1,))
    add_strips(tally, tile("1.1"), tile("1.1"), 2)
    with pytest.raises(ValueError, match="one length"):
        tally.locate(0, [0, 1], [0])
    with pytest.raises(ValueError, match="one length"):
        tally.line_sums([0, 1], [1], [], [])
    with pytest.raises(ValueError, match="below 4"):
        tally.line_sums([4], [1], [], [])
    with pytest.raises(ValueError, match="of 4 objects"):
        tally.finish(LineSums(*np.zeros((4, 3), np.int64)))
