"""`doctor(model)`: every tensor that is on meta, by full name, and why it is there."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from unmeta.live import changes
from unmeta.live.files import FileHeaderError, Shapes, checkpoint_shapes
from unmeta.live.patched import patches
from unmeta.live.places import (
    Held,
    Stored,
    execution_device,
    has_hooks,
    held,
    is_meta,
    offloading_hook,
    stored,
)
from unmeta.live.report import ModelFinding, Report
from unmeta.live.values import looks_uninitialised
from unmeta.live.warned import copied_in_vain

if TYPE_CHECKING:
    import torch

SHOWN_EVIDENCE = 3
_SHARDED = ("FlatParameter", "DTensor")


@dataclass(frozen=True)
class Look:
    """One model with all that is known of it; what the checks read."""

    model: torch.nn.Module
    name: str
    items: tuple[Held, ...]
    shapes: Shapes | None = None
    meta_keys: frozenset[str] = frozenset()
    source: str = ""
    optimizer: Any = None
    hooked: bool = False
    places: Mapping[str, Stored] = field(default_factory=dict)
    in_vain: frozenset[str] = frozenset()
    given: bool = False

    @property
    def meta(self) -> tuple[Held, ...]:
        """Tensors that are on meta."""
        return tuple(item for item in self.items if item.is_meta)


def doctor(model: Any, *, checkpoint: Any = None, optimizer: Any = None) -> Report:
    """Look at a model without running it: what is on meta and why, and what is silently wrong.

    `model` is a module, or an object that holds modules (a diffusers pipeline, a transformers pipeline, an
    engine with `.module` or `.model`). `checkpoint` is what it was or should be loaded from: a state dict, a
    file or a folder; without it the folder that the model's config names is looked at, where it exists.
    `optimizer` is the one that trains it. Values are looked at and neither printed nor kept.

    Raises TypeError where there is no module to look at, ValueError where the checkpoint cannot be read.
    """
    return examine(model, _name_of(model, sys._getframe(1)), checkpoint, optimizer)


def examine(
    model: Any, name: str, checkpoint: Any = None, optimizer: Any = None, *, given: bool = True
) -> Report:
    """What `doctor` does, for a model that the reader calls `name`. Raises as `doctor`.

    `given` says that the checkpoint was loaded into the model for sure.
    """
    parts = _modules_of(model, name)
    if not parts:
        raise TypeError(f"doctor() looks at a torch module or a pipeline, not at {type(model).__name__}")
    findings: list[ModelFinding] = list(_surroundings())
    counts = {"tensors": 0, "on meta": 0, "offloaded": 0}
    for part, module in parts.items():
        look = _look(module, part, checkpoint if len(parts) == 1 else None, optimizer, given)
        counts["tensors"] += len(look.items)
        counts["on meta"] += len(look.meta)
        counts["offloaded"] += sum(stored.place is not None for stored in look.places.values())
        for check in CHECKS:
            findings += check(look)
    findings.sort(key=lambda finding: finding.level != "problem")
    return Report(f"{name} ({type(model).__name__})", tuple(findings), counts)


def process() -> Report:
    """What is wrong with the process, whatever the model."""
    return Report("this process", tuple(_surroundings()))


def _modules_of(subject: Any, name: str) -> dict[str, torch.nn.Module]:
    import torch

    if isinstance(subject, torch.nn.Module):
        return {name: subject}
    components = getattr(subject, "components", None)
    if isinstance(components, Mapping):
        return {
            f"{name}.{key}": part for key, part in components.items() if isinstance(part, torch.nn.Module)
        }
    for attribute in ("module", "model"):
        inner = getattr(subject, attribute, None)
        if isinstance(inner, torch.nn.Module):
            return {f"{name}.{attribute}": inner}
    return {}


def _name_of(subject: Any, frame: Any) -> str:
    """The caller's own name for the object, so that the change can be pasted."""
    for scope in (frame.f_locals, frame.f_globals):
        for name, value in list(scope.items()):
            if value is subject and not name.startswith("_"):
                return str(name)
    return "model"


