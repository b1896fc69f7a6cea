"""Walls around a process: what the Linux kernel lets anybody put up, root or not.

bubblewrap walls in programs that it starts, but a run is a fork of a process that has its libraries
loaded; so the few system calls are made here, in two steps: `fork` makes the first process of a run,
in namespaces of its own, and that process puts up its walls with `enter`. Every layer stands for
itself; `available` says which ones this machine has, `gaps` what is not stopped without the others.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import functools
import os
import platform
import signal
import struct
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

Layers = frozenset[str]

LAYERS: dict[str, str] = {
    "landlock": "reading and writing all files of this account",
    "user": "being seen as this account by the kernel, with its rights",
    "pid": "seeing this account's processes, and outliving the run by forking faster than it is ended",
    "ipc": "shared memory and queues of this account",
    "net": "connections that do not pass Python's own sockets, such as those of programs it starts",
    "mount": "sockets by path (agents, daemons), and filling the disk between two looks",
    "seccomp": "kernel interfaces that no snippet needs (tracing, io_uring, keys, hidden memory)",
}
"""Every layer, and what is not stopped where it is missing."""

_NAMESPACES = {
    "user": 0x10000000,
    "pid": 0x20000000,
    "ipc": 0x08000000,
    "net": 0x40000000,
    "mount": 0x00020000,
}
_BINDABLE = ("/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/sys/devices/system")
_SETTINGS = tuple(
    f"/etc/{name}"
    for name in (
        "ld.so.cache",
        "ld.so.conf",
        "ld.so.conf.d",
        "alternatives",
        "localtime",
        "timezone",
        "nsswitch.conf",
        "host.conf",
        "hosts",
        "hostname",
        "resolv.conf",
        "protocols",
        "services",
        "passwd",
        "group",
        "os-release",
        "mime.types",
        "ssl/certs",
        "ssl/openssl.cnf",
    )
)
_DEVICES = tuple(f"/dev/{name}" for name in ("null", "zero", "full", "random", "urandom"))
MAX_FILES_ON_DISK = 50_000
MAX_PROCESSES = 512


@dataclass(frozen=True)
class View:
    """What a run may see: `folder` is its own, `readable` what it may read, `disk` how much it may write.

    Made outside the walls: inside, the process has no `account` (user and group) before it is given one.
    """

    folder: str
    readable: tuple[str, ...]
    disk: int
    devices: tuple[str, ...] = _DEVICES
    account: tuple[int, int] = field(default_factory=lambda: (os.geteuid(), os.getegid()))


@functools.cache
def libc() -> Any:
    """The C library, with errno kept."""
    return ctypes.CDLL(None, use_errno=True)


def _called(result: int, what: str) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
    return result


def readable(device: str = "cpu") -> tuple[str, ...]:
    """The folders that Python, its packages and the system's libraries live in."""
    paths = [*_BINDABLE, *_SETTINGS, sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix]
    paths += [path for path in sys.path if os.path.isabs(path)]
    paths += [path for path in os.environ.get("LD_LIBRARY_PATH", "").split(":") if os.path.isabs(path)]
    if device == "cuda":
        paths += ["/sys", *filter(None, [os.environ.get("CUDA_HOME")])]
    return tuple(sorted({os.path.normpath(path) for path in paths if path != "/" and os.path.exists(path)}))


def devices(device: str = "cpu") -> tuple[str, ...]:
    """Device files that a run may use."""
    more: list[str] = []
    if device == "cuda":
        with os.scandir("/dev") as found:
            more = [entry.path for entry in found if entry.name.startswith("nvidia")]
    return (*_DEVICES, *sorted(more))


def fork(layers: Layers) -> int:
    """Fork like os.fork(); the new process is the first of the namespaces that `layers` name.

    Only in a process without threads: the C library's own handlers of a fork are not run. Raises OSError.
    """
    flags = sum(flag for name, flag in _NAMESPACES.items() if name in layers)
    if not flags:
        return os.fork()
    # One fork instead of unshare() and two; each copies the tables of half a gigabyte.
    arguments = struct.pack("8Q", flags, 0, 0, 0, signal.SIGCHLD, 0, 0, 0)
    call = _holding_the_lock().syscall
    ctypes.pythonapi.PyOS_BeforeFork()
    pid = int(call(ctypes.c_long(435), arguments, ctypes.c_size_t(len(arguments))))
    if pid == 0:
        ctypes.pythonapi.PyOS_AfterFork_Child()
    else:
        ctypes.pythonapi.PyOS_AfterFork_Parent()
    return _called(pid, "clone3")


