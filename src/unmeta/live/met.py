"""What the frames of an exception hold: models, an optimizer, a state dict. Needs torch.

Objects are handed on to be looked at; nothing of them is kept or printed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from unmeta.live.scene import Scene, made_by_library, of_library, scene

Values = list[tuple[str, Any]]
MAX_MODULES = 50
MOST = 8
"""Models of one error that are looked at."""
HELD_BY = ("model", "module", "pipe", "pipeline", "net", "unet", "transformer", "encoder")
"""Attributes under which wrappers, trainers and services keep their model."""


LOADERS = ("from_pretrained", "_from_config", "from_config")
LIBRARIES = ("transformers.", "diffusers.", "sentence_transformers.")


@dataclass(frozen=True)
class Met:
    """A model by its name there, and the optimizer and state dict met beside it that fit it."""

    name: str
    model: Any
    optimizer: Any = None
    state: Any = None


def met(error: BaseException) -> list[Met]:
    """What an exception's frames hold, a model each; where they hold none, what the frames around them hold.

    A model that was still being built or loaded is left out: nothing can be said of it yet.
    """
    frames = list(_frames(error))
    building = _is_building(frames)
    values = _values(frame for frame in frames if not (building and of_library(frame)))
    unfinished = _under_construction(frames)
    found = of_values(values, _selves(frames), unfinished)
    return found or of_values(_values(_around(error)), without=unfinished)


def of_values(
    values: Values, touched: frozenset[int] = frozenset(), without: frozenset[int] = frozenset()
) -> list[Met]:
    """The same for variables by their names, the first that count most; `without` are modules by id."""
    models = [entry for entry in _models(values, touched) if id(entry[1]) not in without]
    owners = {id(param): id(model) for _, model in models for param in model.parameters()}
    return [
        Met(name, model, _optimizer(values, model, owners), _state(values, model))
        for name, model in models[:MOST]
    ]


def is_building(error: BaseException) -> bool:
    """Whether the error came while a library built or loaded a model, before it was dispatched."""
    return _is_building(list(_frames(error)))


def _is_building(frames: list[Any]) -> bool:
    return any(_builds(frame) for frame in frames) and not any(_dispatches(frame) for frame in frames)


def _dispatches(frame: Any) -> bool:
    """Whether a frame is that of accelerate's last step, for which all weights have been loaded."""
    place = (frame.f_globals.get("__name__"), frame.f_code.co_name)
    return place == ("accelerate.big_modeling", "dispatch_model")


def scene_of(error: BaseException) -> Scene:
    """What stands around an error."""
    return scene(error, _frames(error))


def shown_by_code(error: BaseException) -> frozenset[str]:
    """Causes that a static look finds in the program's own files that the error went through."""
    import linecache

    from unmeta.live.written import causes
    from unmeta.scan.read import findings
    from unmeta.scan.tree import SourceError

    found: set[str] = set()
    files = {frame.f_code.co_filename: None for frame in _frames(error) if not of_library(frame)}
    for file in list(files)[:MOST]:
        if file.startswith("<") or "/lib/python" in file.replace("\\", "/"):
            continue
        source = "".join(linecache.getlines(file))
        found |= causes(source)
        try:
            found |= {item.cause for item in findings(source, file)}
        except SourceError:
            continue
    return frozenset(found)


def _builds(frame: Any) -> bool:
    module = str(frame.f_globals.get("__name__", ""))
    return frame.f_code.co_name in LOADERS and module.startswith(LIBRARIES)


def _under_construction(frames: list[Any]) -> frozenset[int]:
    """Modules whose `__init__` the error went through, and those that a loader holds."""
    import torch

    found = set()
    building = _is_building(frames)
    for frame in frames:
        names = (
            ("self",)
            if frame.f_code.co_name == "__init__"
            else ("model",)
            if building and _builds(frame)
            else ()
        )
        for name in names:
            value = frame.f_locals.get(name)
            if isinstance(value, torch.nn.Module):
                found |= {id(value), *map(id, _modules(value))}
    return frozenset(found)


def _frames(error: BaseException) -> Iterator[Any]:
    """Frames of an exception and of those that led to it, the outermost of the newest first."""
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        trace = current.__traceback__
        while trace is not None:
            yield trace.tb_frame
            trace = trace.tb_next
        current = current.__cause__ or current.__context__


def _around(error: BaseException) -> Iterator[Any]:
    """Frames of the callers, up to the script: where an error was caught, the model may be there."""
    trace = error.__traceback__
    frame = trace.tb_frame.f_back if trace is not None else sys._getframe(1)
    while frame is not None:
        if not str(frame.f_globals.get("__name__", "")).startswith("unmeta."):
            yield frame
        frame = frame.f_back


def _values(frames: Iterable[Any]) -> Values:
    return [
        (name, value)
        for frame in frames
        for name, value in list(frame.f_locals.items())
        if not name.startswith("__")
    ]


def _selves(frames: list[Any]) -> frozenset[int]:
    """Modules whose methods the error went through."""
    return frozenset(id(frame.f_locals["self"]) for frame in frames if "self" in frame.f_locals)


