"""What runs report, and that no script harms another."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from unmeta.kb.runfiles import from_plain, parse, render, set_name, to_plain
from unmeta.kb.runs import Observation, traceback_text
from unmeta.kb.snippets import Snippet
from unmeta.verify import sandbox as sandbox_module
from unmeta.verify.sandbox import Sandbox, installed

Run = Callable[..., Observation]


def marked(text: str) -> list[int]:
    """Processes whose command line or working folder holds a text."""
    found = []
    for process in psutil.process_iter():
        try:
            if text in " ".join(process.cmdline()) + process.cwd():
                found.append(process.pid)
        except psutil.Error:
            continue
    return found


# what is recorded


def test_pass(run: Run) -> None:
    seen = run("print('hello')\n\n# goal\nassert True\n")
    assert (seen.outcome, seen.goal_reached, seen.events) == ("passed", True, ())
    assert seen.output == "hello\n"
    assert seen.seconds < 10
    assert len(seen.digest) == 12


def test_missed_goal_is_an_assertion_with_its_line(run: Run) -> None:
    seen = run("x = 1\n# goal\n\nassert x == 2, 'not two'\n")
    assert (seen.outcome, seen.goal_reached) == ("missed", True)
    (event,) = seen.events
    assert (event.type, event.phase, event.text) == ("AssertionError", "goal", "not two")
    frame = event.chain[-1].frames[-1]
    assert (frame.file, frame.line, frame.code) == ("broken.py", 4, "assert x == 2, 'not two'")


def test_error_in_the_goal_is_raised(run: Run) -> None:
    seen = run("import fakelib\n# goal\nfakelib.fail()\n")
    assert (seen.outcome, seen.goal_reached, seen.events[0].phase) == ("raised", True, "goal")


def test_assertion_of_a_library_in_the_goal_is_raised(run: Run, library: Path) -> None:
    (library / "strictlib.py").write_text("def check(x):\n    assert x, 'inner'\n", encoding="utf-8")
    assert run("import strictlib\n# goal\nstrictlib.check(0)\n").outcome == "raised"


def test_assertion_of_a_testing_helper_is_a_missed_goal(run: Run) -> None:
    text = "import numpy.testing\n# goal\nnumpy.testing.assert_array_equal([1], [2])\n"
    assert run(text).outcome == "missed"


def test_events_come_in_order_with_origin_and_phase(run: Run) -> None:
    seen = run(
        "import fakelib\nfakelib.log()\nfakelib.warn()\n# goal\nfakelib.warn('late')\nfakelib.fail()\n"
    )
    assert [(e.kind, e.type, e.text, e.phase, e.origin) for e in seen.events] == [
        ("log", "WARNING", "weights are missing", "body", "fakelib.deep"),
        ("warning", "UserWarning", "nothing was copied", "body", "fakelib.py"),
        ("warning", "UserWarning", "late", "goal", "fakelib.py"),
        ("exception", "NotImplementedError", "no data!", "goal", ""),
    ]


def test_repeats_count(run: Run) -> None:
    seen = run("import fakelib\nfor _ in range(5):\n    fakelib.warn()\n# goal\npass\n")
    assert [event.count for event in seen.events] == [5]


def test_warning_blamed_on_the_snippet_is_still_the_librarys(run: Run) -> None:
    seen = run("import fakelib\nfakelib.warn(stacklevel=2)\n")
    assert seen.events[0].origin == "fakelib.py"


def test_own_warning_and_log_are_told_apart(run: Run) -> None:
    seen = run(
        "import logging, warnings\nwarnings.warn('mine')\nlogging.getLogger('fakelib').warning('mine too')\n"
    )
    assert [event.origin for event in seen.events] == ["broken.py", "broken.py"]


def test_what_python_hides_by_default_stays_hidden(run: Run) -> None:
    seen = run(
        "import fakelib, warnings\n"
        "exec(compile('import warnings; warnings.warn(\"old\", DeprecationWarning)', 'other.py', 'exec'),"
        " {'__name__': 'other'})\n"
    )
    assert seen.events == ()


@pytest.mark.parametrize(
    ("setting", "count"),
    [
        ("logger.addHandler(logging.NullHandler())", 0),
        ("logger.propagate = False; logger.addHandler(logging.StreamHandler())", 1),
        ("logger.propagate = False", 1),
        ("logger.setLevel('ERROR')", 0),
        ("logger.disabled = True", 0),
        ("logging.basicConfig(level='ERROR'); logging.root.handlers[0].setLevel('ERROR')", 0),
    ],
)
def test_a_record_counts_where_a_handler_shows_it(run: Run, setting: str, count: int) -> None:
    seen = run(f"import fakelib, logging\nlogger = fakelib.logger\n{setting}\nfakelib.log()\n")
    assert len(seen.events) == count


def test_chain_and_frames_make_a_traceback(run: Run) -> None:
    seen = run("import fakelib\n\nfakelib.wrap()\n\n# goal\nassert 0\n")
    text = traceback_text(seen.events[-1])
    assert text.splitlines()[-1] == "RuntimeError: could not load"
    assert "NotImplementedError: no data!\n\nThe above exception was the direct cause" in text
    assert '  File "broken.py", line 3, in <module>\n    fakelib.wrap()' in text
    assert [frame.library for frame in seen.events[-1].chain[-1].frames] == [False, True]


def test_a_frame_names_the_file_inside_its_library(run: Run) -> None:
    seen = run("import json\njson.loads('{')\n")
    assert seen.events[-1].type == "json.decoder.JSONDecodeError"
    assert [frame.file for frame in seen.events[-1].chain[-1].frames] == [
        "broken.py",
        "json/__init__.py",
        "json/decoder.py",
        "json/decoder.py",
    ]


def test_texts_are_the_same_in_every_run(run: Run) -> None:
    text = (
        "import fakelib, os, tempfile\n"
        "print(os.getcwd(), object())\n"
        "fakelib.warn(f'{object()} {os.path.join(os.getcwd(), \"a\")} {tempfile.mkdtemp()}')\n"
        "fakelib.fail(fakelib.__file__ + os.__file__)\n"
    )
    first, second = run(text), run(text)
    assert first.events == second.events
    assert first.output == second.output == "/home/user <object object at 0x7f0000000000>\n"
    assert first.events[0].text == ("<object object at 0x7f0000000000> /home/user/a /tmp/tmpxxxxxxxx")
    assert first.events[1].text.endswith("/usr/lib/python3/os.py")


def test_a_stack_that_a_message_prints_begins_at_the_snippet(run: Run) -> None:
    text = "import traceback\nraise ValueError('allocated at:\\n' + ''.join(traceback.format_stack()))\n"
    (event,) = run(text).events
    lines = event.text.splitlines()
    assert lines[0] == "allocated at:"
    assert lines[1].startswith('  File "broken.py", line ')
    assert "probe.py" not in event.text


def test_exception_in_a_thread_is_told(run: Run) -> None:
    seen = run(
        "import fakelib, threading\n"
        "thread = threading.Thread(target=fakelib.fail, name='loader')\nthread.start()\nthread.join()\n"
    )
    assert [(e.kind, e.type, e.origin) for e in seen.events] == [
        ("exception", "NotImplementedError", "loader")
    ]
    assert seen.outcome == "passed"


def test_ignored_exception_is_told(run: Run) -> None:
    seen = run("class A:\n    def __del__(self):\n        1 / 0\n\n\nA()\n# goal\npass\n")
    assert "ZeroDivisionError: division by zero" in seen.events[0].text


def test_the_script_is_main_and_can_be_inspected(run: Run) -> None:
    seen = run(
        "import inspect, os, pickle, sys\n\n\nclass A:\n    pass\n\n\n"
        "assert __name__ == '__main__' and sys.argv == ['broken.py'] and os.listdir() == []\n"
        "assert 'class A' in inspect.getsource(A)\n"
        "assert type(pickle.loads(pickle.dumps(A()))) is A\n"
        "assert os.path.expanduser('~') == os.getcwd() and __doc__ is None\n"
        "assert os.environ['PYTHONHASHSEED'] == '0'\n"
    )
    assert seen.outcome == "passed", seen.events


def test_a_run_leaves_nothing_to_the_next(run: Run) -> None:
    for _ in range(2):
        seen = run(
            "import fakelib, os, json\n"
            "assert not fakelib.once and not hasattr(json, 'spoilt') and os.listdir() == []\n"
            "fakelib.once.add(1)\njson.spoilt = True\nopen('left', 'w').close()\n"
        )
        assert seen.outcome == "passed", seen.events


def test_future_import_holds_for_the_goal(run: Run) -> None:
    seen = run("from __future__ import annotations\n# goal\n\n\ndef f(x: nowhere): ...\n\n\nassert f\n")
    assert seen.outcome == "passed", seen.events


def test_syntax_error(run: Run) -> None:
    seen = run("x = = 1\n# goal\n")
    assert (seen.outcome, seen.goal_reached, seen.events[0].type) == ("raised", False, "SyntaxError")


@pytest.mark.parametrize("where", ["", ", {}", ", {'__name__': 'fakelib'}", ", {'__name__': '__main__'}"])
def test_code_under_the_file_name_of_a_library_is_the_script_s_own(run: Run, where: str) -> None:
    raising = "'raise NotImplementedError(1)'"
    seen = run(
        f"import fakelib\nexec(compile({raising}, fakelib.__file__, 'exec'){where})\n# goal\nassert 0\n"
    )
    frame = seen.events[-1].chain[-1].frames[-1]
    assert (frame.file, frame.library) == ("<string>", False)


def test_goal_inside_a_statement(run: Run) -> None:
    seen = run("if True:\n    x = 1\n# goal\n    y = 2\n")
    assert (seen.events[0].type, "inside the statement" in seen.events[0].text) == ("SyntaxError", True)


def test_without_a_goal_all_is_body(run: Run) -> None:
    seen = run("x = 1\n")
    assert (seen.outcome, seen.goal_reached) == ("passed", False)


def test_observation_survives_the_file(run: Run) -> None:
    seen = run("import fakelib\nfakelib.warn()\nfakelib.wrap()\n")
    assert from_plain(json.loads(json.dumps(to_plain(seen)))) == seen
    versions = {"python": "3.11"}
    kept = replace(seen, seconds=0.0, peak_mb=0.0, versions=versions)
    text = render({"broken.py": {"here": kept}})
    assert parse(text, {set_name(versions): versions}) == {"broken.py": {"here": kept}}


# misbehaviour


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("import sys\nsys.exit(3)\n", "sys.exit(3)"),
        ("import os\nos._exit(0)\n", "os._exit(0)"),
        ("import os\nos._exit(7)\n", "os._exit(7)"),
    ],
)
def test_exit(run: Run, text: str, note: str) -> None:
    seen = run(text)
    assert (seen.outcome, seen.note, seen.goal_reached) == ("exited", note, False)


@pytest.mark.parametrize(
    ("text", "signal"),
    [
        ("import os\nos.abort()\n", "SIGABRT"),
        ("import ctypes\nctypes.string_at(0)\n", "SIGSEGV"),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n", "SIGKILL"),
    ],
)
def test_crash_keeps_what_came_before(run: Run, text: str, signal: str) -> None:
    seen = run("import fakelib\nfakelib.warn()\n# goal\n" + text)
    assert seen.outcome == "crashed"
    assert seen.note.startswith(signal)
    assert seen.goal_reached
    assert [event.text for event in seen.events] == ["nothing was copied"]
    if signal != "SIGKILL":
        assert seen.note == f"{signal} at line 5"


def test_hang_is_stopped_and_says_where(run: Run, limits: Callable[..., None]) -> None:
    limits(seconds=1.5)
    began = time.monotonic()
    seen = run("import time\n\ntime.sleep(99)\n")
    assert (seen.outcome, seen.note) == ("timed-out", "at line 3")
    assert time.monotonic() - began < 10


def test_hang_that_refuses_signals(run: Run, limits: Callable[..., None]) -> None:
    limits(seconds=1.0)
    seen = run(
        "import signal\nfor number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):\n"
        "    signal.signal(number, signal.SIG_IGN)\nwhile True:\n    pass\n"
    )
    assert seen.outcome == "timed-out"


@pytest.mark.parametrize(
    "text",
    [
        "for _ in range(1600):\n    print('x' * 65536)\n",
        "import sys\nwhile True:\n    sys.stderr.write('x' * 65536)\n",
        "import os\nwhile True:\n    os.write(1, b'x' * 65536)\n",
        "import fakelib\nwhile True:\n    fakelib.warn('x' * 9999)\n",
    ],
)
def test_flood(run: Run, text: str) -> None:
    seen = run(text)
    assert seen.outcome == "flooded"
    assert len(seen.output) < 5000


def test_memory(run: Run, limits: Callable[..., None]) -> None:
    limits(memory=200 << 20)
    seen = run("import time\nx = bytearray(400 << 20)\nx[::4096] = b'1' * len(x[::4096])\ntime.sleep(20)\n")
    assert seen.outcome == "out-of-memory"
    assert seen.peak_mb > 200


def test_peak_is_what_the_script_took(run: Run) -> None:
    seen = run("x = b'1' * (100 << 20)\ndel x\n")
    assert 90 < seen.peak_mb < 200


FORKS = {
    "child": "import os, time\nif os.fork() == 0:\n    time.sleep(99)\n",
    "orphan in its own session": (
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
        "        time.sleep(99)\n    os._exit(0)\nos.wait()\n"
    ),
    "program": ("import subprocess\nsubprocess.Popen(['sleep', '99.25'], start_new_session=True)\n"),
}


@pytest.mark.parametrize("text", FORKS.values(), ids=FORKS)
def test_processes_left_behind_are_told_and_ended(run: Run, text: str) -> None:
    seen = run(text)
    assert seen.outcome == "left-processes"
    assert "still running" in seen.note
    assert not marked("sleep 99.25")


def test_children_that_python_ends_are_not_left_behind(run: Run) -> None:
    text = (
        "import multiprocessing, time\n"
        "context = multiprocessing.get_context('fork')\n"
        "context.Process(target=time.sleep, args=(99,), daemon=True).start()\n1 / 0\n"
    )
    assert run(text).outcome == "raised"


def test_processes_of_a_stopped_script_are_ended(run: Run, limits: Callable[..., None]) -> None:
    limits(seconds=1.5)
    seen = run(
        "import subprocess, time\nsubprocess.Popen(['sleep', '99.75'], start_new_session=True)\n"
        "time.sleep(99)\n"
    )
    assert seen.outcome == "timed-out"
    assert not marked("sleep 99.75")


def test_killing_the_fork_server_harms_no_later_run(run: Run) -> None:
    run("import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\n")
    assert run("# goal\nassert True\n").outcome == "passed"


@pytest.mark.parametrize(
    "text",
    [
        "import socket\nsocket.create_connection(('192.0.2.1', 80), timeout=5)\n",
        "import urllib.request\nurllib.request.urlopen('http://example.org')\n",
        "import socket\nsocket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'', ('192.0.2.1', 9))\n",
    ],
)
def test_network_is_refused(run: Run, text: str) -> None:
    seen = run(text)
    assert seen.outcome == "raised"
    assert "no network" in seen.events[-1].text
    assert "asked the network for" in seen.note


def test_a_swallowed_refusal_is_still_noted(run: Run) -> None:
    seen = run(
        "import socket\ntry:\n    socket.create_connection(('192.0.2.1', 80))\nexcept OSError:\n    pass\n"
    )
    assert (seen.outcome, seen.note) == ("passed", "asked the network for 192.0.2.1")


def test_loopback_works(run: Run) -> None:
    seen = run(
        "import socket\nserver = socket.create_server(('127.0.0.1', 0))\n"
        "socket.create_connection(('localhost', server.getsockname()[1])).close()\n"
    )
    assert (seen.outcome, seen.note) == ("passed", "")


def test_settings_of_the_person_do_not_reach_the_script(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRANSFORMERS_VERBOSITY", "error")
    monkeypatch.setenv("HF_TOKEN", "secret")
    seen = run("import os\nassert not {'TRANSFORMERS_VERBOSITY', 'HF_TOKEN'} & set(os.environ)\n")
    # The fork server has started long ago; its environment was chosen then.
    assert seen.outcome == "passed"
    assert os.environ["HF_TOKEN"] == "secret"


def test_an_interrupted_run_leaves_no_process(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    members: list[int] = []

    def interrupt(self: sandbox_module._Run) -> None:
        wait_for(lambda: bool(self._members()))
        members.extend(self._members())
        raise KeyboardInterrupt

    monkeypatch.setattr(sandbox_module._Run, "watch", interrupt)
    with pytest.raises(KeyboardInterrupt):
        run("import time\ntime.sleep(99)\n")
    assert members
    assert not any(map(psutil.pid_exists, members))


KILLED = """
from unmeta.kb.snippets import Snippet
from unmeta.verify.sandbox import Sandbox

