"""Filters and orders of objects, against a slow twin that looks at one object after the other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.scores import EDGE_SETS, size_bins
from analysis.selection.objects import OBJECT_ORDERS, ObjectFilter, arrange

GSD = np.array([0.25, 0.5, np.nan])


def table_of(seed: int, n: int) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    area = random.integers(1, 3000, n).astype(np.int32)
    line = random.integers(0, 40, n).astype(np.int32)
    return {
        "tile": np.sort(random.integers(0, 3, n)).astype(np.int32),
        "side": random.integers(0, 2, n).astype(np.int8),
        "cls": random.integers(0, 3, n).astype(np.int16),
        "outcome": random.integers(0, 5, n).astype(np.int8),
        "taken": random.integers(-1, 4, n).astype(np.int16),
        "edge": random.random(n) < 0.3,
        "area": area,
        "hit": (area * random.random(n)).astype(np.int32),
        "line_px": line,
        "width_sum": line.astype(np.int64) * random.integers(1, 20, n),
    }


def slow(table: dict[str, np.ndarray], wanted: ObjectFilter, i: int) -> bool:
    row = {name: column[i].item() for name, column in table.items()}
    gsd = float(GSD[row["tile"]])
    for name, value in (("cls", wanted.class_index), ("side", wanted.side), ("outcome", wanted.outcome)):
        if value is not None and row[name] != value:
            return False
    if wanted.taken is not None and row["taken"] != wanted.taken:
        return False
    if wanted.cut is not None and row["edge"] != wanted.cut:
        return False
    if wanted.gsd is not None and not (gsd == wanted.gsd or (gsd != gsd and wanted.gsd != wanted.gsd)):
        return False
    if wanted.area is not None:
        edges, at = wanted.area
        size = row["area"] * gsd**2 if edges.unit == "m2" else row["area"]
        low, high = edges.bounds[at]
        if not low <= size < high:
            return False
    if wanted.width is not None:
        edges, at = wanted.width
        if not row["line_px"]:
            return False
        mean = row["width_sum"] / row["line_px"]
        low, high = edges.bounds[at]
        if not low <= (int(mean + 0.5) if edges.unit == "px" else mean * gsd) < high:
            return False
    return True


def bins(of: str):
    sets = [edges for edges in EDGE_SETS.values() if edges.of == of]
    return st.none() | st.sampled_from(sets).flatmap(lambda e: st.tuples(st.just(e), st.integers(0, len(e) - 1)))


FILTERS = st.builds(
    ObjectFilter,
    class_index=st.none() | st.integers(0, 2),
    side=st.none() | st.integers(0, 1),
    outcome=st.none() | st.integers(0, 4),
    taken=st.none() | st.integers(0, 3),
    cut=st.none() | st.booleans(),
    gsd=st.none() | st.sampled_from([0.25, 0.5, float("nan"), 3.0]),
    area=bins("area"),
    width=bins("width"),
)


@given(FILTERS, st.integers(0, 2**32 - 1), st.integers(0, 80))
def test_against_a_slow_twin(wanted: ObjectFilter, seed: int, n: int) -> None:
    table = table_of(seed, n)
    assert wanted.positions(table, GSD).tolist() == [i for i in range(n) if slow(table, wanted, i)]


@pytest.mark.parametrize("edges", [e for e in EDGE_SETS.values() if e.of == "area"], ids=lambda e: e.id)
def test_as_many_as_in_the_bins(edges) -> None:
    table = table_of(3, 500)
    counted = size_bins(table, GSD, 3, edges=edges)
    for k in range(3):
        for side, many in ((0, counted.truth), (1, counted.predicted)):
            for at in range(len(edges)):
                found = ObjectFilter(class_index=k, side=side, area=(edges, at), cut=False).positions(table, GSD)
                assert len(found) == many[k, at]


def test_orders() -> None:
    table = {"area": np.array([5, 9, 5, 20], np.int32), "hit": np.array([0, 4, 0, 19], np.int32)}
    every = np.arange(4)
    expected = {"lost": [0, 1, 2, 3], "large": [3, 1, 0, 2], "small": [0, 2, 1, 3]}
    assert {order: arrange(table, every, order).tolist() for order in OBJECT_ORDERS} == expected
    assert arrange(table, every[:0], "lost").tolist() == []
