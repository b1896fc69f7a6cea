"""Inside the child: run one script as `__main__` and write down what happens, as it happens.

Every record (`unmeta.verify.records`) is one line of JSON, written at once and without a buffer, so
that it outlives a crash of the interpreter.
"""

from __future__ import annotations

import ast
import contextlib
import errno
import faulthandler
import json
import linecache
import logging
import os
import re
import signal
import socket
import sys
import sysconfig
import tempfile
import threading
import time
import traceback
import types
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from unmeta.kb.parts import Part, PartsError, lines, parts, statements
from unmeta.kb.runs import SITE_PACKAGES, Event, Frame, Phase, Raised
from unmeta.verify.processes import resident

MAX_TEXT = 20_000
MAX_FRAMES = 100
STDLIB = "/usr/lib/python3/"
HOME = "/home/user"
ADDRESS = "0x7f0000000000"
ASK: int | None = getattr(signal, "SIGUSR1", None)
# In a stack that a message prints: what started the snippet, up to and with the frame of this file.
_STACK_LINE = r'  File "[^"\n]{1,400}", line [0-9]{1,7}, in [^\n]{1,200}\n(?:    [^\n]{0,400}\n){0,3}'
_LAUNCH = re.compile(
    rf'(?:{_STACK_LINE}){{0,60}}  File "{re.escape(__file__)}", line [0-9]{{1,7}}, in [^\n]{{1,200}}\n'
    r"(?:    [^\n]{0,400}\n)?"
)
_LOOPBACK = {"localhost", "localhost.localdomain", "::1", "", "0.0.0.0", "::", "127.0.0.1"}
_LOOPBACK_ADDRESS = re.compile(r"127(?:\.[0-9]{1,3}){3}")
_WARNERS = ("warnings.py", "_py_warnings.py")


@dataclass(frozen=True)
class Job:
    """One process's share of a run. `folder` is the run's own temporary folder.

    A snippet lies beside its empty working folder; a `program` lies in it, with the files it consists of,
    and has no goal. `preload` are the groups of imports that come before the script.
    """

    name: str
    text: str
    folder: str
    rank: int
    env: dict[str, str] = field(default_factory=dict)
    argv: tuple[str, ...] = ()
    program: bool = False
    preload: tuple[str, ...] = ()

    @property
    def script(self) -> str:
        """Where the script lies."""
        return os.path.join(self.folder, *(["work"] if self.program else []), self.name)

    @property
    def shown(self) -> str:
        """The script's name in tracebacks: Python gives a program's whole path."""
        return self.script if self.program else self.name


class Paths:
    """Makes texts and file names the same on every machine and in every run."""

    def __init__(self, job: Job) -> None:
        self._name = job.name
        self._script = job.script
        places = sysconfig.get_paths()
        roots = {places["purelib"], places["platlib"]}
        roots |= {p for p in sys.path if p.rstrip("/\\").endswith(("site-packages", "dist-packages"))}
        self._libraries = sorted(map(_folder, roots), key=len, reverse=True)
        self._stdlib = [_folder(places["stdlib"])]
        self._folder = _folder(job.folder)
        base = job.folder
        swaps = [(os.path.join(base, "tmp"), "/tmp"), (os.path.join(base, "work"), HOME), (base, HOME)]
        swaps += [(root, SITE_PACKAGES) for root in self._libraries] + [(self._stdlib[0], STDLIB)]
        if port := job.env.get("MASTER_PORT"):
            swaps.append((port, "29500"))
        self._swaps = swaps

    def text(self, text: str) -> str:
        """A message without temporary folders, memory addresses and the like, and without our own stack."""
        if __file__ in text:
            text = _LAUNCH.sub("", text)
        if len(text) > MAX_TEXT:
            text = text[:MAX_TEXT] + " …"
        return self.replaced(text)

    def replaced(self, text: str) -> str:
        """A text of any length without our own stack, its places those of any machine and run."""
        if __file__ in text:
            text = _LAUNCH.sub("", text)
        for old, new in self._swaps:
            text = text.replace(old, new)
        text = re.sub(r"0x[0-9a-f]{6,}", ADDRESS, text)
        return re.sub(r"(/tmp/tmp)[a-z0-9_]{8}\b", r"\1xxxxxxxx", text)

    def place(self, filename: str) -> tuple[str, bool]:
        """A source file as recordings name it, and whether it belongs to a library."""
        if filename in (self._name, self._script):
            return self._name, False
        for root in (*self._libraries, *self._stdlib):
            if filename.startswith(root):
                return filename[len(root) :].replace(os.sep, "/"), True
        if filename.startswith(self._folder):
            return filename[len(self._folder) :].replace(os.sep, "/").removeprefix("work/"), False
        if not os.path.isabs(filename):
            # Code made at run time has a name such as <string>, which exec() of the snippet has too.
            return filename, filename != "<string>" and filename.startswith("<")
        for root in sorted(map(_folder, filter(None, sys.path)), key=len, reverse=True):
            if filename.startswith(root):
                return filename[len(root) :].replace(os.sep, "/"), True
        return os.path.basename(filename), True