def _look(model: torch.nn.Module, name: str, checkpoint: Any, optimizer: Any, given: bool) -> Look:
    items = tuple(held(model))
    shapes: Shapes | None = None
    meta_keys: frozenset[str] = frozenset()
    source = ""
    given = given and checkpoint is not None  # the model's own folder was not loaded for sure
    if checkpoint is None:
        checkpoint = _own_folder(model)
        try:
            if checkpoint is not None:
                shapes, meta_keys = checkpoint_shapes(checkpoint)
        except FileHeaderError:
            checkpoint = None
    else:
        shapes, meta_keys = checkpoint_shapes(checkpoint)
    if checkpoint is not None:
        source = "the state dict" if isinstance(checkpoint, Mapping) else changes.quoted(str(checkpoint))
    places = {}
    modules = dict(model.named_modules())
    for item in items:
        found = offloading_hook(modules, item) if item.is_meta else None
        if found is not None:
            places[item.name] = stored(*found)
    in_vain = copied_in_vain() if any(item.is_meta for item in items) else frozenset[str]()
    return Look(
        model, name, items, shapes, meta_keys, source, optimizer, has_hooks(model), places, in_vain, given
    )


def _own_folder(model: torch.nn.Module) -> str | None:
    import os

    path = getattr(model, "name_or_path", None) or getattr(
        getattr(model, "config", None), "_name_or_path", None
    )
    return path if isinstance(path, str) and path and os.path.isdir(path) else None


def _surroundings() -> Iterator[ModelFinding]:
    """What is wrong with the process itself, whatever the model."""
    replaced = patches()
    names = tuple(patch.name for patch in replaced)
    if names:
        accelerate = any(patch.by.startswith("accelerate") for patch in replaced)
        who = "init_empty_weights()" if accelerate else "from_pretrained()"
        yield ModelFinding(
            "overlapping-empty-init" if accelerate else "concurrent-from-pretrained",
            f"Functions of the libraries are still replaced: two {who} calls overlapped in threads.",
            evidence=(f"replaced: {', '.join(names[:4])}{' …' if len(names) > 4 else ''}",),
            change=("unmeta.unpatch()", "# then load the model again, under one lock"),
        )
    import torch

    if torch.empty(0).device.type == "meta":
        yield ModelFinding(
            "default-device-leak",
            "New tensors are created on the meta device: a meta context or default device is in force.",
            evidence=("torch.empty(0).device is meta",),
            change=(
                'torch.set_default_device("cpu")  # or leave the `with torch.device("meta")` block first',
            ),
        )


def _sharded(look: Look) -> Iterator[ModelFinding]:
    items = [item for item in look.meta if _is_sharded(item.tensor)]
    if not items:
        return
    classes = {base.__name__ for module in look.model.modules() for base in type(module).__mro__}
    if "FullyShardedDataParallel" in classes:
        cause = "fsdp-meta-init"
    elif "FSDPModule" in classes:
        cause = "fsdp2-meta-init"
    else:
        cause = "tensor-parallel-meta"
    yield ModelFinding(
        cause,
        "Shards are still on meta: the model was split before it had weights, and none were loaded since.",
        tensors=_names(items),
        change=changes.fill_shards(look.name),
    )


def _is_sharded(tensor: Any) -> bool:
    return any(base.__name__ in _SHARDED for base in type(tensor).__mro__)


