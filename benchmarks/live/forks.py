"""Run scripts in forks of one process that has the libraries imported: a run costs a fork, not five seconds.

Each run has an empty folder of its own and tells what it saw as one JSON object. Unlike `unmeta.verify` it
puts up no walls: only scripts of this repository are run, and their process is what is looked at.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import sys
import tempfile
import time
import traceback
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SECONDS = 120


@dataclass(frozen=True)
class Case:
    """A script to run: its files by path, the command line behind `python`, and how many processes."""

    key: str
    files: Mapping[str, str]
    argv: tuple[str, ...]
    processes: int | None = None
    more: Mapping[str, Any] = field(default_factory=dict)


Body = Callable[[Case, Path], dict[str, Any]]


def settle() -> None:
    """Set the environment of runs and import the libraries; call it once, before anything imports torch."""
    from unmeta.verify import preload
    from unmeta.verify.sandbox import environment

    os.environ.update({k: v for k, v in environment("cpu").items() if k != "PYTHONSAFEPATH"})
    for name in preload.GROUPS:
        if name != "deepspeed":
            preload.prepare([name])
    import warnings

    import unmeta
    from unmeta.live import doctor, explaining, fits, met, notes, strict  # noqa: F401

    # The index and the entries are read once; the first mix makes torch load its meta registrations.
    unmeta.explain("NotImplementedError: Cannot copy out of meta tensor; no data!")

    # As Python sets them for a script: what was warned of once is remembered, as it is for a reader.
    warnings.resetwarnings()
    warnings.filterwarnings("default", category=DeprecationWarning, module="__main__")
    for hidden in (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning):
        warnings.simplefilter("ignore", hidden, append=True)
    for module in list(sys.modules.values()):
        if isinstance(module, types.ModuleType):
            vars(module).pop("__warningregistry__", None)


def run(cases: Iterable[Case], body: Body, jobs: int = 2, seconds: float = SECONDS) -> dict[str, Any]:
    """What `body` told of each case, by key; several processes of one case: that of the first that failed."""
    waiting, running, told = list(cases)[::-1], [], {}
    while waiting or running:
        while waiting and len(running) < jobs:
            running.append(_Started(waiting.pop(), body, seconds))
        time.sleep(0.01)
        for started in [item for item in running if item.over()]:
            running.remove(started)
            told[started.case.key] = started.told()
    return told


class _Started:
    """One case in its forks."""

    def __init__(self, case: Case, body: Body, seconds: float) -> None:
        self.case = case
        self.folder = Path(tempfile.mkdtemp(prefix="unmeta-live-"))
        work = self.folder / "work"
        work.mkdir()
        (self.folder / "tmp").mkdir()
        for name, text in case.files.items():
            path = work / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        self.until = time.monotonic() + seconds
        self.children: dict[int, int] = {}
        port = _free_port()
        for rank in range(case.processes or 1):
            pid = os.fork()
            if pid == 0:
                _child(case, body, self.folder, rank, port)
            self.children[pid] = rank
        self.left = set(self.children)

    def over(self) -> bool:
        for pid in list(self.left):
            if os.waitpid(pid, os.WNOHANG)[0]:
                self.left.discard(pid)
                if self.children[pid] == 0 or (self.folder / f"told-{self.children[pid]}").exists():
                    self.until = min(self.until, time.monotonic() + 15)
        if self.left and time.monotonic() > self.until:
            for pid in self.left:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(pid, signal.SIGKILL)
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, 0)
            self.left.clear()
        return not self.left

    def told(self) -> dict[str, Any]:
        found = []
        for rank in sorted(self.children.values()):
            path = self.folder / f"told-{rank}"
            if path.exists():
                found.append(json.loads(path.read_text()))
        shutil.rmtree(self.folder, ignore_errors=True)
        if not found:
            return {"end": "no answer"}
        # Where one process raises, the others lose their connection: the first that ended is the telling one.
        order = {"strict": 0, "harness": 1, "raised": 2, "exited": 3}
        return min(found, key=lambda item: (order.get(item.get("end", ""), 4), item.get("at", 0)))


def _child(case: Case, body: Body, folder: Path, rank: int, port: int) -> None:
    """Run the body and leave; never returns."""
    try:
        os.setsid()
        home, tmp = str(folder / "work"), str(folder / "tmp")
        os.environ.update({"HOME": home, "TMPDIR": tmp, "XDG_CACHE_HOME": tmp, "HF_HOME": f"{tmp}/hf"})
        tempfile.tempdir = None
        if case.processes:
            os.environ.update(
                RANK=str(rank),
                LOCAL_RANK=str(rank),
                WORLD_SIZE=str(case.processes),
                LOCAL_WORLD_SIZE=str(case.processes),
                MASTER_ADDR="127.0.0.1",
                MASTER_PORT=str(port),
            )
        os.chdir(home)
        with open(folder / f"out-{rank}", "w") as out:
            os.dup2(out.fileno(), 1)
            os.dup2(out.fileno(), 2)
        sys.stdin.close()
        sys.argv = list(case.argv)
        sys.path.insert(0, home)
        told = body(case, folder / "work")
    except BaseException:
        told = {"end": "harness", "why": traceback.format_exc()[-2000:]}
    with contextlib.suppress(BaseException):
        sys.stdout.flush()
    part = folder / f"told-{rank}.part"
    part.write_text(json.dumps(told))
    part.rename(folder / f"told-{rank}")
    os._exit(0)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
