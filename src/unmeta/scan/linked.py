"""The files of a program that belong together: a file, and what it imports from beside it."""

from __future__ import annotations

import ast
import functools
import re
import sys
from collections.abc import Callable

from unmeta.scan.tree import Code
from unmeta.scan.values import text
from unmeta.scan.words import ruled

ReadFile = Callable[[str], "str | None"]
"""The text of a file by its path; None where there is none."""

IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+(?:\(([^)]*)\)|([\w \t,]+))|import[ \t]+([\w.]+))",
    re.M,
)
_NAME = re.compile(r"\w+")
MOST_FILES = 10
MOST_CHARACTERS = 200_000
"""A larger group is a library: then each file is looked at by itself."""
SETTINGS = ("arg", "opt", "conf", "cfg", "setting", "param")
"""What a name that holds options has in it."""


def group(path: str, source: str, read: ReadFile) -> list[tuple[str, str]]:
    """Paths and texts of a file and of the files that it imports and uses, the imported first.

    A file alone where it imports none from beside it or one folder up, where no rule could fire on what it
    imports, or where the group is a library.
    """
    found: dict[str, str] = {}
    length = 0

    def add(path: str, source: str) -> bool:
        nonlocal length
        length += len(source)
        if len(found) >= MOST_FILES or length > MOST_CHARACTERS:
            return False
        found[path] = ""  # taken; the order is that of the ends
        for candidates, names in _imports(path, source):
            for candidate in candidates:
                other = read(candidate) if candidate not in found else None
                if other is not None and _uses(source, names) and not add(candidate, other):
                    return False
        del found[path]
        found[path] = source
        return True

    if add(path, source) and any(ruled(text) for text in found.values()):
        return list(found.items())
    return [(path, source)]


@functools.lru_cache(maxsize=512)
def _imports(path: str, source: str) -> list[tuple[list[str], frozenset[str]]]:
    """Where the files that a file imports would lie, and the names that it has of each."""
    folder, _, _ = path.rpartition("/")
    above, _, _ = folder.rpartition("/")
    found = []
    for dots, module, many, few, plain in IMPORT.findall(source):
        names = many or few
        levels = {"": [folder, above], ".": [folder], "..": [above]}.get(dots, [])
        if not levels or (plain or module).partition(".")[0] in sys.stdlib_module_names:
            continue
        given = frozenset(_NAME.findall(names)) if names else frozenset({plain.partition(".")[0]})
        parts = (module or plain).replace(".", "/")
        candidates = []
        for base in dict.fromkeys(levels):
            target = f"{base}/{parts}" if base and parts else base or parts
            if parts:
                candidates += [f"{target}.py", f"{target}/__init__.py"]
            candidates += [f"{target}/{name}.py" if target else f"{name}.py" for name in given]
        found.append((candidates, given))
    return found


@functools.lru_cache(maxsize=512)
def _uses(source: str, names: frozenset[str]) -> bool:
    """Whether a file calls one of the names, takes a part of it, inherits from it, or it is a constant."""
    wanted = "|".join(names)
    return (
        any(name.isupper() for name in names)
        or re.search(rf"\b(?:{wanted})[ \t]*[(.]|^[ \t]*class[ \t]+\w+\([^)]*\b(?:{wanted})\b", source, re.M)
        is not None
    )


def options(code: Code) -> dict[str, ast.Constant]:
    """Constants that options stand for: defaults of argparse, fields of classes, names of modules."""
    found: dict[str, list[ast.Constant]] = {}

    def add(name: str, value: ast.expr | None) -> None:
        if isinstance(value, ast.Constant) and isinstance(value.value, (str, bool)):
            found.setdefault(name, []).append(value)

    for call in code.of(ast.Call):
        if isinstance(call.func, ast.Attribute) and call.func.attr == "add_argument":
            given = {item.arg: item.value for item in call.keywords}
            flags = [flag for part in call.args if (flag := text(part)) is not None]
            long = [flag for flag in flags if flag.startswith("--")] or flags
            name = text(given.get("dest")) or (long[0].lstrip("-").replace("-", "_") if long else "")
            add(name, given.get("default"))
    for body in [code.body, *(node.body for node in code.of(ast.ClassDef))]:
        for item in body:
            if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
                add(item.target.id, item.value)
            elif isinstance(item, ast.Assign):
                for target in item.targets:
                    if isinstance(target, ast.Name):
                        add(target.id, item.value)
    return {name: values[0] for name, values in found.items() if len({v.value for v in values}) == 1}
