"""What a reader meets at the command line: the change first, words instead of files, help where it serves."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import unmeta
from unmeta import cli
from unmeta.cli import asking, completion, door, lookup
from unmeta.cli.entry import render
from unmeta.match import Answer
from unmeta.match.likely import entries_of
from unmeta.terminal import NARROW, WIDE, WIDTH, Paper, paper

MESSAGE = "NotImplementedError: Cannot copy out of meta tensor; no data!"
TRACEBACK = """\
You shouldn't move a model that is dispatched using accelerate hooks.
Traceback (most recent call last):
  File "/home/me/serve.py", line 60, in <module>
  File "/home/me/serve.py", line 31, in load
    self.pipe.to(device)
  File "/usr/lib/python3/site-packages/accelerate/big_modeling.py", line 470, in wrapper
    raise RuntimeError("You can't move a model that has some modules offloaded to cpu or disk.")
RuntimeError: You can't move a model that has some modules offloaded to cpu or disk.
"""
DECISIVE = "You shouldn't move a model that is dispatched using accelerate hooks.\n" + MESSAGE


class Command:
    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys

    def __call__(self, *argv: str, stdin: str = "") -> tuple[int, str, str]:
        self.monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        code = cli.main(argv)
        out, err = self.capsys.readouterr()
        return code, out, err


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    monkeypatch.chdir(tmp_path)
    return Command(monkeypatch, capsys)


@pytest.fixture(scope="module")
def shown(root: Path) -> dict[str, dict[str, Any]]:
    data = entries_of(root)
    return {entry["id"]: entry for kind in ("causes", "symptoms", "facts") for entry in data[kind]}


def test_bare_it_says_what_to_do_with_an_example(run: Command) -> None:
    code, out, err = run()
    assert (code, err) == (door.OK, "")
    assert "unmeta explain error.txt" in out
    assert f'echo "{MESSAGE}" | unmeta explain' in out


def test_the_example_works(run: Command) -> None:
    assert run("explain", stdin=MESSAGE)[0] == door.OK


def test_an_answer_says_in_order_line_reason_change_and_trap(run: Command) -> None:
    _, out, _ = run("explain", stdin=TRACEBACK)
    order = [
        "was moved with .to() or .cuda()", "Line 5 · serve.py:31", "| self.pipe.to(device)", "^^^^^^^^^^",
        "so there is nothing to move", "Change: Drop the .to()", "- self.pipe.to(device)", "Ran on",
        "Not this: ", "unmeta show to-after-dispatch",
    ]  # fmt: skip
    places = [out.index(part) for part in order]
    assert places == sorted(places)


def test_the_change_is_told_in_the_readers_names(run: Command) -> None:
    shown = json.loads(run("explain", "--json", stdin=TRACEBACK)[1])["result"]
    assert shown["id"] == "to-after-dispatch"
    assert shown["line"] == {
        "number": 5, "place": "serve.py:31", "text": "self.pipe.to(device)", "marks": [[10, 20]]
    }  # fmt: skip
    assert shown["fix"]["rows"] == [["-", "self.pipe.to(device)"]]
    assert shown["fix"]["yours"]
    assert shown["trap"]


def test_versions_are_those_of_the_paste_else_those_installed() -> None:
    from unmeta.match.installed import installed

    here = installed()
    assert set(here) <= {"torch", "transformers", "accelerate"}
    if "torch" in here:
        import torch

        assert here["torch"] == torch.__version__
        assert f"torch {here['torch'].partition('+')[0]}" in unmeta.explain(TRACEBACK).result.ran
    stated = unmeta.explain(f"transformers==4.51.3\naccelerate==1.12.0\n{TRACEBACK}").result
    assert re.fullmatch(
        r"✓ Ran on your versions: transformers 4\.51\.3, accelerate 1\.12\.0, with torch \S+ \(20\S+\)\.",
        stated.ran,
    )
    old = unmeta.explain(f"accelerate==0.27.2\n{TRACEBACK}").result
    assert "accelerate 0.27.2" in old.ran + old.elsewhere


def test_an_answer_serves_without_entries(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise ValueError("the entries cannot be read")

    monkeypatch.setattr("unmeta.match.entries.load", broken)
    code, out, _ = run("explain", stdin=TRACEBACK)
    assert code == door.OK
    assert "Change:" not in out
    assert json.loads(run("explain", "--json", stdin=TRACEBACK)[1])["result"]["fix"] is None


def test_where_nothing_decides_questions_come_first_and_no_change(run: Command) -> None:
    _, out, _ = run("explain", stdin=MESSAGE)
    order = [
        "The questions tell them",
        "\n? ",
        "| " + MESSAGE,
        "The likeliest first",
        "  1. ",
        "  2. ",
    ]
    places = [out.index(part) for part in order]
    assert places == sorted(places)
    assert "Change:" not in out


def test_a_link_to_an_answer_holds_ids_and_answers_only(run: Command) -> None:
    answer = unmeta.explain(TRACEBACK)
    assert answer.result.link.partition("#")[2].startswith("answer=to-after-dispatch")
    assert "pipe" not in answer.result.link
    assert run("show", answer.result.link)[1] == run("show", "to-after-dispatch")[1]
    asked = unmeta.explain(MESSAGE).causes[0].open[0].id
    assert unmeta.explain(MESSAGE, {asked: True}).result.link.endswith(f"&yes={asked}")


def test_words_are_looked_for_where_no_such_file_is(run: Command) -> None:
    one = run("explain", "model stuck on meta after loading lora")
    assert one[0] == door.OK
    assert "lora" in one[1].lower()
    assert run("explain", "model", "stuck", "on", "meta", "after", "loading", "lora") == one


def test_a_file_comes_before_words(run: Command) -> None:
    Path("two words").write_text(MESSAGE)
    assert "no data!" in run("explain", "two words")[1]


def test_one_word_is_a_file_that_is_missing(run: Command) -> None:
    code, _, err = run("explain", "lora")
    assert code == door.BAD
    assert 'unmeta explain "lora …"' in err
    assert "give several" not in run("explain", "error.txt")[2]


def test_an_empty_pipe_names_the_other_stream(run: Command) -> None:
    code, _, err = run("explain")
    assert code == door.BAD
    assert "2>&1 | unmeta explain" in err


@pytest.mark.parametrize(
    "name",
    [
        "to-after-dispatch", "To-After-Dispatch", "TO_AFTER_DISPATCH", "/e/to-after-dispatch/",
        "https://unmeta.github.io/unmeta/e/to-after-dispatch/", "e/to-after-dispatch.json",
        "http://127.0.0.1:8000/e/to-after-dispatch/#fix-no-move", "kb/causes/to-after-dispatch.yaml",
        "to-after-dispatch.yaml", "snippets/to-after-dispatch/broken.py", " to-after-dispatch ",
    ],
)  # fmt: skip
def test_show_takes_every_name_of_an_entry(run: Command, name: str) -> None:
    code, out, _ = run("show", "--json", name)
    assert code == door.OK
    assert json.loads(out)["id"] == "to-after-dispatch"


def test_show_takes_the_addresses_that_explain_prints(run: Command) -> None:
    _, out, _ = run("explain", stdin=DECISIVE)
    for address in re.findall(r"unmeta show \S+ +(\S+)", out):
        assert run("show", address)[0] == door.OK


def test_show_prints_the_change_before_the_reasons(shown: dict[str, Any]) -> None:
    entry = shown["to-after-dispatch"]
    text = render(entry, Paper())
    first = next(line for line in entry["fixes"][0]["change"]["diff"].split("\n") if line.startswith("-"))
    order = ["Fix 1: ", f"- {first[1:]}".rstrip(), "Not this: ", "\nWhy\n", "What is seen"]
    places = [text.index(part) for part in order]
    assert places == sorted(places)


def test_the_causes_of_a_message_come_in_groups(shown: dict[str, Any]) -> None:
    entry = shown["no-data-to-copy"]
    text = render(entry, Paper())
    assert len(entry["causes"]) > 20
    assert all(cause["id"] in text for cause in entry["causes"])
    assert text.count("?") <= 12
    assert len(text.splitlines()) < 70
    assert f"The likeliest of {len(entry['causes'])} causes" in text


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["explane"], "did you mean explain?"),
        (["shwo", "x"], "did you mean show?"),
        (["explain", "--jsn"], "did you mean --json?"),
        (["model", "is", "on", "meta"], 'unmeta explain "model is on meta"'),
        (["model is on meta"], 'unmeta explain "model is on meta"'),
        (["xyzzy"], "there are: explain, show"),
        (["show"], "required: id; see unmeta show --help"),
        (["show", "load-state-dict-noop"], "did you mean load-state-dict-no-op"),
        (["show", "after-dispatch"], "did you mean to-after-dispatch"),
        (["show", "zzzz"], 'unmeta explain "zzzz"'),
        (["completion", "tcsh"], "invalid choice: 'tcsh'"),
    ],
)
def test_a_mistyped_word_is_helped_with(run: Command, words: list[str], says: str) -> None:
    code, out, err = run(*words)
    assert (code, out) == (door.BAD, "")
    assert says in err
    assert err.count("\n") == 1


def test_a_file_in_the_place_of_a_command(run: Command) -> None:
    Path("error.txt").write_text(MESSAGE)
    assert "unmeta explain error.txt" in run("error.txt")[2]


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_has_help(run: Command, name: str) -> None:
    code, out, _ = run(name, "--help")
    assert code == door.OK
    assert out.startswith(f"usage: unmeta {name}")
    if name in ("explain", "show", "completion"):
        assert "examples:\n  " in out


def test_help_lists_the_commands(run: Command) -> None:
    code, out, _ = run("--help")
    assert code == door.OK
    assert all(f"\n    {name}" in out for name in cli.COMMANDS)


# --- width and colour --------------------------------------------------------------------------------


class Screen(io.StringIO):
    """A stream that says it is a terminal."""

    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@pytest.mark.parametrize(
    ("terminal", "env", "coloured"),
    [
        (True, {}, True), (False, {}, False), (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
        (False, {"FORCE_COLOR": "1"}, True), (False, {"FORCE_COLOR": "0"}, False),
        (True, {"TERM": "dumb"}, False), (True, {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
    ],
)  # fmt: skip
def test_colours(
    terminal: bool, env: dict[str, str], coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert paper(Screen(terminal)).coloured is coloured


@pytest.mark.parametrize(
    ("columns", "width"),
    [("60", 60), ("200", WIDE), ("10", NARROW), ("x", WIDTH), ("", WIDTH), ("-5", WIDTH)],
)
def test_the_width_that_is_asked_for(columns: str, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert paper(Screen(False)).width == width


@pytest.mark.parametrize("width", [NARROW, 60, WIDTH, WIDE])
def test_prose_keeps_to_the_paper(shown: dict[str, Any], width: int) -> None:
    for entry in shown.values():
        for line in render(entry, Paper(width)).splitlines():
            code = line.startswith("    ") or line.strip().startswith("|") or "`" in line
            assert len(line) <= width or code or " " not in line.strip() or "http" in line, line


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_terminal_gives_its_own_width() -> None:
    import fcntl
    import pty
    import struct
    import termios

    host, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 57, 0, 0))
    code = "import sys; from unmeta.terminal import paper; p = paper(sys.stdout); print(p.width, p.coloured)"
    env = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR", "FORCE_COLOR")}
    done = subprocess.run(
        [sys.executable, "-c", code], stdout=terminal, env={**env, "TERM": "xterm"}, check=True
    )
    assert done.returncode == 0
    os.close(terminal)
    said = os.read(host, 99)
    os.close(host)
    assert said.split() == [b"57", b"True"]


# --- asking ------------------------------------------------------------------------------------------


def test_asking_says_first_what_it_recognised_and_stops_at_a_yes_that_decides(
    capsys: pytest.CaptureFixture[str],
) -> None:
    answer = unmeta.explain(MESSAGE)
    after = asking.ask_back(MESSAGE, answer, io.StringIO("y\n" * 9))
    err = capsys.readouterr().err
    assert err.index("no data!") < err.index("[y/n/Enter]")
    assert err.count("[y/n/Enter]") == 1
    question = answer.causes[0].open[0]
    assert any(clue.id == question.id for clue in after.causes[0].yes)


def test_asking_goes_on_after_no_and_ends_with_the_input(capsys: pytest.CaptureFixture[str]) -> None:
    answer = unmeta.explain(MESSAGE)
    asking.ask_back(MESSAGE, answer, io.StringIO("n\n\n"))
    assert capsys.readouterr().err.count("[y/n/Enter]") == 3
    asking.ask_back(MESSAGE, answer, io.StringIO("n\n" * 99))
    assert capsys.readouterr().err.count("[y/n/Enter]") == asking.MOST


def test_nothing_is_asked_about_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    asking.ask_back("", unmeta.explain("all is well"), io.StringIO("y\n"))
    assert capsys.readouterr().err == ""


# --- in Python ---------------------------------------------------------------------------------------


def test_an_answer_reads_well_in_python() -> None:
    answer = unmeta.explain(DECISIVE)
    assert answer.causes[0].title[:60] in repr(answer)
    assert "line 1: You shouldn't move" in repr(answer)
    assert repr(answer.causes[0]).startswith("{'id': ")
    assert {"causes", "verdict", "to_dict"} <= set(dir(answer))


def test_an_answer_is_html_in_a_notebook_and_what_was_pasted_stays_text() -> None:
    evil = f"{MESSAGE} <script>alert(1)</script><img src=x onerror=alert(1)>"
    shown = unmeta.explain(evil)._repr_html_()
    assert shown is not None
    assert "<script" not in shown
    assert "<img" not in shown
    assert "&lt;script&gt;" in shown
    assert '<a href="https://' in shown
    assert unmeta.explain(MESSAGE).causes[0]._repr_html_() is None
    hostile = Answer(
        known=True, verdict="cause", says="<b>", why_not=None, seen=[], next=None,
        causes=[{"id": "<i>", "title": "<u>", "url": "javascript:alert(1)", "yes": [], "no": [], "open": []}],
    )  # fmt: skip
    assert "javascript" not in (hostile._repr_html_() or "")
    assert "<u>" not in (hostile._repr_html_() or "")


def test_what_is_known_to_be_nothing_has_no_cause() -> None:
    for text in ("all is well", "RuntimeError: CUDA out of memory"):
        answer = unmeta.explain(text)
        assert not answer.known
        assert answer.causes == []
        assert repr(answer)
        assert answer._repr_html_()


def test_ids_of_clues_last() -> None:
    for cause in unmeta.explain(DECISIVE).causes:
        for clue in (*cause.yes, *cause.no, *cause.open):
            assert re.fullmatch("[0-9a-f]{6}", clue.id), clue


def test_explain_is_listed() -> None:
    assert "explain" in dir(unmeta)


# --- completion --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["ex"], ["explain"]),
        (["show", "to-after-dis"], ["to-after-dispatch"]),
        (["explain", "--j"], ["--json"]),
        (["completion", "z"], ["zsh"]),
        (["explain", "err"], []),
        (["nothing", "--j"], []),
    ],
)
def test_what_may_be_completed(words: list[str], found: list[str], run: Command) -> None:
    assert completion.candidates(words) == found
    assert run("completion", "--for", *words)[1].split() == found


def test_everything_may_follow_nothing() -> None:
    assert set(cli.COMMANDS) <= set(completion.candidates([]))
    assert set(cli.COMMANDS) <= set(completion.candidates([""]))


@pytest.mark.parametrize("shell", completion.SHELLS)
def test_a_shell_takes_the_script(shell: str, run: Command) -> None:
    code, script, _ = run("completion", shell)
    assert code == door.OK
    assert "unmeta completion --for" in script
    if (program := shutil.which(shell)) and shell != "fish":
        subprocess.run([program, "-n"], input=script, text=True, check=True)


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
def test_bash_completes(run: Command) -> None:
    _, script, _ = run("completion", "bash")
    command = (
        f'unmeta() {{ "{sys.executable}" -m unmeta "$@"; }}\n{script}\n'
        'COMP_WORDS=(unmeta show to-after-dis); COMP_CWORD=2; _unmeta; echo "${COMPREPLY[@]}"'
    )
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["to-after-dispatch"]


@pytest.mark.parametrize(
    ("word", "near"), [("explan", "explain"), ("zzzzzz", ""), ("sho", "show"), ("completion-x", "completion")]
)
def test_the_nearest_name(word: str, near: str) -> None:
    assert lookup.nearest(word, cli.COMMANDS).split(", ")[0] == near
