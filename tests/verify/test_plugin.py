"""Snippets as tests: collection, options, recording and what a failure says."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from unmeta.kb.runs import Observation
from unmeta.verify import ledger

Project = Callable[..., Path]
Pytest = Callable[..., pytest.RunResult]
SNIPPETS = 5


@pytest.fixture
def project(pytester: pytest.Pytester, tiny: dict[str, str]) -> Project:
    """Write the tiny catalogue, with some files changed (None deletes one)."""

    def write(files: Mapping[str, str | None] | None = None) -> Path:
        for name, text in {**tiny, **(files or {})}.items():
            if text is not None:
                path = pytester.path / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
        return pytester.path

    return write


@pytest.fixture
def snippets(
    pytester: pytest.Pytester,
    library: Path,
    search_path: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
) -> Pytest:
    """Run pytest with the plugin, in a process of its own."""
    monkeypatch.setenv("PYTHONPATH", search_path(library))

    def run(*arguments: str) -> pytest.RunResult:
        return pytester.runpytest_subprocess(
            "-p", "unmeta.verify.plugin", "-p", "no:cacheprovider", "-Werror", *arguments
        )

    return run


@pytest.fixture
def collected(pytester: pytest.Pytester) -> Pytest:
    """Collect with the plugin, or fail to, in this process: nothing is run."""

    def run(*arguments: str) -> pytest.RunResult:
        return pytester.runpytest_inprocess(
            "-p", "unmeta.verify.plugin", "-p", "no:cacheprovider", "--collect-only", *arguments
        )

    return run


def recorded(root: Path, stack: str = "here") -> Mapping[str, Observation]:
    return ledger.load(root)[stack].snippets


def files(root: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in ledger.folder(root).rglob("*.*")}


def test_every_snippet_is_a_test(project: Project, snippets: Pytest) -> None:
    project()
    result = snippets("snippets", "-v")
    result.assert_outcomes(passed=SNIPPETS)
    result.stdout.fnmatch_lines(["snippets/copy-lost/broken-quiet.py::broken-quiet PASSED*"])


@pytest.mark.parametrize(
    ("arguments", "count"),
    [
        (["snippets/copy-lost"], 4),
        (["snippets/copy-lost/broken.py"], 1),
        (["snippets/copy-lost/broken.py::broken"], 1),
        (["snippets", "-k", "copy-lost and not fix"], 3),
        (["snippets/copy-lost/broken.py", "snippets/facts"], 2),
    ],
)
def test_selection(project: Project, collected: Pytest, arguments: list[str], count: int) -> None:
    project()
    result = collected(*arguments, "-q")
    assert len([line for line in result.outlines if line.startswith("snippets/")]) == count


def test_catalogues_of_other_folders_are_left_alone(project: Project, collected: Pytest) -> None:
    root = project()
    inner = root / "tests" / "data"
    inner.mkdir(parents=True)
    (root / "kb").rename(inner / "kb")
    (root / "snippets").rename(inner / "snippets")
    assert collected("tests").ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_an_absent_library_is_skipped_and_not_recorded(project: Project, snippets: Pytest) -> None:
    root = project({"snippets/facts/one-is-one.py": '"""x"""\nimport timm\n\nassert timm\n'})
    result = snippets("snippets/facts", "--record", "-rs")
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["SKIPPED * not run: imports timm; here is no timm"])
    assert not (root / "kb" / "runs").exists()


def test_a_failure_shows_claim_and_observation(project: Project, snippets: Pytest) -> None:
    project(
        {"snippets/copy-lost/fix-skip.py": '"""x"""\nimport fakelib\n\nfakelib.wrap()\n# goal\nassert 1\n'}
    )
    result = snippets("snippets/copy-lost")
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(
        [
            "*the entry claims*the run showed*",
            "*no error, no warning*exception: RuntimeError: could not load*",
            "what snippets/copy-lost/fix-skip.py printed:",
            '*File "/usr/lib/python3/site-packages/fakelib.py", line *, in wrap',
            "RuntimeError: could not load",
            "✗ the fix ends in RuntimeError: could not load",
            "    → the fix must run without an error*",
            "FAILED snippets/copy-lost/fix-skip.py::fix-skip - the fix ends in Runtime*",
        ]
    )
    result.stdout.no_fnmatch_line("*plugin.py*")


def test_what_cannot_run_here_is_skipped_with_its_reason(
    project: Project, snippets: Pytest, tiny: dict[str, str]
) -> None:
    path = "kb/causes/copy-lost.yaml"
    project({path: tiny[path] + "needs: {device: cuda}\n"})
    result = snippets("snippets", "-rs")
    result.assert_outcomes(passed=1, skipped=4)
    result.stdout.fnmatch_lines(
        ["SKIPPED * snippets/copy-lost/broken.py:*: not run: needs cuda; this run uses cpu"]
    )


@pytest.mark.parametrize("there", [True, False])
def test_a_gpu_is_looked_for_first(
    project: Project,
    snippets: Pytest,
    library: Path,
    tmp_path: Path,
    search_path: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
    there: bool,
) -> None:
    """A stand-in for torch: the machine that tests has a GPU or not."""
    root = project()
    body = "return torch" if there else 'raise RuntimeError("no GPU")'
    (tmp_path / "torch.py").write_text(
        f"import sys\n\ntorch = sys.modules[__name__]\n\n\ndef ones(*_, **__):\n    {body}\n\n\n"
        "def cpu():\n    pass\n",
        encoding="utf-8",
    )
    monkeypatch.setenv("PYTHONPATH", search_path(library, tmp_path))
    result = snippets("snippets/facts", "--device", "cuda", "--record")
    if there:
        result.assert_outcomes(passed=1)
        assert list(ledger.load(root)) == ["here-cuda"]
    else:
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stdout.fnmatch_lines(["*snippets find no cuda device here*"])
        assert not (root / "kb" / "runs").exists()


def test_snippet_without_a_claim(project: Project, snippets: Pytest) -> None:
    project({"snippets/copy-lost/fix-other.py": "x = 1\n"})
    result = snippets("snippets/copy-lost")
    result.assert_outcomes(passed=4, failed=1)
    result.stdout.fnmatch_lines(
        [
            "✗ no entry speaks of snippets/copy-lost/fix-other.py",
            "    → add it to kb/causes/copy-lost.yaml, or delete the file",
        ]
    )


def test_claim_without_a_snippet(project: Project, snippets: Pytest) -> None:
    project({"snippets/copy-lost/fix-skip.py": None, "snippets/facts/one-is-one.py": None})
    result = snippets("snippets")
    result.assert_outcomes(passed=3, failed=2)
    result.stdout.fnmatch_lines(
        ["✗ snippets/copy-lost/fix-skip.py does not exist", "✗ snippets/facts/one-is-one.py does not exist"]
    )
    snippets("snippets/copy-lost/broken-quiet.py").assert_outcomes(passed=1)


def test_catalogue_that_cannot_be_read(project: Project, collected: Pytest) -> None:
    project({"kb/causes/copy-lost.yaml": "title: x\nareaa: torch\n"})
    result = collected("snippets/facts")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["*kb/causes/copy-lost.yaml:2: unknown-key: unknown key 'areaa'*", "*did you mean*"]
    )
    result.stderr.no_fnmatch_line("*Traceback*")


# recording


def test_recording(project: Project, snippets: Pytest) -> None:
    root = project({"snippets/copy-lost/fix-skip.py": '"""x"""\nprint(1)\n# goal\nassert 0\n'})
    result = snippets("snippets", "--record")
    result.assert_outcomes(passed=SNIPPETS - 1, failed=1)
    result.stdout.fnmatch_lines(["recorded 5 snippets in 3 files of *runs"])
    found = recorded(root)
    assert len(found) == SNIPPETS
    assert found["copy-lost/fix-skip.py"].outcome == "missed"
    assert found["copy-lost/broken.py"].outcome == "raised"
    assert set(files(root)) == {"_versions.json", "broken-quiet.json", "copy-lost.json", "one-is-one.json"}


def test_recording_elsewhere(project: Project, snippets: Pytest, tmp_path: Path) -> None:
    root = project()
    snippets("snippets/facts", "--record", "--record-to", str(tmp_path)).assert_outcomes(passed=1)
    assert list(recorded(tmp_path)) == ["facts/one-is-one.py"]
    assert not ledger.folder(root).exists()


def test_a_recording_that_cannot_be_added_fails(project: Project, snippets: Pytest, tmp_path: Path) -> None:
    project()
    (tmp_path / "kb").write_text("no folder")
    result = snippets("snippets/facts", "--record", "--record-to", str(tmp_path))
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stdout.fnmatch_lines(["cannot add to *", "*what was recorded is kept*`unmeta runs merge *"])


TELLS_OF_HOST = """
import json, pathlib

