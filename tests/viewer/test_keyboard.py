"""Everything in the viewer can be reached by keyboard, and the dialog gives the focus back."""

from __future__ import annotations

from tests.viewer.watched import Watched

FOCUSED = """() => { let e = document.activeElement;
  while (e && e.shadowRoot && e.shadowRoot.activeElement) e = e.shadowRoot.activeElement;
  return e?.dataset?.part ?? (e?.classList.contains("chip") ? "chip" : e?.className ?? ""); }"""


def focused(viewer: Watched) -> str:
    return str(viewer.page.evaluate(FOCUSED))


def test_tab_reaches_every_control_that_can_be_used(viewer: Watched) -> None:
    viewer.open("?tile=tile_3")
    viewer.page.get_by_role("button", name="Frame it").focus()
    reached = []
    for _ in range(40):
        viewer.page.keyboard.press("Tab")
        reached.append(focused(viewer))
    buttons = [
        "back",
        "forth",
        "side",
        "single",
        "swipe",
        "blink",
        "zoom-fit",
        "zoom-in",
        "full",
        "save",
        "help-button",
    ]
    wanted = [*buttons, "over", "focus", "color-truth", "color-prediction"]
    assert [part for part in wanted if part not in reached] == []
    assert reached.count("chip") >= 5


def test_the_dialog_keeps_the_focus_and_gives_it_back(viewer: Watched) -> None:
    viewer.open("?tile=tile_3")
    viewer.page.locator("[data-part=zoom-in]").focus()
    viewer.page.keyboard.press("?")
    assert focused(viewer) == "help-close"
    viewer.page.keyboard.press("Tab")
    assert focused(viewer) not in ("back", "forth", "zoom-in", "chip")
    viewer.page.keyboard.press("Escape")
    assert viewer.page.locator("[data-part=help]").is_hidden()
    assert focused(viewer) == "zoom-in"
