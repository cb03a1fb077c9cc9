"""What the viewer draws and says in Chromium is what the arrays hold."""

from __future__ import annotations

from analysis.pictures.colors import FALSE_ALARM
from analysis.words.classes import IGNORED
from tests.viewer.watched import COLORS, NAMES, ROAD, Setting, Watched, near, where


def test_read_out_and_colours_are_those_of_the_arrays(viewer: Watched, setting: Setting) -> None:
    viewer.open("?tile=tile_4")
    truth, prediction = setting.truths[4], setting.predictions[4]
    names = [*NAMES, "outside the class list"]
    counted = truth != IGNORED
    spots = {
        "right": where(counted & (truth == prediction) & (truth == 2)),
        "wrong": where(counted & (truth != prediction) & (prediction == 4)),
        "outside": where(counted & (prediction == len(NAMES))),
    }
    for verdict, (row, column) in spots.items():
        said = viewer.point(1, row, column)
        assert f"row {row}, column {column}" in said
        assert said.index(names[truth[row, column]]) < said.rindex(names[prediction[row, column]])
        assert ("right" in said.split()) == (verdict == "right")
        assert ("wrong" in said.split()) == (verdict != "right")
    assert "not counted" in viewer.point(2, 43, 43)
    viewer.page.mouse.move(5, 5)
    viewer.settle()
    for verdict in ("right", "wrong"):
        row, column = spots[verdict]
        assert near(viewer.color(1, row, column), COLORS[truth[row, column]])
        assert near(viewer.color(2, row, column), COLORS[prediction[row, column]])
    row, column = spots["wrong"]
    assert near(viewer.color(3, row, column), COLORS[truth[row, column]])
    assert max(viewer.color(3, *spots["right"])) < 90


def test_classes_names_and_layers_are_switched(viewer: Watched, setting: Setting) -> None:
    viewer.open("?tile=tile_5")
    row, column = where(setting.truths[5] == 4)
    chip = viewer.page.locator(".chip").nth(4)
    assert chip.locator(".name").inner_text() == ROAD
    assert near(viewer.color(1, row, column), COLORS[4])
    viewer.page.keyboard.press("5")
    viewer.settle()
    assert chip.get_attribute("aria-pressed") == "false"
    assert not near(viewer.color(1, row, column), COLORS[4], 20)
    photo = viewer.color(0, row, column)
    viewer.page.keyboard.press("5")
    viewer.page.keyboard.press("t")
    viewer.settle()
    assert viewer.page.locator("figcaption").first.inner_text() == "Image + ground truth"
    assert viewer.color(0, row, column) != photo
    viewer.page.keyboard.press("s")
    viewer.settle()
    assert viewer.page.locator("figcaption").all_inner_texts() == ["Image | Ground truth"]
    assert viewer.page.get_by_role("slider", name="Place of the divider").is_visible()
    viewer.page.keyboard.press("b")
    viewer.settle()
    assert viewer.page.locator("[data-part=blink]").get_attribute("aria-pressed") == "true"
    viewer.page.keyboard.press("v")
    viewer.page.keyboard.press("?")
    assert viewer.page.get_by_role("dialog", name="Keys").is_visible()
    viewer.page.keyboard.press("Escape")
    assert viewer.page.locator("[data-part=help]").is_hidden()


def test_one_cell_of_the_confusion_matrix_is_lit(viewer: Watched, setting: Setting) -> None:
    truth, prediction = setting.truths[8], setting.predictions[8]
    lit = (truth == 2) & (prediction == 4)
    viewer.open("?tile=tile_8&lit=2-4")
    on, off = where(lit), where((truth == 2) & (prediction == 2))
    assert near(viewer.color(1, *on), COLORS[2])
    assert near(viewer.color(2, *on), COLORS[4])
    assert near(viewer.color(3, *on), FALSE_ALARM)
    assert not near(viewer.color(1, *off), COLORS[2], 40)
    legend = viewer.page.locator("[data-part=error-legend]").inner_text()
    assert f"woodland predicted as {ROAD}" in legend
    viewer.page.locator("[data-part=focus]").select_option("all")
    viewer.settle()
    assert near(viewer.color(1, *off), COLORS[2])