def pytest_sessionstart(session):
    told = getattr(session.config, "workerinput", None)
    if told is not None:
        pathlib.Path(told["workerid"]).write_text("shares" if "unmeta_host" in told else "alone")
"""


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [((), "shares"), (("-k", "trap or fix or broken"), "alone")],
)
def test_workers_share_a_host_where_all_is_run(
    project: Project, snippets: Pytest, pytester: pytest.Pytester, arguments: Sequence[str], expected: str
) -> None:
    project()
    pytester.makeconftest(TELLS_OF_HOST)
    snippets("snippets/copy-lost", "-n", "2", *arguments).assert_outcomes(passed=4)
    assert [(pytester.path / worker).read_text() for worker in ("gw0", "gw1")] == [expected] * 2


def test_recording_again_changes_nothing(project: Project, snippets: Pytest) -> None:
    root = project()
    snippets("snippets", "--record").assert_outcomes(passed=SNIPPETS)
    before = files(root)
    fix = root / "snippets" / "copy-lost" / "fix-skip.py"
    fix.write_text(fix.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    snippets("snippets", "--stale").assert_outcomes(passed=1, deselected=SNIPPETS - 1)
    fix.write_text(fix.read_text(encoding="utf-8").rstrip() + "\n", encoding="utf-8")
    snippets("snippets/copy-lost", "--record", "-n", "2").assert_outcomes(passed=4)
    assert files(root) == before


def test_where_nothing_is_stale_nothing_heavy_is_imported(
    project: Project, snippets: Pytest, pytester: pytest.Pytester
) -> None:
    project()
    snippets("snippets", "--record")
    # At the end of the process, after all that plugins do.
    had = "print('had', *{'torch', 'hypothesis'} & {*sys.modules})"
    told = f"import atexit, sys\natexit.register(lambda: {had})\n"
    (pytester.path / "told.py").write_text(told, encoding="utf-8")
    result = snippets("snippets", "--stale", "-q", "-p", "told")
    result.assert_outcomes(deselected=SNIPPETS)
    assert result.outlines[-1] == "had"


def test_two_workers_record_together(project: Project, snippets: Pytest) -> None:
    root = project()
    result = snippets("snippets", "--record", "-n", "2", "--junitxml", "report.xml")
    result.assert_outcomes(passed=SNIPPETS)
    assert len(recorded(root)) == SNIPPETS
    cases = ElementTree.parse(root / "report.xml").getroot().iter("testcase")
    assert sorted(str(case.get("name")) for case in cases) == [
        "broken", "broken-quiet", "fix-skip", "one-is-one", "trap-zero",
    ]  # fmt: skip


def test_without_record_nothing_is_written(project: Project, snippets: Pytest) -> None:
    root = project()
    snippets("snippets/facts").assert_outcomes(passed=1)
    assert not (root / "kb" / "runs").exists()


WRONG = [
    (["--stack", "far"], "*this machine is not the stack 'far': python 3.* (stack: 2.7); torch*"),
    (["--stack", "none"], "*no stack 'none' in kb/stacks.toml; known: here, far*"),
]


@pytest.mark.parametrize(("arguments", "words"), WRONG)
def test_running_on_the_wrong_machine(
    project: Project, collected: Pytest, arguments: list[str], words: str
) -> None:
    project()
    result = collected("snippets", *arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([words])


@pytest.mark.parametrize(("arguments", "words"), WRONG)
def test_recording_on_the_wrong_machine(
    project: Project, collected: Pytest, arguments: list[str], words: str
) -> None:
    root = project()
    result = collected("snippets", "--record", *arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([words])
    assert not (root / "kb" / "runs").exists()


@pytest.mark.parametrize("option", ["--record", "--stale"])
def test_runs_that_cannot_be_read(project: Project, collected: Pytest, option: str) -> None:
    project({"kb/runs/_versions.json": "[]"})
    result = collected("snippets", option)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*the runs cannot be read:*", "kb/runs/_versions.json:1: bad-runs: *"])
    result.stderr.no_fnmatch_line("*Traceback*")


def test_repeat_finds_what_holds_only_sometimes(project: Project, snippets: Pytest, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    project(
        {
            "snippets/copy-lost/fix-skip.py": (
                f'"""x"""\nimport os\n\nfirst = not os.path.exists({str(mark)!r})\n'
                f"open({str(mark)!r}, 'w').close()\n# goal\nassert first\n"
            )
        }
    )
    # Only without walls does anything of one run reach the next.
    assert snippets("snippets/copy-lost/fix-skip.py", "--isolate", "off").ret == 0
    mark.unlink()
    result = snippets("snippets/copy-lost/fix-skip.py", "--isolate", "off", "--repeat", "3")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*the run showed (turn 2)*"])


def test_the_plugin_is_light() -> None:
    import subprocess
    import sys

    code = (
        "import sys, unmeta.verify.plugin\n"
        "print([m for m in ('torch', 'pydantic', 'yaml', 'psutil', 'rich.console') if m in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "[]"
