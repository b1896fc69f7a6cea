"""Scripts that try to get out, each against every wall that is said to stop it, and against all together.

`docs/how-it-is-proved.md` has the table: kinds of attack by walls. Every mark in it is tried here with
that wall alone, so the table is true of machines that lack the others. Every attack is bounded, and aims
at files, processes and sockets that these tests made.
"""

from __future__ import annotations

import os
import pwd
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from unmeta.kb.runs import Observation
from unmeta.kb.snippets import Snippet
from unmeta.verify import isolation
from unmeta.verify.sandbox import Limits, Sandbox, layers, remove

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="walls are Linux's")

# Columns of the table, and the layers that are up when a column is tried alone.
WALLS = {
    "landlock": {"landlock"},
    "pid": {"user", "pid"},
    "ipc": {"user", "ipc"},
    "net": {"user", "net"},
    "mount": {"user", "mount"},
    "seccomp": {"seccomp"},
    "always": set[str](),
}
CTYPES = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *args):
    result = libc.syscall(ctypes.c_long(number), *args)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
"""
DATAGRAM = "import socket\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\ns.settimeout(1)\n"


@dataclass(frozen=True)
class Kind:
    """A row of the table: its words there, the walls any of which stops it, and the attempts by name.

    An attempt is a script that raises where it is stopped; what it reaches otherwise is harmless.
    """

    row: str
    stopped_by: tuple[str, ...]
    attempts: dict[str, str]


KINDS = [
    Kind(
        "read files of this account",
        ("landlock", "mount"),
        {
            "open": "open({secret!r}).read()",
            "list": "import os\nos.listdir({outside!r})",
            "home": "import os\nassert {at_home!r} in os.listdir({person!r})",
            "passwords": "assert open('/etc/shadow').read()",
            "root folder": "import os\nassert {top!r} in os.listdir('/')",
            "checkout": "open({checkout!r} + '/pyproject.toml').read()",
            "folders of other runs": "import os\nassert 'server' in os.listdir({home!r})",
            "dots": "open('../' * 30 + {secret!r}[1:]).read()",
            "link": "import os\nos.symlink({secret!r}, 'link')\nopen('link').read()",
            "hard link": "import os\nos.link({secret!r}, 'hard')\nopen('hard').read()",
            "program": "import subprocess\nassert subprocess.check_output(['cat', {secret!r}])",
            "shell": "import subprocess\nassert subprocess.check_output('cat < ' + {secret!r}, shell=True)",
            "C": CTYPES + "call(2, {secret!r}.encode(), 0)",
            "openat2": CTYPES + "call(437, -100, {secret!r}.encode(), bytes(24), ctypes.c_size_t(24))",
            "map": "import mmap, os\nmmap.mmap(os.open({secret!r}, 0), 1, prot=mmap.PROT_READ)",
            "sendfile": "import os\na = os.open({secret!r}, 0)\nos.sendfile(os.open('x', 65), a, 0, 9)",
            "rename here": "import os\nos.rename({victim!r}, 'mine')",
            "zip import": "import sys\nsys.path.insert(0, {outside!r})\nimport planted",
            "run it": "exec(compile(open({outside!r} + '/planted.py').read(), 'x', 'exec'))",
        },
    ),
    Kind(
        "write files of this account",
        ("landlock", "mount"),
        {
            "create": "open({outside!r} + '/made', 'w')",
            "append": "open({victim!r}, 'a').write('!')",
            "over": "open({victim!r}, 'r+').write('!')",
            "truncate": "import os\nos.truncate({victim!r}, 0)",
            "delete": "import os\nos.unlink({victim!r})",
            "folder": "import os\nos.mkdir({outside!r} + '/folder')",
            "rename": "import os\nos.rename({victim!r}, {outside!r} + '/moved')",
            "replace": "import os\nopen('mine', 'w')\nos.rename('mine', {victim!r})",
            "symlink": "import os\nos.symlink('/', {outside!r} + '/link')",
            "pipe": "import os\nos.mkfifo({outside!r} + '/fifo')",
            "socket": "import socket\nsocket.socket(socket.AF_UNIX).bind({outside!r} + '/sock')",
            "packages": "import os\nopen(os.path.dirname(os.__file__) + '/unmeta-was-here.py', 'x')",
            "this project": "import unmeta\nopen(unmeta.__file__, 'r+')",
            "runs": "open({checkout!r} + '/kb/runs/_versions.json', 'r+')",
            "where the server lives": "open({home!r} + '/server/selectors.py', 'x')",
            "a record of the next run": "import os\nos.mkdir({home!r} + '/server/next')",
            "program": "import subprocess\nsubprocess.check_call(['touch', {outside!r} + '/touched'])",
            "C": CTYPES + "call(85, ({outside!r} + '/creat').encode(), 0o600)",
            "bytecode": "import py_compile\npy_compile.compile({outside!r} + '/planted.py', doraise=True)",
        },
    ),
    Kind(
        "change modes, owners, times of files",
        ("mount",),
        {
            "mode": "import os\nos.chmod({victim!r}, 0o666)",
            "times": "import os\nos.utime({victim!r}, (1, 1))",
            "owner": "import os\nos.chown({victim!r}, os.getuid(), os.getgid())",
            "attribute": "import os\nos.setxattr({victim!r}, 'user.x', b'1')",
            "ask whether it exists": "import os\nos.stat({secret!r})",
        },
    ),
    Kind(
        "look into other processes",
        ("landlock", "pid"),
        {
            "environment": "assert b'of the person' in open('/proc/{pid}/environ', 'rb').read()",
            "memory": "open('/proc/{pid}/mem', 'rb').fileno()",
            "maps": "assert open('/proc/{pid}/maps').read()",
            "descriptors": "import os\nos.readlink('/proc/{pid}/fd/1')",
            "through its root": "import os\nos.listdir('/proc/{pid}/root')",
            "through its folder": "import os\nos.listdir('/proc/{pid}/cwd/')",
            "trace": CTYPES + "call(101, 16, {pid}, 0, 0)",
            "seize": CTYPES + "call(101, 0x4206, {pid}, 0, 0)",
            "read its memory": CTYPES + "b = ctypes.create_string_buffer(8)\n"
            "v = (ctypes.c_size_t * 2)(ctypes.addressof(b), 8)\nr = (ctypes.c_size_t * 2)({address}, 8)\n"
            "call(310, {pid}, v, 1, r, 1, 0)",
            "take its descriptor": CTYPES + "call(438, call(434, {pid}, 0), 0, 0)",
            "every environment": "import glob\nfound = b''\nfor path in glob.glob('/proc/[0-9]*/environ'):\n"
            "    try:\n        found += open(path, 'rb').read()\n    except OSError:\n        pass\n"
            "assert b'of the person' in found",
        },
    ),
    Kind(
        "signal other processes",
        ("landlock", "pid"),
        {
            "kill": "import os\nos.kill({pid}, 9)",
            "stop": "import os\nos.kill({pid}, 19)",
            "probe": "import os\nos.kill({pid}, 0)",
            "the parent of all": "import os\nos.kill({pytest}, 0)",
            "group": "import os\nos.killpg({pid}, 18)",
            "handle": "import os, signal\nsignal.pidfd_send_signal(os.pidfd_open({pid}), 18)",
            "thread": CTYPES + "call(234, {pid}, {pid}, 18)",
            "program": "import subprocess\nsubprocess.check_call(['sh', '-c', 'kill -0 {pid}'])",
        },
    ),
    Kind(
        "limit or slow other processes",
        ("pid",),
        {
            "priority": "import os\nos.setpriority(os.PRIO_PROCESS, {pid}, 19)",
            "limits": "import resource\nresource.prlimit({pid}, resource.RLIMIT_NOFILE)",
            "processor": "import os\nos.sched_setaffinity({pid}, os.sched_getaffinity({pid}))",
            "session": "import os\nos.getsid({pid})",
        },
    ),
    Kind(
        "use the network of this machine",
        ("net",),
        {
            "socket": "import socket\nsocket.create_connection(('127.0.0.1', {port}), 2)",
            "name": "import socket\nsocket.create_connection(('localhost', {port}), 2)",
            "IPv6": "import socket\nsocket.create_connection(('::1', {port6}), 2)",
            "program": "import subprocess\nsubprocess.check_call([{python!r}, '-c', 'import socket; "
            'socket.create_connection(("127.0.0.1", {port}), 2)\'])',
            "shell": "import subprocess\n"
            "subprocess.check_call(['bash', '-c', 'exec 3<>/dev/tcp/127.0.0.1/{port}'])",
            "C": CTYPES + "import socket, struct\ns = socket.socket()\n"
            "a = struct.pack('=H', 2) + struct.pack('!H', {port}) + bytes([127, 0, 0, 1]) + bytes(8)\n"
            "call(42, s.fileno(), a, 16)",
            "datagram": DATAGRAM + "s.sendto(b'hello', ('127.0.0.1', {udp}))\nassert s.recv(9) == b'hello'",
            "sendmsg": DATAGRAM
            + "s.sendmsg([b'hello'], [], 0, ('127.0.0.1', {udp}))\nassert s.recv(9) == b'hello'",
            "interfaces": "import socket\nassert len(socket.if_nameindex()) > 1",
        },
    ),
    Kind(
        "use abstract sockets of this machine",
        ("landlock", "net"),
        {
            "connect": "import socket\nsocket.socket(socket.AF_UNIX).connect('\\0' + {abstract!r})",
            "datagram": "import socket\nsocket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)"
            ".sendto(b'x', '\\0' + {abstract!r} + '-datagram')",
        },
    ),
    Kind(
        "use sockets by path (agents, daemons)",
        ("mount",),
        {"connect": "import socket\nsocket.socket(socket.AF_UNIX).connect({unix!r})"},
    ),
    Kind(
        "open sockets of other families",
        ("seccomp",),
        {
            "host of the machine": "import socket\nsocket.socket(40, socket.SOCK_STREAM)",
            "packets": "import socket\nsocket.socket(17, socket.SOCK_DGRAM)",
            "cryptography": "import socket\nsocket.socket(38, socket.SOCK_SEQPACKET)",
            "bluetooth": "import socket\nsocket.socket(31, socket.SOCK_RAW)",
        },
    ),
    Kind(
        "use shared memory of this account",
        ("ipc", "seccomp"),
        {"attach": CTYPES + "call(29, {shared}, 0, 0o600)"},
    ),
    Kind(
        "leave files in shared memory",
        ("mount",),
        {"file": "open('/dev/shm/' + {mark!r}, 'x')\nimport os\nassert os.stat('/dev/shm').st_dev == {shm}"},
    ),
    Kind(
        "take memory that no count sees",
        ("seccomp",),
        {
            "memfd": "import os\nos.memfd_create('x')",
            "secret memfd": CTYPES + "call(447, 0)",
            "System V": CTYPES + "call(29, 0, ctypes.c_size_t(1 << 20), 0o1600)",
            "messages": CTYPES + "call(68, 0, 0o1600)",
        },
    ),
    Kind(
        "use wide doors of the kernel",
        ("seccomp",),
        {
            "io_uring": CTYPES + "call(425, 1, bytes(120))",
            "bpf": CTYPES + "call(321, 0, bytes(72), 72)",
            "events": CTYPES + "call(298, bytes(128), 0, -1, -1, 0)",
            "faults": CTYPES + "call(323, 1)",
            "keys": CTYPES + "call(250, 0, -3, 1)",
            "add a key": CTYPES + "call(248, b'user', b'x', b'y', 1, -2)",
            "namespace": CTYPES + "call(272, 0x10000000)",
            "namespace by clone": CTYPES
            + "pid = call(56, 0x10000000 | 17, 0, 0, 0, 0)\nif pid == 0:\n    os._exit(0)\n",
            "namespace by clone3": CTYPES
            + "import struct\na = struct.pack('11Q', 0x10000000, *[0] * 3, 17, *[0] * 6)\n"
            "pid = call(435, a, ctypes.c_size_t(88))\nif pid == 0:\n    os._exit(0)\n",
            "own trace": CTYPES + "call(101, 0, 0, 0, 0)",
            "compare": CTYPES + "call(312, os.getpid(), os.getpid(), 0, 0, 0)",
            "handles": CTYPES
            + "import struct\nh = ctypes.create_string_buffer(struct.pack('Ii', 128, 0), 144)\n"
            "call(303, -100, b'.', h, ctypes.create_string_buffer(8), 0)",
            "watch files": CTYPES + "call(300, 0x200, 0)",
        },
    ),
    Kind(
        "gain rights",
        ("always",),
        {
            "set-user-id programs": "assert 'NoNewPrivs:\\t1' not in open('/proc/self/status').read()",
            "core files": "import resource\nassert resource.getrlimit(resource.RLIMIT_CORE)[1] != 0",
            "files without limit": "import resource\n"
            "assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] == resource.RLIM_INFINITY",
        },
    ),
    Kind(
        "act as the administrator",
        ("always",),
        {
            "capabilities": "assert 'CapEff:\\t0000000000000000' not in open('/proc/self/status').read()",
            "any of them": "assert 'CapBnd:\\t0000000000000000' not in open('/proc/self/status').read()",
            "name": "import socket\nsocket.sethostname(socket.gethostname())",
            "clock": "import time\ntime.clock_settime(time.CLOCK_REALTIME, time.time())",
            "mount": CTYPES + "os.mkdir('m')\ncall(165, b'tmpfs', b'm', b'tmpfs', 0, 0)",
            "root": "import os\nos.chroot('.')",
            "user": "import os\nos.setresuid(1, 1, 1)",
            "device": "import os, stat\nos.mknod('null', 0o600 | stat.S_IFCHR, os.makedev(1, 3))",
            "join": "import os\nos.setns(os.open('/proc/self/ns/mnt', 0), 0)"
            if hasattr(os, "setns")
            else CTYPES + "call(308, os.open('/proc/self/ns/mnt', 0), 0)",
        },
    ),
    Kind(
        "write settings of the kernel",
        ("landlock", "mount"),
        {
            "pattern of core files": "open('/proc/sys/kernel/core_pattern', 'r+')",
            "requests": "open('/proc/sysrq-trigger', 'w')",
            "devices": "import glob\nopen(glob.glob('/sys/devices/system/cpu/cpu*/uevent')[0], 'w')",
        },
    ),
]
ROWS = {kind.row: kind for kind in KINDS}


FILES = {"secret": "secret", "victim": "whole", "planted.py": "x = 1\n"}


@dataclass
class World:
    """What the attacks aim at; all of it belongs to these tests."""

    names: dict[str, object]
    outside: Path
    decoy: subprocess.Popen[bytes]

    def harmed(self) -> bool:
        """Whether anything was changed that a script must not change."""
        entries = {path.name: path.stat() for path in self.outside.iterdir()}
        return (
            self.decoy.poll() is not None
            or psutil.Process(self.decoy.pid).status() == psutil.STATUS_STOPPED
            or set(entries) != {*FILES, "unix"}
            or (self.outside / "victim").read_text(encoding="utf-8") != "whole"
        )


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A folder with a secret, a process with a token, and servers of every kind."""
    outside = tmp_path_factory.mktemp("outside")
    for name, text in FILES.items():
        (outside / name).write_text(text, encoding="utf-8")
        (outside / name).chmod(0o600)
    decoy = subprocess.Popen(
        [sys.executable, "-c", "import ctypes, time; b = ctypes.create_string_buffer(b'in here!', 8);"
         "print(ctypes.addressof(b), flush=True); time.sleep(600)"],
        env={**os.environ, "TOKEN": "of the person"},
        stdout=subprocess.PIPE,
        start_new_session=True,
    )  # fmt: skip
    assert decoy.stdout is not None
    address = int(decoy.stdout.readline())
    key = os.getpid() + 7_000_000
    shared = isolation.libc().shmget(key, 4096, 0o1600)
    # The tail of a path is short enough for an address; the folder of pytest may be long.
    place = Path("/proc/self/fd") / str(folder := os.open(outside, os.O_RDONLY)) / "unix"
    abstract = f"unmeta-{os.getpid()}"
    sockets = [
        _listening(socket.AF_INET, ("127.0.0.1", 0)),
        _listening(socket.AF_INET6, ("::1", 0)),
        _listening(socket.AF_UNIX, "\0" + abstract),
        _listening(socket.AF_UNIX, str(place)),
        _bound(socket.AF_UNIX, f"\0{abstract}-datagram"),
        _bound(socket.AF_INET, ("127.0.0.1", 0)),
    ]
    os.close(folder)
    echo = subprocess.Popen(
        [sys.executable, "-c", "import socket, sys; s = socket.socket(fileno=int(sys.argv[1]))\n"
         "while True:\n    data, who = s.recvfrom(9)\n    s.sendto(data, who)", str(sockets[5].fileno())],
        pass_fds=[sockets[5].fileno()],
    )  # fmt: skip
    checkout = Path(__file__).resolve().parents[2]
    names: dict[str, object] = {
        "secret": str(outside / "secret"),
        "victim": str(outside / "victim"),
        "outside": str(outside),
        "unix": str(outside / "unix"),
        "checkout": str(checkout),
        "top": next(name for name in ("srv", "media", "mnt", "boot", "home") if Path("/", name).is_dir()),
        "person": (person := pwd.getpwuid(os.getuid()).pw_dir),
        "at_home": next(
            (name for name in os.listdir(person) if name not in sys.prefix + sys.base_prefix), "?"
        ),
        "python": sys.executable,
        "pid": decoy.pid,
        "pytest": os.getpid(),
        "address": address,
        "port": sockets[0].getsockname()[1],
        "port6": sockets[1].getsockname()[1],
        "udp": sockets[5].getsockname()[1],
        "abstract": abstract,
        "shared": key,
        "mark": f"unmeta-{os.getpid()}",
        "shm": os.stat("/dev/shm").st_dev,
    }
    yield World(names, outside, decoy)
    for process in (decoy, echo):
        process.kill()
        process.wait()
    if decoy.stdout:
        decoy.stdout.close()
    for one in sockets:
        one.close()
    isolation.libc().shmctl(shared, 0, None)
    Path("/dev/shm", f"unmeta-{os.getpid()}").unlink(missing_ok=True)