def _offloaded(look: Look) -> Iterator[ModelFinding]:
    """Tensors that a hook brings in: fine, unless the hook would find nothing or something else."""
    fine, lost, changed = [], [], []
    for item in look.meta:
        place = look.places.get(item.name)
        if place is None or _is_sharded(item.tensor):
            continue
        if place.place is None:
            lost.append(item)
        elif place.shape is not None and place.shape != tuple(item.tensor.shape):
            changed.append(item)
        else:
            fine.append(item)
    if lost:
        yield _lost(look, lost)
    if changed:
        own = all(name in dict(look.model.named_parameters()) for name in _names(changed))
        resized = own and all(_holds_vocabulary(look, item) for item in changed)
        yield ModelFinding(
            "offloaded-weight-changed" if resized else "offload-folder-reused",
            "The stored weight has another shape than the module's: the next forward pass fails on it.",
            tensors=_names(changed),
            evidence=tuple(
                f"{item.name} is {tuple(item.tensor.shape)}; stored {look.places[item.name].shape} "
                f"({look.places[item.name].detail})"
                for item in changed[:SHOWN_EVIDENCE]
            ),
            change=changes.reload_whole(look.name),
        )
    adapters = [item for item in fine if _is_adapter(look, item)]
    if adapters and any("weights_map" in look.places[item.name].detail for item in adapters):
        yield _adapter(look, adapters)
    if fine:
        where: dict[str, int] = {}
        for item in fine:
            place = look.places[item.name]
            where[place.place or ""] = where.get(place.place or "", 0) + 1
        told = " and ".join(
            f"{count} {'in CPU memory' if key == 'cpu' else 'on disk'}" for key, count in where.items()
        )
        yield ModelFinding(
            "offload-warning-benign",
            "Offloaded by accelerate: a hook brings each weight in for its own forward pass. Call the model "
            "as usual; do not move it, read these weights or save its state_dict().",
            level="note",
            tensors=_names(fine),
            evidence=(told, *(f"{item.name}: {look.places[item.name].detail}" for item in fine[:1])),
        )


def _holds_vocabulary(look: Look, item: Held) -> bool:
    """Whether a tensor is that of the input or output embeddings, which are resized on purpose."""
    owners = [
        ask()
        for name in ("get_input_embeddings", "get_output_embeddings")
        if (ask := getattr(look.model, name, None))
    ]
    return "Embedding" in type(item.owner).__name__ or item.owner in owners


def _lost(look: Look, items: list[Held]) -> ModelFinding:
    details = [look.places[item.name].detail for item in items]
    if all(_is_adapter(look, item) for item in items):
        return _adapter(look, items)
    if any("holds no" in detail for detail in details) and "PeftModel" in _class_names(look.model):
        cause, says = "peft-overwrites-base-checkpoint", "the checkpoint file no longer holds them"
    elif any(detail.endswith("is gone") or "cannot be read" in detail for detail in details):
        cause, says = "offload-folder-reused", "the file that held them is gone"
    elif "PeftModel" in _class_names(look.model):
        cause, says = "peft-offload-key-mismatch", "it looks for another name"
    elif any("meta tensor" in detail for detail in details):
        cause, says = "dispatch-model-without-weights", "it was given meta tensors"
    elif all(_partner_name(look, item) for item in items):
        cause, says = "tied-params-split", "they are tied to tensors on another device"
    elif look.shapes is not None and not any(_in_checkpoint(look, item.name) for item in items):
        cause, says = "mismatched-or-new-head", "the checkpoint does not hold them either"
    else:
        cause, says = "offload-folder-reused", "the offload folder or index has no such name"
    return ModelFinding(
        cause,
        f"The offload hook will not find these weights: {says}.",
        tensors=_names(items),
        evidence=tuple(dict.fromkeys(details))[:SHOWN_EVIDENCE],
        change=changes.reload_whole(look.name),
    )


def _class_names(model: torch.nn.Module) -> set[str]:
    return {base.__name__ for base in type(model).__mro__}


def _is_adapter(look: Look, item: Held) -> bool:
    """Whether a tensor belongs to a PEFT adapter: some module above names its part as an adapter layer."""
    path = item.name.split(".")
    module: Any = look.model
    for part in path:
        if type(module).__module__.startswith("peft.") and part in getattr(module, "adapter_layer_names", ()):
            return True
        module = getattr(module, part, None)
    return "lora_A" in path or "lora_B" in path


def _adapter(look: Look, items: list[Held]) -> ModelFinding:
    return ModelFinding(
        "adapter-left-on-meta",
        "The adapter itself is on meta: it was created where its base layer's offloaded weight is, and its "
        "values were never stored.",
        tensors=_names(items),
        change=changes.adapter(look.name),
    )


def _left(look: Look) -> Iterator[ModelFinding]:
    """Meta tensors that no hook brings in, one reason each."""
    groups: dict[Callable[[Look, list[Held]], ModelFinding], list[Held]] = {}
    loose = [item for item in look.meta if item.name not in look.places and not _is_sharded(item.tensor)]
    whole = bool(loose) and all(item.is_meta for item in look.items if item.kind == "parameter")
    for item in loose:
        groups.setdefault(_reason(look, item, whole), []).append(item)
    for build, items in groups.items():
        yield build(look, items)


