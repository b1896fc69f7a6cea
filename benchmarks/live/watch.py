"""Run one script as `python SCRIPT` does, and keep what a person with a debugger would have at its end.

The exceptions that its own frames met, also those that it catches, and the models that its own variables
held. A trace function of Python sees the frames of the script's own files only: libraries run at full speed.
"""

from __future__ import annotations

import linecache
import sys
import threading
import types
from pathlib import Path
from typing import Any

SIGNS = (
    "meta",
    "offload",
    "uninitiali",
    "invalid gradient",
    "device_map",
    "new allocation",
    "Parameter.__new__",
)


class Watch:
    """What happened in the frames of some folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = str(folder)
        self.errors: list[BaseException] = []
        self.values: dict[int, tuple[str, Any]] = {}

    def __enter__(self) -> Watch:
        threading.settrace(self._call)
        sys.settrace(self._call)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type]

    def _call(self, frame: Any, event: str, _argument: Any) -> Any:
        if event == "call" and frame.f_code.co_filename.startswith(self.folder):
            frame.f_trace_lines = False
            return self._local
        return None

    def _local(self, frame: Any, event: str, argument: Any) -> Any:
        if event == "exception":
            error = argument[1]
            if isinstance(error, BaseException) and not isinstance(error, (StopIteration, GeneratorExit)):
                self.errors = [known for known in self.errors if known is not error] + [error]
            self._keep(frame)
        elif event == "return":
            self._keep(frame)
        return self._local

    def _keep(self, frame: Any) -> None:
        for name, value in list(frame.f_locals.items()):
            if not name.startswith("__") and not isinstance(value, (type, types.ModuleType, str, int, float)):
                self.values.pop(id(value), None)
                self.values[id(value)] = (name, value)


def run(path: Path) -> tuple[str, BaseException | None, Watch]:
    """How the script ended (`passed`, `exited`, `raised`), with what, and what was seen."""
    text = path.read_text(encoding="utf-8")
    shown = str(path)
    main = types.ModuleType("__main__")
    main.__dict__.update(__file__=shown, __builtins__=__builtins__)
    sys.modules["__main__"] = main
    linecache.cache[shown] = (len(text), None, [f"{line}\n" for line in text.splitlines()], shown)
    end, error = "passed", None
    with Watch(path.parent) as watch:
        try:
            exec(compile(text, shown, "exec", dont_inherit=True), main.__dict__)
        except SystemExit as stop:
            error = stop
            end = "exited" if stop.code not in (None, 0, False) else "passed"
        except BaseException as raised:
            end, error = "raised", raised
    if error is not None:
        trace = error.__traceback__  # without the frame of ours
        error.__traceback__ = trace.tb_next if trace is not None else None
        error.__context__ = error.__context__
    return end, error, watch


def telling(end: str, error: BaseException | None, watch: Watch) -> BaseException | None:
    """The exception that a person would ask about: the last one, or one that the script caught before it."""
    seen = [*watch.errors, error] if error is not None else list(watch.errors)
    meta = [known for known in seen if any(sign in _chain(known) for sign in SIGNS)]
    if end == "raised" and error is not None and (error in meta or not meta):
        return error
    return meta[-1] if meta else error if end != "passed" else None


def _chain(error: BaseException) -> str:
    parts: list[str] = []
    current: BaseException | None = error
    while current is not None and len(parts) < 10:
        parts.append(str(current))
        current = current.__cause__ or current.__context__
    return "\n".join(parts)
