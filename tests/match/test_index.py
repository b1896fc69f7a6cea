"""Where the index comes from: the packaged file, and a checkout that compiles when entries change."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from unmeta.match import explain, index


@pytest.fixture
def copy(tmp_path, root):
    """A checkout of its own with the tiny good catalogue; the package runs from it."""
    shutil.copytree(
        root / "src", tmp_path / "src", ignore=shutil.ignore_patterns("index.json", "__pycache__")
    )
    for folder in ("kb", "snippets"):
        shutil.copytree(root / "tests" / "good" / folder, tmp_path / folder)
    shutil.copy(root / "kb" / "grammar.yaml", tmp_path / "kb")
    return tmp_path


def run(folder, code):
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(folder / "src")}, cwd=folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


STATE = "from unmeta.match import index; i = index.load(); print(len(i['causes']), i['stamp'])"


def test_a_checkout_compiles_once_and_again_after_a_change(copy):
    first = run(copy, STATE)
    packaged = copy / "src" / "unmeta" / "match" / "index.json"
    written = packaged.stat().st_mtime_ns
    assert run(copy, STATE) == first
    assert packaged.stat().st_mtime_ns == written
    cause = next((copy / "kb" / "causes").glob("*.yaml"))
    cause.write_text(cause.read_text("utf-8").replace("title:", "title: Changed —", 1), "utf-8")
    assert run(copy, STATE) != first
    assert "Changed" in json.loads(packaged.read_text("ascii"))["causes"][0]["title"]


def test_a_broken_entry_leaves_the_last_index_in_service(copy):
    first = run(copy, STATE)
    (copy / "kb" / "causes" / "broken.yaml").write_text("title: [", "utf-8")
    assert run(copy, STATE) == first


def test_a_wheel_without_its_index_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(index, "PACKAGED", str(tmp_path / "index.json"))
    monkeypatch.setattr(index, "checkout", lambda: None)
    with pytest.raises(FileNotFoundError, match="reinstall"):
        index.load()


def test_explain_reads_an_exception_and_what_is_loaded():
    try:
        raise NotImplementedError("Cannot copy out of meta tensor; no data!")
    except NotImplementedError as error:
        answer = explain(error)
    assert answer.known
    assert answer.symptoms == ["no-data-to-copy"]


def test_the_runtime_imports_nothing_heavy(copy):
    run(copy, "import unmeta.match as m; m.explain('on meta')")  # compiles what a fresh checkout lacks
    code = (
        "import sys; before = set(sys.modules); import unmeta.match as m; m.explain('on meta')\n"
        "print(*sorted({name.partition('.')[0] for name in set(sys.modules) - before}))"
    )
    loaded = set(run(copy, code).split())
    assert "unmeta" in loaded
    assert not loaded & {"torch", "pydantic", "yaml", "typing", "pathlib", "dataclasses", "packaging", "rich"}
