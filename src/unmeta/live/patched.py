"""Functions of torch and transformers that overlapping loads leave replaced, and how to put them back.

`accelerate.init_empty_weights()` replaces `nn.Module.register_parameter` while it is entered, and
`PreTrainedModel.from_pretrained()` (transformers 5) `torch.linspace`, `PreTrainedModel.tie_weights`,
`PreTrainedModel.init_weights` and the functions of `torch.nn.init`. Each puts back what it found: where two
overlap in threads, the second puts back the first one's replacement.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CodeType, FunctionType, ModuleType
from typing import Any


@dataclass(frozen=True)
class Patch:
    """A function that is not the library's own; `original` puts it right where it could be found."""

    owner: Any
    attribute: str
    by: str
    original: Callable[..., Any] | None

    @property
    def name(self) -> str:
        """Such as `torch.nn.Module.register_parameter`."""
        owner = self.owner
        place = (
            owner.__name__ if isinstance(owner, ModuleType) else f"{owner.__module__}.{owner.__qualname__}"
        )
        return f"{place}.{self.attribute}"


def patches() -> list[Patch]:
    """Every known function that is replaced now, also inside a context that is rightly entered."""
    return list(_patches())


def unpatch() -> list[str]:
    """Put the libraries' own functions back; names of what was put back.

    Call it when no model is being built. Modules that were built meanwhile stay as they are: load them again.
    """
    done = []
    for patch in patches():
        if patch.original is not None:
            setattr(patch.owner, patch.attribute, patch.original)
            done.append(patch.name)
    return done


def _patches() -> Iterator[Patch]:
    torch = sys.modules.get("torch")
    if torch is None:
        return
    module = torch.nn.Module
    for attribute in ("register_parameter", "register_buffer"):
        found = module.__dict__[attribute]
        if found.__module__ != "torch.nn.modules.module":
            yield Patch(module, attribute, _place(found), _wrapped(found, "torch.nn.modules.module"))
    found = torch.linspace
    if isinstance(found, FunctionType):
        yield Patch(torch, "linspace", _place(found), _wrapped(found, None))
    initialisation = sys.modules.get("transformers.initialization")
    for name, original in getattr(initialisation, "TORCH_INIT_FUNCTIONS", {}).items():
        found = getattr(torch.nn.init, name, original)
        if found is not original:
            yield Patch(torch.nn.init, name, _place(found), original)
    modeling = sys.modules.get("transformers.modeling_utils")
    model = getattr(modeling, "PreTrainedModel", None)
    for attribute in ("tie_weights", "init_weights"):
        found = model.__dict__.get(attribute) if model is not None else None
        own = getattr(found, "__module__", None) == "transformers.modeling_utils"
        if model is not None and isinstance(found, FunctionType) and not own:
            yield Patch(model, attribute, _place(found), _from_source(model, attribute))


def _place(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def _wrapped(function: Any, module: str | None) -> Callable[..., Any] | None:
    """What a chain of replacements began with: each keeps the one before in its closure."""
    for _ in range(1000):
        cells = [cell.cell_contents for cell in getattr(function, "__closure__", None) or ()]
        inner = [cell for cell in cells if callable(cell) and not isinstance(cell, type)]
        if not inner:
            return None
        function = inner[0]
        if module is None and not isinstance(function, FunctionType):
            return function  # type: ignore[no-any-return]
        if module is not None and getattr(function, "__module__", None) == module:
            return function  # type: ignore[no-any-return]
    return None


def _from_source(owner: type, attribute: str) -> Callable[..., Any] | None:
    """A method made again from its file: the replacement keeps no reference to it.

    The defaults of the two methods in question are constants, and neither calls super().
    """
    import ast
    from pathlib import Path

    module = sys.modules[owner.__module__]
    try:
        source = Path(str(module.__file__)).read_text(encoding="utf-8")
        tree = ast.parse(source)
        body = next(
            node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == owner.__name__
        )
        node = next(item for item in body if isinstance(item, ast.FunctionDef) and item.name == attribute)
        defaults = tuple(ast.literal_eval(value) for value in node.args.defaults)
    except (OSError, SyntaxError, StopIteration, ValueError):
        return None
    if node.decorator_list or node.args.kw_defaults:
        return None
    tree.body = [node]
    compiled = compile(tree, str(module.__file__), "exec", dont_inherit=True)
    code = next(constant for constant in compiled.co_consts if isinstance(constant, CodeType))
    if code.co_freevars:
        return None
    function = FunctionType(code, vars(module), attribute, defaults)
    function.__qualname__ = f"{owner.__qualname__}.{attribute}"
    function.__module__ = owner.__module__
    function.__doc__ = ast.get_docstring(node)
    return function
