"""Parsed files: the nodes of each by kind, found in one walk and kept while the file is of use."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable
from typing import TypeVar

Node = TypeVar("Node", bound=ast.AST)
_LEAVES = {"ctx", "op", "ops", "attr", "id", "kind", "type_comment", "type_ignores"}
_fields: dict[type[ast.AST], tuple[str, ...]] = {}


class SourceError(ValueError):
    """A file that cannot be followed, because it is not Python or nested too deeply: says where and why."""


class Code:
    """Files that are looked at as one program, with their nodes by kind, in the order of their lines.

    Raises SourceError for a file that is not Python; `files` are pairs of path and text.
    """

    def __init__(self, files: Iterable[tuple[str, str]]) -> None:
        self.files = list(files)
        self._parsed = [_parsed(path, source) for path, source in self.files]
        self.body = [statement for tree, _ in self._parsed for statement in tree.body]
        self._kinds: dict[type[ast.AST], list[ast.AST]] = {}

    def holds(self, *words: str) -> bool:
        """Whether a word stands in the text of a file."""
        return any(word in source for _, source in self.files for word in words)

    def of(self, kind: type[Node]) -> list[Node]:
        """All nodes of exactly this kind."""
        if kind not in self._kinds:
            self._kinds[kind] = [node for _, kinds in self._parsed for node in kinds.get(kind, ())]
        return self._kinds[kind]  # type: ignore[return-value]

    def functions(self) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
        """All functions and methods."""
        return [*self.of(ast.FunctionDef), *self.of(ast.AsyncFunctionDef)]

    def path(self, node: ast.AST) -> str:
        """The path of the file that a node of this program stands in."""
        for (path, _), (_, kinds) in zip(self.files, self._parsed, strict=True):
            if any(other is node for other in kinds.get(type(node), ())):
                return path
        raise ValueError(f"no node of {', '.join(path for path, _ in self.files)}")


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes right below one, but for operators."""
    found: list[ast.AST] = []
    kind = node.__class__
    if kind not in _fields:
        _fields[kind] = tuple(field for field in kind._fields if field not in _LEAVES)
    for field in _fields[kind]:
        value = getattr(node, field, None)
        if value.__class__ is list:
            found += [item for item in value if isinstance(item, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


def inside(node: ast.AST) -> list[ast.AST]:
    """All nodes below one, in the order of their lines; kept with it for the next who asks."""
    known: list[ast.AST] | None = getattr(node, "_unmeta_inside", None)
    if known is None:
        known, left = [], children(node)[::-1]
        while left:
            part = left.pop()
            known.append(part)
            left += children(part)[::-1]
        node._unmeta_inside = known  # type: ignore[attr-defined]
    return known


def walk(node: ast.AST) -> list[ast.AST]:
    """A node and all below it."""
    return [node, *inside(node)]


def calls(node: ast.AST) -> list[ast.Call]:
    """The calls below a node."""
    return [part for part in inside(node) if isinstance(part, ast.Call)]


@functools.lru_cache(maxsize=48)
def _parsed(path: str, source: str) -> tuple[ast.Module, dict[type[ast.AST], list[ast.AST]]]:
    try:
        tree = ast.parse(source)
    except (RecursionError, MemoryError) as error:
        lines = source.split("\n")
        line = 1 + max(range(len(lines)), key=lambda number: len(lines[number]))
        raise SourceError(f"{path}:{line}: nested too deeply to be read") from error
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        raise SourceError(f"{path}:{line}: not Python: {getattr(error, 'msg', error)}") from error
    kinds: dict[type[ast.AST], list[ast.AST]] = {ast.Module: [tree]}
    left = children(tree)[::-1]
    while left:
        node = left.pop()
        kinds.setdefault(node.__class__, []).append(node)
        left += children(node)[::-1]
    return tree, kinds


def deepest(path: str, source: str) -> tuple[int, int]:
    """How deeply a file is nested, and the line where it is most."""
    level: list[ast.AST] = [_parsed(path, source)[0]]
    depth, line = 0, 1
    while level:
        depth += 1
        line = next((node.lineno for node in level if hasattr(node, "lineno")), line)
        level = [child for node in level for child in children(node)]
    return depth, line
