"""Run scripts, each in a fresh process behind walls, and say what happened.

A `Sandbox` keeps one fork server with the libraries loaded (`unmeta.verify.server`). Every run is a
fork of it with an empty folder and limits on time, memory, disk and output, behind what this machine
offers of `unmeta.verify.isolation`. Whatever a script does, `run` returns within its time, nothing of
the script is left, and the next run is as the first: every wait here has a deadline, and all that
comes back comes over pipes and sockets that are read with limits and never opened by name.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import json
import os
import re
import secrets
import select
import selectors
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

import psutil

import unmeta
from unmeta.kb.model import PACKAGES, Needs
from unmeta.kb.runs import Observation, Outcome
from unmeta.kb.snippets import Snippet
from unmeta.verify import isolation, server
from unmeta.verify.preload import GROUPS
from unmeta.verify.probe import Job
from unmeta.verify.processes import Remote, below, kill, listed_below, resident
from unmeta.verify.records import Heard, merged

POLL, COUNT = 0.1, 1.0
GRACE = 1.0
START = 300.0
ANSWER = 30.0
TIDY = 10.0
_TAIL = 65_536
_CHUNK = 1 << 18

Isolate = Literal["require", "auto", "off"]

# What a child may inherit; library settings of the person at the keyboard are not among them.
_KEPT = re.compile(
    r"PATH|PYTHONPATH|LD_LIBRARY_PATH|DYLD_.*|LANG|LC_.*|TZ|SYSTEMROOT|VIRTUAL_ENV|CONDA_PREFIX|CUDA_HOME|"
    r"CUDA_VISIBLE_DEVICES|NVIDIA_.*|PYTHONUTF8|NUMBER_OF_PROCESSORS|COVERAGE_.*|MALLOC_PERTURB_"
)
# Paths are relative to the folder of a run ("work" is the working directory): libraries read them
# while they are preloaded, long before that folder exists.
_SET = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "DO_NOT_TRACK": "1",
    "HF_HOME": "../hf",
    "TOKENIZERS_PARALLELISM": "false",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "CUDA_DEVICE_ORDER": "PCI_BUS_ID",
    "PYTHONHASHSEED": "0",
    "MALLOC_PERTURB_": "165",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONSAFEPATH": "1",
}


class SandboxError(Exception):
    """This machine cannot run scripts as asked; the text says why and what to do."""


@dataclass(frozen=True)
class Limits:
    """What one run may use: `seconds` of wall time, the others in bytes; `file` limits single files."""

    seconds: float = 60.0
    memory: int = 6 << 30
    output: int = 16 << 20
    disk: int = 2 << 30
    file: int = 1 << 30


@dataclass(frozen=True)
class Script:
    """What is run: `text` as `__main__`, called `name`; of a program also its other `files` and `argv`."""

    name: str
    text: str
    digest: str
    program: bool = False
    files: Mapping[str, str] = field(default_factory=dict)
    argv: tuple[str, ...] = ()


def layers(isolate: Isolate = "auto") -> isolation.Layers:
    """The walls that runs get: those this machine has, all of them (`require`), or none (`off`).

    Raises SandboxError where what is required is not there.
    """
    if isolate == "off":
        return frozenset()
    code = [sys.executable, "-P", "-m", "unmeta.verify.isolation"]
    try:
        done = subprocess.run(
            code, capture_output=True, text=True, timeout=60, check=True, env=environment("cpu"), cwd=os.sep
        )
        found = frozenset(done.stdout.split())
    except (OSError, subprocess.SubprocessError):
        found = frozenset()
    if isolate == "auto":
        return found
    if missing := isolation.named(isolation.LAYERS.keys() - found):
        raise SandboxError(
            f"isolation is required, and this machine lacks {', '.join(missing)}; allow user namespaces "
            "(sysctl kernel.apparmor_restrict_unprivileged_userns=0; in a container, a seccomp profile that "
            "permits clone3 with namespaces), or accept less with --isolate=auto"
        )
    return found


class Sandbox:
    """A fork server with the libraries loaded. Close it, or use it as a context manager.

    `device` is "cpu", where CUDA is hidden from the snippets, or "cuda". One run at a time. `preload` are
    the groups of imports (`unmeta.verify.preload`) that the server makes once. `isolate` is as for `layers`,
    or what that returned; SandboxError is raised as there. `host` is where a `Host` is asked for a server,
    once: when that ends, or does not answer, the sandbox starts one of its own.

    Where glibc allocates, fresh and freed memory is filled with a pattern (MALLOC_PERTURB_), so that no
    fix passes on values that happen to lie there, and no trap. The variable is handed on where it is set:
    255 fills with zeros, 0 fills nothing.
    """

    def __init__(
        self,
        device: str = "cpu",
        limits: Limits | None = None,
        preload: Sequence[str] = tuple(GROUPS),
        isolate: isolation.Layers | Isolate = "auto",
        host: Address | None = None,
    ) -> None:
        if not hasattr(os, "fork"):
            raise SandboxError("scripts run on Linux and macOS only; on Windows use WSL")
        self.device = device
        self.limits = limits or Limits()
        self.layers = isolate if isinstance(isolate, frozenset) else layers(isolate)
        self._preload = tuple(preload)
        self._late: tuple[str, ...] = ()
        self._home = Path(tempfile.mkdtemp(prefix="unmeta-", dir=_outside(device))).resolve()
        self._server: subprocess.Popen[bytes] | Remote | None = None
        self._host = host
        self._channel: socket.socket | None = None
        self._noise: _Stream | None = None

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the fork server and remove everything it used."""
        self._stop()
        remove(self._home)

    def ready(self) -> bool:
        """Whether snippets find the device; False for "cuda" where there is no GPU.

        A library that touches the GPU while it is preloaded makes it useless for forked children; then
        every child starts from nothing instead, at the price of the imports.
        """
        if self.device == "cpu":
            return True
        probe = Snippet("device.py", "import torch\n\ntorch.ones(1, device='cuda').cpu()\n")
        if self.run(probe).outcome == "passed":
            return True
        if self._preload:
            self._stop()
            self._preload, self._late = (), self._preload
            return self.run(probe).outcome == "passed"
        return False

    def run(
        self, snippet: Snippet | Script, needs: Needs | None = None, limits: Limits | None = None
    ) -> Observation:
        """Run a script once, in as many processes as `needs` says, and wait for its end.

        Raises SandboxError where this machine cannot run anything.
        """
        if isinstance(snippet, Snippet):
            name = snippet.key.rpartition("/")[2]
            snippet = Script(name, snippet.text, snippet.digest)
        folder = self._home / secrets.token_hex(8)
        folder.mkdir(mode=0o700)
        try:
            return self._run(snippet, needs or Needs(), limits or self.limits, folder)
        finally:
            remove(folder)

    def _run(self, script: Script, needs: Needs, limits: Limits, folder: Path) -> Observation:
        jobs = _jobs(script, needs, folder, self._late)
        prefix = "work/" if script.program else ""
        files = {
            **{f"{prefix}{name}": text for name, text in script.files.items()},
            prefix + script.name: script.text,
        }
        request = server.Request(
            jobs,
            str(folder),
            files,
            tuple(isolation.named(self.layers)),
            limits.disk,
            limits.memory,
            limits.file,
        )
        run = self._started(request, limits)
        try:
            run.watch()
        finally:
            # Also where the person at the keyboard interrupts: the processes are in sessions of their own.
            if not run.end():
                self._stop()
        if run.failure:
            raise SandboxError(f"no script can be run here: {run.failure}")
        return merged(script.digest, run.told(), run.stopped, run.note, run.peak / 1e6)

    def _started(self, request: server.Request, limits: Limits) -> _Run:
        """A run that has begun; a fork server that is gone or silent is replaced, once.

        Raises SandboxError where the new one does no better.
        """
        for _ in range(2):
            server_ = self._running()
            run = _Run(request, limits, self.layers)
            try:
                server.send(server_, request, run.theirs)
            except OSError:
                run.close()
                self._stop()
                continue
            run.started()
            if run.holder is not None:
                return run
            run.close()
            self._stop()
        raise SandboxError(f"the fork server does not answer{self._last_words()}")

    def _running(self) -> socket.socket:
        """The socket of the fork server, started where there is none."""
        if self._channel is not None and self._server is not None and self._server.poll() is None:
            if self._noise is not None:
                self._noise.read()
            return self._channel
        self._stop()
        if self._host is not None:
            host, self._host = self._host, None
            with contextlib.suppress(OSError):
                return self._borrowed(host)
            self._stop()
        place = self._home / "server"
        place.mkdir(mode=0o700, exist_ok=True)
        self._channel, theirs = socket.socketpair()
        self._channel.settimeout(ANSWER)
        printed = self._listened()
        with theirs:
            self._server = _launched(self.device, self._preload, place, printed, [theirs])
        os.close(printed)
        if self._greeting(self._channel):
            return self._channel
        words = self._last_words()
        self._stop()
        raise SandboxError(f"the fork server did not start{words}")

    def _borrowed(self, host: Address) -> socket.socket:
        """The socket of a server that a host forked for this sandbox. Raises OSError."""
        self._channel = socket.socket(socket.AF_UNIX)
        self._channel.settimeout(ANSWER)
        self._channel.connect(host.path)
        printed = self._listened()
        socket.send_fds(self._channel, [bytes.fromhex(host.word)], [printed])
        os.close(printed)
        pid = self._greeting(self._channel)
        if not pid:
            raise ConnectionError("the host is gone")
        self._server = Remote(pid)
        return self._channel

    def _listened(self) -> int:
        """The end to print into of a pipe that is read from here on.

        A pipe as those of the runs: streams that libraries keep remember what kind of file theirs is.
        """
        noise, printed = os.pipe()
        os.set_blocking(noise, False)
        self._noise = _Stream(os.fdopen(noise, "rb", 0), 0)
        return printed

    def _greeting(self, channel: socket.socket) -> int:
        """The process that the server says to be when it has imported all; 0 where it ends, or never does."""
        assert self._noise is not None
        until = time.monotonic() + START
        while time.monotonic() < until:
            ready = select.select([channel, self._noise.source], [], [], POLL)[0]
            if channel in ready:
                with contextlib.suppress(OSError, ValueError):
                    return int(channel.recv(32))
                return 0
            if self._noise.source in ready and not self._noise.read():
                return 0
        return 0

    def _last_words(self) -> str:
        if self._noise is None:
            return ""
        self._noise.read()
        lines = self._noise.whole().decode("utf-8", "replace").strip().splitlines()
        return f": {lines[-1]}" if lines else ""

    def _stop(self) -> None:
        """End the fork server; runs of it end with it, for nobody holds their sockets any more."""
        if self._channel is not None:
            self._channel.close()
            self._channel = None
        if self._server is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._server.wait(0.2 if self._server.poll() is None else 0)
            self._server.kill()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._server.wait(TIDY)
            self._server = None
        if self._noise is not None:
            self._noise.source.close()
            self._noise = None


