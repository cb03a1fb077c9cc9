"""Patterns: which files they match, and which values their fields take."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.errors import WorkspaceError
from analysis.words.files import EXTENSIONS
from analysis.workspace.patterns import Pattern


def fields_of(pattern: str, name: str) -> dict[str, str] | None:
    """Field values of a path below the pattern's folder, or None where it does not match."""
    p, known = Pattern(pattern), {}
    parts = name.split("/")
    if len(parts) != len(p.parts):
        return None
    for i, part in enumerate(parts):
        match = p.matcher(i, known).fullmatch(part)
        if match is None:
            return None
        known |= match.groupdict()
    return known


@pytest.mark.parametrize(
    ("pattern", "name", "fields"),
    [
        ("masks", "masks/a.png", {"id": "a"}),
        ("masks/", "masks/a.TIF", {"id": "a"}),
        ("./masks", "masks/a.b.jpeg", {"id": "a.b"}),
        ("masks/{id}", "masks/a.png", {"id": "a"}),  # no extension: any
        ("masks/{id}.*", "masks/a.png", {"id": "a"}),
        ("masks/{id}.*", "masks/a.txt", None),
        ("masks/{id}.png", "masks/a.PNG", {"id": "a"}),
        ("masks/{id}.PNG", "masks/a.png", {"id": "a"}),
        ("masks/{id}.tif", "masks/a.tiff", None),
        ("output/{id}_m.png", "output/N-33-60-D-c-4-2_10_m.png", {"id": "N-33-60-D-c-4-2_10"}),
        ("labels/{date}_mask_{n}.tif", "labels/202309_mask_08.tif", {"date": "202309", "n": "08"}),
        ("labels/{date}_mask_{n}.tif", "labels/202309_mask_x.tif", None),  # n is digits
        ("{split}/label/{id}.*", "test/label/7.png", {"split": "test", "id": "7"}),
        ("{scene}/{scene}_{n}.png", "a/a_1.png", {"scene": "a", "n": "1"}),
        ("{scene}/{scene}_{n}.png", "a/b_1.png", None),  # a field that stands twice must agree
        ("{a}_{a}.png", "x_x.png", {"a": "x"}),
        ("{a}_{a}.png", "x_y.png", None),
        ("one.tif", "one.TIF", {}),
        ("a+b (1)/{id}.png", "a+b (1)/[x].png", {"id": "[x]"}),  # no sign but braces means anything
        ("a\\b\\{id}.png", "a/b/x.png", {"id": "x"}),
        ("landcover.ai.v1", "landcover.ai.v1/x.png", {"id": "x"}),  # a folder with dots
    ],
)
def test_matching(pattern, name, fields):
    assert fields_of(pattern, name) == fields


@pytest.mark.parametrize(
    "text", ["masks/{id.png", "masks/id}.png", "masks/{}.png", "masks/{a b}.png", "{1}.png", "{{id}}"]
)
def test_braces_that_are_no_field(text):
    with pytest.raises(WorkspaceError, match="brace that is no field"):
        Pattern(text)


@pytest.mark.parametrize("text", ["masks/*.png", "*/{id}.png", "masks/*", "masks/{id}*.png", "masks/**/{id}.*"])
def test_a_star_is_explained(text):
    with pytest.raises(WorkspaceError, match=r"has a star.*\{id\}"):
        Pattern(text)


def test_a_field_matches_no_slash_and_something():
    assert fields_of("{id}.png", ".png") is None
    assert Pattern("a/{id}.png").matcher(1, {}).fullmatch("b/c.png") is None


def test_fields_stand_in_order_each_once():
    assert Pattern("{split}/{scene}/{scene}_{n}.png").fields == ("split", "scene", "n")
    assert Pattern("masks").fields == ("id",)
    assert Pattern("one.png").fields == ()


def test_folders_and_files_are_told_apart():
    assert Pattern("masks").is_folder
    assert not Pattern("mask.png").is_folder
    assert not Pattern("masks/{id}").is_folder


def test_literal_parts_are_compared_in_nfc():
    spelled = unicodedata.normalize("NFD", "é_{id}.png")
    assert fields_of(spelled, "é_1.png") == {"id": "1"}


values = st.text(st.characters(categories=("L", "N", "P", "Zs"), exclude_characters="/\\{}*"), min_size=1, max_size=8)


@given(value=values, number=st.integers(0, 10**9), zeros=st.integers(0, 3), ending=st.sampled_from(sorted(EXTENSIONS)))
def test_what_a_pattern_was_filled_with_is_read_back(value, number, zeros, ending):
    """A literal that no value holds stands between the fields, so that only one reading is possible."""
    digits = "0" * zeros + str(number)
    value = unicodedata.normalize("NFC", value)
    found = fields_of("{scene}/x{id}\u2021{n}.*", f"{value}/x{value}\u2021{digits}{ending.upper()}")
    assert found == {"scene": value, "id": value, "n": digits}