def _reason(look: Look, item: Held, whole: bool) -> Callable[[Look, list[Held]], ModelFinding]:
    if _is_adapter(look, item):
        return _adapter
    if _is_quantised(item):
        return _quantised
    if _mapped_away(look, item):
        return _hookless
    if item.kind == "non-persistent buffer" and not whole:
        return _buffer
    if look.hooked:
        return _unfilled_dispatch if whole else _missing
    if not whole and _partner(look, item) is not None:
        return _tied
    if item.name in look.meta_keys:
        return _meta_checkpoint
    if _warned(look, item.name):
        return _copied_in_vain
    if look.given and look.shapes is not None and _in_checkpoint(look, item.name):
        return _copied_in_vain
    if whole or _part_never_loaded(look, item):
        return _never_loaded
    if type(look.model).__module__.startswith("diffusers.") and not look.given:
        return _single_file
    return _missing


def _warned(look: Look, name: str) -> bool:
    return any(name == key or name.endswith(f".{key}") for key in look.in_vain)


def _is_quantised(item: Held) -> bool:
    name = type(item.tensor).__name__
    return name in ("Params4bit", "Int8Params") or hasattr(item.owner, "quant_state")


def _mapped_away(look: Look, item: Held) -> bool:
    """Whether the device map sends the tensor to the CPU or the disk, though no hook brings it in."""
    placed = getattr(look.model, "hf_device_map", None)
    if not isinstance(placed, Mapping):
        return False
    best = max(
        (key for key in placed if key == "" or item.name == key or item.name.startswith(f"{key}.")),
        key=len,
        default=None,
    )
    return best is not None and str(placed[best]) in ("cpu", "disk", "meta")


def _partner_name(look: Look, item: Held) -> str | None:
    """The tensor that one is tied to by the model's own account, on meta or not; None without one."""
    config = getattr(look.model, "config", None)
    tied = getattr(look.model, "all_tied_weights_keys", None) or getattr(
        look.model, "_tied_weights_keys", None
    )
    if isinstance(tied, Mapping) and getattr(config, "tie_word_embeddings", True):
        for one, other in tied.items():
            if item.name in (one, other):
                return str(other if item.name == one else one)
    ask = getattr(look.model, "get_output_embeddings", None)
    if getattr(config, "tie_word_embeddings", False) and callable(ask):
        inputs: Any = look.model.get_input_embeddings
        owners = [ask(), inputs()]
        if any(getattr(part, "weight", None) is item.tensor for part in owners):
            names = {id(module): name for name, module in look.model.named_modules()}
            own = [f"{names.get(id(part), '')}.weight" for part in owners if part is not None]
            return next((name for name in own if name != item.name), None)
    return None


def _partner(look: Look, item: Held) -> str | None:
    """The real tensor that a meta one is or should be tied to; None without one."""
    real = {held.name for held in look.items if not held.is_meta}
    partner = _partner_name(look, item)
    if partner in real:
        return partner
    for other in look.items:
        same = tuple(other.tensor.shape) == tuple(item.tensor.shape) and other.leaf == item.leaf == "weight"
        if (
            same
            and not other.is_meta
            and "Embedding" in {type(other.owner).__name__, type(item.owner).__name__}
        ):
            alone = look.shapes is None and len(look.meta) == 1
            absent = look.shapes is not None and not _in_checkpoint(look, item.name)
            if (absent or alone) and type(other.owner) is not type(item.owner):
                return other.name
    return None


def _in_checkpoint(look: Look, name: str) -> bool:
    shapes = look.shapes or {}
    prefix = getattr(look.model, "base_model_prefix", "") or ""
    names = {name, f"{prefix}.{name}", name.removeprefix(f"{prefix}.")} if prefix else {name}
    return any(known in shapes for known in names)


def _quantised(look: Look, items: list[Held]) -> ModelFinding:
    return ModelFinding(
        "quantised-state-on-meta",
        "Quantised weights are on meta, and their quantisation state with them.",
        tensors=_names(items),
        change=changes.keep_resident(look.name),
    )


