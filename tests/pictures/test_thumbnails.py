"""Small pictures are made once, kept whole on disk, made again when a file changes, and never mixed up."""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from analysis import OpenRun, open_workspace
from analysis.pictures import thumbnails
from analysis.pictures.focus import Focus, focus_on
from analysis.pictures.small import ERRORS, IMAGE, MARKED, TRUTH, Small
from analysis.pictures.thumbnails import Thumbnails, Wanted
from analysis.pictures.tile import TileFinder
from tests.pages.tiny import RUN, TILES, make_tiny


class Bench:
    """A run, and its small pictures; ``drawn`` counts those that were really drawn."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.run: OpenRun = open_workspace(make_tiny(folder)).run(RUN)
        self.drawn = 0
        real: Callable[..., Small] = thumbnails.small_picture

        def counted(*arguments: object) -> Small:
            self.drawn += 1
            return real(*arguments)

        monkeypatch.setattr(thumbnails, "small_picture", counted)

    @property
    def kept(self) -> Path:
        return self.run.store.folder / "thumbnails"

    def fetch(self, *wanted: Wanted, maker: Thumbnails | None = None, seconds: float = 30) -> list[Small | None]:
        found = maker or Thumbnails()
        return found.fetch(TileFinder(self.run), self.kept, self.run.dataset.classes, wanted, seconds)


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    return Bench(tmp_path / "tiny", monkeypatch)


def pixels(found: Small | None) -> np.ndarray:
    assert found is not None
    return np.asarray(Image.open(io.BytesIO(found.data)).convert("RGB"))


def test_made_once_and_the_same_from_disk(bench: Bench) -> None:
    wanted = [Wanted(name, kind) for name in TILES[1:3] for kind in (MARKED, IMAGE, TRUTH)]
    first = bench.fetch(*wanted)
    assert bench.drawn == 6
    assert len(list(bench.kept.iterdir())) == 6
    assert bench.fetch(*wanted) == first
    assert bench.drawn == 6
    assert len({found.data for found in first if found}) == 6


def test_a_changed_file_makes_a_new_picture(bench: Bench) -> None:
    (before,) = bench.fetch(Wanted("north_0", IMAGE))
    image = bench.folder / "images" / "north_0.png"
    Image.fromarray(np.full((32, 32, 3), 9, np.uint8)).save(image)
    os.utime(image, ns=(1, 1))
    (after,) = bench.fetch(Wanted("north_0", IMAGE))
    assert bench.drawn == 2
    assert abs(int(pixels(after).mean()) - 9) < 3
    assert abs(int(pixels(before).mean()) - 130) < 20


def test_what_errors_are_looked_at_makes_another_picture_only_where_they_show(bench: Bench) -> None:
    bench.fetch(Wanted("_a_", ERRORS), Wanted("_a_", TRUTH))
    bench.fetch(Wanted("_a_", ERRORS, focus_on(1)), Wanted("_a_", TRUTH, focus_on(1)))
    assert bench.drawn == 3


@pytest.mark.parametrize(
    "damage", [lambda b: b[:40], lambda b: b"", lambda b: b[:60] + b"\0" + b[61:], lambda b: b + b"x"]
)
def test_a_damaged_file_is_made_again(bench: Bench, damage: Callable[[bytes], bytes]) -> None:
    (first,) = bench.fetch(Wanted("_a_", IMAGE))
    (file,) = bench.kept.iterdir()
    whole = file.read_bytes()
    file.write_bytes(damage(whole))
    assert bench.fetch(Wanted("_a_", IMAGE)) == [first]
    assert bench.drawn == 2
    assert file.read_bytes() == whole


def test_many_sessions_at_once_make_each_picture_once(bench: Bench) -> None:
    maker, found = Thumbnails(), []
    finder = TileFinder(bench.run)
    wanted = [Wanted(name, kind) for name in TILES if name != "$y$" for kind in (MARKED, IMAGE, TRUTH, ERRORS)]

    def ask() -> None:
        found.append(maker.fetch(finder, bench.kept, bench.run.dataset.classes, wanted, 30))

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert bench.drawn == len(wanted)
    assert all(answer == found[0] and None not in answer for answer in found)
    assert not [p for p in bench.kept.iterdir() if p.name.startswith(".")], "nothing half written is left"


def test_what_is_not_ready_is_none_and_comes_later(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    held = threading.Event()
    real = thumbnails.small_picture

    def slow(*arguments: object) -> Small:
        held.wait(20)
        return real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(thumbnails, "small_picture", slow)
    maker = Thumbnails()
    assert bench.fetch(Wanted("_a_", IMAGE), maker=maker, seconds=0.05) == [None]
    held.set()
    (found,) = bench.fetch(Wanted("_a_", IMAGE), maker=maker)
    assert found is not None
    assert found.data


def test_pictures_that_no_one_waits_for_are_not_made(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thumbnails, "_STILL_WANTED", 0.0)
    assert bench.fetch(Wanted("_a_", IMAGE)) == [None]
    assert bench.drawn == 0


def test_the_oldest_are_dropped(bench: Bench) -> None:
    maker = Thumbnails(most_bytes=1)
    thumbnails_of = [Wanted(name, IMAGE) for name in ("north_0", "_a_")]
    bench.kept.mkdir(parents=True)
    old = bench.kept / "old.thumb"
    old.write_bytes(b"x" * 100)
    os.utime(old, ns=(1, 1))
    other = bench.kept / "strange.txt"
    other.write_bytes(b"mine")
    assert None not in bench.fetch(*thumbnails_of, maker=maker)
    assert not old.exists()
    assert other.exists()


def test_a_tile_that_cannot_be_read_says_so(bench: Bench) -> None:
    image = bench.folder / "images" / "_a_.png"
    image.write_bytes(image.read_bytes()[:200])
    broken, missing, gone = bench.fetch(Wanted("_a_", IMAGE), Wanted("$y$", MARKED), Wanted("nowhere", IMAGE))
    assert broken is not None
    assert "_a_.png" in broken.fault
    assert missing is not None
    assert "prediction" in missing.fault
    assert gone is not None
    assert "nowhere" in gone.fault
    assert not bench.kept.exists(), "faults are not kept"


def test_a_fault_of_ours_leaves_no_one_waiting(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> Small:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(thumbnails, "small_picture", fail)
    (found,) = bench.fetch(Wanted("_a_", IMAGE))
    assert found is not None
    assert "cannot be drawn" in found.fault


def test_a_full_disk_only_forgets(bench: Bench) -> None:
    bench.kept.parent.mkdir(parents=True)
    bench.kept.write_bytes(b"a file where the folder should be")
    (found,) = bench.fetch(Wanted("_a_", IMAGE, Focus()))
    assert found is not None
    assert found.data
