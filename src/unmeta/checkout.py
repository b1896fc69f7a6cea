"""The checkout that this package runs from, and whether what was compiled of it is still fresh.

Knows no room, and every room may use it. Standard library only, and little of that.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    from collections.abc import Iterable

PACKAGE = os.path.dirname(os.path.abspath(__file__))
_SOURCES = (".yaml", ".toml", ".jsonl", ".json", ".py")


def checkout() -> str | None:
    """Root of the checkout that this package runs from; None for an installed wheel."""
    root = os.path.dirname(os.path.dirname(PACKAGE))
    whole = all(os.path.isdir(os.path.join(root, *name)) for name in (("kb", "causes"), ("snippets",)))
    return root if whole else None


def mark(folders: Iterable[str], skip: Iterable[str] = (), besides: Iterable[str] = ()) -> str:
    """A cheap mark of the source files below `folders`: their number, sizes and newest change.

    Folders that are called as one in `skip` are left out, and so are the files `besides`.
    """
    count = size = newest = 0
    left, out = list(folders), {"__pycache__", *skip}
    while left:
        with os.scandir(left.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name not in out:
                        left.append(entry.path)
                elif entry.name.endswith(_SOURCES) and entry.path not in besides:
                    known = entry.stat(follow_symlinks=False)
                    count, size = count + 1, size + known.st_size
                    newest = max(newest, known.st_mtime_ns)
    return f"{count}-{size}-{newest}"
