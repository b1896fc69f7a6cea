"""Scripts that try to hurt the one who runs them: each run is judged, and the next one is as the first."""

from __future__ import annotations

import contextlib
import os
import shutil
import site
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

import unmeta
from unmeta.kb.model import Needs
from unmeta.kb.runs import Observation
from unmeta.kb.snippets import Snippet
from unmeta.verify import isolation
from unmeta.verify import sandbox as sandbox_module
from unmeta.verify.sandbox import Limits, Sandbox, SandboxError, layers, remove, size

Try = Callable[..., Observation]
SOME = frozenset({"landlock", "seccomp"})


@pytest.fixture(scope="module", params=["all walls", "some walls", "no walls"])
def behind(
    request: pytest.FixtureRequest, library: Path, search_path: Callable[..., str]
) -> Iterator[Sandbox]:
    """A sandbox with all that this machine has, with what most machines have, and with nothing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", search_path(library))
        here = layers()
        walls = {"all walls": here, "some walls": here & SOME, "no walls": frozenset[str]()}[request.param]
        with Sandbox(preload=(), limits=Limits(seconds=20), isolate=walls) as made:
            yield made


@pytest.fixture
def hostile(behind: Sandbox) -> Iterator[Try]:
    """Run a hostile script, in time, and then a good one, which must be as ever."""

    def run(text: str, **limits: float) -> Observation:
        began = time.monotonic()
        seen = behind.run(Snippet("case/broken.py", text), limits=Limits(**{"seconds": 8, **limits}))
        assert time.monotonic() - began < 60
        return seen

    yield run
    good = behind.run(Snippet("case/fix-x.py", "print('well')\n# goal\nassert 1\n"))
    assert (good.outcome, good.output) == ("passed", "well\n")
    assert sorted(path.name for path in behind._home.iterdir()) == ["server"]


def nothing_lives_below(server: int, patience: float = 4) -> bool:
    """Whether no process of a run is left; the last ones may take a moment to go on a busy machine."""
    until = time.monotonic() + patience
    while psutil.Process(server).children(recursive=True):
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def alive(mark: str) -> list[int]:
    """Processes whose command line holds a text."""
    found = []
    for process in psutil.process_iter():
        try:
            if mark in " ".join(process.cmdline()):
                found.append(process.pid)
        except psutil.Error:
            continue
    return found


def gone(mark: str) -> bool:
    """Whether such processes are gone, now or in a moment."""
    until = time.monotonic() + 5
    while alive(mark) and time.monotonic() < until:
        time.sleep(0.05)
    return not alive(mark)


# records

END = '{"kind": "end", "at": 1, "end": {"outcome": "passed", "note": "", "seconds": 0, "peak_mb": 0}}'
EVENT = '{"kind": "event", "at": 1, "event": {"kind": "log", "type": "WARNING", "text": "x"%s}}'
FORGED = {
    "no record": "hello",
    "another kind": '{"kind": "verdict", "at": 1}',
    "a list": "[]",
    "deep": "[" * 100_000,
    "a key more": '{"kind": "goal", "at": 1, "really": true}',
    "not a number": '{"kind": "goal", "at": NaN}',
    "a text for a number": '{"kind": "goal", "at": "1"}',
    "an outcome that is none": END.replace("passed", "holds"),
    "time that runs back": END.replace('"seconds": 0', '"seconds": -1'),
    "an event without event": '{"kind": "event", "at": 1}',
    "an exception without chain": EVENT.replace('"log"', '"exception"') % "",
    "an event of another rank": EVENT % ', "rank": 3',
    "an event of a goal to come": EVENT % ', "phase": "goal"',
    "many at once": EVENT % ', "count": 1000000',
    "markup for an outcome": END.replace("passed", "<script>"),
    "two goals": '{"kind": "goal", "at": 1}\n{"kind": "goal", "at": 1}',
    "two ends": END,
    "a long line": "x" * 5_000_000,
    "bytes": "\\xff\\xfe",
    "null": "\\x00" * 50,
}


@pytest.mark.parametrize("record", FORGED.values(), ids=FORGED)
def test_forged_records_are_found_out(hostile: Try, record: str) -> None:
    text = f"import os\nos.write(3, b'''{record}''' + b'\\n')\n"
    if len(record) > 1_000_000:
        text = "import os\nx = b'x' * 5_000_000 + b'\\n'\nwhile x:\n    x = x[os.write(3, x):]\n"
    assert hostile(text).outcome == "forged"


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("import os\nos.close(3)\n", "exited"),
        ("import os\nos.dup2(1, 3)\n", "exited"),
        ("import os\nos.closerange(0, 9)\n", "exited"),
        ("import os\nos.write(3, b'{')\nos._exit(0)\n", "exited"),
        ("import os\nwhile True:\n    os.write(3, b'x' * 65536)\n", "flooded"),
        ("import os\nos.set_blocking(1, False)\nos.set_blocking(3, False)\n", "passed"),
        ("import socket\ns = socket.socket(fileno=3)\ns.shutdown(2)\ns.detach()\n", "exited"),
        (
            "import socket\ns = socket.socket(fileno=3)\nsocket.send_fds(s, [b'{}'], [0, 1])\ns.detach()\n",
            "forged",
        ),
    ],
)
def test_records_that_are_missing_or_without_end(hostile: Try, text: str, outcome: str) -> None:
    assert hostile(text).outcome == outcome


@pytest.mark.parametrize(
    "text",
    [
        "import os\nopen('/proc/self/fd/3', 'rb')\n",
        "import os\nos.read(3, 1)\nassert 0\n",
        "import socket\nassert socket.socket(fileno=3).recv(1)\n",
    ],
)
def test_what_was_recorded_cannot_be_read_again(hostile: Try, text: str) -> None:
    assert hostile(text, seconds=3).outcome in ("raised", "exited", "timed-out")


def test_a_script_has_its_own_descriptors_only(hostile: Try) -> None:
    text = "import os\nprint([n for n in range(4096) if os.path.exists(f'/proc/self/fd/{n}')])\n"
    assert hostile(text).output == "[0, 1, 2, 3]\n"


# folders

FOLDERS = {
    "deep": "import os\nfor _ in range(1100):\n    os.mkdir('deeper')\n    os.chdir('deeper')\n",
    "locked": "import os\nos.makedirs('a/b/c')\nopen('a/b/f', 'w')\n"
    "for place in ('a/b/c', 'a/b', 'a', '.'):\n    os.chmod(place, 0)\n",
    "odd names": "import os\nfor name in (b'\\xff', b'\\n', b'-rf', b' ', b'x' * 255):\n    os.mkdir(name)\n",
    "pipes": "import os\nos.mkfifo('pipe')\nos.mkfifo('../stdout-0')\nos.mkfifo('../records-0')\n",
    "endless link": "import os\nos.symlink('/dev/zero', '../records-0')\nos.symlink('.', 'self')\n",
    "no script": "import os\nos.unlink('../broken.py')\nos.rename('../work', '../gone')\n",
    "many files": "for n in range(500):\n    open(str(n), 'w').close()\n",
    "full": "try:\n    for n in range(99):\n        open(str(n), 'wb').write(bytes(1 << 20))\n"
    "except OSError:\n    pass\n",
    "modules": "for name in ('selectors', 'json', 'sitecustomize'):\n"
    "    open(name + '.py', 'w').write('1 / 0')\n    open('../' + name + '.py', 'w').write('1 / 0')\n",
}


@pytest.mark.parametrize("text", FOLDERS.values(), ids=FOLDERS)
def test_whatever_lies_in_its_folder_is_removed(hostile: Try, text: str) -> None:
    assert hostile(text, disk=32 << 20, file=1 << 30).outcome in ("passed", "flooded")


def test_a_file_has_a_limit(hostile: Try) -> None:
    seen = hostile("import os\nos.truncate(os.open('x', os.O_RDWR | os.O_CREAT), 1 << 40)\n", file=1 << 20)
    assert seen.outcome in ("raised", "crashed")


def test_the_disk_has_a_limit(behind: Sandbox, hostile: Try) -> None:
    text = "for n in range(400):\n    open(str(n), 'wb').write(bytes(1 << 20))\nimport time\ntime.sleep(3)\n"
    seen = hostile(text, disk=64 << 20)
    if "mount" in behind.layers:
        assert (seen.outcome, "No space left" in seen.events[-1].text) == ("raised", True)
    else:
        assert (seen.outcome, seen.note) == ("flooded", "filled the disk")


@pytest.mark.parametrize("user", [None, 65534])
def test_removing_never_raises(tmp_path: Path, user: int | None) -> None:
    """Also as somebody who may not simply do everything."""
    top = tmp_path / "top"
    top.mkdir()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            os.chdir(tmp_path)
            if user is not None and os.getuid() == 0:
                os.chown(top, user, user)
                tmp_path.chmod(0o777)
                os.setuid(user)
            above = os.open(".", os.O_RDONLY)
            os.chdir("top")
            os.makedirs("locked/inside/empty")
            os.chmod("locked/inside", 0)
            os.chmod("locked", 0)
            for _ in range(1100):
                os.mkdir("deeper")
                os.chdir("deeper")
            os.fchdir(above)
            remove(Path("top"))
            code = int(os.path.exists("top"))
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    remove(tmp_path / "absent")


def test_size_stops_counting(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / name).write_bytes(bytes(100_000))
    assert size(str(tmp_path), 10**9) >= 300_000
    assert 100_000 < size(str(tmp_path), 150_000) <= 300_000


# processes

MARK = "77.125"
SURVIVORS = {
    "child": f"import subprocess\nsubprocess.Popen(['sleep', '{MARK}'])\n",
    "session": f"import subprocess\nsubprocess.Popen(['sleep', '{MARK}'], start_new_session=True)\n",
    "daemon": "import os\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
    f"        os.execvp('sleep', ['sleep', '{MARK}'])\n    os._exit(0)\nos.wait()\n",
    "of a script that is gone": "import os\nif os.fork() == 0:\n"
    f"    os.execvp('sleep', ['sleep', '{MARK}'])\nos._exit(0)\n",
    "deaf": "import os, signal\nif os.fork() == 0:\n    for n in range(1, 32):\n        try:\n"
    "            signal.signal(n, signal.SIG_IGN)\n        except OSError:\n            pass\n"
    f"    os.execvp('sleep', ['sleep', '{MARK}'])\n",
    "shell": f"import os\nos.system('nohup setsid sleep {MARK} > /dev/null 2>&1 &')\n",
    "stopped": "import os, signal, time\npid = os.fork()\nif pid == 0:\n"
    f"    os.execvp('sleep', ['sleep', '{MARK}'])\ntime.sleep(0.2)\nos.kill(pid, signal.SIGSTOP)\n",
    "many": "import subprocess\nfor _ in range(40):\n"
    f"    subprocess.Popen(['sleep', '{MARK}'], start_new_session=True)\n",
}


@pytest.mark.parametrize("text", SURVIVORS.values(), ids=SURVIVORS)
def test_no_process_survives(hostile: Try, text: str) -> None:
    assert hostile(text).outcome in ("left-processes", "exited")
    assert gone(f"sleep {MARK}")


SPINNER = """
import os, time
end = time.monotonic() + 30
if os.fork() == 0:
    {first}
    while time.monotonic() < end:
        if os.fork():
            os._exit(0)
