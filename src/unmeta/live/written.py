"""How the program's own code puts tensors on meta, as far as it is written there. Standard library only.

No rule of `unmeta.scan`: none of these is wrong by itself. They tell causes apart where something has failed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

_SETTLES = frozenset(
    {"assign", "from_pretrained", "load_state_dict", "to_empty", "load_checkpoint_and_dispatch"}
)
_INITIALISERS = frozenset({"__init__", "_init_weights", "_reset_parameters", "reset_parameters"})
"""Methods that run while a module is built, where writes on meta are meant to be lost."""
_WRITES = frozenset({"copy_", "fill_", "normal_", "uniform_", "zero_"})


def causes(source: str) -> frozenset[str]:
    """Causes for which the way onto meta speaks in one file; none where it cannot be read."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return frozenset()
    calls = list(_calls(tree, in_initialiser=False))
    targets = [id(target) for call, _ in calls if _moves(call) for target in _arguments(call)]
    built = any(_builds(call) for call, _ in calls if id(call) not in targets)
    found = set()
    if targets and not built:
        found.add("moved-to-meta-to-free")
    named = {_name(call) for call, _ in calls} | {
        keyword.arg or "" for call, _ in calls for keyword in call.keywords
    }
    if built and not named & _SETTLES and any(_writes(call) for call, inside in calls if not inside):
        found.add("in-place-write-on-meta-no-op")
    return frozenset(found)


def _calls(node: ast.AST, in_initialiser: bool) -> Iterator[tuple[ast.Call, bool]]:
    for child in ast.iter_child_nodes(node):
        inside = in_initialiser
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            inside = child.name in _INITIALISERS
        if isinstance(child, ast.Call):
            yield child, inside
        yield from _calls(child, inside)


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _is_meta(node: ast.AST) -> bool:
    if isinstance(node, ast.Call) and _name(node) == "device":
        return any(_is_meta(argument) for argument in node.args)
    return isinstance(node, ast.Constant) and node.value == "meta"


def _arguments(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords if keyword.arg == "device")]


def _moves(call: ast.Call) -> bool:
    return (
        isinstance(call.func, ast.Attribute) and _name(call) == "to" and any(map(_is_meta, _arguments(call)))
    )


def _builds(call: ast.Call) -> bool:
    """Whether a call makes tensors on meta, or a context or default in which they are made there."""
    name = _name(call)
    if name in ("init_empty_weights", "init_on_device"):
        return True
    if name == "device":
        return _is_meta(call)
    return name != "to" and any(
        keyword.arg == "device" and _is_meta(keyword.value) for keyword in call.keywords
    )


def _writes(call: ast.Call) -> bool:
    """Whether a call writes into a parameter: `nn.init.xavier_uniform_(weight)`, `weight.copy_(value)`."""
    name = _name(call)
    if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Attribute | ast.Name):
        owner = call.func.value
        last = owner.attr if isinstance(owner, ast.Attribute) else owner.id
        if last == "init" and name.endswith("_"):
            return True
        return name in _WRITES and last in ("bias", "data", "weight")
    return False