@functools.cache
def _holding_the_lock() -> Any:
    """The C library, called without letting go of Python's lock, as a fork must be."""
    return ctypes.PyDLL(None, use_errno=True)


def _identify(user: int, group: int) -> None:
    """Be seen in the own user namespace under the same numbers as outside."""
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)


def _loopback() -> None:
    """Bring up the one interface of a new network namespace, so that ranks reach each other."""
    import fcntl
    import socket

    up_and_running = 0x1 | 0x40
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        fcntl.ioctl(probe, 0x8914, struct.pack("16sh14x", b"lo", up_and_running))


def enter(layers: Layers, view: View) -> None:
    """Put up the walls around this process and all that it will start. Raises OSError.

    The process was made by `fork` with the same layers.
    """
    if "user" in layers:
        _identify(*view.account)
    if "net" in layers:
        _loopback()
    if "mount" in layers:
        _mount(view, own_processes="pid" in layers)
    if "pid" in layers and "mount" in layers:
        # From Linux 6.14 on each pid namespace has a limit of its own; before, the parent counts.
        with contextlib.suppress(OSError), open("/proc/sys/kernel/pid_max", "w", encoding="ascii") as file:
            file.write(str(MAX_PROCESSES))
    if "mount" in layers:
        _attribute("/proc", _RDONLY | _NOSUID | _NODEV | _NOEXEC)
    if sys.platform != "linux":
        return
    _called(libc().prctl(38, 1, 0, 0, 0), "no_new_privs")
    if "landlock" in layers:
        _landlock(view, own_root="mount" in layers)
    _drop_capabilities()
    if "seccomp" in layers:
        _seccomp(keep_sessions="pid" not in layers)


# mounts

_BIND, _REC, _PRIVATE, _DETACH = 0x1000, 0x4000, 0x40000, 2
_RDONLY, _NOSUID, _NODEV, _NOEXEC = 1, 2, 4, 8
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000


def _mounted(source: str | None, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    encoded = [text.encode() if text is not None else None for text in (source, target, kind, data)]
    _called(
        libc().mount(encoded[0], encoded[1], encoded[2], ctypes.c_ulong(flags), encoded[3]), f"mount {target}"
    )


def _attribute(path: str, flags: int) -> None:
    """Set flags of a mount and of those below it (mount_setattr)."""
    wanted = struct.pack("QQQQ", flags, 0, 0, 0)
    _called(
        libc().syscall(
            ctypes.c_long(442), _AT_FDCWD, path.encode(), _AT_RECURSIVE, wanted, ctypes.c_size_t(len(wanted))
        ),
        f"mount_setattr {path}",
    )


def _mount(view: View, own_processes: bool) -> None:
    """Make a root of one's own, in memory and of limited size, that holds what the view names."""
    root = view.folder
    _mounted(None, "/", None, _REC | _PRIVATE)
    options = f"size={view.disk},nr_inodes={MAX_FILES_ON_DISK},mode=0755"
    _mounted("tmpfs", root, "tmpfs", _NOSUID | _NODEV, options)
    for path in _outermost(view.readable):
        _bind(path, root + path)
        _attribute(root + path, _RDONLY | _NOSUID | _NODEV)
    for path in view.devices:
        if os.path.exists(path):
            _bind(path, root + path)
    os.makedirs(root + "/proc")
    if own_processes:
        _mounted("proc", root + "/proc", "proc", _NOSUID | _NODEV | _NOEXEC)
    else:
        _mounted("/proc", root + "/proc", None, _BIND | _REC)
    os.symlink("/proc/self/fd", root + "/dev/fd")
    for path in ("/dev/shm", "/tmp"):
        os.makedirs(root + path, exist_ok=True)
        os.chmod(root + path, 0o1777)
    os.makedirs(root + view.folder, mode=0o700)
    os.chdir(root)
    _called(libc().pivot_root(b".", b"."), "pivot_root")
    _called(libc().umount2(b".", _DETACH), "umount2")
    os.chdir("/")


def _outermost(paths: Iterable[str]) -> Iterator[str]:
    """Paths without those that lie inside another one."""
    kept: list[str] = []
    for path in sorted(paths):
        # A link is mounted where it stands, so what it leads to need not lie inside.
        if not any(path.startswith(outer + "/") for outer in kept):
            kept.append(path)
            yield path


def _bind(source: str, target: str) -> None:
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "ab"):
            pass
    _mounted(os.path.realpath(source), target, None, _BIND | _REC)