class Address(NamedTuple):
    """Where a `Host` is asked for a server, and the word that it wants to hear."""

    path: str
    word: str


class Host:
    """A fork server that sandboxes of other processes share, so that they import together. Close it.

    It forks a server for each that knows its address. What it imported takes time and memory once.
    """

    def __init__(self, device: str, preload: Sequence[str]) -> None:
        self._home = Path(tempfile.mkdtemp(prefix="unmeta-", dir=_outside(device))).resolve()
        self.address = Address(str(self._home / "socket"), secrets.token_hex(server.WORD))
        self._owner, theirs = socket.socketpair()
        # Nobody reads what imports print; it is little, and goes with this.
        self._noise, printed = os.pipe()
        with theirs, socket.socket(socket.AF_UNIX) as listener:
            listener.bind(self.address.path)
            listener.listen()
            self._server = _launched(device, preload, self._home, printed, [theirs, listener])
        os.close(printed)
        # Who finds it gone starts a server of its own, which says why it does not start.
        with contextlib.suppress(OSError):
            self._owner.sendall(bytes.fromhex(self.address.word))

    def close(self) -> None:
        """Fork no more servers. Those that there are end with their sandboxes."""
        self._owner.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._server.wait(1)
        self._server.kill()
        self._server.wait()
        os.close(self._noise)
        remove(self._home)


