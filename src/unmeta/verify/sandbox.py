"""Run snippets, each in a fresh process that can harm nobody, and say what happened.

A `Sandbox` keeps one fork server with the libraries loaded; every run is a child of it with an
empty folder, no network, and limits on time, memory and output. Whatever a script does (hang,
abort, fork, flood, exit), its processes are gone when `run` returns.
"""

from __future__ import annotations

import contextlib
import datetime
import importlib.metadata
import json
import multiprocessing
import os
import re
import shutil
import signal
import socket
import sys
import tempfile
import time
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from multiprocessing import connection
from pathlib import Path
from typing import Any

import psutil

import unmeta
from unmeta.kb.model import PACKAGES, Needs
from unmeta.kb.runs import Event, Frame, Observation, Outcome, Raised
from unmeta.kb.snippets import Snippet
from unmeta.verify.probe import ASK, Job, Paths, main

PRELOAD = "unmeta.verify.preload"
POLL = 0.1
GRACE = 1.0
MAX_OUTPUT_KEPT = 4_000
MAX_EVENTS_KEPT = 200

# What a child may inherit; library settings of the person at the keyboard are not among them.
_KEPT = re.compile(
    r"PATH|PYTHONPATH|LD_LIBRARY_PATH|DYLD_.*|LANG|LC_.*|TZ|SYSTEMROOT|VIRTUAL_ENV|CONDA_PREFIX|CUDA_HOME|"
    r"CUDA_VISIBLE_DEVICES|NVIDIA_.*|PYTHONUTF8|NUMBER_OF_PROCESSORS|COVERAGE_.*|MALLOC_PERTURB_|UNMETA_BARE"
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
}


@dataclass(frozen=True)
class Limits:
    """What one run may use: `seconds` of wall time, `memory` and `output` in bytes."""

    seconds: float = 60.0
    memory: int = 6 << 30
    output: int = 16 << 20


