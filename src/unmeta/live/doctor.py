"""`doctor(model)`: every tensor that is on meta, by full name, and why it is there."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from unmeta.live import changes, offloading, sharding
from unmeta.live.counters import since_built
from unmeta.live.files import FileHeaderError, Shapes, checkpoint_shapes
from unmeta.live.look import (
    SHOWN_EVIDENCE,
    Look,
    adapter,
    class_names,
    in_checkpoint,
    is_adapter,
    is_sharded,
    names,
    partner,
    partner_name,
    warned,
    was_moved,
    written_by_conversion,
    written_in_vain,
)
from unmeta.live.patched import patches
from unmeta.live.places import Held, had_hook, has_hooks, held, is_meta, modules_of, offloading_hook, stored
from unmeta.live.report import ModelFinding, Report
from unmeta.live.scene import Scene, scene
from unmeta.live.values import looks_uninitialised
from unmeta.live.warned import copied_in_vain

if TYPE_CHECKING:
    import torch


def doctor(model: Any, *, checkpoint: Any = None, optimizer: Any = None) -> Report:
    """Look at a model without running it: what is on meta and why, and what is silently wrong.

    `model` is a module, or an object that holds modules (a diffusers pipeline, a transformers pipeline, an
    engine with `.module` or `.model`). `checkpoint` is what it was or should be loaded from: a state dict, a
    file or a folder; without it the folder that the model's config names is looked at, where it exists.
    `optimizer` is the one that trains it, or a list of the parameters that are trained. Values are looked at
    and neither printed nor kept.

    Raises TypeError where there is no module to look at, ValueError where the checkpoint cannot be read.
    """
    frame = sys._getframe(1)
    return examine(model, _name_of(model, frame), checkpoint, optimizer, around=scene(None, [frame]))


def examine(
    model: Any,
    name: str,
    checkpoint: Any = None,
    optimizer: Any = None,
    *,
    given: bool = True,
    around: Scene | None = None,
) -> Report:
    """What `doctor` does, for a model that the reader calls `name`. Raises as `doctor`.

    `given` says that the checkpoint was loaded into the model for sure, `around` what stands around
    the model.
    """
    parts = _modules_of(model, name)
    if not parts:
        raise TypeError(f"doctor() looks at a torch module or a pipeline, not at {type(model).__name__}")
    findings: list[ModelFinding] = list(_surroundings())
    counts = {"tensors": 0, "on meta": 0, "offloaded": 0}
    for part, module in parts.items():
        look = _look(module, part, checkpoint if len(parts) == 1 else None, optimizer, given, around)
        counts["tensors"] += len(look.items)
        counts["on meta"] += len(look.meta)
        counts["offloaded"] += sum(stored.place is not None for stored in look.places.values())
        findings += sharding.of_splitting(look, [found for check in CHECKS for found in check(look)])
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


def _look(
    model: torch.nn.Module, name: str, checkpoint: Any, optimizer: Any, given: bool, around: Scene | None
) -> Look:
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
    modules = modules_of(model)
    for item in items:
        found = offloading_hook(modules, item) if item.is_meta else None
        if found is not None:
            places[item.name] = stored(*found)
    return Look(
        model,
        name,
        items,
        shapes,
        meta_keys,
        source,
        optimizer,
        has_hooks(model),
        places,
        copied_in_vain(),
        given,
        around or Scene(),
        since_built(item for item in items if item.is_meta and item.name not in places),
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


def _left(look: Look) -> Iterator[ModelFinding]:
    """Meta tensors that no hook brings in, one reason each."""
    groups: dict[Callable[[Look, list[Held]], ModelFinding], list[Held]] = {}
    loose = [item for item in look.meta if item.name not in look.places and not is_sharded(item.tensor)]
    whole = bool(loose) and all(item.is_meta for item in look.items if item.kind == "parameter")
    for item in loose:
        groups.setdefault(_reason(look, item, whole), []).append(item)
    # PEFT stops at an adapter that it cannot move, or at a name that it does not find.
    first = offloading.stopped if look.scene.error == "KeyError" else adapter
    for build, items in sorted(groups.items(), key=lambda group: group[0] is not first):
        yield build(look, items)


def _reason(look: Look, item: Held, whole: bool) -> Callable[[Look, list[Held]], ModelFinding]:
    if is_adapter(look, item):
        return adapter
    if _is_quantised(item):
        return _quantised
    if look.hooked and partner_name(look, item.name, item.tensor) in look.places:
        return _tied_apart
    if offloading.mapped_away(look, item):
        return offloading.stopped if "PeftModel" in class_names(look.model) else _hookless
    if not look.hooked and had_hook(item.owner):
        return _hookless
    if item.kind == "non-persistent buffer" and not whole:
        return _buffer
    if look.hooked:
        return _unfilled_dispatch if whole else _missing
    if not whole and partner(look, item) is not None:
        return _tied
    if item.name in look.meta_keys:
        return _meta_checkpoint
    if warned(look, item.name) or written_in_vain(look, item.name):
        return _copied_in_vain
    if look.given and look.shapes is not None and in_checkpoint(look, item.name):
        return _copied_in_vain
    if whole or _part_never_loaded(look, item):
        return _never_loaded
    if type(look.model).__module__.startswith("diffusers.") and not look.given:
        return _single_file
    return _missing


def _tied_apart(look: Look, items: list[Held]) -> ModelFinding:
    pairs = {item.name: partner_name(look, item.name, item.tensor) or "" for item in items}
    return ModelFinding(
        "tied-params-split",
        "These are tied to weights that are offloaded, and were sent to another place: nothing fills them.",
        tensors=names(items),
        evidence=tuple(
            f"{name} is tied to {other} ({look.places[other].detail})" for name, other in pairs.items()
        )[:SHOWN_EVIDENCE],
        change=changes.same_place(look.name, [*pairs, *pairs.values()]),
    )


def _names_apart(look: Look) -> Iterator[ModelFinding]:
    """A tied tensor that a hook brings in under one of its names, and nothing under another."""
    if not look.hooked:
        return
    first = {id(item.tensor): item for item in look.items if item.name in look.places}
    modules = modules_of(look.model)
    apart = []
    for name, tensor in look.model.named_parameters(remove_duplicate=False):
        item = first.get(id(tensor))
        if item is None or item.name == name:
            continue
        owner = name.rpartition(".")[0]
        alias = Held(name, item.kind, tensor, modules[owner], owner)
        if offloading_hook(modules, alias) is None:
            apart.append((alias, item.name))
    if apart:
        yield ModelFinding(
            "tied-params-split",
            "One tensor under two names: a hook brings it in under one, and nothing does under the other.",
            tensors=names([alias for alias, _ in apart]),
            evidence=tuple(
                f"{alias.name} is {other} ({look.places[other].detail})" for alias, other in apart
            )[:SHOWN_EVIDENCE],
            change=changes.same_place(
                look.name, [name for alias, other in apart for name in (alias.name, other)]
            ),
        )


def _is_quantised(item: Held) -> bool:
    name = type(item.tensor).__name__
    return name in ("Params4bit", "Int8Params") or hasattr(item.owner, "quant_state")


def _quantised(look: Look, items: list[Held]) -> ModelFinding:
    return ModelFinding(
        "quantised-state-on-meta",
        "Quantised weights are on meta, and their quantisation state with them.",
        tensors=names(items),
        change=changes.keep_resident(look.name),
    )


def _hookless(look: Look, items: list[Held]) -> ModelFinding:
    if look.hooked:
        return ModelFinding(
            "dispatch-leaves-submodule-on-meta",
            "The device map offloads these, and no hook brings them in: its entry names no called module.",
            tensors=names(items),
            evidence=(f"{look.name}.hf_device_map sends them to the CPU or the disk",),
            change=changes.module_names(items[0].owner_name),
        )
    mapped = any(offloading.mapped_away(look, item) for item in items)
    return ModelFinding(
        "hooks-removed-or-copied",
        "These were offloaded, and the model has no hooks any more: nothing brings them in.",
        tensors=names(items),
        evidence=(
            f"{look.name}.hf_device_map sends them away, and no module has an offload hook"
            if mapped
            else "their modules have a forward of their own, which is left where a hook was taken off",
        ),
        change=changes.reload_whole(look.name),
    )


def _buffer(look: Look, items: list[Held]) -> ModelFinding:
    return ModelFinding(
        "non-persistent-buffer-lost",
        "These buffers are in no checkpoint (persistent=False): they have to be computed again.",
        tensors=names(items),
        change=changes.rebuild(look.name, items),
    )


def _unfilled_dispatch(look: Look, items: list[Held]) -> ModelFinding:
    return ModelFinding(
        "dispatch-model-without-weights",
        "The model was dispatched while its weights were on meta: the hooks have nothing to bring in.",
        tensors=names(items),
        change=changes.load_and_dispatch(look.name),
    )


def _tied(look: Look, items: list[Held]) -> ModelFinding:
    return ModelFinding(
        "tied-weights-broken",
        "A tied weight lost its partner: one of the two was filled, the other is still on meta.",
        tensors=names(items),
        evidence=tuple(f"{item.name} should be {partner(look, item)}" for item in items[:SHOWN_EVIDENCE]),
        change=changes.tie(look.name, look.model, items[0].name, partner(look, items[0])),
    )


def _meta_checkpoint(look: Look, items: list[Held]) -> ModelFinding:
    return ModelFinding(
        "torch-load-to-meta",
        'The checkpoint itself is on meta: it was read with map_location="meta", or holds no data.',
        tensors=names(items),
        evidence=(f"{len(look.meta_keys)} of {len(look.shapes or ())} tensors of {look.source} are on meta",),
        change=changes.load(look.name, 'torch.load(path, map_location="cpu")'),
    )


def _copied_in_vain(look: Look, items: list[Held]) -> ModelFinding:
    return ModelFinding(
        "load-state-dict-no-op",
        "The checkpoint holds these, and they are on meta all the same: without assign=True, "
        "load_state_dict() copies into memory that is not there.",
        tensors=names(items),
        evidence=(
            f"found in {look.source}"
            if look.source
            else 'torch warned: "copying from a non-meta parameter … which is a no-op"'
            if any(warned(look, item.name) for item in items)
            else "torch's counters: each was written into once more than building its layer does",
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
        tensors=names(items),
        evidence=(f"{len(look.items) - len(look.meta)} other tensors are real",),
        change=(
            f"{look.name} = type({look.name}).from_single_file(path, config=folder)  # of this very model",
        ),
    )


def _never_loaded(look: Look, items: list[Held]) -> ModelFinding:
    if look.shapes is not None:
        spare = set(look.shapes) - {item.name for item in look.items}
        if look.given or changes.renamed(names(items), spare) is not None:
            return _missing(look, items)
    whole = len(items) == len(look.meta) == len(look.items)
    if whole and was_moved(look):
        return ModelFinding(
            "moved-to-meta-to-free",
            "Every parameter is on meta: the model was moved there, which drops its weights for good.",
            tensors=names(items),
            evidence=(
                "these are other tensors than its layers were built with: their counts of writes are lower",
            ),
            change=(f'{look.name}.to("cpu")  # in place of .to("meta"); or drop all that holds it',),
        )
    return ModelFinding(
        "empty-init-never-loaded",
        "Every parameter is on meta: the model was built empty and never loaded."
        if whole or all(item.is_meta for item in look.items if item.kind == "parameter")
        else "A model inside it is on meta as a whole: it was built empty and never loaded.",
        tensors=names(items),
        change=changes.load(look.name, "state_dict"),
    )


def _missing(look: Look, items: list[Held]) -> ModelFinding:
    if written_by_conversion(look, list(names(items))):
        return ModelFinding(
            "converted-checkpoint-names",
            "These were never filled: the files of this class have other names for them, which only "
            "from_pretrained() converts.",
            tensors=names(items),
            evidence=("every one of them is made by transformers' own conversion of names, and no other is",),
            change=changes.converted(look.name),
        )
    if set(names(items)) in look.scene.offloaded:
        return ModelFinding(
            "checkpoint-contains-meta-tensors",
            "These are on meta in the checkpoint: it was saved from a model in which they are offloaded.",
            tensors=names(items),
            evidence=("another model of this program has exactly these offloaded",),
            change=changes.save_whole(look.name),
        )
    evidence: list[str] = []
    change = changes.initialise(look.name, items)
    absent = look.shapes is not None and not any(in_checkpoint(look, item.name) for item in items)
    if look.shapes is not None:
        where = "not in" if absent else "not all are absent from"
        evidence.append(f"{where} {look.source} ({len(look.shapes)} tensors)")
        renamed = changes.renamed(names(items), set(look.shapes) - {item.name for item in look.items})
        if renamed is not None:
            evidence.append(f"it holds {renamed.example!r} for {renamed.wanted!r}")
            change = changes.load(look.name, renamed.code)
    else:
        evidence.append(f"{len(look.items) - len(look.meta)} other tensors are real")
    return ModelFinding(
        "missing-keys-left-on-meta",
        "These were never filled: the checkpoint had nothing for them, or a later part was not loaded.",
        tensors=names(items),
        evidence=tuple(evidence),
        change=change,
        sure=absent,
    )


def _untied(look: Look) -> Iterator[ModelFinding]:
    """Two real tensors that the model's own account ties, and that are trained as two."""
    if look.hooked or sharding.splitter(look) is not None:
        return
    known = dict(look.model.named_parameters(remove_duplicate=False))
    for name, tensor in known.items():
        other = partner_name(look, name, tensor)
        twin = known.get(other) if other is not None else None
        if twin is None or other is None or twin is tensor or tensor.is_meta or twin.is_meta or name < other:
            continue
        if tensor.shape == twin.shape and tensor.device == twin.device and not _equal(tensor, twin):
            yield ModelFinding(
                "tied-weights-broken",
                "Two weights that this model ties are two tensors, and hold different numbers.",
                tensors=(name, other),
                change=changes.tie(look.name, look.model, name, other),
            )