# capabilities


def _drop_capabilities() -> None:
    """Leave root, of the machine or of a namespace, nothing but its name."""
    for number in range(64):
        if libc().prctl(24, number, 0, 0, 0) < 0:  # PR_CAPBSET_DROP
            break
    header = struct.pack("II", 0x20080522, 0)  # _LINUX_CAPABILITY_VERSION_3
    _called(libc().capset(header, bytes(24)), "capset")


# Landlock

_READ = 1 << 0 | 1 << 2 | 1 << 3  # execute, read files, read folders
_WRITE_FILE = 1 << 1 | 1 << 14  # write, truncate
_OF_FILES = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15
_NO_DEVICE_FILES = ~(1 << 6 | 1 << 11)
_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
_SCOPES = 1 << 0 | 1 << 1  # abstract sockets, signals


def landlock_version() -> int:
    """The Landlock interface that this kernel speaks; 0 for none."""
    if sys.platform != "linux":
        return 0
    return max(0, int(libc().syscall(ctypes.c_long(444), None, ctypes.c_size_t(0), 1)))


def _landlock(view: View, own_root: bool) -> None:
    version = landlock_version()
    rights = max(value for since, value in _RIGHTS.items() if since <= max(1, version))
    scopes = _SCOPES if version >= 6 else 0
    attributes = struct.pack("QQQ", rights, 0, scopes)[: 24 if version >= 6 else 16 if version >= 4 else 8]
    call = libc().syscall
    ruleset = _called(
        call(ctypes.c_long(444), attributes, ctypes.c_size_t(len(attributes)), 0), "landlock_create_ruleset"
    )
    own = [view.folder, "/dev/shm", *(["/tmp"] if own_root else [])]
    allowed = [(path, _READ) for path in (*view.readable, "/proc")]
    allowed += [(path, rights & _NO_DEVICE_FILES) for path in own]
    allowed += [(path, _READ | _WRITE_FILE | 1 << 15) for path in view.devices]
    for path, wanted in allowed:
        try:
            opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue
        granted = wanted & rights if os.path.isdir(path) else wanted & rights & _OF_FILES
        rule = struct.pack("=Qi", granted, opened)
        _called(call(ctypes.c_long(445), ruleset, 1, rule, 0), f"landlock_add_rule {path}")
        os.close(opened)
    _called(call(ctypes.c_long(446), ruleset, 0), "landlock_restrict_self")
    os.close(ruleset)


# seccomp

_X86_64 = 0xC000003E
_REFUSED = {
    # other processes
    "ptrace": 101,
    "process_vm_readv": 310,
    "process_vm_writev": 311,
    "kcmp": 312,
    "pidfd_getfd": 438,
    "process_madvise": 440,
    # namespaces and mounts
    "mount": 165,
    "umount2": 166,
    "pivot_root": 155,
    "chroot": 161,
    "unshare": 272,
    "setns": 308,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "mount_setattr": 442,
    # wide doors into the kernel
    "bpf": 321,
    "perf_event_open": 298,
    "userfaultfd": 323,
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "add_key": 248,
    "request_key": 249,
    "keyctl": 250,
    "fanotify_init": 300,
    "name_to_handle_at": 303,
    "open_by_handle_at": 304,
    "modify_ldt": 154,
    # the machine
    "syslog": 103,
    "acct": 163,
    "settimeofday": 164,
    "swapon": 167,
    "swapoff": 168,
    "reboot": 169,
    "sethostname": 170,
    "setdomainname": 171,
    "iopl": 172,
    "ioperm": 173,
    "init_module": 175,
    "delete_module": 176,
    "quotactl": 179,
    "clock_settime": 227,
    "kexec_load": 246,
    "finit_module": 313,
    "kexec_file_load": 320,
    # memory that no limit sees
    "memfd_create": 319,
    "memfd_secret": 447,
    "shmget": 29,
    "shmat": 30,
    "msgget": 68,
    "mq_open": 240,
}
_SESSIONS = {"setsid": 112, "setpgid": 109}
_CLONE, _CLONE3, _SOCKET = 56, 435, 41
_FAMILIES = (1, 2, 10, 16)  # unix, IPv4, IPv6, netlink (which lists interfaces)
_NEW_NAMESPACES = 0x7E020000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000


