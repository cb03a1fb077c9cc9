"""Listing a folder: what is a file of the side, what is skipped, and in which order."""

from __future__ import annotations

import os
import unicodedata

import pytest

from analysis.catalogue.listing import list_files


def make(folder, *names):
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")


def ids(listing):
    return [f.fields.get("id") for f in listing.files]


def test_files_come_in_natural_order(tmp_path):
    make(tmp_path, "m/t_10.png", "m/t_2.png", "m/t_1.png", "m/a_3.tif")
    assert ids(list_files(tmp_path, ("m",))) == ["a_3", "t_1", "t_2", "t_10"]


def test_hidden_files_side_files_and_folders_are_skipped_and_counted(tmp_path):
    make(tmp_path, "m/a.png", "m/._a.png", "m/.DS_Store", "m/a.png.aux.xml", "m/a.pgw", "m/Thumbs.db", "m/notes.txt")
    make(tmp_path, "m/x.png/inside.png", "m/.ipynb_checkpoints/a.png")
    listing = list_files(tmp_path, ("m/{id}.png",))
    assert ids(listing) == ["a"]
    assert listing.skipped == {"hidden": 3, "not a raster": 4, "folder": 1}
    listing = list_files(tmp_path, ("m/{id}_m.png",))
    assert (ids(listing), listing.skipped["other name"]) == ([], 1)


def test_every_known_extension_in_any_case(tmp_path):
    names = (
        "a.png",
        "b.PNG",
        "c.tif",
        "d.TIFF",
        "e.jpg",
        "f.JPEG",
        "g.jp2",
        "h.bmp",
        "i.gif",
        "j.webp",
        "k.img",
        "l.vrt",
    )
    make(tmp_path, *(f"m/{n}" for n in names), "m/z.npy")
    assert ids(list_files(tmp_path, ("m",))) == list("abcdefghijkl")


def test_the_first_pattern_that_matches_is_taken(tmp_path):
    make(tmp_path, "b/x.png")
    listing = list_files(tmp_path, ("a/{id}.png", "b/{id}.png", "c/{id}.png"))
    assert (listing.pattern.text, ids(listing)) == ("b/{id}.png", ["x"])
    none = list_files(tmp_path, ("a/{id}.png", "c/{id}.png"))
    assert (none.pattern.text, none.files, none.missing) == ("a/{id}.png", [], tmp_path / "a")


def test_fields_in_folders(tmp_path):
    make(tmp_path, "18/70/5.png", "18/71/5.png", "18/71/6.txt", "19/1.png")
    listing = list_files(tmp_path, ("{z}/{x}/{y}.png",))
    assert [f.fields for f in listing.files] == [{"z": "18", "x": "70", "y": "5"}, {"z": "18", "x": "71", "y": "5"}]


def test_a_field_that_stands_twice_must_agree(tmp_path):
    make(tmp_path, "a/a_1.png", "a/b_1.png", "b/b_2.png")
    listing = list_files(tmp_path, ("{scene}/{scene}_{n}.png",))
    assert [f.path.name for f in listing.files] == ["a_1.png", "b_2.png"]


def test_a_pattern_may_be_absolute_or_lead_upwards(tmp_path):
    make(tmp_path, "data/m/a.png")
    (tmp_path / "w").mkdir()
    assert ids(list_files(tmp_path / "elsewhere", (f"{tmp_path}/data/m/{{id}}.png",))) == ["a"]
    assert ids(list_files(tmp_path / "elsewhere", (f"{tmp_path}/data/m",))) == ["a"]
    assert ids(list_files(tmp_path / "w", ("../data/m",))) == ["a"]


def test_one_file(tmp_path):
    make(tmp_path, "whole.tif", "other.tif")
    (file,) = list_files(tmp_path, ("whole.tif",)).files
    assert (file.path, file.fields) == (tmp_path / "whole.tif", {})


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("on_disk", ["NFC", "NFD"])
def test_names_agree_in_either_unicode_form(tmp_path, form, on_disk):
    folder, name = (unicodedata.normalize(on_disk, s) for s in ("Gemüse", "Pré_é.png"))
    make(tmp_path, f"{folder}/{name}")
    pattern = unicodedata.normalize(form, "Gemüse/Pré_{id}.png")
    (file,) = list_files(tmp_path, (pattern,)).files
    assert unicodedata.normalize("NFC", file.fields["id"]) == "é"
    assert file.path.exists()


def test_a_link_is_followed_and_one_that_leads_nowhere_is_a_file_that_cannot_be_read(tmp_path):
    make(tmp_path, "real/a.png", "far/b.png")
    (tmp_path / "m").mkdir()
    os.symlink(tmp_path / "real/a.png", tmp_path / "m/a.png")
    os.symlink("gone.png", tmp_path / "m/gone.png")
    os.symlink("loop.png", tmp_path / "m/loop.png")
    os.symlink(tmp_path / "far", tmp_path / "m/folder.png")
    listing = list_files(tmp_path, ("m",))
    assert ids(listing) == ["a", "gone", "loop"]
    assert [f.size for f in listing.files][0] == 1
    assert listing.skipped == {"folder": 1}
    os.symlink(tmp_path / "far", tmp_path / "linked")
    assert ids(list_files(tmp_path, ("linked",))) == ["b"]


def test_a_pipe_is_no_file(tmp_path):
    make(tmp_path, "m/a.png")
    os.mkfifo(tmp_path / "m/pipe.png")
    listing = list_files(tmp_path, ("m",))
    assert (ids(listing), listing.skipped) == (["a"], {"not a raster": 1})


def test_a_name_that_is_not_utf8_is_skipped_and_counted(tmp_path):
    make(tmp_path, "m/a.png")
    with open(os.path.join(os.fsencode(tmp_path / "m"), b"caf\xe9.png"), "wb"):
        pass
    listing = list_files(tmp_path, ("m",))
    assert (ids(listing), listing.skipped) == (["a"], {"name not in UTF-8": 1})
