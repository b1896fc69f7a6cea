"""The lines of code that mend a finding, in the names of the model at hand. Standard library only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

Lines = tuple[str, ...]


@dataclass(frozen=True)
class Renamed:
    """A prefix that the checkpoint has and the model has not, or the other way round."""

    wanted: str
    example: str
    code: str


def quoted(text: str) -> str:
    """A string literal in double quotes."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def load(model: str, state: str) -> Lines:
    """Load in place of copying."""
    if state == "state_dict" or ("\n" not in state and len(state) < 60):
        return (f"{model}.load_state_dict({state}, assign=True)",)
    return (f"state_dict = {state}", f"{model}.load_state_dict(state_dict, assign=True)")


def renamed(wanted: Iterable[str], spare: set[str]) -> Renamed | None:
    """How the spare keys of a checkpoint fit the wanted ones by one prefix; None where they do not."""
    wanted = list(wanted)
    fits: dict[tuple[str, str], int] = {}
    for name in wanted[:200]:
        for key in spare:
            if key.endswith(f".{name}"):
                pair = (key[: -len(name)], "")
            elif name.endswith(f".{key}"):
                pair = ("", name[: -len(key)])
            else:
                continue
            fits[pair] = fits.get(pair, 0) + 1
    if not fits:
        return None
    (drop, add), count = max(fits.items(), key=lambda item: item[1])
    if count * 2 < min(len(wanted), 200):
        return None
    name = next(name for name in wanted if drop + name in spare or name.removeprefix(add) in spare)
    example = drop + name if drop else name.removeprefix(add)
    new = f"key.removeprefix({quoted(drop)})" if drop else f"{quoted(add)} + key"
    return Renamed(name, example, "{" + f"{new}: value for key, value in state_dict.items()" + "}")


def initialise(model: str, items: list[Any]) -> Lines:
    """Allocate and initialise the owners of some tensors."""
    owners = list(dict.fromkeys(item.owner_name for item in items))
    lines = []
    for owner in owners[:3]:
        own = next(item.owner for item in items if item.owner_name == owner)
        path = _path(model, owner)
        if hasattr(own, "reset_parameters"):
            lines += [f'{path}.to_empty(device="cpu", recurse=False)', f"{path}.reset_parameters()"]
        else:
            lines.append(
                f"# {path}: load its weights, or build this {type(own).__name__} again off the meta device"
            )
    if len(owners) > 3:
        lines.append(f"# … and {len(owners) - 3} more modules")
    return tuple(lines)


def _path(model: str, owner: str) -> str:
    path = model
    for part in filter(None, owner.split(".")):
        path += f"[{part}]" if part.isdigit() else f".{part}"
    return path


def rebuild(model: str, items: list[Any]) -> Lines:
    """Build again the modules that compute some buffers."""
    lines = []
    for owner in list(dict.fromkeys(item.owner_name for item in items))[:3]:
        own = next(item.owner for item in items if item.owner_name == owner)
        path = _path(model, owner)
        if owner and hasattr(own, "config"):
            lines.append(f"{path} = type({path})({path}.config)")
        elif owner:
            lines.append(f"{path} = {type(own).__name__}(...)  # with its own arguments, off the meta device")
        else:
            names = ", ".join(item.leaf for item in items if not item.owner_name)
            lines.append(f"# compute {names} of {model} again, as its __init__ does, on a real device")
    return tuple(lines)


def tie(model: str, module: Any, name: str, partner: str | None) -> Lines:
    """Tie two weights again."""
    if hasattr(module, "tie_weights"):
        return (f"{model}.tie_weights()",)
    owner, _, leaf = name.rpartition(".")
    other, _, other_leaf = (partner or "").rpartition(".")
    return (f"{_path(model, owner)}.{leaf} = {_path(model, other)}.{other_leaf}",)


def reload_whole(model: str) -> Lines:
    """Load again without offload, or into a folder of its own."""
    return (
        f"{model} = type({model}).from_pretrained(path)  # whole, without a device_map",
        "# or with a device_map and an offload_folder of its own",
    )


def adapter(model: str) -> Lines:
    """Attach an adapter while the base is real."""
    return (
        "base = AutoModelForCausalLM.from_pretrained(base_path)  # no offload while the adapter is attached",
        f"{model} = PeftModel.from_pretrained(base, adapter_path)",
    )