Sandbox(preload=()).run(Snippet("case/broken.py", "import subprocess; subprocess.run(['sleep', '99.5'])"))
"""


@pytest.mark.usefixtures("sandbox")
def test_a_test_run_that_is_killed_leaves_no_process() -> None:
    runner = subprocess.Popen([sys.executable, "-c", KILLED])
    wait_for(lambda: bool(marked("sleep 99.5")))
    below = psutil.Process(runner.pid).children(recursive=True)
    assert {process.name() for process in below} >= {"sleep"}
    runner.kill()
    runner.wait()
    wait_for(lambda: not any(process.is_running() for process in below))


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait at most twenty seconds."""
    until = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.05)


# groups


def test_ranks_see_torchruns_environment(run: Run) -> None:
    seen = run(
        "import os\n"
        "assert os.environ['WORLD_SIZE'] == '2' and os.environ['MASTER_ADDR'] == '127.0.0.1'\n"
        "assert os.environ['RANK'] == os.environ['LOCAL_RANK'] and int(os.environ['MASTER_PORT'])\n"
        "print('rank', os.environ['RANK'])\n# goal\nassert True\n",
        processes=2,
    )
    assert (seen.outcome, seen.goal_reached, seen.output) == ("passed", True, "rank 0\n"), seen.events


