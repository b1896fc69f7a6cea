"""The parts of a snippet, and the one place that counts its lines: runs, rules and pages ask here.

Standard library only: the process in which a snippet runs asks as well.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

CODE, GOAL = "# code", "# goal"
Part = Literal["stage", "code", "goal"]


class PartsError(ValueError):
    """A marker that divides nothing, or divides twice; `line` is where it stands."""

    def __init__(self, message: str, line: int) -> None:
        self.line = line
        super().__init__(message)


@dataclass(frozen=True)
class Parts:
    """Lines of a snippet (without their ends) and where its markers stand, counted from 1.

    Stage: what builds the scene. Code: what a reader would have. Goal: the assertions. Without
    `# code`, all above the goal counts as code; without `# goal`, there is none.
    """

    lines: tuple[str, ...]
    code_line: int | None = None
    goal_line: int | None = None

    def of(self, line: int) -> Part:
        """The part that a line belongs to; a marker belongs to the part that it opens."""
        if self.goal_line is not None and line >= self.goal_line:
            return "goal"
        return "stage" if self.code_line is not None and line < self.code_line else "code"

    @property
    def stage(self) -> str:
        """Text above the marker `# code`; empty without one."""
        return _text(self.lines[: (self.code_line or 1) - 1])

    @property
    def code(self) -> str:
        """Text of the reader's part."""
        end = len(self.lines) if self.goal_line is None else self.goal_line - 1
        return _text(self.lines[self.code_line or 0 : end])

    @property
    def goal(self) -> str:
        """Text below the marker `# goal`; empty without one."""
        return "" if self.goal_line is None else _text(self.lines[self.goal_line :])


def lines(text: str) -> tuple[str, ...]:
    """Lines as Python counts them: only `\\n`, `\\r\\n` and `\\r` end one; U+2028 or a form feed do not."""
    found = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return tuple(found[:-1] if found[-1] == "" else found)


def parts(text: str, tree: ast.Module | None = None) -> Parts:
    """Divide a snippet at its markers; `tree` is the parsed text, where it is Python.

    Raises PartsError where a marker is indented, repeated, out of order or inside a statement (in a
    string, a bracket, a block): there an eye would be deceived about which statements are the goal.
    """
    rows = lines(text)
    found: dict[str, int] = {}
    for number, row in enumerate(rows, 1):
        marker = row.strip()
        if marker not in (CODE, GOAL):
            continue
        if row != marker:
            raise PartsError(f"`{marker}` is not the whole of its line", number)
        if marker in found:
            raise PartsError(f"a second `{marker}`; the first is line {found[marker]}", number)
        if marker == CODE and GOAL in found:
            raise PartsError(f"`{CODE}` below `{GOAL}`", number)
        found[marker] = number
    for first, last in _spans(tree):
        for marker, number in found.items():
            if first <= number <= last:
                raise PartsError(f"`{marker}` inside the statement that starts in line {first}", number)
    return Parts(rows, found.get(CODE), found.get(GOAL))


def start(node: ast.stmt) -> int:
    """First line of a statement, decorators included."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(item.lineno for item in decorators)])


def statements(tree: ast.Module, divided: Parts, part: Part) -> list[ast.stmt]:
    """The top-level statements of one part; every statement is in exactly one."""
    return [node for node in tree.body if divided.of(start(node)) == part]


def _spans(tree: ast.Module | None) -> Iterator[tuple[int, int]]:
    for node in tree.body if tree is not None else ():
        yield start(node), node.end_lineno or node.lineno


def _text(rows: tuple[str, ...]) -> str:
    return "\n".join(rows).strip("\n")
