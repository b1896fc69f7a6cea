"""Where the tensors of a model are: names, kinds, hooks, and what an offload hook would read. Needs torch.

The hooks are those of `accelerate.hooks` (`AlignDevicesHook`, inside `SequentialHook` or not), told by their
attributes, so that accelerate itself is never imported. Nothing is read from disk but the headers of files.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from unmeta.live.files import FileHeaderError, safetensors_header

if TYPE_CHECKING:
    import torch

TensorKind = Literal["parameter", "buffer", "non-persistent buffer"]


@dataclass(frozen=True)
class Held:
    """A tensor of a model: its full name, what it is, and the module that owns it."""

    name: str
    kind: TensorKind
    tensor: torch.Tensor
    owner: torch.nn.Module
    owner_name: str

    @property
    def leaf(self) -> str:
        """Name within its owner."""
        return self.name.rpartition(".")[2]

    @property
    def is_meta(self) -> bool:
        """On the meta device; fake tensors and shards with real memory are not."""
        return is_meta(self.tensor)


@dataclass(frozen=True)
class Stored:
    """What an offload hook would put in place of a meta tensor.

    `place` is `cpu`, `disk` or None where the hook would find nothing; `detail` says where exactly, or what
    is wrong. `shape` is None where it was not looked up; `file` and `key` are those of a safetensors file.
    """

    place: Literal["cpu", "disk"] | None
    detail: str
    shape: tuple[int, ...] | None = None
    file: str | None = None
    key: str | None = None


def is_meta(tensor: torch.Tensor) -> bool:
    """Whether a tensor is on the meta device. A FakeTensor is not: it says the device that it stands for."""
    local = getattr(tensor, "_local_tensor", tensor)
    return bool(getattr(local, "is_meta", False)) and type(local).__name__ != "FakeTensor"


def held(model: torch.nn.Module) -> list[Held]:
    """Every parameter and buffer under its first name, in the order of the modules."""
    seen: set[int] = set()
    found = []
    for owner_name, owner in model.named_modules():
        hidden = owner._non_persistent_buffers_set
        groups: list[tuple[Mapping[str, Any], bool]] = [(owner._parameters, True), (owner._buffers, False)]
        for tensors, parameters in groups:
            for leaf, tensor in tensors.items():
                if tensor is None or id(tensor) in seen:
                    continue
                seen.add(id(tensor))
                kind: TensorKind = (
                    "parameter" if parameters else "non-persistent buffer" if leaf in hidden else "buffer"
                )
                name = f"{owner_name}.{leaf}" if owner_name else leaf
                found.append(Held(name, kind, tensor, owner, owner_name))
    return found


def hooks_of(module: torch.nn.Module) -> Iterator[Any]:
    """The device hooks that accelerate put on a module itself."""
    hook = getattr(module, "_hf_hook", None)
    for single in getattr(hook, "hooks", (hook,)):
        if hasattr(single, "execution_device") and hasattr(single, "offload"):
            yield single


def has_hooks(model: torch.nn.Module) -> bool:
    """Whether any module of a model has a device hook."""
    return any(True for module in model.modules() for _ in hooks_of(module))


def had_hook(module: torch.nn.Module) -> bool:
    """Whether a module without a hook has had one.

    `remove_hook_from_module()` leaves the module's own method as its attribute `forward`; a hook that was
    deleted by hand leaves `_old_forward`.
    """
    if hasattr(module, "_hf_hook"):
        return False
    forward = vars(module).get("forward")
    return "_old_forward" in vars(module) or getattr(forward, "__func__", None) is type(module).forward


def modules_of(model: torch.nn.Module) -> dict[str, torch.nn.Module]:
    """The modules of a model by name."""
    return dict(model.named_modules())


def execution_device(model: torch.nn.Module) -> str | None:
    """The device on which the first hooked module computes, as text."""
    for module in model.modules():
        for hook in hooks_of(module):
            if hook.execution_device is not None:
                device = hook.execution_device
                return f"cuda:{device}" if isinstance(device, int) else str(device)
    return None


def offloading_hook(modules: Mapping[str, torch.nn.Module], item: Held) -> tuple[Any, str] | None:
    """The hook that brings a tensor in, and the tensor's name there; None where no hook would.

    `modules` are those of the model by name.
    """
    path = item.owner_name.split(".") if item.owner_name else []
    for length in range(len(path), -1, -1):
        module = modules.get(".".join(path[:length]))
        if module is None:
            continue
        for hook in hooks_of(module):
            reaches = length == len(path) or getattr(hook, "place_submodules", False)
            if hook.offload and reaches:
                return hook, ".".join([*path[length:], item.leaf])
    return None


def offloaded_names(model: torch.nn.Module) -> frozenset[str]:
    """Names of the meta tensors of a model that a hook brings in."""
    if not has_hooks(model):
        return frozenset()
    modules = modules_of(model)
    items = [item for item in held(model) if item.is_meta]
    return frozenset(item.name for item in items if offloading_hook(modules, item) is not None)


def expected(modules: Mapping[str, torch.nn.Module]) -> Iterator[tuple[str, torch.Tensor, Any, str]]:
    """Every tensor that an offload hook is going to fetch: its full name, itself, the hook, its name there.

    As `AlignDevicesHook.pre_forward` does it, on meta or not: a tied tensor stands under each of its names.
    """
    for owner, module in modules.items():
        for hook in hooks_of(module):
            if not hook.offload:
                continue
            below = module.named_modules() if getattr(hook, "place_submodules", False) else [("", module)]
            for path, part in below:
                tensors = dict(part._parameters)
                if getattr(hook, "offload_buffers", False):
                    hidden = part._non_persistent_buffers_set
                    tensors |= {leaf: value for leaf, value in part._buffers.items() if leaf not in hidden}
                for leaf, tensor in tensors.items():
                    if tensor is not None:
                        name = f"{path}.{leaf}" if path else leaf
                        yield f"{owner}.{name}" if owner else name, tensor, hook, name


def folders(modules: Mapping[str, torch.nn.Module]) -> dict[int, tuple[str, frozenset[str]]]:
    """Loaders of offload folders that a model's hooks read, by id: folder, and names of `.dat` files."""
    found = {}
    for module in modules.values():
        for hook in hooks_of(module):
            loader: Any = hook.weights_map if hook.offload else None
            while hasattr(loader, "prefix") and hasattr(loader, "dataset"):
                loader = loader.dataset
            if loader is not None and getattr(loader, "save_folder", None) is not None:
                found[id(loader)] = _folder(loader)
    return {key: value for key, value in found.items() if value[1]}


