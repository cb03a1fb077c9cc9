"""A framed object in Chromium: the view goes to it, it is outlined, and the user's zoom is the user's."""

from __future__ import annotations

from typing import Any

from tests.viewer.watched import SIDE, Watched

BOX = (20, 24, 30, 40)  # top, left, bottom, right


def zoom(viewer: Watched) -> int:
    return int(viewer.page.locator("[data-part=zoom-fit]").inner_text().removesuffix(" %"))


def white_corners(viewer: Watched) -> list[int]:
    """How many of the px around the framed object are white, a panel."""
    found: Any = viewer.page.locator(".stage canvas").evaluate_all(
        """(all) => all.map((canvas) => {
          const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          let white = 0;
          for (let i = 0; i < data.length; i += 4) white += data[i] + data[i + 1] + data[i + 2] === 765;
          return white;
        })"""
    )
    return [int(n) for n in found]


def test_the_view_goes_to_the_framed_object_and_outlines_it(viewer: Watched) -> None:
    viewer.open("?tile=tile_3")
    whole, plain = zoom(viewer), white_corners(viewer)
    viewer.open(f"?tile=tile_3&frame=tile_3:{','.join(map(str, BOX))}")
    framed = zoom(viewer)
    assert framed > 1.3 * whole
    outlined = white_corners(viewer)
    assert all(after > before + 100 for before, after in zip(plain, outlined, strict=True)), "on every panel"
    stage = viewer.page.locator(".stage").nth(1).bounding_box()
    assert stage is not None
    viewer.page.mouse.move(stage["x"] + stage["width"] / 2, stage["y"] + stage["height"] / 2)
    said = viewer.page.locator("[data-part=read-out]").inner_text()
    middle = [(BOX[0] + BOX[2]) // 2, (BOX[1] + BOX[3]) // 2]
    assert f"row {middle[0]}, column {middle[1]}" in said

    viewer.page.mouse.move(5, 5)
    viewer.page.keyboard.press("z")
    viewer.settle()
    assert zoom(viewer) == whole
    viewer.page.keyboard.press("z")
    viewer.settle()
    assert zoom(viewer) == framed
    assert viewer.page.get_by_role("button", name="Framed object").get_attribute("aria-pressed") == "true"


def test_the_users_zoom_stays_until_there_is_another_object(viewer: Watched) -> None:
    viewer.open(f"?tile=tile_3&frame=tile_3:{','.join(map(str, BOX))}")
    viewer.page.keyboard.press("+")
    viewer.settle()
    own = zoom(viewer)
    viewer.page.get_by_role("button", name="Again").click()
    viewer.page.wait_for_timeout(500)
    viewer.settle()
    assert zoom(viewer) == own
    viewer.page.get_by_label("Field").fill("tile_3:2,2,60,60")
    viewer.page.get_by_label("Field").press("Enter")
    viewer.page.get_by_role("button", name="Frame it").click()
    viewer.page.wait_for_function(
        f"(own) => {FIND}.querySelector('[data-part=zoom-fit]').textContent !== own", arg=f"{own} %"
    )
    viewer.settle()
    assert zoom(viewer) < own
    viewer.page.keyboard.press("ArrowRight")  # this tile has none: it is shown whole
    viewer.settle("tile_4")
    viewer.page.wait_for_timeout(200)
    stage = viewer.page.locator(".stage").first.bounding_box()
    assert stage is not None
    assert abs(zoom(viewer) - 100 * min(stage["width"], stage["height"]) / SIDE) <= 1
    assert viewer.page.locator("[data-part=frame]").is_hidden()


FIND = """((root) => { const find = (r) => r.querySelector(".viewer") ?? [...r.querySelectorAll("*")]
  .map((e) => e.shadowRoot && find(e.shadowRoot)).find(Boolean); return find(root); })(document)"""