class Sandbox:
    """A fork server with the libraries loaded. Close it, or use it as a context manager.

    `device` is "cpu", where CUDA is hidden from the snippets, or "cuda". One run at a time. `method` is
    a start method of multiprocessing; without it, the fork server where there is one.

    Where glibc allocates, fresh and freed memory is filled with a pattern (MALLOC_PERTURB_), so that no
    fix passes on values that happen to lie there, and no trap. The variable is handed on where it is set:
    255 fills with zeros, 0 fills nothing.
    """

    def __init__(self, device: str = "cpu", limits: Limits | None = None, method: str | None = None) -> None:
        self.device = device
        self.limits = limits or Limits()
        known = multiprocessing.get_all_start_methods()
        self._use(method or ("forkserver" if "forkserver" in known else "spawn"))
        self._home = Path(tempfile.mkdtemp(prefix="unmeta-")).resolve()
        (self._home / "server").mkdir()
        self._count = 0

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the fork server and remove everything it used."""
        if self._forking:
            with contextlib.suppress(AttributeError, OSError):
                self._server()._stop()
        shutil.rmtree(self._home, ignore_errors=True)

    def _use(self, method: str) -> None:
        self._context: Any = multiprocessing.get_context(method)
        self._forking = method == "forkserver"

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
        if self._forking:
            self._use("spawn")
            return self.run(probe).outcome == "passed"
        return False

    @staticmethod
    def _server() -> Any:
        from multiprocessing import forkserver

        return forkserver._forkserver

    def run(self, snippet: Snippet, needs: Needs | None = None) -> Observation:
        """Run a snippet once, in as many processes as `needs` says, and wait for its end."""
        self._count += 1
        folder = self._home / str(self._count)
        for part in ("work", "tmp", "hf", "cache"):
            (folder / part).mkdir(parents=True)
        name = snippet.key.rpartition("/")[2]
        (folder / name).write_text(snippet.text, encoding="utf-8")
        try:
            return self._run(snippet, needs or Needs(), folder, name)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _run(self, snippet: Snippet, needs: Needs, folder: Path, name: str) -> Observation:
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
            jobs.append(
                Job(
                    name,
                    snippet.text,
                    str(folder),
                    rank,
                    {**shared, **own},
                )
            )
        processes: list[Any] = []
        try:
            for job in jobs:
                processes.append(self._start(job))
            stopped, peak = self._watch(processes, jobs)
            if stopped == "timed-out":
                _ask(processes)
            left = [] if stopped else self._wait_for_children(processes)
        finally:
            # Also where the person at the keyboard interrupts: the children are in sessions of their own.
            self._kill(processes)
        results = [_result(job, process, stopped) for job, process in zip(jobs, processes, strict=True)]
        for process in processes:
            process.close()
        observation = _merge(snippet, results, stopped, peak, jobs)
        if left and not stopped:
            note = f"still running at the end: {', '.join(sorted(left))}"
            observation = replace(observation, outcome="left-processes", note=note)
        return observation

    def _start(self, job: Job) -> Any:
        process = self._context.Process(target=main, args=(job,), daemon=False)
        with _environment(self._environment()), _nameless_main(), _directory(self._home / "server"):
            if self._forking:
                self._context.set_forkserver_preload([PRELOAD])
            process.start()
        return process

    def _environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if _KEPT.fullmatch(name)}
        here = str(Path(unmeta.__file__).resolve().parent.parent)
        paths = [here, *filter(None, kept.get("PYTHONPATH", "").split(os.pathsep))]
        filled = {name: value for name, value in kept.items() if name == "MALLOC_PERTURB_"}
        result = {**kept, **_SET, **filled, "PYTHONPATH": os.pathsep.join(dict.fromkeys(paths))}
        if self.device == "cpu":
            result["CUDA_VISIBLE_DEVICES"] = ""
            # Without it deepspeed, where installed, says on import that it found no accelerator.
            result["DS_ACCELERATOR"] = "cpu"
        else:
            # Counting GPUs through the driver would spoil it for the children of the fork server.
            result["PYTORCH_NVML_BASED_CUDA_CHECK"] = "1"
        return {**result, "HOME": str(self._home / "server"), "TMPDIR": str(self._home / "server")}

    def _watch(self, processes: Sequence[Any], jobs: Sequence[Job]) -> tuple[Outcome | None, float]:
        """Wait for every rank; the outcome for which they had to be stopped (or None), peak in MB."""
        began = time.monotonic()
        peak, base = 0, self._base()
        failed_at: float | None = None
        while True:
            waiting = [process.sentinel for process in processes if process.is_alive()]
            if _written(jobs) > self.limits.output:
                return "flooded", peak / 1e6
            if not waiting:
                return None, peak / 1e6
            used = sum(max(0, _rss(member) - base) for member in self._members(processes))
            peak = max(peak, used)
            if used > self.limits.memory:
                return "out-of-memory", peak / 1e6
            if time.monotonic() - began > self.limits.seconds:
                return "timed-out", peak / 1e6
            if len(waiting) < len(processes) and failed_at is None and _any_failed(processes, jobs):
                failed_at = time.monotonic()
            if failed_at is not None and time.monotonic() - failed_at > 2 * GRACE:
                # The other ranks wait for one that is gone.
                return None, peak / 1e6
            connection.wait(waiting, timeout=POLL)

    def _base(self) -> int:
        """Bytes that a child shares with its fork server."""
        pid = getattr(self._server(), "_forkserver_pid", None) if self._forking else None
        try:
            return _rss(psutil.Process(pid)) if pid else 0
        except psutil.Error:
            return 0

    def _members(self, processes: Sequence[Any]) -> list[psutil.Process]:
        """Every live process of the run: the fork server adopts what would otherwise escape."""
        roots = [process.pid for process in processes]
        server = getattr(self._server(), "_forkserver_pid", None) if self._forking else None
        found: dict[int, psutil.Process] = {}
        for pid in [*roots, server]:
            with contextlib.suppress(psutil.Error):
                if pid is None:
                    continue
                root = psutil.Process(pid)
                for member in [*([root] if pid != server else []), *root.children(recursive=True)]:
                    found[member.pid] = member
        if not self._forking and hasattr(os, "getsid"):
            # Nobody adopts orphans here; those that stayed in the script's session are found by it.
            for pid in psutil.pids():
                with contextlib.suppress(OSError, psutil.Error):
                    if os.getsid(pid) in roots:
                        found[pid] = psutil.Process(pid)
        return [member for member in found.values() if _alive(member)]

    def _wait_for_children(self, processes: Sequence[Any]) -> list[str]:
        """Names of processes that outlive the script by more than a moment."""
        ranks = {process.pid for process in processes}
        until = time.monotonic() + GRACE
        while True:
            others = [member for member in self._members(processes) if member.pid not in ranks]
            if not others or time.monotonic() > until:
                return [_name(member) for member in others]
            time.sleep(POLL / 2)

    def _kill(self, processes: Sequence[Any]) -> None:
        for _ in range(50):
            members = self._members(processes)
            if not members:
                break
            for member in members:
                with contextlib.suppress(psutil.Error):
                    member.kill()
            psutil.wait_procs(members, timeout=0.2)
        for process in processes:
            process.join(5)


def _ask(processes: Sequence[Any]) -> None:
    """Have every rank write its stack to its stderr."""
    if ASK is not None:
        for process in processes:
            with contextlib.suppress(OSError):
                os.kill(process.pid, ASK)
        time.sleep(2 * POLL)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _written(jobs: Sequence[Job]) -> int:
    total = 0
    for job in jobs:
        for what in ("stdout", "stderr", "records"):
            with contextlib.suppress(OSError):
                total += job.file(what).stat().st_size
    return total


def _rss(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:
        return 0


def _alive(process: psutil.Process) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False


def _name(process: psutil.Process) -> str:
    try:
        return str(process.name())
    except psutil.Error:
        return "a process"


def _any_failed(processes: Sequence[Any], jobs: Sequence[Job]) -> bool:
    for process, job in zip(processes, jobs, strict=True):
        if not process.is_alive():
            ends = [record["value"]["outcome"] for record in _records(job) if record["kind"] == "end"]
            if ends != ["passed"]:
                return True
    return False


def _records(job: Job) -> list[dict[str, Any]]:
    records = []
    with contextlib.suppress(OSError), job.file("records").open("rb") as lines:
        for line in lines:
            # The last line of a process that was killed may be cut.
            with contextlib.suppress(ValueError):
                records.append(json.loads(line))
    return records


@dataclass(frozen=True)
class _Result:
    """What one rank did; `at` is when it ended, as the monotonic clock says."""

    outcome: Outcome | None
    note: str
    goal_reached: bool
    events: tuple[Event, ...]
    seconds: float
    peak_mb: float
    at: float


def _result(job: Job, process: Any, stopped: Outcome | None) -> _Result:
    records = _records(job)
    events: list[Event] = []
    goal, seconds, peak, at = False, 0.0, 0.0, float("inf")
    outcome: Outcome | None = None
    notes = []
    began = next((record["at"] for record in records if record["kind"] == "start"), None)
    for record in records:
        if record["kind"] == "event":
            _append(events, event_from(record["value"]))
        elif record["kind"] == "goal":
            goal = True
        elif record["kind"] == "network":
            notes.append(f"asked the network for {record['value']}")
        elif record["kind"] == "end":
            end = record["value"]
            outcome, seconds, peak, at = end["outcome"], end["seconds"], end["peak_mb"], record["at"]
            notes += filter(None, [end["note"]])
    if stopped == "flooded":
        # A quick script may have come to its end before anyone looked.
        outcome = stopped
    elif outcome is None:
        last = records[-1]["at"] if records else 0.0
        seconds = round(last - began, 3) if began is not None else 0.0
        if stopped:
            outcome = stopped
            notes += filter(None, [_where(job)])
        elif process.exitcode is not None and process.exitcode >= 0:
            outcome, at = "exited", last
            notes.append(f"os._exit({process.exitcode})")
        elif process.exitcode is not None and _died_by_itself(process.exitcode, job):
            outcome, at = "crashed", last
            notes.append(f"{_signal(process.exitcode)}{_where(job, ' ')}")
    return _Result(outcome, "; ".join(dict.fromkeys(notes)), goal, tuple(events), seconds, peak, at)


def _died_by_itself(exitcode: int, job: Job) -> bool:
    """Whether a signal other than our own ended a rank; ours only ever stops a rank of several."""
    return exitcode != -getattr(signal, "SIGKILL", 9) or "WORLD_SIZE" not in job.env


def _signal(exitcode: int) -> str:
    try:
        return signal.Signals(-exitcode).name
    except ValueError:
        return f"signal {-exitcode}"


def _where(job: Job, before: str = "") -> str:
    """The line of the script that a dump of the interpreter names, for a process that did not end."""
    try:
        with job.file("stderr").open("rb") as stream:
            stream.seek(max(0, job.file("stderr").stat().st_size - 65_536))
            dump = stream.read().decode("utf-8", "replace")
    except OSError:
        return ""
    found = re.findall(rf'File "{re.escape(job.name)}", line (\d+)', dump)
    return f"{before}at line {found[0]}" if found else ""


def _append(events: list[Event], event: Event) -> None:
    """Add an event; a repeat of the one before counts up, and a flood of them is cut."""
    if events and replace(events[-1], count=1) == event:
        events[-1] = replace(events[-1], count=events[-1].count + 1)
    elif len(events) < MAX_EVENTS_KEPT:
        events.append(event)


def event_from(data: Mapping[str, Any]) -> Event:
    """An event from the plain data of a record."""
    chain = tuple(
        Raised(**{**raised, "frames": tuple(Frame(**frame) for frame in raised["frames"])})
        for raised in data["chain"]
    )
    return Event(**{**data, "chain": chain})


def _merge(
    snippet: Snippet,
    results: Sequence[_Result],
    stopped: Outcome | None,
    peak: float,
    jobs: Sequence[Job],
) -> Observation:
    """One observation of all ranks: the rank that failed first decides how the run ended.

    What several ranks print alike is told once, by the lowest. Another exception of a later rank
    follows from the first (a peer is gone) and is left out.
    """
    failed = [result for result in results if result.outcome not in (None, "passed")]
    first = min(failed, key=lambda result: result.at) if failed else results[0]
    decisive = {(event.type, event.text) for event in first.events if event.kind == "exception"}
    events: list[Event] = []
    seen: set[tuple[str, str, str]] = set()
    for result in results:
        own: set[tuple[str, str, str]] = set()
        for event in result.events:
            mark = (event.kind, event.type, event.text)
            if mark in seen or (
                event.kind == "exception" and result is not first and mark[1:] not in decisive
            ):
                continue
            own.add(mark)
            events.append(event)
        seen |= own
    outcome: Outcome = first.outcome or stopped or "crashed"
    ended = [result for result in results if result.outcome is not None]
    return Observation(
        digest=snippet.digest,
        outcome=outcome,
        goal_reached=all(result.goal_reached for result in results)
        if outcome == "passed"
        else first.goal_reached,
        events=tuple(events),
        output=_output(jobs[0]),
        note="; ".join(dict.fromkeys(filter(None, (result.note for result in [first, *results])))),
        seconds=max((result.seconds for result in ended), default=0.0),
        peak_mb=round(max([peak if stopped else 0.0, *(result.peak_mb for result in results)]), 1),
        date=datetime.datetime.now(datetime.UTC).date().isoformat(),
    )


def _output(job: Job) -> str:
    try:
        with job.file("stdout").open("rb") as stream:
            text = stream.read(4 * MAX_OUTPUT_KEPT).decode("utf-8", "replace")
    except OSError:
        return ""
    text = Paths(job).text(text)
    return text if len(text) <= MAX_OUTPUT_KEPT else text[:MAX_OUTPUT_KEPT] + "…"


@contextlib.contextmanager
def _environment(wanted: Mapping[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.clear()
    os.environ.update(wanted)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@contextlib.contextmanager
def _directory(path: Path) -> Iterator[None]:
    before = os.getcwd()
    os.chdir(path)
    try:
        yield
    finally:
        os.chdir(before)


@contextlib.contextmanager
def _nameless_main() -> Iterator[None]:
    """Hide `__main__` from multiprocessing, whose children would import it: here, all of pytest."""
    before = sys.modules["__main__"]
    sys.modules["__main__"] = types.ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = before


def installed() -> dict[str, str]:
    """Releases of this machine's Python and of the packages that entries speak of, without build tags."""
    found = {"python": ".".join(map(str, sys.version_info[:3]))}
    for package in set(PACKAGES) - {"python"}:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            found[package] = importlib.metadata.version(package).partition("+")[0]
    return found
