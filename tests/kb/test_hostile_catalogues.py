"""A hostile or broken checkout is told with file, line and remedy; nothing outside of it is read."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from unmeta.kb import strict
from unmeta.kb.load import Catalogue, CatalogueError, load

GOOD = Path(__file__).resolve().parent.parent / "good"
CAUSE, SYMPTOM = "kb/causes/half-copied.yaml", "kb/symptoms/nothing-to-copy.yaml"
SNIPPET = "snippets/half-copied/broken.py"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return shutil.copytree(GOOD, tmp_path / "root")


@pytest.fixture(autouse=True)
def deadline() -> Iterator[None]:
    """A loader that waits for a pipe would wait for ever."""
    signal.alarm(30)
    yield
    signal.alarm(0)


def findings(root: Path) -> list[tuple[str, str, int]]:
    with pytest.raises(CatalogueError) as error:
        load(root)
    assert all(finding.remedy for finding in error.value.findings)
    return [(finding.rule, finding.path, finding.line) for finding in error.value.findings]


def change(root: Path, name: str, old: str, new: str) -> None:
    path = root / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.parametrize(
    "name",
    [
        CAUSE, SYMPTOM, SNIPPET, "kb/stacks.toml", "kb/noise.toml", "kb/reports.jsonl",
        "docs/assets/logo.svg", "docs/secret.md", "programs/x/main.py",
        "snippets/half-copied/notes.txt", "kb/causes/.hidden",
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["link", "folder link", "dead link", "pipe", "socket"])
def test_only_files_are_read(root: Path, tmp_path: Path, name: str, kind: str) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key").write_text("private")
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    if kind == "link":
        path.symlink_to(secret / "key")
    elif kind == "folder link":
        path.symlink_to(secret)
    elif kind == "dead link":
        path.symlink_to("nowhere")
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        here = Path.cwd()
        os.chdir(path.parent)  # names of sockets are short
        try:
            with socket.socket(socket.AF_UNIX) as server:
                server.bind(path.name)
        finally:
            os.chdir(here)
    assert findings(root) == [("not-a-file", name, 1)]


@pytest.mark.parametrize(
    "name", ["kb/causes", "kb/facts", "snippets", "snippets/half-copied", "docs", "programs"]
)
def test_a_folder_is_no_link(root: Path, tmp_path: Path, name: str) -> None:
    path = root / name
    if path.exists():
        path.rename(tmp_path / "elsewhere")
    (tmp_path / "elsewhere").mkdir(exist_ok=True)
    path.symlink_to(tmp_path / "elsewhere")
    assert ("not-a-file", name, 1) in findings(root)


def test_the_checkout_itself_may_be_a_link(root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(root)
    assert load(tmp_path / "link").causes


@pytest.mark.parametrize(
    "name",
    [
        "index", "con", "nul", "prn", "aux", "com1", "lpt9", "facts", "programs", "near-misses", "A", "ä",
        "a b", "-a", "a--b", "a-", "1a", "a.b", "a\nb", "x" * 61, "a;rm",
        "a%2e", "a\\b", "ｃon", "a\u202eb",
    ],
)  # fmt: skip
def test_a_name_that_is_no_id(root: Path, name: str) -> None:
    (root / CAUSE).rename(root / f"kb/causes/{name}.yaml")
    assert findings(root)[0][0] == "bad-id"


@pytest.mark.parametrize("alias", ["../../x", "con", "index", "a/b", "A", "/etc", "a\\b", ".."])
def test_an_alias_that_is_no_id(root: Path, alias: str) -> None:
    change(root, CAUSE, "aliases: [old-name]", f"aliases: ['{alias}']")
    assert [rule for rule, *_ in findings(root)] == ["bad-value"]


@pytest.mark.parametrize("key", ["snippet", "id"])
@pytest.mark.parametrize("name", ["../../../etc/passwd", "/etc/passwd", "..", "a/../b", "C:x"])
def test_no_path_leaves_its_folder(root: Path, key: str, name: str) -> None:
    change(
        root,
        CAUSE,
        "  - id: build-for-real",
        f"  - {key}: '{name}'\n    id: build-for-real" if key != "id" else f"  - id: '{name}'",
    )
    assert {rule for rule, *_ in findings(root)} <= {"bad-value", "unknown-key"}


@pytest.mark.parametrize(
    "name",
    ["half-copied/Broken.py", "half-copied/a b.py", "half-copied/deep/broken.py", "broken.py", "é/broken.py"],
)
def test_snippets_have_plain_names(root: Path, name: str) -> None:
    path = root / "snippets" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("'''x'''\n")
    assert findings(root) == [("stray-file", f"snippets/{name}", 1)]


@pytest.mark.parametrize(
    "sign", ["\x1b[31m", "\x00", "\x07", "\x0c", "\x85", "\x9b", "\u202e", "\u2066", "\u2028", "\u200f"]
)
@pytest.mark.parametrize("name", [CAUSE, SNIPPET, "kb/stacks.toml", "kb/noise.toml"])
def test_characters_that_steer_are_refused_everywhere(root: Path, name: str, sign: str) -> None:
    path = root / name
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    path.write_text(f"{text.rstrip()}\n# {sign}\n", encoding="utf-8", newline="")
    assert findings(root) == [("control-character", name, text.rstrip().count("\n") + 2)]


def test_line_endings_and_a_byte_order_mark_are_no_matter(root: Path) -> None:
    before = load(root)
    for name in (CAUSE, SNIPPET, "kb/stacks.toml"):
        text = (root / name).read_text(encoding="utf-8")
        (root / name).write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    after = load(root)
    assert after.causes == before.causes
    assert after.snippets == before.snippets


def test_reports_of_others_may_hold_line_separators_and_nothing_that_steers(root: Path) -> None:
    report = {"source": "a/b#1", "printed": "x\u2028y", "context": "z", "cause": "half-copied"}
    path = root / "kb/reports.jsonl"
    path.write_text(json.dumps(report, ensure_ascii=False) + "\n", encoding="utf-8")
    assert load(root).reports[0].printed == "x\u2028y"
    path.write_text(json.dumps(report | {"printed": "x\x1b[2J"}) + "\n", encoding="utf-8")
    assert findings(root) == [("control-character", "kb/reports.jsonl", 1)]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("kb/noise.toml", "noise = 5"), ("kb/noise.toml", "noise = [5]"), ("kb/noise.toml", "noise = 'x'"),
        ("kb/lookalikes.toml", "x = 5"), ("kb/lookalikes.toml", "[x]\nmessages = 5"),
        ("kb/lookalikes.toml", "[X]"), ("kb/lookalikes.toml", "[x]\nstrong = 'yes'"),
        ("kb/noise.toml", "nose = 5"),
        ("kb/noise.toml", "x = " + "[" * 5_000 + "]" * 5_000), ("kb/noise.toml", "[noise"),
        ("kb/stacks.toml", "x = " + "[" * 5_000 + "]" * 5_000), ("kb/stacks.toml", "x = 5"),
        ("kb/stacks.toml", "[reference]\npython = 5"), ("kb/stacks.toml", "[[reference]]"),
        ("kb/stacks.toml", "a." * 2_000 + "b = 1"), ("kb/stacks.toml", ""),
        ("kb/reports.jsonl", "5"), ("kb/reports.jsonl", "[" * 100_000), ("kb/reports.jsonl", "{}"),
        ("kb/reports.jsonl", "\n"), ("kb/reports.jsonl", '{"source": []}'), ("kb/reports.jsonl", "{" * 9),
        (CAUSE, "[]"), (CAUSE, "5"), (CAUSE, ""), (CAUSE, "a"), (CAUSE, "symptoms: 5"), (CAUSE, "fixes: {}"),
        (CAUSE, "applies: torch>=2.1"), (CAUSE, "needs: [1]"), (CAUSE, "null: 1"), (CAUSE, "1: 1"),
        (SYMPTOM, "messages: []"), (SYMPTOM, "kind: 5"), (SYMPTOM, "messages: {a: {text: {}}}"),
    ],
    ids=lambda text: re.sub(r"\W+", "-", text[:24]),  # tools name tests by these, and stumble over brackets
)  # fmt: skip
def test_nothing_that_a_file_holds_is_a_traceback(root: Path, name: str, text: str) -> None:
    (root / name).write_text(text)
    assert findings(root)[0][1] == name


@pytest.mark.parametrize("name", ["kb/stacks.toml", "kb/noise.toml", SNIPPET, CAUSE])
def test_huge_files_are_not_read(root: Path, name: str) -> None:
    (root / name).write_text("# " + "x" * 400_000)
    assert findings(root)[0][:2] == ("too-large", name)


def test_a_file_that_may_not_be_read(root: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may read everything")
    (root / CAUSE).chmod(0)
    assert findings(root) == [("unreadable", CAUSE, 1)]


@pytest.fixture(params=[yaml.SafeLoader, getattr(yaml, "CSafeLoader", yaml.SafeLoader)])
def loaded(request: pytest.FixtureRequest, root: Path, monkeypatch: pytest.MonkeyPatch) -> Catalogue:
    """The catalogue with values that YAML would take for something else."""
    parse = strict.parse
    monkeypatch.setattr("unmeta.kb.load.parse", lambda text, name: parse(text, name, request.param))
    change(
        root, SYMPTOM, "  bare: Cannot copy out of meta tensor; no data!",
        "  bare: {text: Cannot copy out of meta tensor; no data!, since: {torch: 2.10}, "
        "until: {torch: 5}, unseen: null}",
    )  # fmt: skip
    change(root, CAUSE, "area: torch", "area: torch\nneeds: {processes: 2}\nunproved: ~\nupstream: yes")
    return load(root)


def test_values_are_what_they_look_like_with_either_loader(loaded: Catalogue) -> None:
    wording = loaded.symptoms["nothing-to-copy"].messages["bare"]
    assert (wording.since, wording.until, wording.unseen) == ({"torch": "2.10"}, {"torch": "5"}, None)
    cause = loaded.causes["half-copied"]
    assert (cause.needs.processes, cause.unproved, cause.upstream) == (2, None, "yes")