def _bound(family: int, address: object) -> socket.socket:
    made = socket.socket(family, socket.SOCK_DGRAM)
    made.bind(address)  # type: ignore[arg-type]
    return made


def _listening(family: int, address: object) -> socket.socket:
    made = socket.socket(family)
    made.bind(address)  # type: ignore[arg-type]
    made.listen(64)
    return made


@pytest.fixture(scope="module")
def behind(library: Path, search_path: Callable[..., str]) -> Iterator[Callable[[str], Sandbox]]:
    """A bare sandbox behind some walls ("all", or a column), started once."""
    made: dict[str, Sandbox] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", search_path(library))
        here = layers()

        def sandbox(walls: str) -> Sandbox:
            wanted = frozenset(isolation.LAYERS if walls == "all" else WALLS[walls])
            if not wanted <= here:
                pytest.skip(f"this machine lacks {', '.join(isolation.named(wanted - here))}")
            if walls == "landlock" and isolation.landlock_version() < 6:
                pytest.skip("Landlock covers signals and abstract sockets from its version 6 on")
            if walls not in made:
                made[walls] = Sandbox(preload=(), limits=Limits(seconds=20), isolate=wanted)
            return made[walls]

        yield sandbox
        for one in made.values():
            one.close()


def attempt(sandbox: Sandbox, world: World, text: str) -> Observation:
    """Run an attack; `ESCAPED` in its output says that nothing stopped it."""
    names = {**world.names, "home": str(sandbox._home)}
    script = re.sub(r"\{(\w+)(!r)?\}", lambda m: repr(names[m[1]]) if m[2] else str(names[m[1]]), text)
    return sandbox.run(Snippet("case/broken.py", f"import os\n{script}\nprint('ESCAPED')\n"))


