"""Programs: what they are, how they run, and what is accepted of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from unmeta.kb import evidence
from unmeta.kb.load import Catalogue, load
from unmeta.kb.model import Cause, Face, Wording
from unmeta.kb.programs import Edition, Program
from unmeta.kb.runs import Event, Observation, Raised
from unmeta.verify.judge import State
from unmeta.verify.programs import exit_code, judge
from unmeta.verify.sandbox import Sandbox, Script

Pytest = Callable[..., pytest.RunResult]
KEY = "programs/copy-lost/nightly"
FILES = {
    "program.yaml": "says: A job copies.\ncause: copy-lost\nfix: skip\nevidence: decisive\n",
    "main.py": "import sys\n\nfrom steps import copy\n\nprint('start', sys.argv[1:])\ncopy()\n",
    "steps.py": "import fakelib\n\n\ndef copy():\n    fakelib.log()\n    fakelib.wrap()\n",
    "repaired/steps.py": "def copy():\n    pass\n",
}
MISS = {
    "program.yaml": "says: A key is missing.\ncause: not-meta\nevidence: none\n",
    "main.py": "print({}['key'])\n",
}


@pytest.fixture
def root(tiny: dict[str, str], tree: Callable[..., Path]) -> Path:
    files = dict(tiny)
    files |= {f"{KEY}/{name}": text for name, text in FILES.items()}
    files |= {f"programs/near-misses/key/{name}": text for name, text in MISS.items()}
    return tree(files)


@pytest.fixture
def catalogue(root: Path) -> Catalogue:
    return load(root)


@pytest.fixture
def program(catalogue: Catalogue) -> Program:
    return catalogue.programs[KEY]


def repaired(program: Program) -> Edition:
    assert program.repaired is not None
    return program.repaired


def test_the_repaired_copy_is_the_program_with_other_files(program: Program) -> None:
    assert program.broken.files.keys() == repaired(program).files.keys() == {"main.py", "steps.py"}
    assert repaired(program).files["steps.py"] == FILES["repaired/steps.py"]
    assert repaired(program).key == f"{KEY}/repaired"
    assert repaired(program).digest != program.broken.digest


def test_a_digest_is_of_files_and_command_line(program: Program) -> None:
    same = replace(program.broken, files=dict(reversed(program.broken.files.items())))
    assert same.digest == program.broken.digest
    assert replace(program.broken, argv=("main.py", "--fast")).digest != program.broken.digest
    assert replace(program.broken, processes=2).digest != program.broken.digest


# running


def script(files: dict[str, str], *argv: str) -> Script:
    others = {name: text for name, text in files.items() if name != "main.py"}
    return Script("main.py", files["main.py"], "0" * 12, True, others, argv)


def test_a_program_finds_its_modules_and_arguments(sandbox: Sandbox) -> None:
    files = {
        "main.py": "import os, sys\nfrom inner.part import v\nprint(v, sys.argv, os.listdir('inner'))\n",
        "inner/part.py": "v = 7\n",
    }
    seen = sandbox.run(script(files, "--steps", "2"))
    assert seen.output == "7 ['main.py', '--steps', '2'] ['part.py']\n", seen


def test_what_is_printed_is_kept_in_its_order(sandbox: Sandbox) -> None:
    text = (
        "import logging, sys, warnings\nprint('one')\nprint('two', file=sys.stderr)\n"
        "logging.warning('three')\nprint('four')\n\n\ndef run():\n    raise ValueError('five')\n\n\nrun()\n"
    )
    seen = sandbox.run(script({"main.py": text}))
    assert seen.outcome == "raised"
    # Newer Pythons underline what failed.
    assert [line for line in seen.output.splitlines() if line.strip(" ~^")] == [
        "one",
        "two",
        "WARNING:root:three",
        "four",
        "Traceback (most recent call last):",
        '  File "/home/user/main.py", line 12, in <module>',
        "    run()",
        '  File "/home/user/main.py", line 9, in run',
        "    raise ValueError('five')",
        "ValueError: five",
    ]
    assert [frame.file for frame in seen.events[-1].chain[-1].frames] == ["main.py", "main.py"]


def test_a_stack_that_is_printed_begins_at_the_program(sandbox: Sandbox) -> None:
    seen = sandbox.run(script({"main.py": "import traceback\ntraceback.print_stack()\n"}))
    assert seen.output.splitlines()[0] == '  File "/home/user/main.py", line 2, in <module>'


def test_a_program_may_set_its_own_hook_for_exceptions(sandbox: Sandbox) -> None:
    text = "import sys\nsys.excepthook = lambda kind, error, trace: print('told:', error)\n1 / 0\n"
    assert sandbox.run(script({"main.py": text})).output == "told: division by zero\n"


def test_a_message_of_exit_is_printed(sandbox: Sandbox) -> None:
    seen = sandbox.run(script({"main.py": "raise SystemExit('no weights')\n"}))
    assert (seen.output, seen.outcome, exit_code(seen)) == ("no weights\n", "exited", 1)


def test_a_line_called_goal_divides_no_program(sandbox: Sandbox) -> None:
    seen = sandbox.run(script({"main.py": "value = 1\n# goal\nassert value == 2\n"}))
    assert (seen.outcome, seen.events[-1].phase) == ("raised", "body")


def test_a_long_transcript_keeps_both_ends(sandbox: Sandbox) -> None:
    seen = sandbox.run(script({"main.py": "print('first')\nprint('x' * 500_000)\nprint('last')\n"}))
    assert seen.output.startswith("first\n")
    assert seen.output.endswith("last\n")
    assert "left out" in seen.output
    assert len(seen.output) < 7_000


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("pass", 0),
        ("import sys; sys.exit()", 0),
        ("import sys; sys.exit(0)", 0),
        ("import sys; sys.exit(3)", 1),
        ("import sys; sys.exit('no')", 1),
        ("import os; os._exit(0)", 0),
        ("import os; os._exit(1)", 1),
        ("1 / 0", 1),
    ],
)
def test_exit_codes(sandbox: Sandbox, text: str, code: int) -> None:
    assert exit_code(sandbox.run(script({"main.py": text}))) == code


# judging

NO_DATA = Event(
    "exception", "NotImplementedError", "no data!", chain=(Raised("NotImplementedError", "no data!"),)
)
OTHER = Event("exception", "KeyError", "'a'", chain=(Raised("KeyError", "'a'"),))
VERSIONS = {"python": "3.11"}


def seen(edition: Edition, outcome: str, *events: Event, output: str = "", note: str = "") -> Observation:
    return Observation(edition.digest, outcome, False, events, output=output, note=note)  # type: ignore[arg-type]


def verdict(catalogue: Catalogue, program: Program, observation: Observation, fixed: bool = False) -> State:
    edition = repaired(program) if fixed else program.broken
    return judge(program, edition, observation, None, catalogue, VERSIONS).state


def test_a_program_that_shows_a_symptom_of_its_cause_holds(catalogue: Catalogue, program: Program) -> None:
    assert verdict(catalogue, program, seen(program.broken, "raised", NO_DATA)) is State.HOLDS


def test_so_does_one_that_catches_the_error_and_prints_it(catalogue: Catalogue, program: Program) -> None:
    told = seen(program.broken, "exited", output="job failed: nothing was copied\n", note="sys.exit(2)")
    assert verdict(catalogue, program, told) is State.HOLDS


@pytest.mark.parametrize(
    ("outcome", "note", "events"),
    [
        ("passed", "", ()),
        ("timed-out", "", (NO_DATA,)),
        ("crashed", "SIGSEGV", (NO_DATA,)),
        ("raised", "asked the network for example.org", (NO_DATA,)),
    ],
)
def test_a_program_that_fails_otherwise_does_not(
    catalogue: Catalogue, program: Program, outcome: str, note: str, events: tuple[Event, ...]
) -> None:
    assert verdict(catalogue, program, seen(program.broken, outcome, *events, note=note)) is State.FAILS


NOTICE = Event("warning", "UserWarning", "nothing was copied", origin="lib/x.py")


def test_a_notice_alone_is_no_failure(catalogue: Catalogue, program: Program) -> None:
    both = without_silence(catalogue)
    for outcome, note, state in (
        ("passed", "", State.FAILS),
        ("exited", "sys.exit(0)", State.FAILS),
        ("exited", "sys.exit(1)", State.HOLDS),
    ):
        assert verdict(both, program, seen(program.broken, outcome, NOTICE, note=note)) is state
    assert verdict(both, claims(program, "It logs."), seen(program.broken, "passed", NOTICE)) is State.FAILS


def test_a_program_that_goes_on_after_its_error_says_why(catalogue: Catalogue, program: Program) -> None:
    told = seen(program.broken, "passed", output="skipped: no data!\n")
    assert verdict(without_silence(catalogue), program, told) is State.FAILS
    assert verdict(without_silence(catalogue), claims(program, "It skips the model."), told) is State.HOLDS


def test_a_notice_makes_no_other_output(catalogue: Catalogue, program: Program) -> None:
    noisy = seen(program.broken, "passed", NOTICE, output="x.py: UserWarning: nothing was copied\ndone\n")
    good = seen(program.broken, "passed", output="done\n")
    assert judge(program, program.broken, noisy, good, catalogue, VERSIONS).state is State.FAILS


def claims(program: Program, why: str) -> Program:
    return replace(program, claim=program.claim.model_copy(update={"why": why}))


def test_a_wording_of_one_word_in_a_text_tells_nothing(catalogue: Catalogue, program: Program) -> None:
    short = catalogue.symptoms["no-data"].model_copy(update={"messages": {"key": Wording(text="'weight'")}})
    terse = replace(without_silence(catalogue), symptoms={**catalogue.symptoms, "no-data": short})
    told = seen(program.broken, "exited", output="KeyError: 'weight'\n", note="sys.exit(2)")
    assert verdict(terse, program, told) is State.FAILS


def test_a_program_may_say_why_it_shows_another_symptom(catalogue: Catalogue, program: Program) -> None:
    told = seen(program.broken, "exited", output="weights are missing\n", note="sys.exit(2)")
    assert verdict(without_silence(catalogue), program, told) is State.FAILS
    why = replace(program, claim=program.claim.model_copy(update={"why": "It logs instead."}))
    assert verdict(without_silence(catalogue), why, told) is State.HOLDS


def without_silence(catalogue: Catalogue) -> Catalogue:
    cause = catalogue.causes["copy-lost"]
    return replace(catalogue, causes={"copy-lost": cause.model_copy(update={"faces": []})})


def test_only_a_silent_cause_may_end_in_any_error(catalogue: Catalogue, program: Program) -> None:
    observation = seen(program.broken, "raised", OTHER)
    assert verdict(catalogue, program, observation) is State.HOLDS
    assert verdict(without_silence(catalogue), program, observation) is State.FAILS


def test_a_silent_program_may_print_something_else_than_repaired(
    catalogue: Catalogue, program: Program
) -> None:
    told, good = (seen(program.broken, "passed", output=text) for text in ("loss nan\n", "loss 0.5\n"))
    assert judge(program, program.broken, told, good, catalogue, VERSIONS).state is State.HOLDS
    assert judge(program, program.broken, told, told, catalogue, VERSIONS).state is State.FAILS


@pytest.mark.parametrize(
    ("outcome", "note", "events", "output", "state"),
    [
        ("passed", "", (), "done\n", State.HOLDS),
        ("exited", "sys.exit(0)", (), "", State.HOLDS),
        ("exited", "sys.exit(1)", (), "", State.FAILS),
        ("raised", "", (OTHER,), "", State.FAILS),
        ("passed", "", (NO_DATA,), "", State.FAILS),
    ],
)
def test_a_repaired_program_reaches_its_end(
    catalogue: Catalogue,
    program: Program,
    outcome: str,
    note: str,
    events: tuple[Event, ...],
    output: str,
    state: State,
) -> None:
    observation = seen(repaired(program), outcome, *events, output=output, note=note)
    assert verdict(catalogue, program, observation, fixed=True) is state


def test_an_edited_program_is_stale(catalogue: Catalogue, program: Program) -> None:
    assert verdict(catalogue, program, seen(repaired(program), "raised", NO_DATA)) is State.STALE


def test_what_is_not_here_is_not_run(catalogue: Catalogue, program: Program) -> None:
    far = program.claim.model_copy(update={"needs": program.claim.needs.model_validate({"timm": ">=1"})})
    needy = replace(program, claim=far)
    assert verdict(catalogue, needy, seen(needy.broken, "raised", NO_DATA)) is State.NOT_RUN


def test_a_near_miss_fails_in_any_way(catalogue: Catalogue) -> None:
    miss = catalogue.programs["programs/near-misses/key"]
    assert verdict(catalogue, miss, seen(miss.broken, "raised", OTHER)) is State.HOLDS
    assert verdict(catalogue, miss, seen(miss.broken, "passed")) is State.FAILS


# as tests


def test_programs_are_tests_and_are_recorded(
    root: Path, library: Path, search_path: Callable[..., str], pytester: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv("PYTHONPATH", search_path(library))
    monkeypatch.chdir(root)
    (root / KEY / "test_inner.py").write_text("def test_never():\n    assert 0\n", encoding="utf-8")

    def run(*arguments: str) -> pytest.RunResult:
        return pytester.runpytest_subprocess(
            "-p", "unmeta.verify.plugin", "-p", "no:cacheprovider", "-Werror", "--rootdir", ".", *arguments
        )

    result = run("programs", "--record")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["recorded 3 runs of programs in 2 files of *kb/runs"])
    held = evidence.load(root)["here"].snippets
    assert held[KEY].output.startswith("start []\n")
    assert held[f"{KEY}/repaired"].outcome == "passed"
    run("programs", "--stale").assert_outcomes(deselected=2)
    (root / KEY / "repaired" / "steps.py").write_text("def copy():\n    1 / 0\n", encoding="utf-8")
    result = run("programs", "--stale")
    result.assert_outcomes(failed=1, deselected=1)
    result.stdout.fnmatch_lines(
        ["✗ the repaired copy does not reach its end: with ZeroDivisionError: division by zero"]
    )


def test_what_a_program_is_about_must_be_here_before_it_is_judged(
    catalogue: Catalogue, program: Program
) -> None:
    told = seen(program.broken, "raised", NO_DATA)
    cause = catalogue.causes["copy-lost"]

    def reason(
        changed: Cause, versions: dict[str, str], device: str = "cpu", claim: Program = program
    ) -> str:
        causes = {**catalogue.causes, "copy-lost": changed}
        found = judge(claim, claim.broken, told, None, replace(catalogue, causes=causes), versions, device)
        assert found.state is State.NOT_RUN
        return found.reasons[0].message

    about = cause.model_copy(
        update={"needs": cause.needs.model_copy(update={"packages": {"fakelib": ">=2"}})}
    )
    assert reason(about, {"fakelib": "1.0"}) == "is about fakelib >=2; here is fakelib 1.0"
    assert reason(about, {}) == "is about fakelib >=2; here is no fakelib"
    gone = cause.model_copy(update={"applies": {"torch": "<1"}, "faces": []})
    assert reason(gone, {"torch": "2.0"}).startswith("its cause does not exist on these versions")
    needs = program.claim.needs.model_copy(update={"device": "cuda"})
    gpu = replace(program, claim=program.claim.model_copy(update={"needs": needs}))
    assert reason(cause, VERSIONS, claim=gpu) == "needs cuda"


def test_a_face_may_exist_where_its_cause_does_not(catalogue: Catalogue, program: Program) -> None:
    cause = catalogue.causes["copy-lost"]
    face = Face(id="new", title="New", symptoms=cause.symptoms, applies={"torch": ">=2"})
    older = cause.model_copy(update={"applies": {"torch": "<1"}, "faces": [face]})
    both = replace(catalogue, causes={**catalogue.causes, "copy-lost": older})
    told = seen(program.broken, "raised", NO_DATA)
    assert judge(program, program.broken, told, None, both, {"torch": "2.0"}).state is not State.NOT_RUN
    assert judge(program, program.broken, told, None, both, {"torch": "1.5"}).state is State.NOT_RUN


def test_a_program_without_its_library_is_not_run(catalogue: Catalogue, program: Program) -> None:
    missing = Event(
        "exception", "ModuleNotFoundError", "No module named 'accelerate'",
        chain=(Raised("ModuleNotFoundError", "No module named 'accelerate'"),),
    )  # fmt: skip
    found = judge(program, program.broken, seen(program.broken, "raised", missing), None, catalogue, VERSIONS)
    assert found.state is State.NOT_RUN
    assert found.reasons[0].message == "imports accelerate; here is no accelerate"
    assert found.reasons[0].remedy == "say so in `needs`: {accelerate: ...}"
