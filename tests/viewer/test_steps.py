"""Steps from tile to tile in Chromium: none is lost, zoom and settings last, nothing is left behind."""

from __future__ import annotations

import itertools

from tests.viewer.watched import NAMES, TILES, Watched


def test_arrow_keys_step_and_ten_quick_ones_are_all_counted(viewer: Watched) -> None:
    viewer.open("?tile=tile_0")
    viewer.page.keyboard.press("ArrowRight")
    viewer.page.wait_for_selector('.viewer[data-tile="tile_1"]', timeout=5000)
    viewer.settle("tile_1")
    for _ in range(10):
        viewer.page.keyboard.press("ArrowRight")
    viewer.settle("tile_11")
    assert "tile=tile_11" in viewer.page.url
    assert viewer.page.locator("[data-part=forth]").is_disabled()
    for key in ["ArrowRight"] * 3 + ["ArrowLeft"] * 12 + ["ArrowRight"] * 2:  # over both ends, and back
        viewer.page.keyboard.press(key)
    viewer.settle("tile_2")
    assert viewer.page.locator("[data-part=title]").inner_text() == "<i>tile_2</i> **b**"
    assert viewer.page.locator("[data-part=place]").inner_text() == "3 of 12"


def test_keys_typed_into_a_field_are_the_fields(viewer: Watched) -> None:
    viewer.open("?tile=tile_3")
    viewer.page.get_by_label("Field").click()
    viewer.page.keyboard.type("1b+e?")
    viewer.page.keyboard.press("ArrowLeft")
    assert viewer.shown() == "tile_3"
    assert viewer.page.get_by_label("Field").input_value() == "1b+e?"
    assert viewer.page.locator("[data-part=help]").is_hidden()
    assert viewer.page.locator(".chip[aria-pressed=true]").count() == len(NAMES)


def test_zoom_and_settings_outlast_steps_and_reruns(viewer: Watched) -> None:
    viewer.open("?tile=tile_6")
    viewer.page.keyboard.press("p")
    viewer.page.keyboard.press("2")
    viewer.point(1, 20, 20)
    viewer.page.mouse.wheel(0, -300)
    viewer.settle()
    zoom = viewer.page.locator("[data-part=zoom-fit]").inner_text()
    viewer.page.get_by_role("button", name="Again").click()
    viewer.page.wait_for_timeout(400)
    viewer.page.keyboard.press("ArrowRight")
    viewer.settle("tile_7")
    assert viewer.page.locator("[data-part=zoom-fit]").inner_text() == zoom
    viewer.page.mouse.move(5, 5)
    viewer.page.keyboard.press("0")
    viewer.settle()
    assert viewer.page.locator("[data-part=zoom-fit]").inner_text() != zoom
    viewer.page.reload()
    viewer.page.wait_for_selector(".viewer[data-tile]", timeout=20_000)
    assert viewer.page.locator("[data-part=over]").input_value() == "prediction"
    assert viewer.page.locator(".chip").nth(1).get_attribute("aria-pressed") == "false"


# Bursts of five steps, to and fro, and back to the first tile; the most bitmaps held on the way, and the heap.
STEPS = """async ([count, tiles]) => {
  const found = (root) => root.querySelector(".viewer") ?? [...root.querySelectorAll("*")]
    .map((e) => e.shadowRoot && found(e.shadowRoot)).find(Boolean);
  const viewer = found(document), frame = () => new Promise((go) => requestAnimationFrame(go));
  let at = 0, by = 1, most = 0;
  const burst = async (length) => {
    for (let i = 0; i < length; i++) {
      at += by;
      const key = by > 0 ? "ArrowRight" : "ArrowLeft";
      document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    }
    const end = performance.now() + 8000;
    while (viewer.dataset.tile !== `tile_${at}` || viewer.dataset.state !== "ready") {
      if (performance.now() > end) throw new Error(`not at ${at}: ${viewer.dataset.tile}, ${viewer.dataset.state}`);
      most = Math.max(most, Number(viewer.dataset.bitmaps));
      await frame();
    }
  };
  for (let step = 0; step < count; step += 5) {
    if (at + 5 * by < 0 || at + 5 * by >= tiles) by = -by;
    await burst(5);
  }
  by = -1;
  if (at) await burst(at);
  gc();
  return [most, performance.memory.usedJSHeapSize];
}"""


def test_five_hundred_steps_leave_nothing_behind(viewer: Watched) -> None:
    viewer.open("?tile=tile_0")
    viewer.page.evaluate(STEPS, [20, TILES])
    held = []
    for _ in range(5):
        most, heap = viewer.page.evaluate(STEPS, [100, TILES])
        assert most <= 6  # images of three tiles, and of three that are coming
        held.append(heap)
    # What leaks grows in every round; what the browser and Streamlit keep for themselves comes and goes.
    growth = [after - before for before, after in itertools.pairwise(held)]
    assert min(growth) < 500_000, held
