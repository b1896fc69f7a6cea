"""A real Chromium and the built site, served over http and opened from the disk."""

from __future__ import annotations

import functools
import http.server
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from chrome import Served, Tab, watch
from playwright.sync_api import Browser, sync_playwright
from sitebuild import Build, built

__all__ = ["built"]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = next((found for name in NAMES if (found := shutil.which(name))), None)
    if path is None:
        pytest.fail("no Chromium here; browser tests need it: apt-get install chromium")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@contextmanager
def _served(folder: Path) -> Iterator[Served]:
    handler = functools.partial(_Quiet, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield Served(f"http://127.0.0.1:{server.server_port}/", "http")
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def over_http(built: Build) -> Iterator[Served]:
    with _served(built("online")) as served:
        yield served


@pytest.fixture(scope="session")
def hostile(built: Build) -> Iterator[Served]:
    """The site whose every text tries to run something."""
    with _served(built("hostile")) as served:
        yield served


@pytest.fixture(scope="session")
def from_disk(built: Build) -> Served:
    return Served(built("offline").as_uri() + "/", "file")


@pytest.fixture(params=["http", "file"])
def site(request: pytest.FixtureRequest) -> Served:
    served = request.getfixturevalue("over_http" if request.param == "http" else "from_disk")
    assert isinstance(served, Served)
    return served


@pytest.fixture
def tab(browser: Browser) -> Iterator[Tab]:
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    context.set_default_timeout(10_000)
    yield watch(context)
    context.close()
