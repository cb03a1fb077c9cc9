"""A real server and a real browser, which watch that nothing leaves the machine and nothing goes wrong unseen."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

PROJECT = Path(__file__).resolve().parents[2]
# On a page below the root, Streamlit's browser side first looks for the server there, and then at the root.
PROBES = ("/_stcore/health", "/_stcore/host-config")


@dataclass
class Watched:
    """A page, and what it did that it should not."""

    page: Page
    strange: list[str] = field(default_factory=list)

    def settle(self, milliseconds: int = 600) -> None:
        """Wait until the script has run."""
        self.page.wait_for_timeout(200)
        self.page.wait_for_function("!document.querySelector('[data-testid=stStatusWidget]')", timeout=60_000)
        self.page.wait_for_timeout(milliseconds)


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[[str], Watched]]:
    """Opens an address in a browser of its own."""
    contexts = []

    def open_it(url: str) -> Watched:
        context = browser.new_context(viewport={"width": 1440, "height": 900}, accept_downloads=True)
        contexts.append(context)
        watched = Watched(context.new_page())
        page = watched.page

        def on_request(url: str) -> None:
            if not url.startswith(("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:")):
                watched.strange.append(f"request: {url}")

        page.on("request", lambda request: on_request(request.url))
        page.on("pageerror", lambda error: watched.strange.append(f"page error: {error}"))
        page.on(
            "console",
            lambda message: (
                watched.strange.append(f"console: {message.text} {message.location}")
                if message.type == "error" and not message.location.get("url", "").endswith(PROBES)
                else None
            ),
        )
        page.goto(url)
        return watched

    yield open_it
    for context in contexts:
        context.close()


@contextmanager
def serving(script: str = "streamlit_app.py", **environment: str) -> Iterator[str]:
    """A server that no one has visited; gives its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", script]
    command += ["--server.headless", "true", "--server.port", str(port), "--server.fileWatcherType", "none"]
    server = subprocess.Popen(
        command,
        cwd=PROJECT,
        env={**os.environ, "PYTHONPATH": str(PROJECT), **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_for(f"http://127.0.0.1:{port}/_stcore/health")
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(timeout=30)


def _wait_for(url: str) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the server did not start")
