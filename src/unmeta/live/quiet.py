"""Silent failures that no operator shows: what `strict()` checks of tied, copied and offloaded models.

Each is told by a comparison: of names that shared a parameter before `to_empty()`, of an offload folder with
the weights that it should hold, of the storage that an offloaded parameter had when it was loaded, of loaded
weights with what `_init_weights()` leaves, of the file that peft writes with the one it reads.
"""

from __future__ import annotations

import functools
import gc
import os
import sys
import weakref
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from unmeta.live.files import FileHeaderError, safetensors_header

if TYPE_CHECKING:
    import torch

Alarm = Callable[[str, tuple[str, ...], str], None]
MOVERS = ("to", "cuda", "npu", "mlu", "sdaa", "musa", "xpu", "neuron")
"""Methods that accelerate's `dispatch_model` replaces on the instance (accelerate/big_modeling.py)."""


class Quiet:
    """What one thread has seen of models inside `strict()`; a check gives names and the cause, or nothing."""

    def __init__(self) -> None:
        self._ties: dict[int, tuple[Any, list[list[str]]]] = {}
        self._offloaded: dict[int, tuple[Any, dict[str, Any]]] = {}
        self._reset: dict[int, tuple[Any, dict[str, Any]]] = {}
        self._readers: list[Any] = []
        self._written: dict[str, frozenset[str] | None] = {}

    def reads(self, loader: Any) -> None:
        """Remember who reads an offload folder."""
        self._readers.append(weakref.ref(loader))

    def writes_over(self, file: str) -> None:
        """Remember the names in a checkpoint that peft is about to write over."""
        self._written.setdefault(os.path.abspath(file), _names_in(file))

    def in_use(self, file: str, name: str) -> bool:
        """Whether a model that still lives reads a weight from a file of an offload folder."""
        gc.collect()  # a model with hooks is a cycle, and lives on until then
        return any(
            loader is not None
            and name in loader.index
            and os.path.samefile(os.path.dirname(file), loader.save_folder)
            for loader in (reference() for reference in self._readers)
        )

    def loaded(self, model: torch.nn.Module) -> None:
        """Remember the storages of parameters that hooks keep away."""
        storages = _away(model)
        if storages:
            self._offloaded[id(model)] = weakref.ref(model), storages

    def emptied(self, model: torch.nn.Module, shared: list[list[str]]) -> None:
        """Remember names that shared a parameter until `to_empty()` gave each its own."""
        if shared:
            self._ties[id(model)] = weakref.ref(model), shared

    def initialised_again(self, model: torch.nn.Module, name: str, loaded: torch.Tensor) -> None:
        """Remember what was loaded into a parameter that `_init_weights()` then changed."""
        self._reset.setdefault(id(model), (weakref.ref(model), {}))[1].setdefault(name, loaded)

    def given(self, model: torch.nn.Module, names: set[str]) -> None:
        """After a `load_state_dict()`: what it brought is no longer in question."""
        if id(model) in self._reset:
            lost = self._reset[id(model)][1]
            for name in names & lost.keys():
                del lost[name]

    def before(self, model: torch.nn.Module, alarm: Alarm) -> None:
        """Before a forward pass of a root module."""
        if self._offloaded:
            for key in list(self._offloaded):  # once: the hooks make new tensors from here on
                self._check_data(key, alarm)
        if id(model) in self._ties:
            self._check_ties(id(model), alarm)
        if id(model) in self._reset:
            self._check_reset(id(model), alarm)

    def step(self, trained: set[int], alarm: Alarm) -> None:
        """Before an optimizer steps on parameters of these ids."""
        for reference, groups in list(self._ties.values()):
            model = reference()
            for names in groups if model is not None else ():
                held = _tensors(model, names)
                if len(held) > 1 and len({_place(t) for t in held}) > 1 and {id(t) for t in held} <= trained:
                    alarm(
                        f"{', '.join(names)} were one parameter before to_empty() and will be trained apart",
                        tuple(names),
                        "tied-weights-broken",
                    )

    def end(self, alarm: Alarm) -> None:
        """Where `strict()` ends."""
        for key in list(self._offloaded):
            self._check_data(key, alarm)
        for key in list(self._ties):
            self._check_ties(key, alarm)
        for key in list(self._reset):
            self._check_reset(key, alarm)
        for file, names in self._written.items():
            if names is not None and _names_in(file) not in (None, names):
                says = f"peft has written {file}, the file of the base model, anew under names of its own"
                alarm(says, (), "peft-overwrites-base-checkpoint")

    def _check_data(self, key: int, alarm: Alarm) -> None:
        reference, before = self._offloaded.pop(key)
        model = reference()
        now = _away(model) if model is not None else {}
        names = tuple(
            name
            for name, (tensor, storage) in now.items()
            if name in before
            and before[name][0] is tensor
            and before[name][1]._cdata != storage._cdata  # the old one is held: no address twice
        )
        if names:
            alarm(
                f"{', '.join(names[:5])} got new data while offloaded: the next forward brings the old in",
                names,
                "offloaded-weight-changed",
            )

    def _check_reset(self, key: int, alarm: Alarm) -> None:
        import torch

        reference, lost = self._reset[key]
        model = reference()
        own = dict(model.named_parameters()) if model is not None else {}
        names = tuple(
            name
            for name, loaded in lost.items()
            if name in own and not own[name].is_meta and not torch.equal(own[name].cpu(), loaded.cpu())
        )
        if names:
            alarm(
                f"from_pretrained() loaded {', '.join(names[:5])}, and _init_weights() then changed them",
                names,
                "loaded-weights-initialised-again",
            )

    def _check_ties(self, key: int, alarm: Alarm) -> None:
        import torch

        reference, groups = self._ties[key]
        model = reference()
        for names in groups if model is not None else ():
            held = _tensors(model, names)
            apart = len({_place(tensor) for tensor in held}) > 1
            if apart and not any(torch.isnan(tensor).all() for tensor in held):
                first = held[0]
                if any(not torch.equal(first, other) for other in held[1:]):
                    alarm(
                        f"{', '.join(names)} were one parameter before to_empty() and differ now",
                        tuple(names),
                        "tied-weights-broken",
                    )