ALL = [pytest.param(kind.row, name, id=f"{kind.row}: {name}") for kind in KINDS for name in kind.attempts]
SINGLE = [
    pytest.param(kind.row, name, wall, id=f"{wall} against {kind.row}: {name}")
    for kind in KINDS
    for wall in kind.stopped_by
    if wall in WALLS
    for name in kind.attempts
]


# Without walls these would harm the machine that tests, or need rights or a kernel that it may lack.
UNTRIED = {"packages", "kill", "stop"}
UNTRIED |= {"packets", "cryptography", "bluetooth", "bpf", "events", "requests"}
RIGHTS = {"look into other processes", "limit or slow other processes"}


@pytest.fixture
def reset(world: World) -> Iterator[None]:
    """What a script could change without walls, made whole again."""
    yield
    for path in world.outside.iterdir():
        if path.is_dir() and not path.is_symlink():
            remove(path)
        elif path.name != "unix":
            path.unlink()
    for name, text in FILES.items():
        (world.outside / name).write_text(text, encoding="utf-8")
        (world.outside / name).chmod(0o600)


@pytest.mark.usefixtures("reset")
@pytest.mark.parametrize(("row", "name"), ALL)
def test_without_walls_they_would_get_through(
    behind: Callable[[str], Sandbox], world: World, row: str, name: str
) -> None:
    if "always" in ROWS[row].stopped_by or name in UNTRIED or (row in RIGHTS and os.getuid() == 0):
        pytest.skip("stopped without walls, or not tried without them")
    if name == "passwords" and os.getuid() != 0:
        pytest.skip("only root may read them anyway")
    seen = attempt(behind("always"), world, ROWS[row].attempts[name])
    assert "ESCAPED" in seen.output, seen


