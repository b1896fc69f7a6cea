"""The house keeps its shape: rooms depend one way, reader-facing paths stay light, names stay out."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import unmeta
from unmeta.kb import entries
from unmeta.match.likely import entries_of

HEAVY = {"torch", "yaml", "pydantic", "transformers", "accelerate", "jinja2", "rich", "packaging", "mkdocs"}
SRC = Path(__file__).resolve().parent.parent / "src" / "unmeta"
MAY_KNOW = {  # the table of docs/design.md
    "kb": set(),
    "match": {"kb"},
    "verify": {"kb", "match"},
    "site": {"kb", "match", "verify"},
    "live": {"kb", "match", "scan"},
    "scan": set(),
    "assist": {"kb", "match", "scan"},
    "train": {"kb", "match"},
    "cli": {"kb", "match", "verify", "site", "live", "scan", "assist", "train"},
}
BESIDE = {"address", "checkout", "terminal"}  # modules that know no room, for all to use
OWN_NAME = re.compile(r"unmeta(\.\w+)+")


def reached(path: Path) -> set[str]:
    """The rooms and modules of the package that a file names, however it imports them."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path.relative_to(SRC)}:{node.lineno}: write the whole name"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found |= {node.value} if OWN_NAME.fullmatch(node.value) else set()
        elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
            found.add(str(node.values[0].value))  # as in import_module(f"unmeta.cli.{name}")
    names = {name.split(".")[1] for name in found if name.startswith("unmeta.")}
    lazy = dict.fromkeys(unmeta.__all__, "live")  # what the package itself hands on
    return {lazy.get(name, name) for name in names if not name.startswith("__")}


def modules(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def test_every_room_is_in_the_table_and_in_the_document(root: Path) -> None:
    text = (root / "docs" / "design.md").read_text(encoding="utf-8")
    rooms = {path.name for path in SRC.iterdir() if (path / "__init__.py").is_file()}
    assert rooms <= MAY_KNOW.keys()
    assert {path.stem for path in SRC.glob("*.py")} == {"__init__", "__main__", *BESIDE}
    for room in rooms:
        assert f"\n| `{room}` |" in text, room


@pytest.mark.parametrize("room", MAY_KNOW)
def test_rooms_know_what_the_document_says(room: str) -> None:
    for path in modules(SRC / room):
        wrong = reached(path) - {room, *MAY_KNOW[room], *BESIDE}
        assert not wrong, f"{path.relative_to(SRC)} reaches into {wrong}"


def named(path: Path, known: set[str]) -> set[str]:
    """The modules of the package that a file imports, only for its types as well."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                found.add(whole if whole in known else str(node.module))
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found & known


def test_no_two_modules_need_each_other() -> None:
    """Nor more of them in a circle: each step takes away the modules that need none of those left."""
    files = {
        ".".join(("unmeta", *path.relative_to(SRC).with_suffix("").parts)).removesuffix(".__init__"): path
        for path in modules(SRC)
    }
    left = {name: named(path, set(files)) - {name} for name, path in files.items()}
    while free := {name for name, needed in left.items() if not needed & left.keys()}:
        left = {name: needed for name, needed in left.items() if name not in free}
    assert not left


def test_what_stands_beside_the_rooms_knows_none() -> None:
    for name in BESIDE:
        assert reached(SRC / f"{name}.py") <= BESIDE


def test_a_crossing_is_found_however_it_is_written(tmp_path: Path) -> None:
    for text in (
        "import unmeta.cli.door",
        "from unmeta.cli import door",
        "from unmeta import cli",
        "def f():\n    from unmeta.cli.door import OK",
        "import importlib\nimportlib.import_module('unmeta.cli.door')",
        "import importlib\nimportlib.import_module(f'unmeta.cli.{name}')",
    ):
        path = tmp_path / "module.py"
        path.write_text(text)
        assert reached(path) == {"cli"}, text


def types(text: str) -> set[str]:
    """The classes of a module, and the names that it gives to other types."""
    tree = ast.parse(text)
    classes = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    bound = {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and re.fullmatch(r"[A-Z]\w*[a-z]\w*", target.id)
    }
    return classes | bound


def test_no_type_has_the_name_of_another() -> None:
    homes: dict[str, list[str]] = {}
    for path in modules(SRC):
        for name in types(path.read_text(encoding="utf-8")):
            homes.setdefault(name, []).append(str(path.relative_to(SRC)))
    assert {name: found for name, found in homes.items() if len(found) > 1} == {}


def test_types_are_found_wherever_they_stand() -> None:
    text = """
class Outer:
    class Inner: ...
if TYPE_CHECKING:
    Alias = dict[str, int]
def f():
    class Local: ...
    value = Shown
MANY = 3
"""
    assert types(text) == {"Outer", "Inner", "Alias", "Local"}


def test_each_command_is_a_module() -> None:
    from unmeta.cli import COMMANDS, QUICK

    for name in COMMANDS:
        module = importlib.import_module(f"unmeta.cli.{name}")
        assert callable(module.run)
        assert callable(module.arguments)
        assert module.SAYS.endswith(".")
        assert hasattr(module, "quick") == (name in QUICK)


@pytest.mark.parametrize(
    ("code", "rooms"),
    [
        ("import unmeta", set()),
        (
            "import unmeta; unmeta.explain('Cannot copy out of meta tensor; no data!')",
            {"live", "match", "kb"},
        ),
        ("from unmeta.cli import main; main(['explain', 'paste.txt'])", {"cli", "match", "kb"}),
        ("from unmeta.cli import main; main(['show', 'no-data-to-copy'])", {"cli", "kb", "match"}),
    ],
)
def test_what_readers_start_loads_nothing_heavy(code: str, rooms: set[str], tmp_path: Path) -> None:
    # Both compile what a fresh checkout lacks, which takes the packages of the group kb.
    unmeta.explain("")
    entries.load(entries_of)
    (tmp_path / "paste.txt").write_text("Cannot copy out of meta tensor; no data!")
    program = (
        f"{code}\nimport sys\nprint('loaded', *sorted({HEAVY | {'argparse'}!r} & set(sys.modules)))\n"
        "print('rooms', *sorted({n.split('.')[1] for n in sys.modules if n.startswith('unmeta.')}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert "\nloaded\n" in "\n" + done.stdout
    assert set(done.stdout.splitlines()[-1].split()[1:]) <= rooms | BESIDE


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
    for path in (root / "kb" / "runs").rglob("*.json"):
        text = path.read_text(encoding="utf-8")
        assert str(root) not in text, path.name
        assert "unmeta/verify" not in text, path.name
