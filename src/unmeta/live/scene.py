"""What a process tells beside a model: what an error went through, and what the program works with.

Names of modules, functions and classes are used; no value of a variable is looked at. Needs no torch.
"""

from __future__ import annotations

import os
import sys
import types
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

Functions = frozenset[tuple[str, str]]

SPLITTERS = {
    "FullyShardedDataParallel": "fsdp-meta-init",
    "fully_shard": "fsdp2-meta-init",
    "parallelize_module": "tensor-parallel-meta",
}
"""What splits a model over processes, and the cause that is met where it is given a model without weights."""
_INSIDE = (
    ("torch.distributed.fsdp._fully_shard", "fsdp2-meta-init"),
    ("torch.distributed._composable", "fsdp2-meta-init"),
    ("torch.distributed.fsdp", "fsdp-meta-init"),
    ("torch.distributed.tensor.parallel", "tensor-parallel-meta"),
    ("torch.distributed._tensor.parallel", "tensor-parallel-meta"),
)
_ON = ("1", "on", "t", "true", "y", "yes")


@dataclass(frozen=True)
class Scene:
    """What stands around a model.

    `error` is the exception that is asked about, by the name of its class, None where nobody asks about one;
    `passed` are module and name of the functions that it went through. `splitters` are the causes of
    `SPLITTERS` whose function the program has at hand, in a distributed run. `offloaded` are, for each other
    model that was met, the names that a hook brings in there. `used` are attributes and globals that the
    program's own code names, as far as its functions are known.
    """

    error: str | None = None
    passed: Functions = frozenset()
    splitters: tuple[str, ...] = ()
    distributed: bool = False
    frugal: bool = False
    offloaded: tuple[frozenset[str], ...] = ()
    used: frozenset[str] = frozenset()

    @property
    def splitting(self) -> str | None:
        """The cause of what was splitting a model when the error came; None where nothing was."""
        for start, cause in _INSIDE:
            if any(module.startswith(start) for module, _ in self.passed):
                return cause
        return None

    def went_through(self, module: str, *functions: str) -> bool:
        """Whether the error went through one of some functions of a module."""
        return any((module, function) in self.passed for function in functions)


def scene(error: BaseException | None, frames: Iterable[Any]) -> Scene:
    """The scene of an error (None: of a call) whose frames these are."""
    frames = list(frames)
    passed = frozenset((str(frame.f_globals.get("__name__", "")), frame.f_code.co_name) for frame in frames)
    split = _distributed()
    return Scene(
        type(error).__name__ if error is not None else None,
        passed if error is not None else frozenset(),
        _splitters(frames) if split else (),
        split,
        _frugal(),
        used=_used(frames),
    )


def _distributed() -> bool:
    """Whether the process is one of a distributed run, or was started for one."""
    if "RANK" in os.environ and "WORLD_SIZE" in os.environ:
        return True
    distributed = sys.modules.get("torch.distributed")
    try:
        return bool(distributed is not None and distributed.is_available() and distributed.is_initialized())
    except Exception:  # a build without it may lack the functions
        return False


def _frugal() -> bool:
    """Whether this rank loads no weights: `cpu_ram_efficient_loading` of accelerate and transformers."""
    names = ("ACCELERATE_USE_FSDP", "FSDP_CPU_RAM_EFFICIENT_LOADING")
    first = os.environ.get("LOCAL_RANK", "-1") == "0"
    return not first and all(os.environ.get(name, "").lower() in _ON for name in names)


def _used(frames: list[Any]) -> frozenset[str]:
    main = vars(sys.modules["__main__"]) if "__main__" in sys.modules else {}
    own = [frame for frame in frames if not of_library(frame)]
    found: set[str] = set()
    todo: list[Any] = [frame.f_code for frame in own]
    for scope in [main, *(frame.f_globals for frame in own)]:
        for value in list(scope.values()):
            if getattr(value, "__module__", None) == scope.get("__name__"):
                members = list(vars(value).values()) if isinstance(value, type) else [value]
                todo += [code for member in members if (code := getattr(member, "__code__", None))]
    while todo:
        code = todo.pop()
        if isinstance(code, types.CodeType):
            found.update(code.co_names)
            todo += [value for value in code.co_consts if isinstance(value, types.CodeType)]
    return frozenset(found)


def _splitters(frames: list[Any]) -> tuple[str, ...]:
    """Causes of the splitters that the code of the program itself has among its globals."""
    main = vars(sys.modules["__main__"]) if "__main__" in sys.modules else {}
    scopes = [frame.f_globals for frame in frames if not of_library(frame)]
    found = {
        SPLITTERS[name]: None
        for scope in [*scopes, main]
        for value in list(scope.values())
        if isinstance(name := getattr(value, "__name__", None), str)
        and name in SPLITTERS
        and str(getattr(value, "__module__", "")).startswith("torch.distributed")
    }
    return tuple(found)


def of_library(frame: Any) -> bool:
    """Whether the code of a frame is installed, and not the program's own."""
    return _installed(frame.f_code.co_filename)


def made_by_library(value: Any) -> bool:
    """Whether the class of a value is installed, and not the program's own; built-in types are neither."""
    module = sys.modules.get(type(value).__module__)
    return _installed(getattr(module, "__file__", None) or "")


def _installed(file: str) -> bool:
    path = file.replace("\\", "/")
    return "/site-packages/" in path or "/dist-packages/" in path