def _equal(one: torch.Tensor, other: torch.Tensor) -> bool:
    import torch

    with torch.no_grad():
        return bool(torch.equal(one[:1024], other[:1024].to(one.dtype)))


def _optimizer(look: Look) -> Iterator[ModelFinding]:
    if look.optimizer is None:
        return
    held_now = {id(item.tensor) for item in look.items}
    groups = getattr(look.optimizer, "param_groups", [{"params": look.optimizer}])
    params = [param for group in groups for param in group["params"]]
    strange = [param for param in params if id(param) not in held_now]
    if strange:
        holder = "The optimizer" if hasattr(look.optimizer, "param_groups") else "A list of parameters"
        on_meta = sum(is_meta(param) for param in strange)
        yield ModelFinding(
            "optimizer-before-materialise",
            f"{holder} holds other parameters than the model: what is done with them changes nothing here.",
            evidence=(
                f"{len(strange)} of its {len(params)} parameters are not in the model, {on_meta} on meta",
            ),
            change=changes.optimizer_again(look.name, look.optimizer),
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
            tensors=names(items),
            evidence=tuple(f"{item.name}: {told}" for item, told in members[:SHOWN_EVIDENCE]),
            change=(
                changes.rebuild(look.name, items)
                if cause == "non-persistent-buffer-lost"
                else changes.initialise(look.name, items)
            ),
        )


def _garbage_cause(look: Look, item: Held) -> str:
    if is_adapter(look, item):
        return "adapter-left-on-meta"
    if item.kind == "non-persistent buffer":
        return "non-persistent-buffer-lost"
    if look.shapes is not None and not in_checkpoint(look, item.name):
        return "mismatched-or-new-head"
    return "to-empty-uninitialised"


CHECKS: tuple[Callable[[Look], Iterator[ModelFinding]], ...] = (
    sharding.sharded,
    offloading.copied,
    offloading.written_over,
    _names_apart,
    _left,
    offloading.offloaded,
    _untied,
    _optimizer,
    _garbage,
    offloading.device,
)
