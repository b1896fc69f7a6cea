"""Where the compiled index comes from: the wheel carries it, a checkout compiles it when entries change."""

from __future__ import annotations

import json
import os

from unmeta.checkout import checkout, mark

TYPE_CHECKING = False  # the modules typing and pathlib would cost a third of a cold start
if TYPE_CHECKING:
    from typing import Any

FOLDER = os.path.dirname(os.path.abspath(__file__))
PACKAGED = os.path.join(FOLDER, "index.json")


def stamp(root: str) -> str:
    """A cheap mark of all that the index is made of."""
    made_of = (os.path.join(root, "kb"), os.path.join(root, "snippets"), FOLDER)
    return mark(made_of, skip=("facts", "schema"), besides=(PACKAGED,))


def load() -> dict[str, Any]:
    """The index: the packaged file, or in a checkout one that is compiled anew after every change.

    Raises FileNotFoundError where a wheel lacks it; in a checkout without an index whatever keeps it
    from being compiled: CatalogueError, or ImportError without the packages of the group `kb`.
    """
    index = _read()
    root = checkout()
    if root is None:
        if index is None:
            raise FileNotFoundError(f"{PACKAGED} is missing: reinstall the package")
        return index
    now = stamp(root)
    if index is not None and index.get("stamp") == now:
        return index
    try:
        fresh = build(root, now)
    except Exception:
        if index is None:
            raise
        return index  # someone is editing entries: what was compiled last still serves
    return fresh


def build(root: str, mark: str = "", path: str = PACKAGED) -> dict[str, Any]:
    """Compile the entries below `root` and save the index at `path`.

    A folder that cannot be written to is no reason to fail. Raises CatalogueError for bad entries.
    """
    from pathlib import Path

    from unmeta.match.compile import compile_root, to_json

    index = {**compile_root(Path(root)), "stamp": mark}
    partial = Path(f"{path}.{os.getpid()}.tmp")
    try:
        partial.write_text(to_json(index), encoding="ascii")
        partial.replace(path)
    except OSError:
        partial.unlink(missing_ok=True)
    return index


def _read() -> dict[str, Any] | None:
    try:
        with open(PACKAGED, "rb") as file:
            index: dict[str, Any] = json.loads(file.read())
    except (OSError, ValueError):
        return None
    return index
