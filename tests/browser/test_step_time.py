"""What a step to the next tile costs, beside an empty rerun of Streamlit, measured in turns in one browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from statistics import median

from analysis import open_workspace
from tests.browser.conftest import Watched, serving
from tests.datasets import land_cover

ROUNDS = 9
STEP = """async () => {
  const found = (root) => root.querySelector(".viewer") ?? [...root.querySelectorAll("*")]
    .map((e) => e.shadowRoot && found(e.shadowRoot)).find(Boolean);
  const viewer = found(document), was = viewer.dataset.tile;
  const frame = () => new Promise((go) => requestAnimationFrame(go));
  const start = performance.now();
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true }));
  while (viewer.dataset.tile === was) await frame();
  const seen = performance.now() - start;
  while (viewer.dataset.state !== "ready") await frame();
  return [seen, performance.now() - start];
}"""
RERUN = """async (name) => {
  const texts = () => [...document.querySelectorAll("p")].map((p) => p.textContent);
  const text = () => texts().find((t) => t.startsWith(`${name}-`));
  const button = [...document.querySelectorAll("button")].find((b) => b.textContent.trim() === name);
  const was = text();
  const start = performance.now();
  button.click();
  while (text() === was) await new Promise((go) => requestAnimationFrame(go));
  return performance.now() - start;
}"""


def test_a_step_is_seen_at_once_and_answered_soon(
    tmp_path: Path, own_cache: Path, open_page: Callable[[str], Watched]
) -> None:
    workspace = land_cover(tmp_path / "d", 24, size=512, distinct=24)
    open_workspace(workspace).runs[0].score(workers=1)
    own = {"ORTHOSCOPE_WORKSPACE": str(workspace), "ORTHOSCOPE_CACHE": str(own_cache)}
    with serving(**own) as address, serving(script="tests/browser/empty_app.py", **own) as nothing:
        empty, worst = open_page(nothing).page, open_page(f"{address}/worst_tiles").page
        empty.get_by_role("button", name="full").wait_for(timeout=60_000)
        worst.wait_for_selector(".viewer[data-state=ready]", timeout=60_000)
        times: dict[str, list[float]] = {"full": [], "part": [], "seen": [], "answered": []}
        for _ in range(ROUNDS):
            empty.bring_to_front()
            for kind in ("full", "part"):
                times[kind].append(empty.evaluate(RERUN, kind))
            worst.bring_to_front()
            worst.wait_for_timeout(200)
            seen, answered = worst.evaluate(STEP)
            times["seen"].append(seen)
            times["answered"].append(answered)
    middle = {name: median(found) for name, found in times.items()}
    assert middle["seen"] < 0.6 * middle["full"], middle  # a frame or two; the rest is what a busy machine adds
    # Aimed at, and met on a quiet machine: 1.5 times. A machine that does other things as well gets some air.
    assert middle["answered"] < 2 * max(middle["full"], middle["part"]), middle