def _tensors(model: Any, names: list[str]) -> list[Any]:
    own = dict(model.named_parameters(remove_duplicate=False))
    return [own[name] for name in names if name in own and not own[name].is_meta]


def _place(tensor: Any) -> tuple[int, int]:
    return tensor.untyped_storage()._cdata, tensor.storage_offset()


def _away(model: Any) -> dict[str, Any]:
    """Storages of the parameters that an offload hook keeps on meta, by full name."""
    from unmeta.live.places import held, offloading_hook

    modules = dict(model.named_modules())
    return {
        item.name: (item.tensor, item.tensor.untyped_storage())
        for item in held(model)
        if item.is_meta and offloading_hook(modules, item) is not None
    }


def shared_names(model: Any) -> list[list[str]]:
    """Groups of names that stand for one parameter."""
    groups: dict[int, list[str]] = {}
    for name, value in model.named_parameters(remove_duplicate=False):
        groups.setdefault(id(value), []).append(name)
    return [names for names in groups.values() if len(names) > 1]


def replaced(watched: Callable[[], bool], quiet: Callable[[], Quiet], alarm: Alarm) -> Iterator[Any]:
    """Replace the functions where these failures begin; yields `(owner, name, ours, original)` of each."""
    import torch

    yield _emptying(torch.nn.Module, watched, quiet)
    yield _copying(torch.nn.Module, watched, alarm)
    for name in ("clip_grad_norm_", "clip_grad_value_"):
        original = getattr(torch.nn.utils.clip_grad, name)
        ours = _clipping(original, watched, alarm)
        for owner in (torch.nn.utils, torch.nn.utils.clip_grad):
            yield owner, name, ours, original
    offload = sys.modules.get("accelerate.utils.offload")
    if offload is not None:
        yield _folder(offload.OffloadedWeightsLoader, watched, quiet, alarm)
        for owner in (offload, sys.modules.get("accelerate.utils.modeling")):
            if hasattr(owner, "offload_weight"):
                yield _offloading(owner, watched, quiet, alarm)
    transformers = sys.modules.get("transformers.modeling_utils")
    model_class = getattr(transformers, "PreTrainedModel", None)
    if hasattr(model_class, "_initialize_missing_keys"):
        yield _initialising(model_class, watched, quiet)
    peft = sys.modules.get("peft.peft_model")
    if hasattr(peft, "safe_save_file"):
        yield _peft_writes(peft, watched, quiet, alarm)


