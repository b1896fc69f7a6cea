"""What a name stands for, as far as the code tells, in the order of execution."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace

from unmeta.scan.tree import Code, inside, walk

DISPATCHED = "dispatched"  # loaded with a device_map that may offload
OFFLOADED_PIPE = "offloaded-pipe"  # enable_sequential_cpu_offload() was called
HOOKED = "hooked"  # offloaded by accelerate alone: the library that saves knows nothing of it
META = "meta"  # built on the meta device
EMPTIED = "emptied"  # to_empty() was called
FILLED = "filled"  # something was loaded or initialised
HIDDEN = "hidden-buffer"  # has a computed buffer outside the state dict
META_STATE = "meta-state"  # a state dict of meta tensors
META_DEVICE = "meta-device"  # the meta device, or the device of a model that is on it
OFFLOADED_STATE = "offloaded-state"  # a state dict of a model with a device_map

SINGLE_DEVICES = ("cpu", "cuda", "mps", "xpu", "npu", "hpu", "xla", "meta")


@dataclass(frozen=True)
class Value:
    """Facts about a value; `line` is where it came from, `literal` what it was written as, in parts.

    `parts` are the values of a tuple.
    """

    facts: frozenset[str] = frozenset()
    line: int = 0
    literal: tuple[ast.expr, ...] = ()
    parts: tuple[Value, ...] = ()

    def has(self, fact: str) -> bool:
        """Whether a fact holds."""
        return fact in self.facts

    def with_(self, *facts: str, without: tuple[str, ...] = ()) -> Value:
        """The value after something was done to it."""
        return replace(self, facts=(self.facts | set(facts)) - set(without))


UNKNOWN = Value()


@dataclass
class Scope:
    """Names of a function, class or module with what they stand for; `self.x` is a name like others."""

    names: dict[str, Value] = field(default_factory=dict)

    def copy(self) -> Scope:
        """A scope for a branch."""
        return Scope(dict(self.names))

    def join(self, *others: Scope) -> None:
        """Continue after branches: a fact that some branch lacks is dropped, unless it is a cure."""
        first, *rest = others
        for name in {name: None for scope in others for name in scope.names}:
            value = first.names.get(name)
            if value is not None and all(scope.names.get(name) is value for scope in rest):
                self.names[name] = value
                continue
            known = [value for scope in others if (value := scope.names.get(name)) is not None]
            facts = frozenset.intersection(*(value.facts for value in known))
            if any(value.has(FILLED) for value in known):
                facts |= {FILLED}
            self.names[name] = Value(facts, known[0].line)


def dotted(node: ast.AST) -> str | None:
    """`a.b["c"]` of a chain of names, also with a name or a constant as index; None for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        owner = dotted(node.value)
        return None if owner is None else f"{owner}.{node.attr}"
    if isinstance(node, ast.Subscript) and isinstance(node.slice, (ast.Constant, ast.Name)):
        owner = dotted(node.value)
        return None if owner is None else f"{owner}[{ast.unparse(node.slice)}]"
    return None


def called(node: ast.Call) -> str:
    """Last part of the name of what is called; empty where it has none."""
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


def keyword(node: ast.Call, name: str) -> ast.expr | None:
    """A keyword argument; None without it."""
    return next((item.value for item in node.keywords if item.arg == name), None)


def text(node: ast.AST | None) -> str | None:
    """A string constant; None for anything else."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def says_meta(node: ast.AST | None) -> bool:
    """Whether an expression is the meta device: `"meta"` or `torch.device("meta")`."""
    if isinstance(node, ast.Call) and called(node) == "device" and node.args:
        node = node.args[0]
    return text(node) == "meta"


def builders(code: Code) -> set[str]:
    """Functions of a program that return a module, by custom a call of a capitalised name."""
    shown = {}
    for function in code.functions():
        nodes = inside(function)
        returned = [node.value for node in nodes if isinstance(node, ast.Return) and node.value is not None]
        if returned:
            shown[function.name] = returned, [node for node in nodes if isinstance(node, ast.Assign)]
    found: set[str] = set()
    for _ in range(2):  # functions that return what such a function returns
        for name, (returned, assigned) in shown.items():
            made = {
                dotted(target) for node in assigned if _makes(node.value, found) for target in node.targets
            }
            if any(_makes(value, found) or (dotted(value) or "") in made for value in returned):
                found.add(name)
    return found


def _makes(node: ast.expr, known: set[str]) -> bool:
    while (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("eval", "train")
    ):
        node = node.func.value
    if not isinstance(node, ast.Call):
        return False
    name = called(node)
    parts = (dotted(node.func) or "").split(".")
    camel = (
        name[:1].isupper() and not name.isupper() and not name.endswith(("Config", "Error", "Dict", "Path"))
    )
    return (camel and parts[0] in ("nn", "torch", name)) or name in known


def may_offload(node: ast.expr | None, scope: Scope) -> bool:
    """Whether a `device_map` may put a part on the CPU or the disk beside another device."""
    name = dotted(node) if node is not None else None
    if name is not None:
        return any(may_offload(part, Scope()) for part in scope.names.get(name, UNKNOWN).literal)
    if node is None or (isinstance(node, ast.Constant) and not isinstance(node.value, str)):
        return False
    word = text(node)
    if word is not None:
        return word.split(":")[0] not in SINGLE_DEVICES
    if isinstance(node, ast.Dict):
        keys = [text(key) for key in node.keys]
        if keys == [""]:
            return text(node.values[0]) == "disk"
        inner = [value for key, value in zip(node.keys, node.values, strict=True) if key is None]
        if any(may_offload(value, scope) for value in inner):
            return True
        devices = {text(value) or ast.unparse(value) for value in node.values}
        return "disk" in devices or ("cpu" in devices and len(devices) > 1)
    if isinstance(node, ast.DictComp):
        words = {text(part) for part in walk(node.value)}
        return "disk" in words or ("cpu" in words and len(words - {None}) > 1)
    if isinstance(node, ast.BinOp):
        return may_offload(node.left, scope) or may_offload(node.right, scope)
    if isinstance(node, ast.Call) and called(node) == "fromkeys" and len(node.args) == 2:
        return text(node.args[1]) == "disk"
    # Of another call the code does not tell.
    return isinstance(node, ast.Call) and called(node) == "infer_auto_device_map"
