"""The fork server: libraries loaded once, then a fork for every run.

`python -P -m unmeta.verify.server DESCRIPTOR DEVICE GROUP…` reads requests from a socket, each with the
descriptors of its run. With `DESCRIPTOR,LISTENER` in place of the one, it forks a server for whoever knows
the word that it is told first, so that several sandboxes share what was imported.

Three kinds of processes have to do with a run:

- the server, outside the walls, which ends everything when the parent says so or is gone;
- the reaper inside, the first process of the run's namespace, which puts up the walls;
- the ranks, which run the script (`unmeta.verify.probe`).

What they tell the parent is one JSON object a line on the control socket of the run.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import hmac
import json
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from unmeta.verify import isolation
from unmeta.verify.probe import ASK, Job, main

MAX_REQUEST = 64 << 20
WORD = 32
END, ASK_RANKS = b"e", b"a"
_HEADER = 8
_MAX_DESCRIPTORS = 64
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_PATIENCE = 5.0


@dataclass(frozen=True)
class Request:
    """One run: `jobs` by rank, `files` by their path in the working folder, what the walls leave open.

    Descriptors come with it: the control socket, then stdout, stderr and records of each rank.
    """

    jobs: tuple[Job, ...]
    folder: str
    files: Mapping[str, str]
    layers: tuple[str, ...]
    disk: int
    memory: int
    file_size: int

    def packed(self) -> bytes:
        """As bytes for the socket."""
        body = json.dumps(asdict(self)).encode()
        return len(body).to_bytes(_HEADER, "big") + body


def unpacked(body: bytes) -> Request:
    """A request from the bytes behind the header."""
    data = json.loads(body)
    jobs = tuple(
        Job(**{**job, "argv": tuple(job["argv"]), "preload": tuple(job["preload"])})
        for job in data.pop("jobs")
    )
    return Request(jobs=jobs, layers=tuple(data.pop("layers")), **data)


def send(channel: socket.socket, request: Request, descriptors: Sequence[int]) -> None:
    """Ask for a run. Raises OSError where the server is gone or does not read."""
    packed = request.packed()
    socket.send_fds(channel, [packed[:_HEADER]], list(descriptors))
    channel.sendall(packed[_HEADER:])


@dataclass(frozen=True)
class Room:
    """What the server finds out once, for all runs: what they may read, their device files and device."""

    readable: tuple[str, ...]
    devices: tuple[str, ...]
    device: str


def _receive(channel: socket.socket) -> tuple[Request, list[int]] | None:
    header, descriptors, _, _ = socket.recv_fds(channel, _HEADER, _MAX_DESCRIPTORS)
    if len(header) < _HEADER:
        return None
    size, body = int.from_bytes(header, "big"), bytearray()
    while len(body) < size:
        part = channel.recv(min(1 << 20, size - len(body)))
        if not part:
            return None
        body += part
    return unpacked(bytes(body)), descriptors


def serve(channel: socket.socket, device: str, groups: Sequence[str]) -> None:
    """Import groups, then answer requests until the parent closes its end."""
    _prepare(groups)
    _answer(channel, device)


def share(owner: socket.socket, listener: socket.socket, device: str, groups: Sequence[str]) -> None:
    """Import groups, then be a server for everybody who knows the word, until the owner closes its end."""
    word = owner.recv(WORD)
    _prepare(groups)
    while True:
        ready = select.select([owner, listener], [], [])[0]
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if owner in ready:
            return
        channel, _ = listener.accept()
        with channel:
            channel.settimeout(_PATIENCE)
            try:
                said, streams, _, _ = socket.recv_fds(channel, WORD, 2)
            except OSError:
                continue
            # Where no wall hides the socket, a script may find it.
            if len(streams) == 1 and hmac.compare_digest(said, word) and os.fork() == 0:
                channel.settimeout(None)
                for open_ in (owner, listener):
                    open_.close()
                for number in (1, 2):
                    os.dup2(streams[0], number)
                os.close(streams[0])
                _forked(partial(_answer, channel, device))
            for stream in streams:
                os.close(stream)


def _prepare(groups: Sequence[str]) -> None:
    from unmeta.verify import preload

    gc.disable()  # what is imported stays: looking for garbage in it takes a tenth of the time
    preload.prepare(groups)
    gc.enable()
    gc.collect()
    gc.freeze()
    _collapse()


def _answer(channel: socket.socket, device: str) -> None:
    if os.getsid(0) != os.getpid():
        os.setsid()
    _adopt_orphans()
    room = Room(isolation.readable(device), isolation.devices(device), device)
    channel.sendall(b"%d\n" % os.getpid())
    while (received := _receive(channel)) is not None:
        request, descriptors = received
        try:
            _hold(request, descriptors, room, channel)
        finally:
            # The end of the control socket tells the parent that nothing of the run is left.
            for descriptor in descriptors:
                os.close(descriptor)


def _collapse() -> None:
    """Put the memory of this process into huge pages, where Linux can: a fork copies tables of pages."""
    huge, collapse = 1 << 21, 25
    if sys.platform != "linux":
        return
    with contextlib.suppress(OSError, AttributeError), open("/proc/self/maps", encoding="utf-8") as maps:
        madvise = isolation.libc().madvise
        for line in maps:
            places, rights, _, _, inode, *name = line.split()
            if rights == "rw-p" and inode == "0" and name in ([], ["[heap]"]):
                first, last = (int(place, 16) for place in places.split("-"))
                first = -(-first // huge) * huge
                if last - first >= huge:
                    length = (last - first) // huge * huge
                    madvise(ctypes.c_void_p(first), ctypes.c_size_t(length), collapse)


def _forked(body: Callable[[], None]) -> None:
    """Run the body of a forked process, and end the process."""
    code = 1
    try:
        body()
        code = 0
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(code)


def _say(control: int, **what: Any) -> None:
    with contextlib.suppress(OSError):
        os.write(control, json.dumps(what).encode() + b"\n")


# the server, while there is a run


def _hold(request: Request, descriptors: list[int], room: Room, channel: socket.socket) -> None:
    control, layers = descriptors[0], frozenset(request.layers)
    view = isolation.View(request.folder, room.readable, request.disk, room.devices)
    try:
        reaper = isolation.fork(layers)
    except OSError as error:
        _say(control, holder=os.getpid(), failed=f"cannot leave the machine's namespaces: {error}")
        return
    if reaper == 0:
        channel.close()
        _forked(partial(_reap, request, descriptors, view, room.device))
    _say(control, holder=os.getpid(), reaper=reaper)
    while len(descriptors) > 1:
        os.close(descriptors.pop())
    while not _ended(reaper, control):
        pass
    if "pid" not in layers:
        _end_descendants()


def _ended(reaper: int, control: int) -> bool:
    """Wait a while for the end of the run, ordered or not; whether it has come."""
    watched = _pidfd(reaper)
    wait = [control] if watched is None else [control, watched]
    try:
        ready = select.select(wait, [], [], 0.02 if watched is None else None)[0]
        if control in ready:
            order = os.read(control, 1)
            if order == ASK_RANKS and ASK is not None:
                os.kill(reaper, ASK)
            else:
                # Also where the parent is gone. A pid namespace ends with its first process.
                os.kill(reaper, signal.SIGKILL)
                os.waitpid(reaper, 0)
                return True
        return os.waitpid(reaper, os.WNOHANG)[0] != 0
    finally:
        if watched is not None:
            os.close(watched)


def _pidfd(pid: int) -> int | None:
    opened = getattr(os, "pidfd_open", None)
    return None if opened is None else int(opened(pid))


def _end_descendants() -> None:
    """End what a run without a namespace of its own left behind: by group, which no fork outruns."""
    import psutil

    own = os.getpgid(0)
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        children = psutil.Process().children(recursive=True)
        for child in children:
            with contextlib.suppress(OSError, psutil.Error):
                group = os.getpgid(child.pid)
                if group == own:
                    child.kill()
                else:
                    os.killpg(group, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if not children:
            return


# the reaper


def _reap(request: Request, descriptors: Sequence[int], view: isolation.View, device: str) -> None:
    control, folder, layers = descriptors[0], request.folder, frozenset(request.layers)
    _die_with_the_parent()
    os.setsid()
    try:
        if "pid" not in layers:
            _adopt_orphans()
        isolation.enter(layers, view)
        for part in ("work", "tmp", "hf", "cache"):
            os.makedirs(os.path.join(folder, part))
        for name, text in request.files.items():
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "x", encoding="utf-8", newline="") as file:
                file.write(text)
        _limit(request, device)
    except OSError as error:
        _say(control, failed=f"cannot put up the walls: {error}")
        return
    ranks: dict[int, int] = {}
    for number, job in enumerate(request.jobs):
        pid = os.fork()
        if pid == 0:
            own = descriptors[1 + 3 * number : 4 + 3 * number]
            _forked(partial(_run, job, own))
        ranks[pid] = number
    for descriptor in descriptors[1:]:
        os.close(descriptor)
    if ASK is not None:
        signal.signal(ASK, lambda *_: _signal_all(ranks))
    while True:
        try:
            pid, status = os.wait()
        except ChildProcessError:
            break
        if pid in ranks:
            _say(control, rank=ranks.pop(pid), code=os.waitstatus_to_exitcode(status))
    _say(control, empty=True)


def _signal_all(ranks: Mapping[int, int]) -> None:
    for pid in list(ranks):
        with contextlib.suppress(OSError):
            os.kill(pid, ASK or signal.SIGTERM)


def _run(job: Job, own: Sequence[int]) -> None:
    """Leave the rank its own descriptors only, and run the script."""
    _die_with_the_parent()
    stdin = os.open(os.devnull, os.O_RDONLY)
    # First out of the way of the numbers that they take in the end.
    moved = [_moved_up(descriptor) for descriptor in (stdin, *own)]
    for number, descriptor in enumerate(moved):
        os.dup2(descriptor, number, inheritable=number < 3)
    os.closerange(len(moved), 1 << 12)
    main(job, records=len(moved) - 1)


def _moved_up(descriptor: int) -> int:
    import fcntl

    return fcntl.fcntl(descriptor, fcntl.F_DUPFD, 64)


def _limit(request: Request, device: str) -> None:
    """Limits of single processes, as a second wall behind what the parent counts for all of them."""
    import resource

    wanted = {
        "RLIMIT_CORE": 0,
        "RLIMIT_FSIZE": request.file_size,
        "RLIMIT_NOFILE": 1024,
        "RLIMIT_MSGQUEUE": 0,
        "RLIMIT_NPROC": isolation.MAX_PROCESSES,
    }
    if "pid" not in request.layers:
        # All processes of the account count, not those of the run.
        del wanted["RLIMIT_NPROC"]
    if device == "cpu" and sys.platform == "linux":
        with open("/proc/self/statm", encoding="ascii") as file:
            mapped = int(file.read().split()[0]) * resource.getpagesize()
        wanted["RLIMIT_AS"] = mapped + request.memory + (2 << 30)
    for name, value in wanted.items():
        kind = getattr(resource, name, None)
        if kind is not None:
            hard = resource.getrlimit(kind)[1]
            value = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(kind, (value, value))


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            isolation.libc().prctl(option, value, 0, 0, 0)


def _adopt_orphans() -> None:
    """Make processes whose parent has died children of this one (Linux), so that none escapes."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def _die_with_the_parent() -> None:
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


if __name__ == "__main__":
    first, *more = (socket.socket(fileno=int(number)) for number in sys.argv[1].split(","))
    if more:
        share(first, more[0], sys.argv[2], sys.argv[3:])
    else:
        serve(first, sys.argv[2], sys.argv[3:])