def _models(values: Values, touched: frozenset[int]) -> Values:
    """Modules by their names: with meta tensors first, then what the error went through, then whole ones."""
    import torch

    from unmeta.live.places import is_meta

    found: dict[int, tuple[str, Any, list[Any]]] = {}
    for name, value in values:
        for inner_name, inner in _opened(name, value):
            if isinstance(inner, torch.nn.Module) and id(inner) not in found:
                modules = _modules(inner)
                if modules:
                    found[id(inner)] = (inner_name, inner, modules)
        if len(found) > MAX_MODULES:
            break
    inside = {id(child) for *_, modules in found.values() for child in modules[1:]}
    roots = [entry for key, entry in found.items() if key not in inside]

    def order(entry: tuple[str, Any, list[Any]]) -> tuple[bool, bool, int]:
        _, model, modules = entry
        tensors = [*model.parameters(), *model.buffers()]
        passed = any(id(module) in touched for module in modules)
        return not any(is_meta(tensor) for tensor in tensors), not passed, -len(tensors)

    return [(name, model) for name, model, _ in sorted(roots, key=order)]


def _modules(model: Any) -> list[Any]:
    """All modules of a model; none of one whose `__init__` has not come to its end."""
    try:
        list(model.parameters())  # FSDP asks for an attribute here that a half-built one has not
        return list(model.modules())
    except (AttributeError, RecursionError, TypeError):
        return []


def _opened(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """A value, and the modules that a pipeline, trainer, service or list holds one step below it."""
    yield name, value
    kind = type(value)
    if isinstance(value, type):
        return
    if kind in (list, tuple, dict) and 0 < len(value) <= MAX_MODULES:
        items = value.items() if kind is dict else enumerate(value)
        for key, inner in list(items):
            yield f"{name}[{key!r}]", inner
        return
    if kind.__module__ in ("builtins", "types"):
        return
    try:
        held = object.__getattribute__(value, "__dict__")  # a proxy's own __getattr__ may do anything
    except (AttributeError, TypeError):
        return
    for attribute in HELD_BY:
        inner = held.get(attribute) if isinstance(held, dict) else None
        if inner is not None:
            yield f"{name}.{attribute}", inner


def _optimizer(values: Values, model: Any, owners: dict[int, int]) -> Any:
    """An optimizer of the model, or a list of parameters.

    Best one that holds others of the same shapes that are on meta, else one that holds the model's own.
    """

    shapes = [tuple(parameter.shape) for parameter in model.parameters()]
    own = None
    for value in _trained(values):
        groups = getattr(value, "param_groups", [{"params": value}])
        held = [parameter for group in groups for parameter in group["params"]]
        strange = [parameter for parameter in held if id(parameter) not in owners]
        alike = all(tuple(parameter.shape) in shapes for parameter in strange)
        if strange and alike and any(parameter.is_meta for parameter in strange):
            return value
        if own is None and any(owners.get(id(parameter)) == id(model) for parameter in held):
            own = value
    return own


def _trained(values: Values) -> Iterator[Any]:
    """Optimizers, and parameters in lists, tuples or dicts; also those inside an object of the program.

    Lists of fake parameters are a tracer's, which nobody trains.
    """
    import torch

    for _, value in values:
        value = _unwrapped(value)
        inner: list[Any] = []
        if not isinstance(value, (type, torch.nn.Module, torch.optim.Optimizer)) and not made_by_library(
            value
        ):
            try:
                inner = list(object.__getattribute__(value, "__dict__").values())
            except (AttributeError, TypeError):
                inner = []
        for part in (value, *inner):
            if isinstance(part, torch.optim.Optimizer):
                yield part
            elif type(part) in (list, tuple, dict) and part:
                parts = list(part.values() if isinstance(part, dict) else part)
                if all(
                    isinstance(one, torch.nn.Parameter) and type(one).__name__ != "FakeTensor"
                    for one in parts
                ):
                    yield parts


def _unwrapped(value: Any) -> Any:
    """The optimizer inside accelerate's wrapper, or a trainer's."""
    try:
        held = object.__getattribute__(value, "__dict__")
    except (AttributeError, TypeError):
        return value
    return held.get("optimizer", value) if isinstance(held, dict) else value


def _state(values: Values, model: Any) -> Any:
    """A state dict for the model that is not its own `state_dict()`."""
    import torch

    own = {_storage(tensor) for tensor in (*model.parameters(), *model.buffers())} - {None}
    names = {name for name, _ in (*model.named_parameters(), *model.named_buffers())}
    for name, value in values:
        for _, inner in _opened(name, value):
            if not isinstance(inner, dict) or not 0 < len(inner) < 100_000:
                continue
            keys = list(inner)
            if not all(isinstance(key, str) for key in keys[:3]):
                continue
            tensors = [part for part in inner.values() if type(part) in (torch.Tensor, torch.nn.Parameter)]
            if len(tensors) * 2 < len(keys) or len(keys) > 2 * len(names):  # that of a model around this one
                continue
            known = sum(key in names or any(key.endswith(f".{one}") for one in names) for key in keys[:50])
            if known * 2 < len(keys[:50]):
                continue
            if any(_storage(part) in own for part in tensors):
                continue
            return inner
    return None


def _storage(tensor: Any) -> int | None:
    """What tells the memory of a plain tensor; None for others, and under a transform of `torch.func`."""
    import torch

    if type(tensor) not in (torch.Tensor, torch.nn.Parameter) or tensor.layout is not torch.strided:
        return None
    try:
        return int(tensor.untyped_storage()._cdata)
    except (NotImplementedError, RuntimeError):
        return None
