"""Where the compiled index comes from: the wheel carries it, a checkout compiles it when entries change."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

PACKAGED = Path(__file__).with_name("index.json")


def checkout() -> Path | None:
    """Root of the checkout that this package runs from; None for an installed wheel."""
    root = Path(__file__).parents[3]
    return root if (root / "kb" / "causes").is_dir() and (root / "snippets").is_dir() else None


def stamp(root: Path) -> str:
    """A cheap mark of all that the index is made of: number, sizes and newest change of the files."""
    count = size = newest = 0
    folders = [str(root / "kb"), str(root / "snippets"), str(Path(__file__).parent)]
    while folders:
        for entry in os.scandir(folders.pop()):
            if entry.is_dir():
                if entry.name != "__pycache__":
                    folders.append(entry.path)
            elif entry.name != PACKAGED.name and not entry.name.startswith("."):
                known = entry.stat()
                count, size, newest = count + 1, size + known.st_size, max(newest, known.st_mtime_ns)
    return f"{count}-{size}-{newest}"


def load() -> dict[str, Any]:
    """The index: the packaged file, or in a checkout one that is compiled anew after every change.

    Raises FileNotFoundError where there is neither, and CatalogueError (ImportError without the
    packages of the group `kb`) where a checkout has no index yet and cannot make one.
    """
    root = checkout()
    index: dict[str, Any] | None = None
    if PACKAGED.is_file():
        try:
            index = json.loads(PACKAGED.read_bytes())
        except ValueError:
            index = None
    if root is None:
        if index is None:
            raise FileNotFoundError(f"{PACKAGED} is missing: reinstall the package")
        return index
    now = stamp(root)
    if index is not None and index.get("stamp") == now:
        return index
    try:
        from unmeta.match.compile import compile_root

        fresh = {**compile_root(root), "stamp": now}
    except (ImportError, ValueError, Exception):
        if index is None:
            raise
        return index  # entries are being edited; what was compiled last still serves
    write(fresh)
    return fresh


def write(index: dict[str, Any], path: Path = PACKAGED) -> None:
    """Save an index for later starts; a folder that cannot be written to is no reason to fail."""
    from unmeta.match.compile import to_json

    partial = path.with_suffix(f".{os.getpid()}.tmp")
    try:
        partial.write_text(to_json(index), encoding="ascii")
        partial.replace(path)
    except OSError:
        partial.unlink(missing_ok=True)
