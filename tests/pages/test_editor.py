"""Adding and changing datasets and runs on the Data page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from analysis import open_workspace
from analysis.workspace.load import load_workspace
from tests.pages.test_pages import texts
from tests.pages.tiny import DATASET, MODEL, RUN
from ui.workspace_editor import drafts
from ui.workspace_editor.drafts import Draft, Form
from ui.workspace_editor.spelling import empty_state

Open = Callable[..., AppTest]


def field(at: AppTest, kind: str, label: str) -> Any:
    """The field with this label; a label may have a word behind it."""
    found = [f for f in at.get(kind) if f.label == label]
    assert len(found) == 1, f"{label}: {[f.label for f in at.get(kind)]}"
    return found[0]


def type_in(at: AppTest, label: str, value: str) -> None:
    field(at, "text_input", label).set_value(value)
    at.run()
    assert not at.exception, [e.value for e in at.exception]


def press(at: AppTest, label: str) -> None:
    found = [b for b in at.button if b.label == label]
    assert found, [b.label for b in at.button]
    assert not found[0].disabled, found[0].help
    found[0].click()
    at.run()
    assert not at.exception, [e.value for e in at.exception]


def button(at: AppTest, label: str) -> Any:
    return next(b for b in at.button if b.label == label)


def all_text(at: AppTest) -> str:
    return "\n".join(texts(at)).replace("\\", "").replace("\u2060", "")


@pytest.fixture
def fresh(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace file that is not there yet, above the tiny data."""
    path = tiny.parent.parent / "mine.toml"
    monkeypatch.setenv("ORTHOSCOPE_WORKSPACE", str(path))
    return path


def test_a_dataset_and_a_run_are_added_to_a_file_that_is_not_there(app: Open, fresh: Path) -> None:
    at = app("data")
    press(at, "Add dataset")
    assert button(at, "Save").disabled
    type_in(at, "Name", "My $city$")
    type_in(at, "Root folder", "ti")
    assert [p.options for p in at.button_group] == [["tiny"]], "folders that begin so are offered"
    type_in(at, "Root folder", "tiny")
    type_in(at, "Ground truth", "masks")
    assert "**5 tiles** with a ground truth" in all_text(at)
    assert button(at, "Save").disabled
    assert "Still needed: the classes." in all_text(at)
    press(at, "Fill in the values found in the masks")
    assert "255 was put among the ignored values" in all_text(at)
    assert field(at, "text_input", "Ignored values").value == "255"
    for number, name in enumerate(["background", "roof", "tree", "lake", "road"], 1):
        type_in(at, f"Name of class {number}", name)
    field(at, "checkbox", "Narrow of class 5").check().run()
    type_in(at, "Images (optional)", "images")
    assert not fresh.exists()
    press(at, "Save")
    text = fresh.read_text(encoding="utf-8")
    assert text == (
        '[[dataset]]\nname = "My $city$"\ntask = "segmentation"\nroot = "tiny"\nimages = "images"\ntruth = "masks"\n'
        'ignore = [255]\n\n[dataset.classes]\n0 = "background"\n1 = "roof"\n2 = "tree"\n3 = "lake"\n'
        '4 = {name = "road", narrow = true}\n'
    )
    press(at, "Add a run on it")
    type_in(at, "Model", "net")
    type_in(at, "Predictions", str(fresh.parent / "tiny" / "good"))
    assert "**4 of 5 tiles** pair with a prediction" in all_text(at)
    assert "$y$ has no prediction" in all_text(at)
    press(at, "Save")
    assert fresh.read_text(encoding="utf-8") == (
        text + '\n[[run]]\nmodel = "net"\ndataset = "My $city$"\npredictions = "tiny/good"\n'
    )
    assert field(at, "selectbox", "Run").value == "net@My $city$"
    press(at, "Score it now")
    open_workspace(fresh).run("net").score(workers=1)
    assert len(open_workspace(fresh).run("net").counts().scored) == 4
    assert not list((Path(drafts.cache_folder()) / "drafts").glob("*"))


def test_a_change_keeps_comments_and_all_other_lines(app: Open, tiny: Path) -> None:
    text = (
        tiny.read_text(encoding="utf-8")
        .replace('root = "."', 'root = "."   # here')
        .replace("[[run]]", "# a run\n[[run]]")
    )
    tiny.write_text(text, encoding="utf-8")
    at = app("data", edit="dataset", entry=DATASET)
    assert field(at, "text_input", "Root folder").value == "."
    type_in(at, "Root folder", "../tiny")
    assert any("+root = " in c.value and "name = " in c.value for c in at.code)
    press(at, "Save")
    assert tiny.read_text(encoding="utf-8") == text.replace('root = "."   # here', 'root = "../tiny"   # here')
    at = app("data", edit="run", entry=RUN)
    type_in(at, "Model", "other")
    press(at, "Save")
    assert [r.model for r in load_workspace(tiny).runs] == ["other", "second"]
    assert tiny.read_text(encoding="utf-8").count("# a run") == 2


def test_a_renamed_dataset_takes_its_runs_along(app: Open, tiny: Path) -> None:
    at = app("data", edit="dataset", entry=DATASET)
    type_in(at, "Name", "Renamed")
    press(at, "Save")
    assert [r.key for r in load_workspace(tiny).runs] == [f"{MODEL}@Renamed", "second@Renamed"]


