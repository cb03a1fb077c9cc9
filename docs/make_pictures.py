"""``python -m docs.make_pictures``: screenshots of every page for the documentation, of the demo, in a real browser."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

PROJECT = Path(__file__).resolve().parents[1]
PICTURES = PROJECT / "docs" / "pictures"
PAGES = {
    "data": "data?",
    "overview": "overview?",
    "worst-tiles": "worst_tiles?",
    "gallery": "worst_tiles?show=gallery&rank=metric&cls=road&",
    "small-and-narrow": "small_and_narrow?",
}
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
RUN = "Texture and context@Demo land cover"


def main() -> None:
    """Make and score the demo, start the app, take the pictures."""
    work = Path(tempfile.gettempdir()) / "orthoscope"
    environment = os.environ | {"ORTHOSCOPE_CACHE": str(work / "cache")}
    workspace = work / "demo" / "workspace.toml"
    for command in (["demo", str(work / "demo")], ["score", str(workspace)]):
        subprocess.run([sys.executable, "-m", "analysis", *command], cwd=PROJECT, env=environment, check=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", "streamlit_app.py", "--server.port", str(port)]
        + ["--server.headless", "true", "--", "--workspace", str(workspace)],
        cwd=PROJECT,
        env=environment,
    )
    try:
        _wait(port)
        PICTURES.mkdir(exist_ok=True)
        with sync_playwright() as playwright:
            executable = next(filter(None, map(shutil.which, BROWSERS)), None)
            browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
            for scheme in ("light", "dark"):
                context = browser.new_context(viewport={"width": 1280, "height": 860}, color_scheme=scheme)
                page = context.new_page()
                for name, path in PAGES.items():
                    _take(page, f"http://127.0.0.1:{port}/{path}run={RUN}", name, scheme)
    finally:
        server.terminate()


def _wait(port: int) -> None:
    for _ in range(200):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1)
            return
        except OSError:
            time.sleep(0.1)
    sys.exit("The app did not start.")


def _take(page: Page, address: str, name: str, scheme: str) -> None:
    page.goto(address)
    page.wait_for_selector("h1, h3", timeout=60_000)
    page.wait_for_timeout(6000)
    ending = "" if scheme == "light" else "-dark"
    page.screenshot(path=PICTURES / f"{name}{ending}.png")


if __name__ == "__main__":
    main()