def keep_resident(model: str) -> Lines:
    """Keep a quantised model on one device."""
    return (
        f'{model} = type({model}).from_pretrained(path, quantization_config=config, device_map={{"": 0}})',
    )


def module_names(owner: str) -> Lines:
    """Map the module, not its parameter."""
    return (f'device_map = {{..., {quoted(owner)}: "cpu"}}  # the module that is called, not its parameter',)


def load_and_dispatch(model: str) -> Lines:
    """Load and dispatch in one step."""
    return (f'{model} = load_checkpoint_and_dispatch({model}, checkpoint, device_map="auto")',)


def fill_shards(model: str) -> Lines:
    """Allocate the shards and load them."""
    return (
        f"{model}.to_empty(device=device)",
        f"set_model_state_dict({model}, state_dict, options=StateDictOptions(full_state_dict=True))",
    )


def split(model: str, cause: str) -> Lines:
    """Split first, and load the checkpoint into the shards."""
    if cause == "cpu-ram-efficient-loading":
        return (f"{model} = accelerator.prepare({model})  # before anything moves, copies or runs it",)
    ways = {
        "fsdp-meta-init": (
            f"{model} = FSDP({model}, device_id=device, param_init_fn=lambda module: "
            "module.to_empty(device=device, recurse=False))",
        ),
        "fsdp2-meta-init": (f"fully_shard({model})", f"{model}.to_empty(device=device)"),
        "tensor-parallel-meta": (
            f"parallelize_module({model}, mesh, plan)",
            f"{model}.to_empty(device=device)",
        ),
    }
    return (*ways[cause], fill_shards(model)[1])


def same_place(model: str, names: Iterable[str]) -> Lines:
    """Keep a tied pair on one device."""
    owners = dict.fromkeys(name.rpartition(".")[0] for name in names)
    return (
        "device_map |= {"
        + ", ".join(f'{quoted(owner)}: "cpu"' for owner in owners)
        + "}  # one tensor, one device",
        f"{model} = type({model}).from_pretrained(path, device_map=device_map, offload_folder=folder)",
    )


def apart(model: str) -> Lines:
    """Give each model an offload folder of its own."""
    return (f"{model} = dispatch_model({model}, device_map, offload_dir=folder)  # a folder of its own",)


def base_again(model: str) -> Lines:
    """Restore a base checkpoint that PEFT wrote over, and keep it out of its reach."""
    return (
        "# restore the files of the base checkpoint: they hold the names of the PEFT model now",
        "base = AutoModelForCausalLM.from_pretrained(base_path)  # no offload while the adapter is attached",
        f"{model} = PeftModel.from_pretrained(base, adapter_path)",
    )


def load_then_offload(model: str, offload: str) -> Lines:
    """Change the weights while they are real, then offload."""
    return (
        f"remove_hook_from_module({model}, recurse=True)",
        f"{model}.load_state_dict(state_dict, assign=True)",
        f"{offload}  # after the weights are as they should be",
    )


def copy_without_hooks(model: str) -> Lines:
    """Copy a model that has no hooks."""
    return (f"remove_hook_from_module({model}, recurse=True)  # then copy, and dispatch each again",)


def save_whole(model: str) -> Lines:
    """Save again, with real tensors in the place of offloaded ones."""
    return (
        "offloaded_model.save_pretrained(path)  # brings the offloaded weights in; torch.save() does not",
        f"{model} = type({model}).from_pretrained(path)",
    )


def converted(model: str) -> Lines:
    """Load through the library, which converts the names."""
    return (f"{model} = type({model}).from_pretrained(path)  # converts the names and layouts of the file",)


def optimizer_again(model: str, optimizer: Any) -> Lines:
    """Build the optimizer (or a list of parameters) again, over the parameters that the model has now."""
    if not hasattr(optimizer, "param_groups"):
        return (f"parameters = [p for p in {model}.parameters() if p.requires_grad]",)
    rate = optimizer.param_groups[0].get("lr") if optimizer.param_groups else None
    given = f", lr={rate}" if isinstance(rate, (int, float)) else ""
    return (f"optimizer = {type(optimizer).__name__}({model}.parameters(){given})",)