def _emptying(owner: Any, watched: Callable[[], bool], quiet: Callable[[], Quiet]) -> tuple[Any, ...]:
    original = owner.to_empty

    @functools.wraps(original)
    def to_empty(module: Any, *args: Any, **kwargs: Any) -> Any:
        shared = shared_names(module) if watched() else []
        result = original(module, *args, **kwargs)
        if shared:
            quiet().emptied(module, shared)
        return result

    return owner, "to_empty", to_empty, original


def _copying(owner: Any, watched: Callable[[], bool], alarm: Alarm) -> tuple[Any, ...]:
    original = owner.__setstate__

    @functools.wraps(original)
    def restored(module: Any, state: Any) -> None:
        original(module, state)
        if watched():
            for name in MOVERS:
                method = module.__dict__.get(name)
                of = _bound_to(method)
                if of is not None and of is not module:
                    module.__dict__[name] = _of_another(name, method, watched, alarm)

    return owner, "__setstate__", restored, original


def _bound_to(method: Any) -> Any:
    """The module whose method a chain of wrappers calls in the end."""
    import torch

    while method is not None:
        of = getattr(method, "__self__", None)
        if isinstance(of, torch.nn.Module):
            return of
        method = getattr(method, "__wrapped__", None)
    return None


def _of_another(name: str, method: Any, watched: Callable[[], bool], alarm: Alarm) -> Any:
    @functools.wraps(method)
    def moved(*args: Any, **kwargs: Any) -> Any:
        if watched():
            alarm(
                f".{name}() of a copied dispatched model acts on the model that it was copied from",
                (),
                "hooks-removed-or-copied",
            )
        return method(*args, **kwargs)

    return moved


def _clipping(original: Any, watched: Callable[[], bool], alarm: Alarm) -> Any:
    import torch

    @functools.wraps(original)
    def clip(parameters: Any, *args: Any, **kwargs: Any) -> Any:
        if watched():
            parameters = [parameters] if isinstance(parameters, torch.Tensor) else list(parameters)
            count = sum(isinstance(value, torch.Tensor) and value.is_meta for value in parameters)
            if count:
                alarm(
                    f"{original.__name__}() would clip nothing: {count} of the parameters given are on meta",
                    (),
                    "optimizer-before-materialise",
                )
        return original(parameters, *args, **kwargs)

    return clip


def _folder(
    owner: Any, watched: Callable[[], bool], quiet: Callable[[], Quiet], alarm: Alarm
) -> tuple[Any, ...]:
    original = owner.__init__

    @functools.wraps(original)
    def made(loader: Any, *args: Any, **kwargs: Any) -> None:
        original(loader, *args, **kwargs)
        if not watched() or loader.save_folder is None:
            return
        quiet().reads(loader)
        caller = sys._getframe(1)
        if caller.f_code.co_name == "dispatch_model":
            names = _other_weights(loader, caller.f_locals.get("model"))
            if names:
                alarm(
                    f"{loader.save_folder} holds other weights than the model for {', '.join(names[:5])}: "
                    "they are of an earlier dispatch_model()",
                    names,
                    "offload-folder-reused",
                )

    return owner, "__init__", made, original


