from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator

import psutil
import pytest

from unmeta.verify import processes

# A child with a child, and one that a thread of it started: Linux lists children by thread.
FAMILY = """
import subprocess, sys, threading, time
wait = [sys.executable, "-c", "import time; time.sleep(600)"]
nest = [sys.executable, "-c", f"import subprocess, time; subprocess.Popen({wait!r}); time.sleep(600)"]
subprocess.Popen(nest)
def other():
    subprocess.Popen(wait)
    time.sleep(600)
threading.Thread(target=other, daemon=True).start()
time.sleep(600)
"""


@pytest.fixture
def family() -> Iterator[int]:
    runner = subprocess.Popen([sys.executable, "-c", FAMILY])
    yield runner.pid
    processes.kill(runner.pid)
    runner.wait(30)


def grown(pid: int, count: int) -> list[int]:
    until = time.monotonic() + 60
    while len(found := processes.below(pid)) < count:
        assert time.monotonic() < until
        time.sleep(0.02)
    return found


def test_what_is_listed_is_all_there_is(family: int) -> None:
    members = grown(family, 3)
    assert sorted(processes.listed_below(family, 100)) == sorted(members)


def test_where_nothing_is_listed_all_are_looked_at(family: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_LISTS_CHILDREN", False)
    members = grown(family, 3)
    assert sorted(processes.listed_below(family, 100)) == sorted(members)


def test_no_more_are_listed_than_were_asked_for(family: int) -> None:
    grown(family, 3)
    assert 1 < len(processes.listed_below(family, 1)) < 4


def test_the_memory_of_a_process(family: int) -> None:
    grown(family, 3)
    assert processes.resident(family) > 1 << 20
    assert abs(processes.resident() - psutil.Process().memory_info().rss) < 64 << 20


def test_all_of_a_family_is_ended(family: int) -> None:
    members = grown(family, 3)
    processes.kill(family)
    until = time.monotonic() + 60
    for pid in members:
        with contextlib.suppress(psutil.NoSuchProcess):
            while psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
                assert time.monotonic() < until
                time.sleep(0.02)


def test_nothing_is_below_a_process_that_is_gone() -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait(60)
    assert processes.below(gone.pid) == processes.listed_below(gone.pid, 9) == []
    assert processes.resident(gone.pid) == 0
    assert os.getpid() not in processes.below(os.getpid())