def _folder(loader: Any) -> tuple[str, frozenset[str]]:
    index = getattr(loader, "index", None) or {}
    own = frozenset(name for name, info in index.items() if "safetensors_file" not in info)
    return os.path.realpath(loader.save_folder), own


def sharing(modules: Mapping[str, torch.nn.Module]) -> tuple[str, frozenset[str]] | None:
    """A folder of `.dat` files that this model and another one of the process read, and the names of both.

    The loader of a model that was let go may still wait for the collector, which runs here first.
    """
    import gc

    own = folders(modules)
    if not own:
        return None
    gc.collect()
    for other in gc.get_objects():
        if type(other).__name__ != "OffloadedWeightsLoader" or id(other) in own:
            continue
        if getattr(other, "save_folder", None) is None:
            continue
        folder, names = _folder(other)
        for mine, keys in own.values():
            if mine == folder and keys & names:
                return folder, keys & names
    return None


def foreign_parts(model: torch.nn.Module) -> Iterator[str]:
    """Methods of a module that were put on another one: what they do is done to that one.

    `dispatch_model()` replaces `to` and `cuda` by functions that keep the model they were made for, and
    `copy.deepcopy()` does not copy functions.
    """
    own = {id(module) for module in model.modules()}
    for name, module in model.named_modules():
        for attribute in ("to", "cuda"):
            function = vars(module).get(attribute)
            cells = [cell.cell_contents for cell in getattr(function, "__closure__", None) or ()]
            kept = [getattr(cell, "__self__", cell) for cell in cells]
            modules = [part for part in kept if hasattr(part, "_parameters") and hasattr(part, "_buffers")]
            if modules and not any(id(part) in own for part in modules):
                yield f"{name}.{attribute}" if name else attribute


def stored(hook: Any, name: str) -> Stored:
    """What an offloading hook holds under a name, found without loading it."""
    weights = hook.weights_map
    while hasattr(weights, "prefix") and hasattr(weights, "dataset"):
        name, weights = f"{weights.prefix}{name}", weights.dataset
    if weights is None:
        return Stored(None, "the hook has no weights_map")
    state = getattr(weights, "state_dict", weights if isinstance(weights, dict) else {})
    if callable(state):
        state = {}
    if name in state:
        return _in_memory(state[name], name)
    index = getattr(weights, "index", None) or {}
    if name in index:
        return _on_disk(index[name], name, getattr(weights, "save_folder", None))
    try:
        known = name in weights
    except Exception:  # a foreign mapping may do anything; then it is looked into no further
        known = True
    if known and not state and not index:
        return Stored("cpu", f"{type(weights).__name__}[{name!r}]")
    return Stored(None, f"the hook's weights_map has no {name!r}")


def _in_memory(tensor: Any, name: str) -> Stored:
    shape = tuple(getattr(tensor, "shape", ()))
    if getattr(tensor, "is_meta", False):
        return Stored(None, f"the hook's weights_map holds a meta tensor as {name!r}")
    return Stored("cpu", f"CPU memory, {name!r}", shape)


def _on_disk(info: Mapping[str, Any], name: str, folder: Any) -> Stored:
    file = info.get("safetensors_file")
    if file is None:
        path = os.path.join(folder or "", f"{name}.dat")
        if not os.path.exists(path):
            return Stored(None, f"{_short(path)} is gone")
        return Stored("disk", _short(path), tuple(info.get("shape", ())))
    key = info.get("weight_name", name)
    try:
        header = safetensors_header(file)
    except FileHeaderError as error:
        return Stored(None, str(error))
    if key not in header:
        return Stored(None, f"{_short(file)} holds no {key!r}")
    return Stored("disk", f"{_short(file)}, key {key!r}", header[key], os.fspath(file), key)


def _short(path: Any) -> str:
    """The last two parts of a path: reports are pasted in public."""
    return "/".join(os.path.normpath(os.fspath(path)).replace(os.sep, "/").split("/")[-2:])