def _folder(path: str) -> str:
    return path.rstrip("/\\") + os.sep


class Recorder:
    """Writes records to a descriptor, and holds the hooks that make them."""

    def __init__(self, job: Job, records: int) -> None:
        self.job = job
        self.paths = Paths(job)
        self.phase: Phase = "body"
        self._write: Callable[[int, memoryview], int] = os.write
        self._fd = records
        self._lock = threading.RLock()

    def put(self, kind: str, **more: Any) -> None:
        """Append one record; never raises, for it is called from hooks inside libraries."""
        with contextlib.suppress(OSError), self._lock:
            line = json.dumps({"kind": kind, "at": time.monotonic(), **more}, ensure_ascii=False)
            rest = memoryview(line.encode("utf-8", "replace") + b"\n")
            while rest:
                rest = rest[self._write(self._fd, rest) :]

    def event(self, event: Event) -> None:
        """Append one event."""
        self.put("event", event=asdict(event))

    def exception(self, error: BaseException, origin: str = "") -> None:
        """Append an exception with its chain."""
        chain = self._chain(error)
        last = chain[-1]
        self.event(Event("exception", last.type, last.text, self.phase, origin, self.job.rank, chain=chain))

    def _chain(self, error: BaseException) -> tuple[Raised, ...]:
        newest_first: list[Raised] = []
        current: BaseException | None = error
        seen: set[int] = set()
        while current is not None and id(current) not in seen:
            seen.add(id(current))
            before, link = current.__cause__, "cause"
            if before is None and not current.__suppress_context__:
                before, link = current.__context__, "context"
            if before is not None and id(before) in seen:
                before = None
            newest_first.append(
                Raised(
                    _type_name(type(current)),
                    self.paths.text(_message(current)),
                    self._frames(current),
                    link if before is not None else None,  # type: ignore[arg-type]
                )
            )
            current = before
        return tuple(reversed(newest_first))

    def _frames(self, error: BaseException) -> tuple[Frame, ...]:
        frames = []
        for frame, line in traceback.walk_tb(error.__traceback__):
            code = frame.f_code
            if code.co_filename == __file__:
                continue
            file, library = self.paths.place(code.co_filename)
            if library and not file.startswith("<") and not _of_module(frame):
                # Code of a file runs in its module; exec() alone runs it elsewhere.
                file, library = "<string>", False
            source = linecache.getline(code.co_filename, line).strip()
            frames.append(Frame(file, line, code.co_name, source, library))
        if len(frames) > MAX_FRAMES:
            frames = frames[: MAX_FRAMES // 2] + frames[-MAX_FRAMES // 2 :]
        return tuple(frames)

    def install(self) -> None:
        """Hook warnings, logging, other threads and the network."""
        printed = warnings.showwarning

        def show(
            message: Warning | str,
            category: type[Warning],
            filename: str,
            lineno: int,
            file: Any = None,
            line: str | None = None,
        ) -> None:
            text = self.paths.text(str(message))
            origin = self._warner(sys._getframe(1))
            self.event(Event("warning", _type_name(category), text, self.phase, origin, self.job.rank))
            printed(message, category, filename, lineno, file, line)

        warnings.showwarning = show
        call_handlers = logging.Logger.callHandlers

        def call(logger: logging.Logger, record: logging.LogRecord) -> None:
            if record.levelno >= logging.WARNING and _visible(logger, record):
                text = self.paths.text(record.getMessage())
                own = record.pathname in (self.job.name, self.job.script)
                origin = self.job.name if own else record.name
                self.event(Event("log", record.levelname, text, self.phase, origin, self.job.rank))
            call_handlers(logger, record)

        logging.Logger.callHandlers = call  # type: ignore[method-assign,assignment]
        in_thread = threading.excepthook

        def thread_raised(args: Any) -> None:
            if args.exc_value is not None and args.exc_type is not SystemExit:
                self.exception(args.exc_value, getattr(args.thread, "name", "") or "thread")
            in_thread(args)

        threading.excepthook = thread_raised
        ignored = sys.unraisablehook

        def unraisable(args: Any) -> None:
            text = f"{_type_name(args.exc_type)}: {_message(args.exc_value)}" if args.exc_value else ""
            shown = self.paths.text(f"{args.err_msg or 'Exception ignored in'}: {text}")
            self.event(Event("log", "ERROR", shown, self.phase, "sys.unraisablehook", self.job.rank))
            ignored(args)

        sys.unraisablehook = unraisable
        sys.addaudithook(self._audit)

    def _warner(self, frame: types.FrameType | None) -> str:
        """The file whose code warned, whatever line `stacklevel` blames."""
        while frame is not None and os.path.basename(frame.f_code.co_filename) in _WARNERS:
            frame = frame.f_back
        if frame is None:
            return ""
        name, library = self.paths.place(frame.f_code.co_filename)
        if not library and "warn" not in linecache.getline(frame.f_code.co_filename, frame.f_lineno):
            # The line calls into compiled code, which warned.
            return "torch"
        return name

    def _audit(self, event: str, args: tuple[Any, ...]) -> None:
        if event == "socket.connect":
            address = args[1]
            host = address[0] if isinstance(address, tuple) else None
        elif event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"):
            host = args[1] if event == "socket.sendto" else args[0]
            if event == "socket.sendto":
                host = host[0] if isinstance(host, tuple) else None  # None: a socket by path
        else:
            return
        if isinstance(host, bytes):
            host = host.decode("ascii", "replace")
        if isinstance(host, str) and host not in _LOOPBACK and not _LOOPBACK_ADDRESS.fullmatch(host):
            if host == socket.gethostname():
                return
            self.put("network", text=host)
            raise OSError(errno.ENETUNREACH, f"snippets have no network; {host} was not asked")


def _of_module(frame: types.FrameType) -> bool:
    """Whether a frame's globals are those of a module that was imported, other than the script."""
    name = frame.f_globals.get("__name__")
    module = sys.modules.get(name) if isinstance(name, str) and name != "__main__" else None
    return module is not None and vars(module) is frame.f_globals


def _visible(logger: logging.Logger, record: logging.LogRecord) -> bool:
    """Whether any handler would print the record, as `Logger.callHandlers` decides it."""
    found = 0
    current: logging.Logger | None = logger
    while current is not None:
        for handler in current.handlers:
            found += 1
            if record.levelno >= handler.level and not isinstance(handler, logging.NullHandler):
                return True
        current = current.parent if current.propagate else None
    return found == 0 and logging.lastResort is not None and record.levelno >= logging.lastResort.level


def _type_name(kind: type[BaseException]) -> str:
    module = kind.__module__
    return kind.__qualname__ if module in ("builtins", "__main__") else f"{module}.{kind.__qualname__}"


def _message(error: BaseException) -> str:
    try:
        text = str(error)
        notes = getattr(error, "__notes__", None)
        return "\n".join([text, *map(str, notes)]) if isinstance(notes, list) else text
    except Exception as problem:
        return f"<str() of this exception failed: {type(problem).__name__}>"


def halves(text: str, name: str) -> tuple[types.CodeType, types.CodeType | None]:
    """Compile a script as body and goal with their own line numbers; without a marker all is body.

    Raises SyntaxError where it is not Python, or where a marker divides nothing (see `unmeta.kb.parts`).
    """
    tree = ast.parse(text, name)
    flags = 0
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            import __future__

            for alias in node.names:
                flags |= getattr(__future__, alias.name).compiler_flag
    try:
        divided = parts(text, tree)
    except PartsError as error:
        raise SyntaxError(str(error), (name, error.line, 1, None)) from None

    def compiled(*wanted: Part) -> types.CodeType:
        body = [node for part in wanted for node in statements(tree, divided, part)]
        code: types.CodeType = compile(ast.Module(body, []), name, "exec", flags, dont_inherit=True)
        return code

    return compiled("stage", "code"), None if divided.goal_line is None else compiled("goal")


def _settle(job: Job) -> None:
    """Move into the working folder, with everything that libraries might write beside it."""
    if hasattr(os, "setsid"):
        with contextlib.suppress(OSError):
            os.setsid()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(line_buffering=True, errors="backslashreplace")  # type: ignore[union-attr]
    os.environ.update(job.env)
    # Python itself runs for the script, which finds its neighbours as it does elsewhere.
    os.environ.pop("PYTHONSAFEPATH", None)
    os.chdir(os.path.join(job.folder, "work"))
    tempfile.tempdir = None  # libraries may have asked for it while they were preloaded
    faulthandler.enable(file=2)
    if ASK is not None and hasattr(faulthandler, "register"):
        # The sandbox asks with this signal where a script hangs, before it ends it.
        faulthandler.register(ASK, file=2)


def _growth(before: int) -> float:
    """Megabytes by which the peak of resident memory lies above `before`."""
    try:
        import resource
    except ImportError:
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    peak *= 1 if sys.platform == "darwin" else 1024
    return round(max(0, peak - before) / 1e6, 1)


def main(job: Job, records: int) -> None:
    """Run the job's script in this process, records to the descriptor `records`, and end the process."""
    _settle(job)
    from unmeta.verify import preload

    preload.prepare(job.preload)
    recorder = Recorder(job, records)
    recorder.install()
    module = types.ModuleType("__main__")
    module.__file__ = job.script
    module.__dict__["__builtins__"] = __builtins__
    sys.modules["__main__"] = module
    sys.argv = [job.name, *job.argv]
    sys.path.insert(0, os.path.join(job.folder, "work"))
    source = [f"{line}\n" for line in lines(job.text)]
    linecache.cache[job.shown] = (len(job.text), None, source, job.shown)
    before = resident()
    recorder.put("start")
    outcome, note, started = "passed", "", time.monotonic()
    try:
        if job.program:
            body, goal = compile(job.text, job.shown, "exec", dont_inherit=True), None
        else:
            body, goal = halves(job.text, job.name)
        exec(body, module.__dict__)
        if goal is not None:
            recorder.put("goal")
            recorder.phase = "goal"
            exec(goal, module.__dict__)
        wait = getattr(threading, "_shutdown", None)
        if wait is not None:
            wait()
    except SystemExit as leaving:
        outcome, note = "exited", f"sys.exit({leaving.code!r})"
        if leaving.code is not None and not isinstance(leaving.code, int):
            print(leaving.code, file=sys.stderr)
    except BaseException as error:
        recorder.exception(error)
        _print(error)
        failed = isinstance(error, AssertionError) and recorder.phase == "goal" and _of_goal(recorder, error)
        outcome = "missed" if failed else "raised"
    seconds = round(time.monotonic() - started, 3)
    note = recorder.paths.text(note)
    recorder.put(
        "end", end={"outcome": outcome, "note": note, "seconds": seconds, "peak_mb": _growth(before)}
    )
    _end_daemons()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    # Handlers at exit belong to the fork server's libraries; the script is over.
    os._exit(0)


def _end_daemons() -> None:
    """End the children that Python ends at its own exit, such as workers of a data loader."""
    processes = sys.modules.get("multiprocessing")
    if processes is not None:
        for child in processes.active_children():
            if child.daemon:
                child.terminate()


def _print(error: BaseException) -> None:
    """Show an exception as Python does at the end of a script: from its first frame on, by its hook."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    error.__traceback__ = trace
    try:
        sys.excepthook(type(error), error, trace)
    except BaseException:
        with contextlib.suppress(BaseException):
            traceback.print_exception(error)


def _of_goal(recorder: Recorder, error: AssertionError) -> bool:
    """Whether an assertion is the goal's own, or one that a testing helper makes for it."""
    frames = recorder._frames(error)
    inner = frames[-1] if frames else None
    return inner is None or not inner.library or "testing" in inner.file
