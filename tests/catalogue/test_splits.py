"""Split lists as people write them."""

from __future__ import annotations

import unicodedata

import pytest

from analysis.catalogue.splits import find_list, read_list, read_splits
from analysis.errors import WorkspaceError

from .setting import dataset_of


@pytest.mark.parametrize(
    "content",
    [
        b"a_1\nb_2\n",
        b"a_1\nb_2",  # no newline at the end
        b"\xef\xbb\xbfa_1\r\nb_2\r\n",  # BOM, Windows
        b"a_1.png\nb_2.TIF\n",
        b"  a_1  \n\n\tb_2\n\n",
        b"images/a_1.jpg\nmasks\\b_2.png\n",
        b"a_1\rb_2\r",  # old Macintosh
    ],
)
def test_lines(tmp_path, content):
    path = tmp_path / "list.txt"
    path.write_bytes(content)
    assert read_list(path) == (["a_1", "b_2"], 0)


def test_an_extension_is_only_a_known_one(tmp_path):
    path = tmp_path / "list.txt"
    path.write_text("tile.v1\n0007\n1e5\n.png\n")
    assert read_list(path) == (["tile.v1", "0007", "1e5", ".png"], 0)


def test_doubled_lines_count_once(tmp_path):
    path = tmp_path / "list.txt"
    path.write_text("a\na.png\nb\na\n")
    assert read_list(path) == (["a", "b"], 2)


def test_names_are_compared_in_nfc(tmp_path):
    path = tmp_path / "list.txt"
    path.write_text(unicodedata.normalize("NFD", "é") + "\n" + "é\n", encoding="utf-8")
    assert read_list(path) == (["é"], 1)


@pytest.mark.parametrize("content", ["é".encode("latin-1"), "a\n".encode("utf-16")])
def test_a_list_that_is_not_utf8_is_named(tmp_path, content):
    path = tmp_path / "list.txt"
    path.write_bytes(content)
    with pytest.raises(WorkspaceError, match="list.txt: the split list cannot be read as UTF-8 text"):
        read_list(path)


def test_the_lists_of_a_dataset(tmp_path):
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists/a.txt").write_text("x\ny\n")
    (tmp_path / "b.txt").write_text("y\ny\n")
    dataset = dataset_of(tmp_path, 'splits = {a = "lists/a.txt", b = "b.txt", c = "c.txt"}')
    lists = read_splits(dataset)
    assert lists.ids == {"a": ["x", "y"], "b": ["y"]}
    assert lists.doubled == {"a": 0, "b": 1}
    assert lists.missing == {"c": tmp_path / "c.txt"}
    assert lists.splits_of() == {"x": ["a"], "y": ["a", "b"]}


def test_a_list_file_is_looked_for_under_the_root_then_beside_the_workspace(tmp_path):
    base = tmp_path / "w"
    base.mkdir()
    dataset = dataset_of(tmp_path)
    assert find_list(dataset, "own.txt", base) is None
    (base / "own.txt").write_text("a\n")
    assert find_list(dataset, "own.txt", base) == base / "own.txt"
    (tmp_path / "own.txt").write_text("a\n")
    assert find_list(dataset, "own.txt", base) == tmp_path / "own.txt"