def test_a_group_passes_only_as_a_whole(run: Run) -> None:
    seen = run("import os\n# goal\nassert os.environ['RANK'] == '0'\n", processes=2)
    assert seen.outcome == "missed"
    assert [event.rank for event in seen.events] == [1]


def test_the_first_rank_to_fail_decides(run: Run) -> None:
    began = time.monotonic()
    seen = run(
        "import fakelib, os, time\nfakelib.log()\nif os.environ['RANK'] == '1':\n    fakelib.fail('first')\n"
        "time.sleep(1.5)\nfakelib.fail('peer is gone')\n",
        processes=2,
    )
    assert seen.outcome == "raised"
    assert [(event.rank, event.text) for event in seen.events] == [(0, "weights are missing"), (1, "first")]
    assert time.monotonic() - began < 10


def test_ranks_that_wait_for_a_dead_one_are_stopped(run: Run) -> None:
    began = time.monotonic()
    seen = run(
        "import fakelib, os, time\nif os.environ['RANK'] == '1':\n    fakelib.fail()\ntime.sleep(99)\n",
        processes=2,
    )
    assert (seen.outcome, seen.note) == ("raised", "")
    assert [event.rank for event in seen.events] == [1]
    assert time.monotonic() - began < 10


def test_the_same_failure_of_all_ranks_is_told_once(run: Run) -> None:
    seen = run("import fakelib\nfakelib.fail()\n", processes=2)
    assert [event.rank for event in seen.events] == [0]


