"""The house keeps its shape: rooms depend one way, reader-facing paths stay light, names stay out."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import unmeta

ROOMS = ["kb", "match", "verify", "site"]
HEAVY = {"torch", "yaml", "pydantic", "transformers", "accelerate", "jinja2", "rich", "packaging", "mkdocs"}
SRC = Path(__file__).resolve().parent.parent / "src" / "unmeta"


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {node.module or ""} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_depend_one_way(room: str) -> None:
    later = [*ROOMS[ROOMS.index(room) + 1 :], "cli"]
    for path in (SRC / room).rglob("*.py"):
        wrong = {name for name in imports(path) if any(name.startswith(f"unmeta.{other}") for other in later)}
        assert not wrong, f"{path.relative_to(SRC)} reaches into {wrong}"


@pytest.mark.parametrize(
    "code", ["import unmeta; unmeta.explain('Cannot copy out of meta tensor; no data!')"]
)
def test_explaining_imports_nothing_heavy(code: str, tmp_path: Path) -> None:
    unmeta.explain("")  # compiles the index of a fresh checkout, which takes the packages of the group kb
    program = f"{code}\nimport sys; print(*sorted({HEAVY!r} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout.split() == []


def test_actions_are_pinned_by_hash(root: Path) -> None:
    for path in (root / ".github" / "workflows").glob("*.yml"):
        for line in path.read_text(encoding="utf-8").splitlines():
            name, _, reference = line.partition("uses: ")[2].partition("@")
            if name and not name.startswith("./"):
                assert len(reference.split()[0]) == 40, f"{path.name}: {line.strip()}"


def test_pull_requests_get_a_read_only_token(root: Path) -> None:
    import yaml

    for path in (root / ".github" / "workflows").glob("*.yml"):
        workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert workflow["permissions"] == {"contents": "read"}, path.name
        if "pull_request" in (workflow.get(True) or {}):
            for name, job in workflow["jobs"].items():
                assert "permissions" not in job, f"{path.name}: {name}"


def test_the_gate_runs_the_command_of_the_readme(root: Path) -> None:
    assert "\n$ nox\n" in (root / "README.md").read_text(encoding="utf-8")
    assert "README.md" in (root / ".ci" / "run").read_text(encoding="utf-8")


def test_no_recorded_run_names_a_place_of_the_machine_that_ran_it(root: Path) -> None:
    for path in (root / "kb" / "runs").glob("*.json"):
        text = path.read_text(encoding="utf-8")
        assert str(root) not in text, path.name
        assert "unmeta/verify" not in text, path.name
