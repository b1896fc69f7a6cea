"""What the code of a `forward` may put on meta by itself: a look at code objects, once for each class.

Followed are methods of the class, functions among the globals and closures, and those of modules named there,
four calls deep; code of torch is not. A string "meta" counts but where it is only compared with.
"""

from __future__ import annotations

import dis
import functools
import inspect
import types
from collections.abc import Iterator
from typing import Any

DEEP = 4
Scopes = tuple[tuple[dict[str, Any], str], ...]
_made: dict[type, Scopes | None] = {}
_Code = types.CodeType
_TRUSTED = ("torch", "builtins", "numpy")


def made_by(kind: type) -> Scopes | None:
    """None where code of `kind.forward` names the meta device; else the globals in its reach that are data.

    They are given as namespace and name, since the values may change.
    """
    if kind not in _made:
        _made[kind] = _look(kind)
    return _made[kind]


def _look(kind: type) -> Scopes | None:
    found: dict[tuple[int, str], tuple[dict[str, Any], str]] = {}
    seen: set[_Code] = set()
    todo = [(function, DEEP) for function in _functions(inspect.getattr_static(kind, "forward", None))]
    while todo:
        function, left = todo.pop()
        scope = function.__globals__
        for code in _with_inner(function.__code__):
            if code in seen:
                continue
            seen.add(code)
            if _names_meta(code):
                return None
            reached = _reached(kind, function, code)
            for value, name in reached:
                functions = list(_functions(value))
                if left:
                    todo += [(inner, left - 1) for inner in functions]
                if not functions and name is not None and not isinstance(value, (type, types.ModuleType)):
                    found[id(scope), name] = scope, name
    return tuple(found.values())


def _reached(kind: type, function: Any, code: _Code) -> Iterator[tuple[Any, str | None]]:
    """What a piece of code names: of its class, its globals (with the name there) and modules among them."""
    modules = []
    for name in code.co_names:
        for base in kind.__mro__:
            if name in vars(base) and not _trusted(base.__module__):
                yield vars(base)[name], None
        value = function.__globals__.get(name)
        if isinstance(value, types.ModuleType):
            modules += [value] if not _trusted(value.__name__) else []
        elif value is not None:
            yield value, name
    for module in modules:
        yield from ((vars(module)[name], None) for name in code.co_names if name in vars(module))


def _functions(value: Any) -> Iterator[Any]:
    """The Python functions inside a method, a property, a wrapper or a partial call."""
    todo, seen = [value], set()
    while todo:
        value = todo.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, types.FunctionType):
            if not _trusted(value.__module__ or ""):
                yield value
            todo += [cell.cell_contents for cell in value.__closure__ or () if _is_full(cell)]
        elif isinstance(value, (staticmethod, classmethod, types.MethodType)):
            todo.append(value.__func__)
        elif isinstance(value, property):
            todo.append(value.fget)
        elif isinstance(value, functools.partial):
            todo.append(value.func)
        todo += [value.__wrapped__] if hasattr(type(value), "__wrapped__") else []


def _is_full(cell: Any) -> bool:
    try:
        return callable(cell.cell_contents)
    except ValueError:
        return False


def _trusted(module: str) -> bool:
    return module.partition(".")[0] in _TRUSTED


def _with_inner(code: _Code) -> Iterator[_Code]:
    yield code
    for value in code.co_consts:
        if isinstance(value, _Code):
            yield from _with_inner(value)


def _names_meta(code: _Code) -> bool:
    if "meta" not in code.co_consts:
        return False
    before = None
    for step in dis.get_instructions(code):
        if before is not None and step.opname != "COMPARE_OP":
            return True
        before = step if step.argval == "meta" and step.opname.startswith("LOAD") else None
    return False