def test_there_are_enough_attempts() -> None:
    assert len(ALL) >= 80


@pytest.mark.parametrize(("row", "name"), ALL)
def test_all_walls_together_stop(behind: Callable[[str], Sandbox], world: World, row: str, name: str) -> None:
    seen = attempt(behind("all"), world, ROWS[row].attempts[name])
    assert seen.outcome == "raised", seen
    assert "ESCAPED" not in seen.output
    assert not world.harmed()
    assert seen.events[-1].type not in ("SyntaxError", "NameError", "KeyError"), seen.events[-1].text


@pytest.mark.parametrize(("row", "name", "wall"), SINGLE)
def test_one_wall_alone_stops(
    behind: Callable[[str], Sandbox], world: World, row: str, name: str, wall: str
) -> None:
    seen = attempt(behind(wall), world, ROWS[row].attempts[name])
    assert "ESCAPED" not in seen.output, seen
    assert not world.harmed()


def test_the_table_says_what_was_tried(root: Path) -> None:
    text = (root / "docs" / "how-it-is-proved.md").read_text(encoding="utf-8")
    table = text[text.index("| A script tries to") :].split("\n\n")[0].splitlines()[2:]
    shown = {cells[1].strip(): cells[2:-1] for line in table if (cells := line.split("|"))}
    assert {
        row: tuple(wall for wall, cell in zip(WALLS, cells, strict=True) if cell.strip())
        for row, cells in shown.items()
    } == {kind.row: kind.stopped_by for kind in KINDS}
