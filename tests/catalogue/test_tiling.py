"""LandCover.ai's rule: cut from the top left, row by row, k counts the partial windows too."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.catalogue.tiling import Window, columns_of, split_id, window_of, windows


@pytest.mark.parametrize(
    ("tile", "parts"),
    [
        ("N-33-60-D-c-4-2_10", ("N-33-60-D-c-4-2", 10)),
        ("sheet_1_7", ("sheet_1", 7)),
        ("a_007", ("a", 7)),
        ("a", None),
        ("a_", None),
        ("_5", None),
        ("a_5m", None),
        ("a_-5", None),
        ("a_\u0665", None),  # only plain digits
    ],
)
def test_ids(tile, parts):
    assert split_id(tile) == parts


def test_a_sheet_of_5_x_3_px_in_tiles_of_2():
    # 3 columns (the last 1 px wide) and 2 rows (the last 1 px high)
    assert columns_of(5, 2) == 3
    assert windows(2, 3, 5) == [
        Window((0, 2), (0, 2)),
        Window((0, 2), (2, 4)),
        Window((0, 2), (4, 5)),
        Window((2, 3), (0, 2)),
        Window((2, 3), (2, 4)),
        Window((2, 3), (4, 5)),
    ]
    assert window_of(6, 2, 3, 5) is None


def test_the_sheets_of_landcover_ai():
    # 9 columns for 4200 px and 18 for 9000: k = 8, 17 are partial windows of the narrower ones
    assert (columns_of(4136, 512), columns_of(9000, 512)) == (9, 18)
    assert window_of(8, 512, 4701, 4136) == Window((0, 512), (4096, 4136))
    assert window_of(9, 512, 4701, 4136) == Window((512, 1024), (0, 512))


@given(st.integers(1, 30), st.integers(1, 60), st.integers(1, 60))
def test_windows_cover_every_pixel_once(size, height, width):
    seen = [[0] * width for _ in range(height)]
    for window in windows(size, height, width):
        for r in range(*window.rows):
            for c in range(*window.columns):
                seen[r][c] += 1
    assert all(n == 1 for row in seen for n in row)