@pytest.mark.parametrize(
    ("label", "value", "said"),
    [
        ("Ground truth", "masks/*.png", "has a star"),
        ("Ignored values", "black", "expected a whole number"),
        ("Tile side, px (whole sheets)", "0", "size must be a whole number from 1"),
        ("Id of class 2", "x", "give the class"),
        ("Id of class 2", "0", "the id 0 stands there twice"),
    ],
)
def test_a_draft_that_cannot_be_is_one_line(app: Open, tiny: Path, label: str, value: str, said: str) -> None:
    before = tiny.read_bytes()
    at = app("data", edit="dataset", entry=DATASET)
    type_in(at, label, value)
    assert len(at.warning) == 1
    assert said in at.warning[0].value.replace("\\", "")
    assert "Traceback" not in at.warning[0].value
    assert not at.error
    assert button(at, "Save").disabled
    assert tiny.read_bytes() == before


def test_what_was_typed_is_there_after_a_reload(app: Open, tiny: Path) -> None:
    at = app("data", edit="run")
    type_in(at, "Model", "half typed <b>")
    type_in(at, "Predictions", "bad")
    again = app("data", edit="run")
    assert field(again, "text_input", "Model").value == "half typed <b>"
    assert field(again, "text_input", "Predictions").value == "bad"
    assert "What you typed here before is back" in all_text(again)
    lists = app("data")
    assert "What you typed for a new run is not saved yet" in all_text(lists)
    press(again, "Discard")
    assert not drafts.waiting(tiny)
    assert field(app("data", edit="run"), "text_input", "Model").value == ""


def test_a_file_that_changed_meanwhile_is_not_overwritten(app: Open, tiny: Path) -> None:
    at = app("data", edit="run", entry=f"second@{DATASET}")
    type_in(at, "Model", "third")
    tiny.write_text(tiny.read_text(encoding="utf-8") + "# someone was here\n", encoding="utf-8")
    at.run()
    assert "was changed on disk meanwhile; your entries are kept" in all_text(at)
    assert button(at, "Save").disabled
    press(at, "Load it again")
    assert field(at, "text_input", "Model").value == "third"
    press(at, "Save")
    assert tiny.read_text(encoding="utf-8").endswith("# someone was here\n")
    assert load_workspace(tiny).runs[1].model == "third"


def test_removing_asks_and_deletes_no_data(app: Open, tiny: Path) -> None:
    at = app("data", edit="dataset", entry=DATASET)
    press(at, "Remove it")
    assert "runs use it" in at.error[0].value
    for key in (RUN, f"second@{DATASET}"):
        at = app("data", edit="run", entry=key)
        assert "No file of data is deleted" in all_text(at)
        press(at, "Remove it")
        assert "was removed" in all_text(at)
    assert load_workspace(tiny).runs == ()
    assert len(list((tiny.parent / "good").iterdir())) == 4


def test_presets_are_explained_with_what_is_there(app: Open, fresh: Path) -> None:
    at = app("data", edit="dataset")
    type_in(at, "Root folder", "tiny")
    field(at, "selectbox", "Preset").set_value("landcover-ai").run()
    tree = next(c.value for c in at.code if "output/{id}_m.png" in c.value)
    assert "masks/{id}.*" in tree
    assert "found: 5 files" in tree
    assert "MISSING" not in tree
    assert "not there" in tree
    assert field(at, "text_input", "Ground truth").placeholder == "output/{id}_m.png or masks/{id}.*"
    type_in(at, "Name", "Cover")
    press(at, "Save")
    assert fresh.read_text(encoding="utf-8") == '[[dataset]]\nname = "Cover"\npreset = "landcover-ai"\nroot = "tiny"\n'


def test_a_link_to_an_entry_that_is_gone(app: Open, tiny: Path) -> None:
    at = app("data", edit="run", entry="nobody@nowhere")
    assert any("no run named" in i.value for i in at.info)
    press(at, "Back to the lists")
    assert any(t.value == "Data" for t in at.title)


def test_a_run_needs_a_dataset(app: Open, fresh: Path) -> None:
    assert any("Add the dataset first" in i.value for i in app("data", edit="run").info)


def test_names_in_the_editor_are_never_markup(app: Open, tiny: Path) -> None:
    for query in ({"edit": "dataset", "entry": DATASET}, {"edit": "run", "entry": RUN}):
        at = app("data", **query)
        shown = [re.sub(r"(`+)(.*?)\1(?!`)", "", t) for t in texts(at)]
        for name in ("<b>x</b>", ":red[x]", MODEL, DATASET):
            assert not [t for t in shown if name in t], name


def test_the_cache_is_measured_and_cleared(app: Open, run: Any) -> None:
    at = app("data")
    at.session_state["cache"] = True
    at.run()
    assert "Counts can be deleted at any time" in all_text(at)
    button = next(b for b in at.button if b.key == f"clear {RUN}")
    button.click().run()
    assert not at.exception
    assert not run.scored
    assert any("Cleared" in s.value for s in at.success)


def test_a_draft_that_fits_no_form_is_left_alone(own_cache: Path, tmp_path: Path) -> None:
    form = Form(tmp_path / "w.toml", "dataset")
    assert drafts.load(form) is None
    drafts.save(form, Draft("d", empty_state("dataset") | {"name": "x"}))
    found = drafts.load(form)
    assert found is not None
    assert found.state["name"] == "x"
    path = next((own_cache / "drafts").glob("*.json"))
    content = json.loads(path.read_text(encoding="utf-8"))
    for broken in ({"state": []}, content | {"state": {"name": 3}}, {}):
        path.write_text(json.dumps(broken), encoding="utf-8")
        assert drafts.load(form) is None
    drafts.drop(form)
    drafts.drop(form)
    assert drafts.waiting(form.workspace) == []
