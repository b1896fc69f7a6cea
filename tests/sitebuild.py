"""Build the real site once in a test run, however many workers and folders of tests use it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

Build = Callable[[str], Path]
PATIENCE = 300
ROOT = Path(__file__).resolve().parents[1]


def build(kind: str, out: Path) -> None:
    """Build the project's site, `online` or `offline`; strict, so that every warning is an error.

    `hostile` is a small one whose every text tries to run something, see `hostile.py`.
    """
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "OFFLINE": str(kind == "offline").lower()}
    for name in ("SITE_URL", "REPO_URL", "EDIT_URI"):
        environment.pop(name, None)
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(out)]
    if kind == "hostile":
        command = [sys.executable, str(ROOT / "tests" / "hostile.py"), str(out)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} failed\n{done.stdout}\n{done.stderr}")


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """A function from `online`, `offline` or `hostile` to the folder of that build."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent

    def folder(kind: str) -> Path:
        site, failed = shared / f"site-{kind}", shared / f"site-{kind}.failed"
        try:
            (shared / f"site-{kind}.lock").mkdir()
        except FileExistsError:
            end = time.monotonic() + PATIENCE
            while not site.is_dir():
                if failed.exists() or time.monotonic() > end:
                    pytest.fail(f"the {kind} site could not be built: see the first failure")
                time.sleep(0.2)
            return site
        try:
            build(kind, shared / f"site-{kind}.part")
        except RuntimeError:
            failed.touch()
            raise
        (shared / f"site-{kind}.part").rename(site)
        return site

    return folder