"""


@pytest.mark.parametrize("first", ["pass", "os.setsid()"])
def test_what_forks_without_end_is_ended(behind: Sandbox, hostile: Try, first: str) -> None:
    if "pid" not in behind.layers and "seccomp" not in behind.layers and "setsid" in first:
        pytest.skip("named in the table: without walls a process can outrun its end")
    before = set(psutil.pids())
    assert hostile(SPINNER.format(first=first)).outcome in ("left-processes", "passed")
    time.sleep(0.3)
    assert behind._server is not None
    assert nothing_lives_below(behind._server.pid)
    left = []
    for pid in set(psutil.pids()) - before:
        with contextlib.suppress(psutil.Error):  # others of this machine come and go
            process = psutil.Process(pid)
            if process.ppid() == 1 and "unmeta.verify.server" in " ".join(process.cmdline()):
                left.append(process)
    assert not left


def test_a_fork_bomb_is_bounded(behind: Sandbox, hostile: Try, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "MAX_PROCESSES", 60)
    text = (
        "import os, time\nmade = 0\ntry:\n    for _ in range(600):\n        if os.fork() == 0:\n"
        "            time.sleep(20)\n            os._exit(0)\n        made += 1\nexcept OSError:\n    pass\n"
        "print(made)\ntime.sleep(20)\n"
    )
    seen = hostile(text, seconds=15)
    assert seen.outcome in ("left-processes", "timed-out")
    assert behind._server is not None
    assert nothing_lives_below(behind._server.pid)


MEMORY = {
    "private": "x = bytearray(300 << 20)\n",
    "shared": "import mmap\nx = mmap.mmap(-1, 300 << 20)\nx.write(b'1' * (300 << 20))\n",
    "of many": "import os\nfor _ in range(6):\n    if not os.fork():\n        break\nx = b'1' * (50 << 20)\n",
}


@pytest.mark.parametrize("text", MEMORY.values(), ids=MEMORY)
def test_memory_of_all_kinds_counts(hostile: Try, text: str) -> None:
    seen = hostile(text + "import time\ntime.sleep(6)\n", memory=150 << 20)
    assert seen.outcome in ("out-of-memory", "raised")


def test_the_largest_memory_is_refused_at_once(hostile: Try) -> None:
    seen = hostile("x = bytearray(64 << 30)\n", memory=100 << 20)
    assert (seen.outcome, seen.events[-1].type) == ("raised", "MemoryError")


# the parent and its helpers

KEEPERS = {
    "kill": "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\n",
    "stop": "import os, signal\nos.kill(os.getppid(), signal.SIGSTOP)\n",
    "kill what holds it": "import os, psutil, signal\n"
    "for one in psutil.Process().parents()[:2]:\n    os.kill(one.pid, signal.SIGKILL)\n",
    "stop what holds it": "import os, psutil, signal\n"
    "for one in psutil.Process().parents()[:2]:\n    os.kill(one.pid, signal.SIGSTOP)\n",
    "tell them to dump": "import os, signal\nos.kill(os.getppid(), signal.SIGUSR1)\n",
}


@pytest.mark.parametrize("text", KEEPERS.values(), ids=KEEPERS)
def test_killing_or_stopping_its_keepers_ends_only_itself(
    behind: Sandbox, hostile: Try, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox_module, "TIDY", 2.0)
    if "hold" in text and not behind.layers:
        pytest.skip("the next test does so to the server itself")
    assert hostile(text + "import time\ntime.sleep(0.5)\n", seconds=4).outcome in (
        "passed", "raised", "crashed", "timed-out", "exited",
    )  # fmt: skip


@pytest.mark.parametrize("signal", [9, 19, 11])
def test_a_fork_server_that_is_gone_or_silent_is_replaced(
    behind: Sandbox, hostile: Try, monkeypatch: pytest.MonkeyPatch, signal: int
) -> None:
    monkeypatch.setattr(sandbox_module, "ANSWER", 2.0)
    hostile("pass\n")
    assert behind._server is not None
    os.kill(behind._server.pid, signal)
    assert hostile("# goal\nassert 1\n").outcome == "passed"


def test_a_server_that_never_starts_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with Sandbox(isolate="off", preload=()) as made:
        monkeypatch.setattr(sandbox_module.sys, "executable", "/bin/false")
        with pytest.raises(SandboxError, match="did not start"):
            made.run(Snippet("case/broken.py", "pass\n"))


def test_standard_input_is_empty(hostile: Try) -> None:
    assert hostile("import sys\nprint(repr(sys.stdin.read()))\n").output == "''\n"


def test_a_group_reaches_itself_over_the_loopback(behind: Sandbox, hostile: Try) -> None:
    hostile("pass\n")
    text = (
        "import os, socket, time\naddress = ('127.0.0.1', int(os.environ['MASTER_PORT']))\n"
        "if os.environ['RANK'] == '0':\n    peer, _ = socket.create_server(address).accept()\n"
        "    print(peer.recv(9))\nelse:\n    for _ in range(100):\n        try:\n"
        "            socket.create_connection(address).send(b'hello')\n            break\n"
        "        except OSError:\n            time.sleep(0.05)\n"
    )
    seen = behind.run(Snippet("case/broken.py", text), Needs(processes=2))
    assert (seen.outcome, seen.output) == ("passed", "b'hello'\n"), seen


@pytest.mark.parametrize(
    "name", ["127.0.0.1.example.org", "127.x.example.org", "localhost.example.org", "0x7f000001"]
)
def test_names_that_only_look_like_the_loopback_are_not_asked(hostile: Try, name: str) -> None:
    seen = hostile(f"import socket\nsocket.getaddrinfo({name!r}, 80)\n")
    assert seen.note == f"asked the network for {name}"


# as somebody else

AS_NOBODY = """
import os, sys
os.environ["TMPDIR"] = sys.argv[1]
os.setgroups([]); os.setgid(65534); os.setuid(65534)
from unmeta.kb.snippets import Snippet
from unmeta.verify.sandbox import Sandbox, layers
with Sandbox(isolate="auto", preload=()) as made:
    text = "import os\\nprint(os.getuid())\\n# goal\\nopen('/etc/passwd', 'a')\\n"
    seen = made.run(Snippet("case/broken.py", text))
    print(*sorted(made.layers), seen.outcome, seen.output.strip(), seen.events[-1].type)