def _hookless(look: Look, items: list[Held]) -> ModelFinding:
    if look.hooked:
        return ModelFinding(
            "dispatch-leaves-submodule-on-meta",
            "The device map offloads these, and no hook brings them in: its entry names no called module.",
            tensors=_names(items),
            evidence=(f"{look.name}.hf_device_map sends them to the CPU or the disk",),
            change=changes.module_names(items[0].owner_name),
        )
    return ModelFinding(
        "hooks-removed-or-copied",
        "The device map offloads these, and the model has no hooks any more: nothing brings them in.",
        tensors=_names(items),
        evidence=(f"{look.name}.hf_device_map is there, no module has an offload hook",),
        change=changes.reload_whole(look.name),
    )


def _buffer(look: Look, items: list[Held]) -> ModelFinding:
    return ModelFinding(
        "non-persistent-buffer-lost",
        "These buffers are in no checkpoint (persistent=False): they have to be computed again.",
        tensors=_names(items),
        change=changes.rebuild(look.name, items),
    )


def _unfilled_dispatch(look: Look, items: list[Held]) -> ModelFinding:
    return ModelFinding(
        "dispatch-model-without-weights",
        "The model was dispatched while its weights were on meta: the hooks have nothing to bring in.",
        tensors=_names(items),
        change=changes.load_and_dispatch(look.name),
    )


def _tied(look: Look, items: list[Held]) -> ModelFinding:
    return ModelFinding(
        "tied-weights-broken",
        "A tied weight lost its partner: one of the two was filled, the other is still on meta.",
        tensors=_names(items),
        evidence=tuple(f"{item.name} should be {_partner(look, item)}" for item in items[:SHOWN_EVIDENCE]),
        change=changes.tie(look.name, look.model, items[0].name, _partner(look, items[0])),
    )


def _meta_checkpoint(look: Look, items: list[Held]) -> ModelFinding:
    return ModelFinding(
        "torch-load-to-meta",
        'The checkpoint itself is on meta: it was read with map_location="meta", or holds no data.',
        tensors=_names(items),
        evidence=(f"{len(look.meta_keys)} of {len(look.shapes or ())} tensors of {look.source} are on meta",),
        change=changes.load(look.name, 'torch.load(path, map_location="cpu")'),
    )


def _copied_in_vain(look: Look, items: list[Held]) -> ModelFinding:
    return ModelFinding(
        "load-state-dict-no-op",
        "The checkpoint holds these, and they are on meta all the same: without assign=True, "
        "load_state_dict() copies into memory that is not there.",
        tensors=_names(items),
        evidence=(
            f"found in {look.source}"
            if look.source
            else 'torch warned: "copying from a non-meta parameter … which is a no-op"',
        ),
        change=changes.load(look.name, "state_dict"),
    )


def _part_never_loaded(look: Look, item: Held) -> bool:
    """Whether a tensor lies in a pretrained model inside the model that is on meta as a whole."""
    if look.shapes is not None and look.given:
        return False
    path = item.owner_name.split(".") if item.owner_name else []
    module: Any = look.model
    for part in path:
        module = getattr(module, part, None)
        if hasattr(module, "config") and hasattr(module, "post_init"):
            parameters = list(module.parameters())
            return len(parameters) > 2 and all(is_meta(parameter) for parameter in parameters)
    return False


def _single_file(look: Look, items: list[Held]) -> ModelFinding:
    return ModelFinding(
        "diffusers-single-file-config",
        "These were never filled: the file does not hold what the config asks for.",
        tensors=_names(items),
        evidence=(f"{len(look.items) - len(look.meta)} other tensors are real",),
        change=(
            f"{look.name} = type({look.name}).from_single_file(path, config=folder)  # of this very model",
        ),
    )


