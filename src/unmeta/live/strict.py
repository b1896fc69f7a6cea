"""`with strict():` silent failures of meta tensors become errors at the line where they happen.

Four parts. A dispatch mode sees each operator: one that mixes meta and real operands returns memory that
nobody wrote, one that writes into a meta parameter writes nowhere; it rests during a forward pass that no
meta tensor can reach (`live.reach`). torch's deterministic fill turns memory that nobody wrote into NaN
(integers: the largest number). A scan at the first forward pass of a root module looks for that fill. What no
operator shows is compared where it begins (`live.quiet`). The mode acts in the thread that entered it; the
fill acts on the process.
"""

from __future__ import annotations

import os
import sys
import threading
import warnings
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from unmeta.live.guards import Guards
from unmeta.live.quiet import Quiet, replaced
from unmeta.live.reach import may_meet_meta

if TYPE_CHECKING:
    import torch

_ASYNC = "HF_DEACTIVATE_ASYNC_LOAD"  # transformers 5 loads in threads that no mode of ours would see
_ONE_LOADS = "FSDP_CPU_RAM_EFFICIENT_LOADING"
_NO_ALARM = r".*(does not have a deterministic implementation|deterministic behavior was enabled).*"
_LOADERS = ("from_pretrained", "from_config", "_load_pretrained_model", "_initialize_missing_keys")
_EXAMPLES = 5


class StrictError(RuntimeError):
    """A silent failure that `strict()` made loud; `cause` is the entry, `tensors` full names if known."""

    cause = "mixed-op-returns-garbage"

    def __init__(self, says: str, tensors: tuple[str, ...] = (), cause: str | None = None) -> None:
        from unmeta.address import entry_url

        self.cause = cause or self.cause
        self.tensors = tensors
        super().__init__(f"{says}\n{entry_url(self.cause)}")


class MixedOperandsError(StrictError):
    """An operator got meta and real operands; its result would be memory that nobody wrote."""


class LostWriteError(StrictError):
    """A write into a meta tensor, which stores nothing."""

    cause = "in-place-write-on-meta-no-op"


class UninitialisedError(StrictError):
    """A module is about to run with parameters or buffers that nobody initialised."""

    cause = "to-empty-uninitialised"


