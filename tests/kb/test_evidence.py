"""The files of runs are read as if anybody had written them, and a run counts only where nothing moved."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from unmeta.kb import evidence
from unmeta.kb.load import Catalogue, load
from unmeta.kb.runfiles import SMALL_FILE, key_of, path_of, render, render_sets, set_name
from unmeta.kb.runs import Event, Frame, Observation, Raised, Runs
from unmeta.kb.snippets import Role
from unmeta.verify.checks import all_findings

GOOD = Path(__file__).resolve().parent.parent / "good"
NOW = {"python": "3.11", "torch": "2.0"}
FRAMES = (Frame("broken.py", 3, "<module>", "x.to('cpu')", library=False), Frame("torch/x.py", 1, "to"))
EVENTS = (
    Event("warning", "UserWarning", "careful\x1b[31m\u2028", origin="torch/x.py", count=2),
    Event(
        "exception",
        "NotImplementedError",
        "no data!",
        chain=(Raised("NotImplementedError", "no data!", FRAMES),),
    ),
)
SEEN = Observation("a" * 12, "raised", False, EVENTS, date="2026-01-01", versions=NOW)
SIGHTINGS = {"broken.py": {"far": SEEN, "here": replace(SEEN, events=EVENTS[1:])}}


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """A checkout with one file of runs."""
    folder = tmp_path / "kb" / "runs"
    folder.mkdir(parents=True)
    (folder / "_versions.json").write_text(render_sets({set_name(NOW): NOW}), encoding="utf-8")
    (folder / "case.json").write_text(render(SIGHTINGS), encoding="utf-8")
    return tmp_path


def findings(root: Path) -> list[str]:
    _, found = evidence.read(root)
    assert {finding.rule for finding in found} <= {
        "bad-runs",
        "stray-file",
        "not-a-file",
        "unreadable",
        "too-large",
    }
    assert all(finding.remedy for finding in found)
    return [f"{finding.path}:{finding.line}: {finding.message}" for finding in sorted(found)]


@pytest.mark.parametrize(
    ("key", "file"),
    [
        ("case/broken.py", "case.json"),
        ("case/fix-a.py", "case.json"),
        ("case/broken-x.py", "case/broken-x.json"),
        ("facts/f.py", "facts/f.json"),
        ("programs/case/chat", "programs/case/chat.json"),
        ("programs/case/chat/repaired", "programs/case/chat.json"),
    ],
)
def test_every_key_has_its_place(key: str, file: str) -> None:
    path, name = path_of(key)
    assert path == file
    assert key_of(path, name) == key


def test_runs_stand_in_the_file_of_their_script(runs: Path) -> None:
    (runs / "kb/runs/case.json").write_text(render({"broken-x.py": SIGHTINGS["broken.py"]}), encoding="utf-8")
    assert findings(runs) == ["kb/runs/case.json:1: the runs of case/broken-x.py stand in case/broken-x.json"]


def test_a_file_too_large_to_be_reviewed_is_a_finding_and_still_read(runs: Path) -> None:
    assert evidence.large(runs) == []
    text = json.loads(render(SIGHTINGS))
    text["snippets"]["broken.py"]["runs"][0]["output"] = "x" * SMALL_FILE
    (runs / "kb/runs/case.json").write_text(json.dumps(text), encoding="utf-8")
    (found,) = evidence.large(runs)
    assert (found.path, found.rule) == ("kb/runs/case.json", "large-runs")
    assert "more than 120" in found.message
    assert set(evidence.load(runs)) == {"far", "here"}
    shutil.copytree(GOOD / "kb", runs / "kb", dirs_exist_ok=True)
    assert found in all_findings(runs)


def test_what_is_written_is_read(runs: Path) -> None:
    found = evidence.load(runs)
    assert found["far"] == Runs("far", "cpu", NOW, {"case/broken.py": replace(SEEN, versions={})})
    assert found["here"].snippets["case/broken.py"].events == EVENTS[1:]


def test_defaults_and_repetitions_are_left_out() -> None:
    text = render(SIGHTINGS)
    assert text.count("no data!") == 1
    assert not {"rank", "link", "note", "seconds", "peak_mb"} & set(text.replace('"', " ").split())


def spoilt(change: Callable[[dict[str, Any]], None]) -> str:
    data = json.loads(render(SIGHTINGS))
    change(data)
    return json.dumps(data, indent=1)


def event(data: dict[str, Any], at: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = data["snippets"]["broken.py"]["events"][at]
    return found


def run(data: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = data["snippets"]["broken.py"]["runs"][0]
    return found


SPOILT: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "an outcome that is none": (
        lambda d: run(d).update(outcome="<script>"),
        "runs[0].outcome: Input should be",
    ),
    "an outcome that is a list": (lambda d: run(d).update(outcome=[]), "runs[0].outcome: "),
    "no outcome": (lambda d: run(d).pop("outcome"), "runs[0].outcome: Field required"),
    "a negative count": (lambda d: event(d).update(count=-5), "events[0]: a count is at least 1"),
    "a count that is text": (lambda d: event(d).update(count="2"), "events[0].count: Input should be"),
    "a count that is true": (lambda d: event(d).update(count=True), "events[0].count: Input should be"),
    "a text that is a number": (lambda d: event(d).update(text=5), "events[0].text: Input should be"),
    "another key": (lambda d: event(d).update(html="x"), "events[0].html: Unexpected"),
    "no chain": (lambda d: event(d, 1).update(chain=[]), "events[1]: an exception has a chain"),
    "a line below zero": (
        lambda d: event(d, 1)["chain"][0]["frames"][0].update(line=-1),
        "events[1].chain: a line is at least 0",
    ),
    "a digest that is none": (lambda d: run(d).update(digest="../x"), "runs[0].digest: String should match"),
    "a day that is none": (
        lambda d: run(d)["seen"].update(far="2026-13-45"),
        "seen.far: '2026-13-45' is no day",
    ),
    "a stack that is a path": (
        lambda d: run(d)["seen"].update({"../x": ""}),
        "seen.../x.[key]: String should match",
    ),
    "nobody who saw it": (lambda d: run(d).update(seen={}), "runs[0].seen: "),
    "a stack twice": (
        lambda d: run(d)["seen"].update(here="2026-01-01"),
        "runs[1].seen.here: a stack that stands",
    ),
    "unknown versions": (lambda d: d["stacks"].update(far="0" * 8), "seen.far: no versions of this stack"),
    "an event that is nobody's": (lambda d: run(d).update(events=[1]), "events: every event is of a run"),
    "an event that is not there": (
        lambda d: run(d).update(events=[0, 1, 2]),
        "events: every event is of a run",
    ),
    "a name that is a path": (
        lambda d: d["snippets"].update({"../x": d["snippets"]["broken.py"]}),
        "snippets.../x",
    ),
    "no snippets": (lambda d: d.update(snippets={}), "snippets: "),
}


@pytest.mark.parametrize("name", SPOILT)
def test_what_no_recorder_writes_is_found_with_its_place(runs: Path, name: str) -> None:
    change, told = SPOILT[name]
    (runs / "kb/runs/case.json").write_text(spoilt(change), encoding="utf-8")
    (found,) = findings(runs)
    assert found.startswith("kb/runs/case.json:")
    assert told in found


def test_a_finding_names_the_line(runs: Path) -> None:
    path = runs / "kb/runs/case.json"
    lines = path.read_text(encoding="utf-8").splitlines()
    number = next(at for at, line in enumerate(lines, 1) if '"outcome"' in line)
    path.write_text("\n".join(lines).replace('"raised"', '"rised"', 1), encoding="utf-8")
    assert findings(runs)[0].startswith(f"kb/runs/case.json:{number}: ")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"null",
        b"{",
        b"[" * 100_000,
        b'{"stacks":' * 50_000,
        render(SIGHTINGS).encode()[:-200],
        render(SIGHTINGS).encode("utf-16"),
        b"\xff\xfe\x00",
        b'{"stacks": {}, "snippets": {"a.py": "\\ud800"}}',
        b" " * ((1 << 20) + 1),
    ],
)
@pytest.mark.parametrize("name", ["case.json", "_versions.json", "facts/f.json"])
def test_a_file_that_holds_no_runs(runs: Path, name: str, data: bytes) -> None:
    path = runs / "kb/runs" / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    (found,) = findings(runs)
    assert found.startswith(f"kb/runs/{name}:1: ")


def test_forged_versions(runs: Path) -> None:
    text = json.dumps({set_name(NOW): {**NOW, "torch": "9"}})
    (runs / "kb/runs/_versions.json").write_text(text, encoding="utf-8")
    assert "these versions are called" in findings(runs)[0]


def test_other_files_are_read_all_the_same(runs: Path) -> None:
    (runs / "kb/runs/other.json").write_text("{", encoding="utf-8")
    found, unread = evidence.read(runs)
    assert list(found) == ["far", "here"]
    assert [finding.path for finding in unread] == ["kb/runs/other.json"]
    with pytest.raises(evidence.EvidenceError, match=r"kb/runs/other\.json:1: bad-runs"):
        evidence.load(runs)


@pytest.mark.parametrize("name", ["case.json", "facts", "_versions.json"])
def test_links_are_not_followed(runs: Path, name: str) -> None:
    path = runs / "kb/runs" / name
    path.unlink(missing_ok=True)
    path.symlink_to("/dev/zero" if name.endswith("json") else "/etc")
    assert f"kb/runs/{name}:1: this is a link" in findings(runs)


def test_a_folder_of_runs_that_is_a_link(tmp_path: Path) -> None:
    (tmp_path / "kb").mkdir()
    (tmp_path / "kb/runs").symlink_to("/etc")
    assert findings(tmp_path) == ["kb/runs:1: this is a link"]


def test_what_blocks_a_reader_is_not_opened(runs: Path) -> None:
    os.mkfifo(runs / "kb/runs/pipe.json")
    (runs / "kb/runs/note.txt").write_text("x")
    (runs / "kb/runs/.case.json.1234.part").write_text("left by a recorder that was killed")
    assert findings(runs) == [
        "kb/runs/note.txt:1: only runs live here",
        "kb/runs/pipe.json:1: this is a named pipe",
    ]


def test_check_says_so_instead_of_raising(tmp_path: Path) -> None:
    import shutil

    root = shutil.copytree(GOOD, tmp_path / "root")
    (root / "kb/runs").mkdir(exist_ok=True)
    (root / "kb/runs/_versions.json").write_text("{", encoding="utf-8")
    assert "bad-runs" in [finding.rule for finding in all_findings(root)]


# what counts

KEY = "half-copied/broken.py"


def counted(catalogue: Catalogue, digest: str, stack: str = "here", **versions: str) -> list[bool]:
    seen = replace(SEEN, digest=digest, versions={})
    item = Runs(stack, "cpu", {**catalogue.reference.versions, **versions}, {KEY: seen})
    return [found.claimed for found in evidence.counted(catalogue, [item], Role.BROKEN)]


def test_only_runs_of_what_is_there_now_count() -> None:
    catalogue = load(GOOD)
    digest, stack = catalogue.snippets[KEY].digest, catalogue.reference.id
    assert counted(catalogue, digest, stack) == [True]
    assert counted(catalogue, "0" * 12, stack) == []
    assert counted(catalogue, digest, "gone") == []
    assert counted(catalogue, digest, stack, torch="0.1") == []
    elsewhere = catalogue.causes["half-copied"].model_copy(update={"applies": {"torch": "<0.1"}})
    assert counted(replace(catalogue, causes={"half-copied": elsewhere}), digest, stack) == [False]


def test_packages_that_the_stack_does_not_name_say_nothing() -> None:
    catalogue = load(GOOD)
    stack = catalogue.reference
    here = {**stack.versions, "python": stack.python + ".7", "timm": "1.0"}
    assert evidence.named(stack, here) == stack.versions
    assert evidence.mismatches(stack, here) == []
