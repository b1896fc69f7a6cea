"""Processes below one: which there are, what memory they hold, and their end."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess

import psutil

_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_LISTS_CHILDREN = os.path.exists(f"/proc/self/task/{os.getpid()}/children")


def below(pid: int) -> list[int]:
    """Every process below one, found by looking at all processes of this machine."""
    try:
        return [process.pid for process in psutil.Process(pid).children(recursive=True)]
    except psutil.Error:
        return []


def listed_below(pid: int, most: int) -> list[int]:
    """The same, and about `most` at most, from the lists of children that Linux keeps.

    Takes a hundredth of the time. A process may be missing while others end beside it (proc(5)).
    """
    if not _LISTS_CHILDREN:
        return below(pid)
    found: list[int] = []
    left = [pid]
    while left and len(found) <= most:
        place = f"/proc/{left.pop()}/task"
        with contextlib.suppress(OSError):
            for thread in os.listdir(place):
                with open(f"{place}/{thread}/children", "rb") as file:
                    children = [int(child) for child in file.read().split()]
                found += children
                left += children
    return found


def resident(pid: int | None = None) -> int:
    """Bytes of memory that a process holds, this one or another; 0 where it cannot be known."""
    try:
        with open(f"/proc/{'self' if pid is None else pid}/statm", "rb") as file:
            return int(file.read().split()[1]) * _PAGE
    except FileNotFoundError:
        pass
    except OSError:
        return 0
    try:
        return int(psutil.Process(pid).memory_info().rss)
    except psutil.Error:
        return 0


def kill(pid: int) -> None:
    """Kill a process and all below it."""
    with contextlib.suppress(psutil.Error):
        root = psutil.Process(pid)
        for process in [root, *root.children(recursive=True)]:
            with contextlib.suppress(psutil.Error):
                process.kill()


class Remote:
    """A process that another one started, with what `subprocess.Popen` has for one's own (Linux)."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._watched = os.pidfd_open(pid)

    def __del__(self) -> None:
        with contextlib.suppress(AttributeError, OSError):
            os.close(self._watched)

    def poll(self) -> int | None:
        """None while the process is there; its exit code is only for the process that started it."""
        return 0 if select.select([self._watched], [], [], 0)[0] else None

    def wait(self, timeout: float) -> int:
        """Wait for its end, in seconds. Raises subprocess.TimeoutExpired."""
        if not select.select([self._watched], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired(str(self.pid), timeout)
        return 0

    def kill(self) -> None:
        """End it; no other process can be met under its number."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._watched, signal.SIGKILL)