def _launched(
    device: str, preload: Sequence[str], place: Path, printed: int, sockets: Sequence[socket.socket]
) -> subprocess.Popen[bytes]:
    numbers = [end.fileno() for end in sockets]
    return subprocess.Popen(
        [
            *(sys.executable, "-P", "-m", "unmeta.verify.server"),
            *(",".join(map(str, numbers)), device, *preload),
        ],
        env=environment(device) | {"HOME": str(place), "TMPDIR": str(place)},
        cwd=place,
        stdin=subprocess.DEVNULL,
        stdout=printed,
        stderr=printed,
        pass_fds=numbers,
        start_new_session=True,
    )


def _jobs(script: Script, needs: Needs, folder: Path, preload: tuple[str, ...]) -> tuple[Job, ...]:
    ranks = needs.processes or 1
    shared = {
        "HOME": str(folder / "work"),
        "USERPROFILE": str(folder / "work"),
        "TMPDIR": str(folder / "tmp"),
        "TEMP": str(folder / "tmp"),
        "TMP": str(folder / "tmp"),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "TORCH_HOME": str(folder / "cache" / "torch"),
        "TORCHINDUCTOR_CACHE_DIR": str(folder / "cache" / "inductor"),
        "TRITON_CACHE_DIR": str(folder / "cache" / "triton"),
    }
    if needs.processes:
        shared |= {
            "WORLD_SIZE": str(ranks),
            "LOCAL_WORLD_SIZE": str(ranks),
            "MASTER_ADDR": "127.0.0.1",
            "MASTER_PORT": str(_free_port()),
        }
    jobs = []
    for rank in range(ranks):
        own = {"RANK": str(rank), "LOCAL_RANK": str(rank)} if needs.processes else {}
        env = {**shared, **own}
        jobs.append(
            Job(
                script.name,
                script.text,
                str(folder),
                rank,
                env,
                script.argv,
                script.program,
                preload,
            )
        )
    return tuple(jobs)


