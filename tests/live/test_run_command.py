"""`unmeta run`: what was run keeps its output, its exit code and its exception."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BROKEN = 'import torch\nnet = torch.nn.Linear(2, 2, device="meta")\nprint("before")\nnet.to("cpu")\n'


def run(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "unmeta", "run", *words], capture_output=True, text=True, cwd=cwd
    )


def test_a_script_fails_as_it_would_and_gets_its_note(tmp_path: Path) -> None:
    (tmp_path / "load.py").write_text(BROKEN)
    done = run("load.py", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "before\n")
    assert "unmeta/cli" not in done.stderr.replace("\\", "/")
    assert "Cannot copy out of meta tensor" in done.stderr
    assert "net.load_state_dict(state_dict, assign=True)" in done.stderr


@pytest.mark.parametrize(
    ("end", "code", "told"),
    [("", 0, ""), ("sys.exit(3)", 3, ""), ("sys.exit('no')", 1, "no\n"), ("print(sys.argv[1:])", 0, "")],
)
def test_a_script_ends_as_it_would(end: str, code: int, told: str, tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(f"import sys\n{end}\n")
    done = run("app.py", "--x", "1", cwd=tmp_path)
    assert done.returncode == code
    assert done.stderr == told
    if "argv" in end:
        assert done.stdout == "['--x', '1']\n"


def test_a_command_passes_its_output_and_code_through_and_is_explained(tmp_path: Path) -> None:
    (tmp_path / "load.py").write_text(BROKEN.replace("net.to", "import sys; net.to"))
    done = run("--", sys.executable, "load.py", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "before\n")
    assert "unmeta show" in done.stderr
    other = run("--", sys.executable, "-c", "raise SystemExit(7)", cwd=tmp_path)
    assert (other.returncode, other.stderr) == (7, "")


@pytest.mark.parametrize("words", [(), ("--", "no-such-program"), ("no-such.py",)])
def test_what_cannot_be_run_is_refused(words: tuple[str, ...], tmp_path: Path) -> None:
    done = run(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("unmeta: ")
    assert "Traceback" not in done.stderr
