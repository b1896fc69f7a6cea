"""What a fix changes in the code that a reader has: the difference of two snippets' parts."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

from unmeta.kb.parts import CODE, Parts, PartsError, lines, parts, statements

Sign = Literal["-", "+", " "]
CONTEXT = 3


@dataclass(frozen=True)
class Change:
    """From the reader's part of one snippet to that of another.

    `imports` are statements that the new code needs and the old snippet lacks; `old` and `new` the lines
    of both parts.
    """

    imports: tuple[str, ...]
    old: tuple[str, ...]
    new: tuple[str, ...]

    @cached_property
    def rows(self) -> tuple[tuple[Sign, str], ...]:
        """Both parts' lines in reading order with their signs, the imports first."""
        found: list[tuple[Sign, str]] = [("+", line) for line in self.imports]
        if found:
            found.append((" ", ""))
        for tag, i, j, k, m in self._steps():
            if tag == "equal":
                found += [(" ", line) for line in self.new[k:m]]
            else:
                found += [("-", line) for line in self.old[i:j]] + [("+", line) for line in self.new[k:m]]
        return tuple(found)

    @property
    def size(self) -> int:
        """Lines that a reader touches: added, removed or (once) replaced; blank ones do not count."""

        def count(rows: tuple[str, ...]) -> int:
            return sum(1 for line in rows if line.strip())

        steps = (step for step in self._steps() if step[0] != "equal")
        return len(self.imports) + sum(
            max(count(self.old[i:j]), count(self.new[k:m])) for _, i, j, k, m in steps
        )

    @property
    def code(self) -> str:
        """The new code, to put in place of the reader's: added imports, then the whole new part."""
        return "\n\n".join(filter(None, ["\n".join(self.imports), "\n".join(self.new)]))

    @property
    def diff(self) -> str:
        """The change as a unified diff without file names; far equal lines are left out."""
        signs = [sign for sign, _ in self.rows]
        changed = [n for n, sign in enumerate(signs) if sign != " "]
        result: list[str] = []
        last = -1
        for n, (sign, line) in enumerate(self.rows):
            if not any(abs(n - m) <= CONTEXT for m in changed):
                continue
            if last != n - 1:
                result.append("@@")
            result.append(f"{sign}{line}".rstrip())
            last = n
        return "\n".join(result)

    def _steps(self) -> Sequence[tuple[str, int, int, int, int]]:
        return difflib.SequenceMatcher(None, self.old, self.new, autojunk=False).get_opcodes()


@lru_cache(maxsize=8192)
def change(before: str, after: str) -> Change:
    """The change between the texts of two snippets.

    Where either has no `# code`, the reader's part is everything between the imports and the goal.
    """
    old, new = _read(before), _read(after)
    whole = old[1].code_line is None or new[1].code_line is None
    tree, divided = new
    stage = [] if tree is None else _head(tree.body) if whole else statements(tree, divided, "stage")
    imports = _imports(stage, but=old[0].body if old[0] is not None else [])
    return Change(tuple(imports), _part(*old, whole=whole), _part(*new, whole=whole))


def _read(text: str) -> tuple[ast.Module | None, Parts]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        tree = None
    try:
        return tree, parts(text, tree)
    except PartsError:
        return tree, Parts(lines(text))


def _part(tree: ast.Module | None, divided: Parts, *, whole: bool) -> tuple[str, ...]:
    if not whole or tree is None:
        return lines(divided.code)
    head = _head(tree.body)
    first = (head[-1].end_lineno or 0) if head else 0
    end = len(divided.lines) if divided.goal_line is None else divided.goal_line - 1
    return lines("\n".join(row for row in divided.lines[first:end] if row != CODE).strip("\n"))


def _head(body: list[ast.stmt]) -> list[ast.stmt]:
    """The docstring and the imports that follow it."""
    for n, node in enumerate(body):
        docstring = n == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not docstring and not isinstance(node, (ast.Import, ast.ImportFrom)):
            return body[:n]
    return body


def _names(body: list[ast.stmt]) -> Iterator[tuple[str, int, ast.alias]]:
    """What top-level imports bring: module (empty for `import x`), dots before it, and the name."""
    for node in body:
        if isinstance(node, ast.Import):
            yield from (("", 0, alias) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", node.level, alias) for alias in node.names)


def _imports(body: list[ast.stmt], but: list[ast.stmt]) -> Iterator[str]:
    """Import statements for the names that `body` imports and `but` does not, one a module."""
    known = {(module, level, alias.name, alias.asname) for module, level, alias in _names(but)}
    wanted: dict[tuple[str, int], list[ast.alias]] = {}
    for module, level, alias in _names(body):
        if (module, level, alias.name, alias.asname) not in known:
            wanted.setdefault((module, level), []).append(alias)
    for (module, level), names in wanted.items():
        if module or level:
            yield ast.unparse(ast.ImportFrom(module, names, level))
        else:
            yield from (ast.unparse(ast.Import([alias])) for alias in names)