class _Stream:
    """What came over one pipe or socket: the first bytes, the last ones, and how many there were."""

    def __init__(self, source: Any, kept: int) -> None:
        self.source = source
        self.kept = kept
        self.total = 0
        self.head = bytearray()
        self._tail: deque[bytes] = deque()
        self._in_tail = 0

    def read(self) -> bool:
        """Take what is there; False at the end."""
        try:
            data = os.read(self.source.fileno(), _CHUNK)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self.total += len(data)
        room = self.kept - len(self.head)
        if room > 0:
            self.head += data[:room]
        rest = data[max(0, room) :]
        if rest:
            self._tail.append(rest)
            self._in_tail += len(rest)
            while self._in_tail - len(self._tail[0]) > _TAIL:
                self._in_tail -= len(self._tail.popleft())
        return bool(data)

    def whole(self) -> bytes:
        """The first and the last bytes."""
        return bytes(self.head) + b"".join(self._tail)


class _Run:
    """One run as the parent sees it: its channels, its limits and how it ended."""

    def __init__(self, request: server.Request, limits: Limits, walls: isolation.Layers) -> None:
        self.jobs = request.jobs
        self.limits = limits
        self.walls = walls
        self.folder = request.folder
        self.holder: int | None = None
        self._reaper: int | None = None
        self.failure = ""
        self.stopped: Outcome | None = None
        self.note = ""
        self.peak = 0
        self._codes: dict[int, int] = {}
        self._empty = self._over = False
        self._selector = selectors.DefaultSelector()
        self._control, control = socket.socketpair()
        self._said = b""
        self._ends: list[Any] = [control]
        self.streams: list[dict[str, _Stream]] = []
        for job in self.jobs:
            self.streams.append(self._channels(job))
        self._control.setblocking(False)
        self._selector.register(self._control, selectors.EVENT_READ, None)

    @property
    def theirs(self) -> list[int]:
        """The descriptors that the run gets."""
        return [end if isinstance(end, int) else end.fileno() for end in self._ends]

    def _channels(self, job: Job) -> dict[str, _Stream]:
        """Pipes for what is printed; for records a socket, which cannot be opened again by name."""
        out, out_end = os.pipe()
        streams = {"stdout": _Stream(os.fdopen(out, "rb", 0), 1 << 18)}
        self._ends.append(out_end)
        if job.program:
            # As in a terminal: one stream, in the order of printing.
            self._ends.append(os.dup(out_end))
        else:
            err, err_end = os.pipe()
            streams["stderr"] = _Stream(os.fdopen(err, "rb", 0), 1 << 12)
            self._ends.append(err_end)
        records, records_end = socket.socketpair()
        records.shutdown(socket.SHUT_WR)
        streams["records"] = _Stream(records, self.limits.output)
        self._ends.append(records_end)
        for stream in streams.values():
            os.set_blocking(stream.source.fileno(), False)
            self._selector.register(stream.source, selectors.EVENT_READ, stream)
        return streams

    def started(self) -> None:
        """Wait until the holder says that it is there; `holder` stays None where it does not."""
        self._close_theirs()
        until = time.monotonic() + ANSWER
        while self.holder is None and not self._over and time.monotonic() < until:
            self._take(POLL)

    def watch(self) -> None:
        """Wait for every rank and for what they started, or for the reason to end them all."""
        began = time.monotonic()
        failed_at: float | None = None
        looked = counted = began
        done_at: float | None = None
        base = resident(self.holder) if self.holder else 0
        while not (self._over or self._empty):
            self._take(POLL)
            now = time.monotonic()
            if (
                sum(stream.total for streams in self.streams for stream in streams.values())
                > self.limits.output
            ):
                self.stopped = "flooded"
                return
            if now - looked >= POLL:
                looked = now
                thorough = now - counted >= COUNT
                counted = now if thorough else counted
                if self._too_much(base, self._members(quickly=not thorough)):
                    return
            if now - began > self.limits.seconds:
                self.stopped = "timed-out"
                self._ask()
                return
            if len(self._codes) == len(self.jobs):
                done_at = done_at or now
                if now - done_at > GRACE:
                    self._left_behind()
                    return
            elif self._codes and failed_at is None and self._any_failed():
                failed_at = now
            if failed_at is not None and now - failed_at > 2 * GRACE:
                # The other ranks wait for one that is gone.
                return

    def _too_much(self, base: int, members: Sequence[int]) -> bool:
        used = sum(max(0, resident(pid) - base) for pid in members)
        self.peak = max(self.peak, used)
        if used > self.limits.memory:
            self.stopped = "out-of-memory"
        elif len(members) > isolation.MAX_PROCESSES:
            self.stopped, self.note = "left-processes", f"started {len(members)} processes"
        elif "mount" not in self.walls and size(self.folder, self.limits.disk) > self.limits.disk:
            self.stopped, self.note = "flooded", "filled the disk"
        return self.stopped is not None

    def _members(self, quickly: bool = False) -> list[int]:
        """Every process of the run but the two that hold it."""
        if self.holder is None:
            return []
        found = listed_below(self.holder, isolation.MAX_PROCESSES + 1) if quickly else below(self.holder)
        return [pid for pid in found if pid != self._reaper]

    def _left_behind(self) -> None:
        names = []
        for pid in self._members():
            with contextlib.suppress(psutil.Error):
                process = psutil.Process(pid)
                if process.status() != psutil.STATUS_ZOMBIE:
                    names.append(process.name())
        self.stopped = "left-processes"
        self.note = f"still running at the end: {', '.join(sorted(names)) or 'a process'}"

    def _any_failed(self) -> bool:
        passed = {
            rank
            for rank, streams in enumerate(self.streams)
            if b'"outcome": "passed"' in streams["records"].head
        }
        return bool(set(self._codes) - passed)

    def _ask(self) -> None:
        """Have every rank write its stack to its stderr."""
        with contextlib.suppress(OSError):
            self._control.send(server.ASK_RANKS)
        until = time.monotonic() + 2 * POLL
        while time.monotonic() < until and not self._over:
            self._take(POLL)

    def end(self) -> bool:
        """End what still runs and take what was said last; False where the run cannot be ended."""
        with contextlib.suppress(OSError):
            self._control.send(server.END)
        until = time.monotonic() + TIDY
        while not self._over and time.monotonic() < until:
            self._take(POLL)
        for streams in self.streams:
            for stream in streams.values():
                # All writers are gone; what is in the pipes is limited by their size.
                for _ in range(64):
                    before = stream.total
                    if not stream.read() or stream.total == before:
                        break
        if not self._over and self.holder is not None:
            kill(self.holder)
        self.close()
        return self._over

    def told(self) -> list[Heard]:
        """What every rank told."""
        return [
            Heard(
                job,
                bytes(streams["records"].head),
                streams["stdout"].whole(),
                streams.get("stderr", streams["stdout"]).whole()[-_TAIL:],
                self._codes.get(rank),
            )
            for rank, (job, streams) in enumerate(zip(self.jobs, self.streams, strict=True))
        ]

    def _take(self, timeout: float) -> None:
        for key, _ in self._selector.select(timeout):
            if key.data is None:
                self._listen()
            elif not key.data.read():
                self._selector.unregister(key.fileobj)

    def _listen(self) -> None:
        """Take what holder and reaper say."""
        try:
            data = self._control.recv(_CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data or len(self._said) > _CHUNK:
            self._over = True
            self._selector.unregister(self._control)
            return
        *lines, self._said = (self._said + data).split(b"\n")
        for line in lines:
            try:
                said = json.loads(line)
            except ValueError:
                continue
            self.holder = said.get("holder", self.holder)
            self._reaper = said.get("reaper", self._reaper)
            self.failure = said.get("failed", self.failure)
            self._empty = said.get("empty", self._empty)
            if "rank" in said:
                self._codes[said["rank"]] = said["code"]

    def _close_theirs(self) -> None:
        for end in self._ends:
            if isinstance(end, int):
                os.close(end)
            else:
                end.close()
        self._ends = []

    def close(self) -> None:
        """Close every channel."""
        self._close_theirs()
        self._selector.close()
        self._control.close()
        for streams in self.streams:
            for stream in streams.values():
                stream.source.close()


def environment(device: str) -> dict[str, str]:
    """The variables that scripts find: few of the person's, and settings that keep runs alike."""
    kept = {name: value for name, value in os.environ.items() if _KEPT.fullmatch(name)}
    here = str(Path(unmeta.__file__).resolve().parent.parent)
    paths = [here, *filter(None, kept.get("PYTHONPATH", "").split(os.pathsep))]
    filled = {name: value for name, value in kept.items() if name == "MALLOC_PERTURB_"}
    result = {**kept, **_SET, **filled, "PYTHONPATH": os.pathsep.join(dict.fromkeys(paths))}
    if device == "cpu":
        result["CUDA_VISIBLE_DEVICES"] = ""
        # Without it deepspeed, where installed, says on import that it found no accelerator.
        result["DS_ACCELERATOR"] = "cpu"
    else:
        # Counting GPUs through the driver would spoil it for the children of the fork server.
        result["PYTORCH_NVML_BASED_CUDA_CHECK"] = "1"
    return result


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def size(folder: str, enough: int) -> int:
    """Bytes on disk below a folder, counted until they are `enough` or the files are very many."""
    total, files = 0, 0
    left = [folder]
    while left and total <= enough:
        with contextlib.suppress(OSError), os.scandir(left.pop()) as entries:
            for entry in entries:
                files += 1
                if files > isolation.MAX_FILES_ON_DISK or total > enough:
                    return max(total, enough + 1)
                with contextlib.suppress(OSError):
                    found = entry.stat(follow_symlinks=False)
                    total += found.st_blocks * 512
                    if stat.S_ISDIR(found.st_mode):
                        left.append(entry.path)
    return total


def remove(folder: Path) -> None:
    """Remove a folder whatever was made in it, within a time; never raises.

    It goes down and up again by descriptors, so that no depth is too deep and no path too long.
    """
    with contextlib.suppress(OSError):
        top = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        _emptied(top, time.monotonic() + TIDY)
        os.rmdir(folder)


def _emptied(here: int, until: float) -> None:
    """Empty the folder of a descriptor, and close it."""
    way: list[tuple[str, list[str]]] = []
    left = _folders(here)
    try:
        while time.monotonic() < until:
            if left:
                name = left.pop()
                with contextlib.suppress(OSError):
                    os.chmod(name, 0o700, dir_fd=here)
                    inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=here)
                    os.close(here)
                    here = inner
                    way.append((name, left))
                    left = _folders(here)
            elif way:
                name, left = way.pop()
                above = os.open("..", os.O_RDONLY | os.O_DIRECTORY, dir_fd=here)
                os.close(here)
                here = above
                with contextlib.suppress(OSError):
                    os.rmdir(name, dir_fd=here)
            else:
                return
    finally:
        os.close(here)


def _folders(here: int) -> list[str]:
    """Names of the folders in a folder, after everything else in it was removed."""
    found = []
    for name in os.listdir(here):
        with contextlib.suppress(OSError):
            if stat.S_ISDIR(os.stat(name, dir_fd=here, follow_symlinks=False).st_mode):
                found.append(name)
            else:
                os.unlink(name, dir_fd=here)
    return found


def installed() -> dict[str, str]:
    """Releases of this machine's Python and of the packages that entries speak of, without build tags."""
    found = {"python": ".".join(map(str, sys.version_info[:3]))}
    for package in set(PACKAGES) - {"python"}:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            found[package] = importlib.metadata.version(package).partition("+")[0]
    return found


def _outside(device: str) -> str:
    """A folder for temporary files that no run may read: nox puts TMPDIR into an environment."""
    shown = [os.path.realpath(path) for path in isolation.readable(device)]
    usual = tempfile.gettempdir()
    for folder in (usual, "/tmp", "/var/tmp"):
        real = os.path.realpath(folder)
        inside = any(real == path or real.startswith(path.rstrip(os.sep) + os.sep) for path in shown)
        if os.path.isdir(real) and not inside:
            return real
    return usual
