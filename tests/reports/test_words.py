"""Words: notices, natural order, classes."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from analysis.words.classes import PALETTE, ClassList, ClassSpec, default_color
from analysis.words.notices import FIRST_TILES, INFO, REFUSED, WARNING, Notice, gather
from analysis.words.order import natural_key, normal


def test_natural_order():
    names = ["t_10", "t_9", "t_09", "a", "t_1_2", "T", "10", "9", ""]
    assert sorted(names, key=natural_key) == ["", "9", "10", "T", "a", "t_1_2", "t_09", "t_9", "t_10"]


@given(st.lists(st.text("ab01é", max_size=6)))
def test_natural_order_is_total_and_stable_under_shuffling(names):
    backwards = names[::-1]
    assert sorted(names, key=natural_key) == sorted(backwards, key=natural_key)


def test_names_are_compared_in_nfc():
    assert normal(unicodedata.normalize("NFD", "é")) == "é"
    assert natural_key(unicodedata.normalize("NFD", "é"))[0] == natural_key("é")[0]


def test_notices_are_gathered_by_code_and_level():
    notices = [Notice("a", WARNING, f"message {i}", f"t{i}", pixels=10) for i in range(30)]
    notices += [
        Notice("a", INFO, "other level", "t"),
        Notice("b", REFUSED, "first", "x"),
        Notice("b", REFUSED, "second", "y"),
    ]
    found = gather(notices)
    assert [(n.code, n.level, n.count) for n in found] == [
        ("b", REFUSED, 1),
        ("b", REFUSED, 1),
        ("a", WARNING, 30),
        ("a", INFO, 1),
    ]
    gathered = found[2]
    assert gathered.message == "message 0 (300 px in 30 tiles.)"
    assert gathered.tiles == tuple(f"t{i}" for i in range(FIRST_TILES))
    assert gathered.tile is None


def test_gathering_what_was_gathered_adds_the_counts():
    once = gather([Notice("a", INFO, "m", count=3, tiles=("x", "y")), Notice("a", INFO, "m", "z")])
    assert [(n.count, n.tiles) for n in gather(once)] == [(4, ("x", "y", "z"))]


def test_classes():
    classes = ClassList((ClassSpec(0, "a", "#000000"), ClassSpec(5, "b", "#000000")), background=5)
    assert (len(classes), classes.ids, classes.names, classes.foreground) == (2, (0, 5), ("a", "b"), (0,))
    assert (classes.binary, classes.index_of("b")) == (False, 1)
    assert default_color(len(PALETTE)) == PALETTE[0]