class _Fill:
    """torch's deterministic fill of new memory: process-wide, so counted and restored by the last one out."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._depth = 0
        self._before: tuple[Any, ...] = ()

    def __enter__(self) -> None:
        import torch

        with self._lock:
            self._depth += 1
            if self._depth > 1:
                return
            fill = getattr(getattr(torch.utils, "deterministic", None), "fill_uninitialized_memory", None)
            self._before = (
                torch.are_deterministic_algorithms_enabled(),
                torch.is_deterministic_algorithms_warn_only_enabled(),
                fill,
                os.environ.get(_ASYNC),
            )
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                torch.use_deterministic_algorithms(True, warn_only=True)
            if fill is not None:  # torch 2.1 has no switch and fills whenever it is deterministic
                torch.utils.deterministic.fill_uninitialized_memory = True
            os.environ[_ASYNC] = "1"
            warnings.filterwarnings("ignore", message=_NO_ALARM)
            self._filter = warnings.filters[0]

    def __exit__(self, *_: object) -> None:
        import torch

        with self._lock:
            self._depth -= 1
            if self._depth:
                return
            enabled, warn_only, fill, asynchronous = self._before
            torch.use_deterministic_algorithms(enabled, warn_only=warn_only)
            if fill is not None:
                torch.utils.deterministic.fill_uninitialized_memory = fill
            if asynchronous is None:
                os.environ.pop(_ASYNC, None)
            else:
                os.environ[_ASYNC] = asynchronous
            filters: Any = warnings.filters
            if self._filter in filters:
                filters.remove(self._filter)


_fill = _Fill()
_here = threading.local()


@contextmanager
def strict() -> Iterator[None]:
    """Raise where a meta tensor would fail silently.

    Raises MixedOperandsError, LostWriteError and UninitialisedError, all StrictError, at the operator, the
    forward pass, the load, the save or the optimizer's step concerned; at its end, where a model that was
    loaded inside is not whole, or loads that overlapped left functions replaced. Building a model
    (`__init__`, `from_pretrained`) may write into meta tensors, and a real 0-dimensional operand among meta
    ones is a number. A forward pass is not watched operator by operator where neither the module nor its
    arguments hold a meta tensor, no code within four calls of `forward` names the device, and none of its
    globals is on meta. Nests; while it is entered, compiled modules run eagerly. Other threads are filled and
    not watched.
    """
    if getattr(_here, "stack", None) is not None:
        yield
        return
    from torch.nn.modules import module as modules

    from unmeta.live.patched import patches

    _here.stack = []
    _here.scanned = set()
    _here.loaded = {}
    _here.quiet = Quiet()
    _here.mode, _here.resting = _mode(), None
    before = {patch.name for patch in patches()}
    hooks = [
        modules.register_module_forward_pre_hook(_entered),
        modules.register_module_forward_hook(_left, always_call=True),
    ]
    try:
        with _fill, _guards, _here.mode:
            try:
                yield
            finally:
                _watch_again()
        _at_the_end(before)
    finally:
        for hook in hooks:
            hook.remove()
        _here.stack = None
        _here.loaded = {}
        _here.quiet = _here.mode = None


def _at_the_end(before: set[str]) -> None:
    """What was loaded and is not whole, and what overlapping loads left behind."""
    from unmeta.live.patched import patches

    for reference in list(_here.loaded.values()):
        model = reference()
        if model is not None:
            _whole(model, "is left")
    _here.quiet.end(_quiet_alarm)
    left = [patch for patch in patches() if patch.name not in before and "unmeta" not in patch.by]
    if left:
        accelerate = any(patch.by.startswith("accelerate") for patch in left)
        names = _listed(tuple(patch.name for patch in left))
        raise StrictError(
            f"overlapping loads left {names} replaced: unmeta.unpatch()",
            cause="overlapping-empty-init" if accelerate else "concurrent-from-pretrained",
        )


def _whole(model: Any, when: str) -> None:
    """Raise where a loaded model holds memory that nobody wrote, or meta tensors that no hook brings in."""
    from unmeta.live.places import held, offloading_hook

    names = uninitialised(model)
    if names:
        raise UninitialisedError(
            f"{type(model).__name__} {when} with memory that nobody initialised: {_listed(names)}", names
        )
    modules = dict(model.named_modules())
    empty = tuple(
        item.name for item in held(model) if item.is_meta and offloading_hook(modules, item) is None
    )
    if empty:
        raise UninitialisedError(
            f"{type(model).__name__} {when} with tensors on meta: {_listed(empty)}",
            empty,
            "missing-keys-left-on-meta",
        )


def _listed(names: tuple[str, ...]) -> str:
    more = f" … ({len(names)} in all)" if len(names) > _EXAMPLES else ""
    return ", ".join(names[:_EXAMPLES]) + more


def _after_from_pretrained(model: Any) -> None:
    import torch

    if not isinstance(model, torch.nn.Module) or _here.stack or _is_building():
        return
    if os.environ.get(_ONE_LOADS, "").lower() in ("1", "true"):
        # All ranks but the first get their weights later, by a broadcast.
        _here.loaded[id(model)] = weakref.ref(model)
    else:
        _whole(model, "comes out of from_pretrained()")
    _here.quiet.loaded(model)


def _after_load(model: Any, given: set[str], were_real: set[str]) -> None:
    from unmeta.live.places import held, offloading_hook

    _here.quiet.given(model, given)
    if were_real:
        names = tuple(sorted(were_real))
        raise LostWriteError(
            f"load_state_dict() put meta tensors in the place of {_listed(names)}",
            names,
            "meta-state-dict-into-real-module",
        )
    modules = dict(model.named_modules())
    undone = tuple(
        item.name
        for item in held(model)
        if item.name in given and not item.is_meta and offloading_hook(modules, item) is not None
    )
    if undone:
        raise LostWriteError(
            f"load_state_dict() wrote {_listed(undone)}, which an offload hook replaces in the next forward",
            undone,
            "offloaded-weight-changed",
        )
    if not _is_building():
        _here.loaded[id(model)] = weakref.ref(model)


def _before_save(saved: Any) -> None:
    import torch

    items = saved.items() if isinstance(saved, dict) else ()
    inner = [item for _, value in items if isinstance(value, dict) for item in value.items()]
    names = tuple(
        str(name)
        for name, value in (*items, *inner)
        if isinstance(value, torch.Tensor) and value.is_meta and type(value).__name__ != "FakeTensor"
    )
    if names:
        raise LostWriteError(f"torch.save() writes no data for {_listed(names)}", names, "save-meta-tensors")


def _before_step(optimizer: Any) -> None:
    count = sum(value.is_meta for group in optimizer.param_groups for value in group["params"])
    if count:
        raise LostWriteError(
            f"{type(optimizer).__name__}.step() would change nothing: {count} of its parameters are on meta",
            cause="optimizer-before-materialise",
        )

    trained = {id(value) for group in optimizer.param_groups for value in group["params"]}
    _here.quiet.step(trained, _quiet_alarm)


def _quiet_alarm(says: str, names: tuple[str, ...], cause: str) -> None:
    raise StrictError(says, names, cause)


def _watched() -> bool:
    return getattr(_here, "stack", None) is not None


_guards = Guards(
    _watched,
    _after_from_pretrained,
    _after_load,
    _before_save,
    _before_step,
    lambda: replaced(_watched, lambda: _here.quiet, _quiet_alarm),
)


def uninitialised(model: torch.nn.Module) -> tuple[str, ...]:
    """Full names of parameters and buffers that hold the fill of `strict()` (or NaN of another origin).

    Only memory that was allocated inside `strict()` or `filled()` is known; booleans are not told apart.
    """
    from unmeta.live.places import held

    return tuple(item.name for item in held(model) if _holds_fill(item.tensor))


@contextmanager
def filled() -> Iterator[None]:
    """The fill alone, at no measurable cost: load inside it, then ask `uninitialised(model)`."""
    with _fill:
        yield


def _holds_fill(tensor: Any) -> bool:
    import torch

    local = getattr(tensor, "_local_tensor", tensor)
    if type(local) not in (torch.Tensor, torch.nn.Parameter) or local.is_meta or local.numel() == 0:
        return False
    if local.layout is not torch.strided or local.dtype is torch.bool:
        return False
    with torch.no_grad(), torch.utils._python_dispatch._disable_current_modes():
        if local.is_floating_point() or local.is_complex():
            return bool(torch.isnan(local.float() if local.dtype.itemsize == 1 else local).any())
        if local.is_quantized:
            return False
        return bool((local == torch.iinfo(local.dtype).max).all())


def _entered(module: torch.nn.Module, inputs: Any) -> None:
    stack = getattr(_here, "stack", None)
    if stack is None:
        return
    if _here.resting is not None:
        if _here.resting is not module:
            return
        _watch_again()  # a KeyboardInterrupt left it without the hook after the pass
    if not stack:
        if id(module) not in _here.scanned:
            _here.scanned.add(id(module))
            names = uninitialised(module)
            if names:
                says = f"would run with memory that nobody initialised: {_listed(names)}"
                raise UninitialisedError(f"{type(module).__name__} {says}", names)
        _here.quiet.before(module, _quiet_alarm)
        # Hooks for all modules get no keyword arguments: they are the caller's.
        if _rests(module, inputs, sys._getframe(1).f_locals.get("kwargs")):
            return
    stack.append(module)


def _rests(module: torch.nn.Module, inputs: Any, named: Any) -> bool:
    """Take the mode off for a forward pass that no meta tensor can reach, and say whether it is off."""
    from torch.utils import _python_dispatch as dispatch

    if dispatch._get_current_dispatch_mode() is not _here.mode or may_meet_meta(module, inputs, named):
        return False
    dispatch._pop_mode()
    _here.resting = module
    return True


def _watch_again() -> None:
    from torch.utils import _python_dispatch as dispatch

    if _here.resting is not None:
        _here.resting = None
        dispatch._push_mode(_here.mode)


def _left(module: torch.nn.Module, _inputs: Any, _output: Any) -> None:
    stack = getattr(_here, "stack", None)
    if stack is None:
        return
    if _here.resting is not None:
        if _here.resting is module:
            _watch_again()
    elif stack and stack[-1] is module:
        stack.pop()
    elif stack and module in stack:
        del stack[stack.index(module) :]


def _mode() -> Any:
    """The dispatch mode; its class is made once torch is there."""
    global _Mode
    if _Mode is None:
        from torch.utils._python_dispatch import TorchDispatchMode

        class Strict(TorchDispatchMode):  # type: ignore[misc]
            def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
                found = _mix(args, kwargs)
                if found is not None and not _fake(types):
                    _alarm(func, *found, args)
                return func(*args, **(kwargs or {}))

        _Mode = Strict
    return _Mode()


_Mode: Any = None


def _fake(types: Any) -> bool:
    return any(kind.__name__ in ("FakeTensor", "FunctionalTensor") for kind in types)


def _mix(args: Any, kwargs: Any) -> tuple[list[Any], list[Any]] | None:
    """The meta and the real operands of an operator; None without a meta one. Written for speed."""
    import torch

    tensor = torch.Tensor
    meta = None
    real: list[Any] = []
    for group in (args, kwargs.values()) if kwargs else (args,):
        for value in group:
            if isinstance(value, tensor):
                if value.is_meta:
                    meta = [value] if meta is None else [*meta, value]
                elif value.dim():
                    real.append(value)
            elif type(value) in (list, tuple):
                for inner in value:
                    if isinstance(inner, tensor):
                        if inner.is_meta:
                            meta = [inner] if meta is None else [*meta, inner]
                        elif inner.dim():
                            real.append(inner)
    return None if meta is None else (meta, real)


_mutable: dict[Any, bool] = {}


def _writes(func: Any) -> bool:
    if func not in _mutable:
        alias = getattr(func._schema.arguments[0], "alias_info", None) if func._schema.arguments else None
        _mutable[func] = bool(alias is not None and alias.is_write)
    return _mutable[func]


def _alarm(func: Any, meta: list[Any], real: list[Any], args: Any) -> None:
    import torch

    target = args[0] if args else None
    first = target[0] if isinstance(target, (list, tuple)) and target else target
    lost = _writes(func) and isinstance(first, torch.Tensor) and first.is_meta
    if not real and not (lost and isinstance(first, torch.nn.Parameter)):
        return
    if _is_building():
        return
    names, where = _named([first] if lost else meta)
    told = ", ".join(names) if names else "a meta tensor"
    if lost:
        raise LostWriteError(f"{func} writes into {told}, which is on meta: nothing is stored{where}", names)
    shapes = ", ".join(f"{value.device.type}{tuple(value.shape)}" for value in (*meta[:2], *real[:2]))
    raise MixedOperandsError(
        f"{func} mixes meta and real tensors [{shapes}]{where}; on meta: {told}. "
        "Its result would be memory that nobody wrote.",
        names,
    )


def _is_building() -> bool:
    """Whether a module is being built or loaded: then writes into meta tensors are the rule."""
    import torch

    frame: Any = sys._getframe(2)
    while frame is not None:
        name = frame.f_code.co_name
        if name == "__init__" and isinstance(frame.f_locals.get("self"), torch.nn.Module):
            return True
        module = str(frame.f_globals.get("__name__", ""))
        # An AutoModel hands on what another class has loaded.
        if (
            name in _LOADERS
            and module.startswith(("transformers.", "diffusers."))
            and not module.startswith("transformers.models.auto.")
        ):
            return True
        frame = frame.f_back
    return False


def _named(tensors: list[Any]) -> tuple[tuple[str, ...], str]:
    """Full names of tensors, told by their storage, and in which module it happens."""
    import torch

    stack = getattr(_here, "stack", None) or []
    wanted = {tensor.untyped_storage()._cdata for tensor in tensors}
    roots: list[Any] = [*stack[:1], *_modules_of_frames()]
    for root in roots:
        names = tuple(
            name
            for name, tensor in (*root.named_parameters(), *root.named_buffers())
            if isinstance(tensor, torch.Tensor)
            and tensor.is_meta
            and tensor.untyped_storage()._cdata in wanted
        )
        if names:
            return names, _inside(root, stack)
    if stack:
        own = tuple(name for name, tensor in stack[-1].named_parameters(recurse=False) if tensor.is_meta)
        prefix = _path(stack[0], stack[-1])
        return tuple(f"{prefix}.{name}" if prefix else name for name in own), _inside(stack[0], stack)
    return (), ""


def _inside(root: Any, stack: list[Any]) -> str:
    if not stack or stack[0] is not root:
        return f" in {type(root).__name__}"
    path = _path(root, stack[-1])
    return f" in module {path} ({type(stack[-1]).__name__})" if path else f" in {type(root).__name__}"


def _path(root: Any, module: Any) -> str:
    return next((name for name, child in root.named_modules() if child is module), "")


def _modules_of_frames() -> list[Any]:
    """Modules that the calling frames hold, the outermost first: their names are the longest."""
    import torch

    found: dict[int, Any] = {}
    frame: Any = sys._getframe(3)
    while frame is not None:
        if frame.f_globals.get("__name__") != __name__:
            for value in list(frame.f_locals.values()):
                if isinstance(value, torch.nn.Module):
                    found.pop(id(value), None)
                    found[id(value)] = value
        frame = frame.f_back
    return list(reversed(found.values()))