def test_an_interrupted_group_is_no_crash(run: Run) -> None:
    seen = run(
        "import os, sys, time\nif os.environ['RANK'] == '0':\n    sys.exit(1)\ntime.sleep(99)\n", processes=2
    )
    assert (seen.outcome, seen.note) == ("exited", "sys.exit(1)")


# the machine


def test_nothing_is_left_on_the_disk(sandbox: Sandbox, run: Run) -> None:
    run("open('file', 'w').write('x')\n")
    assert [path.name for path in sandbox._home.iterdir()] == ["server"]


def test_installed_names_releases_without_build_tags() -> None:
    found = installed()
    assert found["python"].startswith("3.")
    assert all("+" not in release for release in found.values())


@pytest.mark.skipif(sys.platform != "linux", reason="glibc fills memory")
@pytest.mark.parametrize(("setting", "byte"), [(None, 90), ("255", 0)])
def test_fresh_memory_is_filled(monkeypatch: pytest.MonkeyPatch, setting: str | None, byte: int) -> None:
    monkeypatch.delenv("MALLOC_PERTURB_", raising=False)
    if setting:
        monkeypatch.setenv("MALLOC_PERTURB_", setting)
    text = (
        "import ctypes\nmalloc = ctypes.CDLL(None).malloc\nmalloc.restype = ctypes.c_void_p\n"
        "print(set(ctypes.string_at(malloc(4096), 4096)))\n"
    )
    with Sandbox(preload=()) as fresh:
        assert fresh.run(Snippet("case/broken.py", text)).output == f"{{{byte}}}\n"


def test_folders_of_runs_lie_outside_what_runs_may_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = tmp_path / "environment" / "tmp"
    inside.mkdir(parents=True)
    monkeypatch.setattr("tempfile.tempdir", str(inside))
    monkeypatch.setattr("unmeta.verify.isolation.readable", lambda _: (str(tmp_path / "environment"),))
    with Sandbox(preload=()) as sandbox:
        assert inside not in sandbox._home.parents
    monkeypatch.setattr("unmeta.verify.isolation.readable", lambda _: ("/usr",))
    with Sandbox(preload=()) as sandbox:
        assert inside.resolve() in sandbox._home.parents