"""


@pytest.mark.skipif(sys.platform != "linux" or os.getuid() != 0, reason="only root can become nobody")
def test_an_ordinary_user_has_the_same_walls(monkeypatch: pytest.MonkeyPatch) -> None:
    # A Python in the home folder of root is not for everybody; that of the system is.
    python = shutil.which("python{}.{}".format(*sys.version_info), path="/usr/bin:/usr/local/bin")
    if python is None:
        pytest.skip("no Python that nobody may run")
    paths = [Path(unmeta.__file__).parents[1], *map(Path, site.getsitepackages())]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, paths)))
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o777)
        done = subprocess.run(
            [python, "-c", AS_NOBODY, place], capture_output=True, text=True, timeout=120, cwd=place
        )
    if "ModuleNotFoundError" in done.stderr:
        pytest.skip("nobody may not read the packages")
    *walls, outcome, user, error = done.stdout.split()
    assert (outcome, user) == ("raised", "65534"), done.stderr
    assert error in ("PermissionError", "OSError")
    assert frozenset(walls) == layers()


def test_what_is_required_and_not_there_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox_module.sys, "executable", "/bin/true")
    with pytest.raises(SandboxError, match=r"lacks landlock, user, .*--isolate=auto"):
        layers("require")
    assert layers("auto") == frozenset()
    assert layers("off") == frozenset()
    assert len(isolation.gaps(layers("auto"))) == len(isolation.LAYERS)
    assert isolation.gaps(isolation.LAYERS) == []