def _never_loaded(look: Look, items: list[Held]) -> ModelFinding:
    if look.shapes is not None:
        spare = set(look.shapes) - {item.name for item in look.items}
        if look.given or changes.renamed(_names(items), spare) is not None:
            return _missing(look, items)
    whole = len(items) == len(look.meta) == len(look.items)
    return ModelFinding(
        "empty-init-never-loaded",
        "Every parameter is on meta: the model was built empty and never loaded."
        if whole or all(item.is_meta for item in look.items if item.kind == "parameter")
        else "A model inside it is on meta as a whole: it was built empty and never loaded.",
        tensors=_names(items),
        change=changes.load(look.name, "state_dict"),
    )


def _missing(look: Look, items: list[Held]) -> ModelFinding:
    evidence: list[str] = []
    change = changes.initialise(look.name, items)
    if look.shapes is not None:
        evidence.append(f"not in {look.source} ({len(look.shapes)} tensors)")
        renamed = changes.renamed(_names(items), set(look.shapes) - {item.name for item in look.items})
        if renamed is not None:
            evidence.append(f"it holds {renamed.example!r} for {renamed.wanted!r}")
            change = changes.load(look.name, renamed.code)
    else:
        evidence.append(f"{len(look.items) - len(look.meta)} other tensors are real")
    return ModelFinding(
        "missing-keys-left-on-meta",
        "These were never filled: the checkpoint had nothing for them, or a later part was not loaded.",
        tensors=_names(items),
        evidence=tuple(evidence),
        change=change,
    )


def _optimizer(look: Look) -> Iterator[ModelFinding]:
    if look.optimizer is None:
        return
    held_now = {id(item.tensor) for item in look.items}
    params = [param for group in look.optimizer.param_groups for param in group["params"]]
    strange = [param for param in params if id(param) not in held_now]
    if strange:
        on_meta = sum(is_meta(param) for param in strange)
        yield ModelFinding(
            "optimizer-before-materialise",
            "The optimizer holds other parameters than the model: its steps change nothing here.",
            evidence=(
                f"{len(strange)} of its {len(params)} parameters are not in the model, {on_meta} on meta",
            ),
            change=changes.optimizer_again(look.name, look.optimizer),
        )


def _device(look: Look) -> Iterator[ModelFinding]:
    if not look.hooked:
        return
    first = next((item for item in look.items if item.kind == "parameter"), None)
    device = execution_device(look.model)
    if first is not None and first.is_meta and device is not None and first.name in look.places:
        yield ModelFinding(
            "inputs-sent-to-meta",
            f"{look.name}.device is meta: the first parameter is offloaded. The hooks compute on {device}.",
            level="note",
            tensors=(first.name,),
            change=(f'inputs = inputs.to("{device}")  # not {look.name}.device',),
        )


def _garbage(look: Look) -> Iterator[ModelFinding]:
    """Real tensors whose values nobody wrote, as far as that can be seen."""
    found = [(item, told) for item in look.items if (told := looks_uninitialised(item)) is not None]
    groups: dict[str, list[tuple[Held, str]]] = {}
    for item, told in found:
        groups.setdefault(_garbage_cause(look, item), []).append((item, told))
    for cause, members in groups.items():
        items = [item for item, _ in members]
        yield ModelFinding(
            cause,
            "These look like memory that nobody initialised.",
            tensors=_names(items),
            evidence=tuple(f"{item.name}: {told}" for item, told in members[:SHOWN_EVIDENCE]),
            change=(
                changes.rebuild(look.name, items)
                if cause == "non-persistent-buffer-lost"
                else changes.initialise(look.name, items)
            ),
        )


def _garbage_cause(look: Look, item: Held) -> str:
    if _is_adapter(look, item):
        return "adapter-left-on-meta"
    if any(type(part).__name__ == "FullyShardedDataParallel" for part in look.model.modules()):
        return "fsdp-meta-init"
    if item.kind == "non-persistent buffer":
        return "non-persistent-buffer-lost"
    if look.shapes is not None and not _in_checkpoint(look, item.name):
        return "mismatched-or-new-head"
    return "to-empty-uninitialised"


def _names(items: list[Held]) -> tuple[str, ...]:
    return tuple(item.name for item in items)


CHECKS: tuple[Callable[[Look], Iterator[ModelFinding]], ...] = (
    _sharded,
    _left,
    _offloaded,
    _optimizer,
    _garbage,
    _device,
)
