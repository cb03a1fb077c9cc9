"""Orders: by hand, against slow twins, and what a random order promises."""

from __future__ import annotations

import hashlib
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.errors import SelectionError
from analysis.scores import ORDERS, in_order, rank
from analysis.scores.order import lot

from . import masks

NAN = float("nan")


def names(many):
    return [f"t{i}" for i in range(many)]


def test_orders_by_hand():
    r = rank([0.5, NAN, 0.25, 0.5, 1.0, NAN, 0.0], "higher")
    ids = names(7)
    assert in_order(r, "worst", ids).tolist() == [6, 2, 0, 3, 4]
    assert in_order(r, "best", ids).tolist() == [4, 0, 3, 2, 6]
    # the median of 0, 0.25, 0.5, 0.5, 1 is 0.5: two tiles are there, then 0.25 away, then 0.5 twice, in given order
    assert in_order(r, "median", ids).tolist() == [0, 3, 2, 4, 6]
    assert sorted(in_order(r, "random", ids, 3).tolist()) == [0, 2, 3, 4, 6]


def test_the_median_of_an_even_number_lies_between():
    # 1, 2, 4, 9: the median is 3, and 2 and 4 are as near
    assert in_order(rank([9, 4, 2, 1], "lower"), "median", names(4)).tolist() == [1, 2, 3, 0]


@pytest.mark.parametrize("order", ORDERS)
def test_orders_of_nothing(order):
    assert in_order(rank([], "higher"), order, []).tolist() == []
    assert in_order(rank([NAN], "higher"), order, ["a"]).tolist() == []


@masks.patient
@given(
    st.lists(st.one_of(st.just(NAN), st.integers(-8, 8).map(lambda i: i / 4)), max_size=12),
    st.sampled_from(["higher", "lower"]),
    st.integers(0, 2**31 - 1),
)
def test_orders_against_their_twins(values, better, seed):
    r, ids = rank(values, better), names(len(values))
    defined = [i for i, v in enumerate(values) if v == v]
    middle = statistics.median([values[i] for i in defined]) if defined else 0
    assert in_order(r, "median", ids).tolist() == sorted(defined, key=lambda i: (abs(values[i] - middle), i))
    drawn = {i: hashlib.blake2b(f"{seed}:{ids[i]}".encode(), digest_size=8).hexdigest() for i in defined}
    assert in_order(r, "random", ids, seed).tolist() == sorted(defined, key=lambda i: drawn[i])
    for order in ORDERS:
        assert sorted(in_order(r, order, ids, seed).tolist()) == defined


def test_a_random_order_is_the_same_on_every_machine():
    assert lot("tile_1", 7) == 9811817723876593721
    ids = [f"tile_{i}" for i in range(8)]
    assert in_order(rank(np.zeros(8), "lower"), "random", ids, 7).tolist() == [5, 4, 0, 2, 1, 7, 6, 3]


def test_a_filter_does_not_reshuffle():
    rng = np.random.default_rng(1)
    ids = [f"tile_{i}" for i in range(200)]
    values = rng.random(200)
    every = [ids[i] for i in in_order(rank(values, "higher"), "random", ids, 5)]
    kept = np.flatnonzero(rng.random(200) < 0.3)
    some = [ids[i] for i in kept]
    left = [some[i] for i in in_order(rank(values[kept], "lower"), "random", some, 5)]
    assert left == [name for name in every if name in set(some)]


def test_seeds_and_spellings():
    ids = [f"tile_{i}" for i in range(50)]
    r = rank(np.arange(50), "lower")
    orders = {tuple(in_order(r, "random", ids, seed).tolist()) for seed in range(20)}
    assert len(orders) == 20
    assert lot("Zürich", 1) == lot("Zu\u0308rich", 1)


def test_each_place_is_as_likely():
    ids = [f"tile_{i}" for i in range(10)]
    r = rank(np.arange(10), "lower")
    first = np.bincount([in_order(r, "random", ids, seed)[0] for seed in range(2000)], minlength=10)
    assert (np.abs(first - 200) < 5 * np.sqrt(200 * 0.9)).all()


def test_an_order_that_is_none():
    with pytest.raises(SelectionError, match="'sideways'"):
        in_order(rank([1.0], "lower"), "sideways", ["a"])
    with pytest.raises(ValueError, match="2 ids"):
        in_order(rank([1.0], "lower"), "worst", ["a", "b"])
