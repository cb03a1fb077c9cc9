"""Presets fix what public layouts fix, and every key overrides them."""

from __future__ import annotations

import pytest

from analysis.workspace.load import load_workspace
from analysis.workspace.patterns import Pattern
from analysis.workspace.presets import LANDCOVER_AI, PRESETS


def dataset(folder, preset: str, keys: str = ""):
    path = folder / "w.toml"
    path.write_text(f'[[dataset]]\nname = "d"\npreset = "{preset}"\nroot = "r"\n{keys}')
    return load_workspace(path).datasets[0]


def test_the_five():
    assert set(PRESETS) == {"landcover-ai", "levir-cd", "levir-cd-plus", "whu-cd", "fotbcd-binary"}


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_enough(tmp_path, name):
    found = dataset(tmp_path, name)
    assert found.preset == name
    assert found.task == PRESETS[name].task
    assert found.classes.background == 0
    assert found.gsd_of("any") is not None
    for patterns in (found.truth, *found.pictures.values()):
        assert patterns
        assert all(Pattern(p).fields for p in patterns)


def test_landcover_ai(tmp_path):
    found = dataset(tmp_path, "landcover-ai")
    assert found.classes.names == ("background", "building", "woodland", "water", "road")
    assert [c.narrow for c in found.classes.classes] == [False] * 4 + [True]
    assert found.tiling == 512
    assert found.splits == {"train": "train.txt", "val": "val.txt", "test": "test.txt"}
    assert found.gsd_of("N-34-97-D-c-2-4") == 0.5
    assert found.gsd_of("M-33-7-A-d-2-3") == 0.25
    # 33 sheets of 25 cm and 8 of 50 cm; a row of a sheet has half the tiles at 50 cm
    assert sum(g == 0.5 for g in LANDCOVER_AI.gsd.values()) == 8
    assert {LANDCOVER_AI.columns[s] for s, g in LANDCOVER_AI.gsd.items() if g == 0.5} == {9}


def test_every_key_overrides(tmp_path):
    keys = 'truth = "masks"\nimages = "pictures"\nsplits = {a = "a.txt"}\n'
    keys += 'tiling = {size = 256}\ngsd = 0.3\nbackground = "none"\n'
    found = dataset(tmp_path, "landcover-ai", keys + '[dataset.classes]\n0 = "a"\n9 = "b"\n')
    assert (found.truth, found.images, found.splits) == (("masks",), ("pictures",), {"a": "a.txt"})
    assert (found.tiling, found.gsd_of("N-34-97-D-c-2-4")) == (256, 0.3)
    assert (found.classes.ids, found.classes.background) == ((0, 9), None)


def test_the_tiling_stays_when_only_the_truth_is_overridden(tmp_path):
    assert dataset(tmp_path, "landcover-ai", 'truth = "masks"\n').tiling == 512


def test_fotbcd_ids_are_read_with_their_split(tmp_path):
    assert "{split}" in dataset(tmp_path, "fotbcd-binary").truth[0]
