"""The files of a program that belong together: a file, and what it imports from beside it."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable

from unmeta.scan.values import text

Read = Callable[[str], "str | None"]
"""The text of a file by its path; None where there is none."""

IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(\.?)([\w.]*)[ \t]+import[ \t]+\(?([\w \t,\n]+)|import[ \t]+([\w.]+))", re.M
)
MOST_FILES = 10
MOST_CHARACTERS = 200_000
"""A larger group is a library: then each file is looked at by itself."""
SETTINGS = ("arg", "opt", "conf", "cfg", "setting", "param")
"""What a name that holds options has in it."""


def group(path: str, source: str, read: Read) -> list[tuple[str, str]]:
    """Paths and texts of a file and of the files that it imports from beside it, the imported first."""
    found: dict[str, str] = {}
    seen = {path}

    def add(path: str, source: str) -> None:
        for candidate in _imported(path, source):
            if candidate in seen or len(seen) > MOST_FILES:
                continue
            seen.add(candidate)
            other = read(candidate)
            if other is not None:
                add(candidate, other)
        found[path] = source

    add(path, source)
    small = len(found) <= MOST_FILES and sum(map(len, found.values())) <= MOST_CHARACTERS
    return list(found.items()) if small else [(path, source)]


def _imported(path: str, source: str) -> list[str]:
    folder = os.path.dirname(path)
    found = []
    for relative, module, names, plain in IMPORT.findall(source):
        parts = [part for part in (module or plain).split(".") if part]
        for base in [folder] if relative else [folder, os.path.dirname(folder)]:
            target = os.path.join(base, *parts)
            if parts:
                found += [f"{target}.py", os.path.join(target, "__init__.py")]
            found += [os.path.join(target, f"{name}.py") for name in re.findall(r"\w+", names)]
            if not folder:
                break
    return [os.path.normpath(item).replace(os.sep, "/") for item in found]


def options(tree: ast.Module) -> dict[str, ast.Constant]:
    """Constants that options stand for: defaults of argparse, fields of classes, names of modules."""
    found: dict[str, list[ast.Constant]] = {}

    def add(name: str, value: ast.expr | None) -> None:
        if isinstance(value, ast.Constant) and isinstance(value.value, (str, bool)):
            found.setdefault(name, []).append(value)

    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr == "add_argument":
                given = {item.arg: item.value for item in node.keywords}
                flags = [flag for part in node.args if (flag := text(part)) is not None]
                long = [flag for flag in flags if flag.startswith("--")] or flags
                name = text(given.get("dest")) or (long[0].lstrip("-").replace("-", "_") if long else "")
                add(name, given.get("default"))
        elif isinstance(node, (ast.ClassDef, ast.Module)):
            for item in node.body:
                if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
                    add(item.target.id, item.value)
                elif isinstance(item, ast.Assign):
                    for target in item.targets:
                        if isinstance(target, ast.Name):
                            add(target.id, item.value)
    return {name: values[0] for name, values in found.items() if len({v.value for v in values}) == 1}