def _other_weights(loader: Mapping[str, Any], model: Any) -> tuple[str, ...]:
    """Weights on disk that are not those which the model holds at this moment."""
    import torch

    own = dict(model.named_parameters(remove_duplicate=False)) if model is not None else {}
    index: Any = getattr(loader, "index", {})
    found = []
    for name in index:
        value = own.get(name)
        if value is None or value.is_meta or index[name].get("safetensors_file") is not None:
            continue
        saved = loader[name]
        if saved.shape != value.shape or not torch.equal(saved, value.detach().to("cpu", saved.dtype)):
            found.append(name)
    return tuple(found)


def _offloading(
    owner: Any, watched: Callable[[], bool], quiet: Callable[[], Quiet], alarm: Alarm
) -> tuple[Any, ...]:
    original = owner.offload_weight

    @functools.wraps(original)
    def offload_weight(weight: Any, name: str, folder: Any, *args: Any, **kwargs: Any) -> Any:
        file = os.path.join(folder, f"{name}.dat")
        if watched() and os.path.isfile(file) and quiet().in_use(file, name):
            with open(file, "rb") as opened:
                before = opened.read()
            result = original(weight, name, folder, *args, **kwargs)
            with open(file, "rb") as opened:
                same = opened.read() == before
            if not same:
                says = f"{name} is written over in {folder}, from which an earlier model goes on reading it"
                alarm(says, (name,), "offload-folder-reused")
            return result
        return original(weight, name, folder, *args, **kwargs)

    return owner, "offload_weight", offload_weight, original


def _initialising(owner: Any, watched: Callable[[], bool], quiet: Callable[[], Quiet]) -> tuple[Any, ...]:
    original = owner._initialize_missing_keys

    @functools.wraps(original)
    def _initialize_missing_keys(model: Any, *args: Any, **kwargs: Any) -> Any:
        if not watched():
            return original(model, *args, **kwargs)
        loaded = {
            value.untyped_storage()._cdata: name
            for name, value in model.named_parameters()
            if getattr(value, "_is_hf_initialized", False) and not value.is_meta
        }
        with _keeping(
            loaded, dict(model.named_parameters()), functools.partial(quiet().initialised_again, model)
        ):
            return original(model, *args, **kwargs)

    return owner, "_initialize_missing_keys", _initialize_missing_keys, original


def _keeping(loaded: dict[int, str], parameters: dict[str, Any], changed: Callable[[str, Any], None]) -> Any:
    """A mode that tells which of the loaded parameters operators change, with the values that they had."""
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode

    class Keeping(TorchDispatchMode):  # type: ignore[misc]
        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            first: Any = args[0] if args else None
            name = None
            if type(first) in (torch.Tensor, torch.nn.Parameter) and func._schema.is_mutable:
                name = loaded.get(first.untyped_storage()._cdata)
            if name is None:
                return func(*args, **(kwargs or {}))
            whole = parameters[name].detach()
            before = whole.clone()
            result = func(*args, **(kwargs or {}))
            if not torch.equal(whole, before):
                changed(name, before)
            return result

    return Keeping()


def _names_in(file: str) -> frozenset[str] | None:
    """The names in a safetensors file; None for one that cannot be read, which is not ours to tell."""
    try:
        return frozenset(safetensors_header(file))
    except FileHeaderError:
        return None


def _peft_writes(
    owner: Any, watched: Callable[[], bool], quiet: Callable[[], Quiet], alarm: Alarm
) -> tuple[Any, ...]:
    original = owner.safe_save_file

    @functools.wraps(original)
    def safe_save_file(tensors: Any, filename: Any, *args: Any, **kwargs: Any) -> Any:
        caller = sys._getframe(1)
        if watched() and caller.f_code.co_name == "_update_offload":
            read, written = str(caller.f_locals.get("fname")), str(filename)
            if os.path.abspath(read) == os.path.abspath(written):
                quiet().writes_over(written)  # the names may be put back
            elif os.path.isabs(read) and not os.path.isabs(written):
                says = f"peft would write {written} below the working folder: it drops the first / of {read}"
                alarm(says, (), "peft-overwrites-base-checkpoint")
        return original(tensors, filename, *args, **kwargs)

    return owner, "safe_save_file", safe_save_file, original