def _program(keep_sessions: bool) -> list[tuple[int, int, int, int]]:
    """A filter of system calls as BPF: (code, jump if true, jump if false, value).

    A filter is a straight line: every test is followed by its answer and skips it where it fails.
    """
    number, architecture, first = 0, 4, 16

    def refuse(code: int) -> tuple[int, int, int, int]:
        return _RETURN, 0, 0, _REFUSE | code

    lines = [
        (_LOAD, 0, 0, architecture),
        (_EQUAL, 1, 0, _X86_64),
        refuse(errno.EPERM),
        (_LOAD, 0, 0, number),
        (_AT_LEAST, 0, 1, 0x40000000),  # the x32 interface has numbers of its own
        refuse(errno.EPERM),
        (_EQUAL, 0, 1, _CLONE3),  # its flags lie in memory; without it glibc uses clone
        refuse(errno.ENOSYS),
    ]
    for call in _REFUSED.values():
        lines += [(_EQUAL, 0, 1, call), refuse(errno.EPERM)]
    if keep_sessions:
        # Said to have been done: whoever stays in the group of the run is ended with it.
        for call in _SESSIONS.values():
            lines += [(_EQUAL, 0, 1, call), refuse(0)]
    lines += [
        (_EQUAL, 0, 3, _CLONE),
        (_LOAD, 0, 0, first),
        (_ANY_BIT, 0, 1, _NEW_NAMESPACES),
        refuse(errno.EPERM),
        (_LOAD, 0, 0, number),
        (_EQUAL, 0, 1 + len(_FAMILIES) + 1, _SOCKET),
        (_LOAD, 0, 0, first),
    ]
    for index, family in enumerate(_FAMILIES):
        lines.append((_EQUAL, len(_FAMILIES) - index, 0, family))
    lines += [refuse(errno.EAFNOSUPPORT), (_RETURN, 0, 0, _ALLOW)]
    return lines


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("lines", ctypes.c_char_p))


def _seccomp(keep_sessions: bool) -> None:
    lines = _program(keep_sessions)
    packed = b"".join(struct.pack("HBBI", *line) for line in lines)
    program = _Filter(len(lines), packed)
    _called(libc().prctl(22, 2, ctypes.byref(program), 0, 0), "seccomp")


# what this machine has


def _works(layers: Layers, view: View) -> bool:
    """Whether walls can be put up, tried in a fork, for they are never taken down."""
    try:
        pid = fork(layers)
    except OSError:
        return False
    if pid == 0:
        code = 1
        with contextlib.suppress(Exception):
            enter(layers, view)
            code = 0
        os._exit(code)
    return os.waitpid(pid, 0)[1] == 0


def available(folder: str) -> Layers:
    """The layers that work here, each tried in a fork; `folder` is empty. Only without threads."""
    if sys.platform != "linux":
        return frozenset()
    view = View(folder, readable(), 1 << 20)
    found: set[str] = set()
    if landlock_version():
        found.add("landlock")
    if platform.machine() == "x86_64" and _works(frozenset({"seccomp"}), view):
        found.add("seccomp")
    namespaces = set(_NAMESPACES)
    # In some containers all namespaces but a root of one's own can be had.
    for wanted in (namespaces, namespaces - {"mount"}, namespaces - {"mount", "net"}):
        if _works(frozenset(found | wanted), view):
            return frozenset(found | wanted)
    return frozenset(found)


def named(layers: Iterable[str]) -> Sequence[str]:
    """Layers in the order in which they are told."""
    return [name for name in LAYERS if name in layers]


def gaps(layers: Iterable[str]) -> list[str]:
    """What is not stopped, in words."""
    return [words for name, words in LAYERS.items() if name not in set(layers)]


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory(prefix="unmeta-") as place:
        print(*named(available(place)))
