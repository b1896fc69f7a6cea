"""A recorded exception prints as the interpreter printed it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from unmeta.kb.runs import SITE_PACKAGES, Observation, traceback_text

SCRIPTS = {
    "plain": "import fakelib\n\nfakelib.fail()\n",
    "cause": "import fakelib\n\n\ndef load():\n    fakelib.wrap()\n\n\nload()\n",
    "context": "import fakelib\n\ntry:\n    fakelib.fail()\nexcept NotImplementedError:\n    {}['key']\n",
    "suppressed": (
        "import fakelib\n\ntry:\n    fakelib.fail()\nexcept Exception:\n    raise KeyError('x') from None\n"
    ),
    "no text": "import fakelib\n\nfakelib.fail('')\n",
    "several lines": "import fakelib\n\nfakelib.fail('one\\ntwo')\n",
    "made at run time": "exec('import fakelib; fakelib.fail()')\n",
    "notes": (
        "import fakelib\n\ntry:\n    fakelib.fail()\nexcept NotImplementedError as error:\n"
        "    error.add_note('more')\n    raise\n"
    ),
}


@pytest.mark.parametrize("text", SCRIPTS.values(), ids=SCRIPTS)
def test_as_the_interpreter_prints_it(
    run: Callable[..., Observation], library: Path, tmp_path: Path, text: str
) -> None:
    script = tmp_path / "broken.py"
    script.write_text(text, encoding="utf-8")
    shown = subprocess.run(
        [sys.executable, str(script)],
        env={**os.environ, "PYTHONPATH": str(library)},
        capture_output=True,
        text=True,
        check=False,
    ).stderr
    # Marks under the code are the one thing that is not recorded.
    lines = [line for line in shown.splitlines() if not re.fullmatch(r"[\s~^]+", line)]
    expected = "\n".join(lines).replace(f"{library}/", SITE_PACKAGES).replace(f"{tmp_path}/", "")
    assert traceback_text(run(text).events[-1]) == expected
