"""`pytest --unmeta`: a section under the failed test, and nothing else changes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

TESTS = """
import pytest, torch
from torch import nn

def test_moves():
    with torch.device("meta"):
        net = nn.Linear(2, 2)
    net.to("cpu")

def test_other():
    raise ValueError("device 3 is not there")

@pytest.mark.xfail(strict=True)
def test_expected():
    torch.ones(1, device="meta").item()

def test_passes():
    pass
"""


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_app.py").write_text(TESTS)
    plugin = ["-p", "unmeta.live.pytest_plugin", "-p", "no:cacheprovider", "-q"]
    env = {**os.environ, "PYTEST_ADDOPTS": ""}
    command = [sys.executable, "-m", "pytest", *plugin, *words, "test_app.py"]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)


def test_a_failed_test_gets_a_section_and_the_run_its_own_end(tmp_path: Path) -> None:
    plain, told = run(tmp_path), run(tmp_path, "--unmeta")
    assert plain.returncode == told.returncode == 1
    assert "2 failed, 1 passed, 1 xfailed" in plain.stdout
    assert "2 failed, 1 passed, 1 xfailed" in told.stdout
    assert "-- unmeta --" not in plain.stdout
    assert told.stdout.count("-- unmeta --") == 1
    section = told.stdout.split("-- unmeta --")[1]
    assert "net.load_state_dict(state_dict, assign=True)" in section
    # Apart from the section the output is the same.
    known = {_timeless(line) for line in plain.stdout.splitlines()}
    before, after = told.stdout.split("-- unmeta --")
    assert {_timeless(line) for line in before.splitlines()[:-1]} <= known
    failures = [line for line in after.splitlines() if line.startswith("FAILED")]
    assert failures == [line for line in plain.stdout.splitlines() if line.startswith("FAILED")]


def _timeless(line: str) -> str:
    return re.sub(r"\d+\.\d+s|0x[0-9a-f]+", "", line)
