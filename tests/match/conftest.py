"""Shared by the tests of the matcher: the forms of a traceback, and a browser stand-in."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def index():
    """The index of this checkout, as it travels: through JSON."""
    from unmeta.match.compile import compile_root, to_json

    return json.loads(to_json(compile_root(ROOT)))


@pytest.fixture(scope="session")
def matcher(index):
    """The Python matcher of this checkout's index."""
    from unmeta.match.score import Matcher

    return Matcher(index)


@pytest.fixture(scope="session")
def browser(index):
    """What matcher.js answers to a list of texts (or of (text, answers)), run by node."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")

    def run(texts, read=False):
        asked = [text if isinstance(text, tuple) else (text, {}) for text in texts]
        lines = [
            json.dumps(index),
            *(json.dumps({"text": text, "answers": told, "read": read}) for text, told in asked),
        ]
        script = ROOT / "docs" / "assets" / "javascripts" / "matcher.js"
        done = subprocess.run(
            [node, str(Path(__file__).with_name("browser.js")), str(script)],
            input="\n".join(lines) + "\n", capture_output=True, text=True, encoding="utf-8", check=True,
        )  # fmt: skip
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run
