"""Entries as they are shown: one line of JSON each, read without the rest and without YAML.

The wheel carries the file; a checkout compiles it anew when its entries have changed. Its first line is
`{"stamp": …, "stacks": {"<name>": {package: release}}, "at": {"<id or former id>": [place, length]}}`, places
counted in bytes from the second line.
"""

from __future__ import annotations

import json
import os

from unmeta.checkout import checkout, mark

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path
    from typing import Any, BinaryIO

    Data = Mapping[str, Any]

FOLDER = os.path.dirname(os.path.abspath(__file__))
PACKAGED = os.path.join(FOLDER, "entries.jsonl")


class Entries:
    """The compiled file: names at once, an entry when it is asked for."""

    __slots__ = ("_at", "_from", "_open", "outdated", "stacks", "stamp")

    def __init__(self, opened: Callable[[], BinaryIO]) -> None:
        """Read the first line. Raises OSError where that cannot be done, ValueError for any other file."""
        with opened() as file:
            first = file.readline()
        head = json.loads(first)
        if not isinstance(head, dict) or not isinstance(head.get("at"), dict):
            raise ValueError("the file holds no entries")
        self.stamp: str = head.get("stamp", "")
        self.stacks: dict[str, dict[str, str]] = head.get("stacks", {})
        self.outdated = ""  # why the file is older than its checkout
        self._open, self._at, self._from = opened, head["at"], len(first)

    def __contains__(self, name: str) -> bool:
        return name in self._at

    def __iter__(self) -> Iterator[str]:
        return iter(self._at)

    def __getitem__(self, name: str) -> dict[str, Any]:
        place, length = self._at[name]
        with self._open() as file:
            file.seek(self._from + place)
            entry: dict[str, Any] = json.loads(file.read(length))
        return entry


def to_lines(data: Data, stamp: str = "") -> str:
    """The file as text (ASCII) from entries by kind, see `unmeta.kb.export.catalogue_data`."""
    lines: list[str] = []
    at: dict[str, list[int]] = {}
    place = 0
    for kind in ("facts", "symptoms", "causes"):
        for entry in data[kind]:
            line = json.dumps(entry, separators=(",", ":"))
            for name in (*entry.get("aliases", ()), entry["id"]):
                at[name] = [place, len(line)]
            lines.append(line)
            place += len(line) + 1
    head = {"stamp": stamp, "stacks": data.get("stacks", {}), "at": at}
    return "\n".join([json.dumps(head, separators=(",", ":")), *lines]) + "\n"


def load(compiled: Callable[[Path], Data] | None = None) -> Entries:
    """The packaged entries, or in a checkout those that are compiled anew after every change.

    `compiled` gives the entries of a checkout by kind, see `unmeta.match.likely`: their order is known
    above this room. Without it those that were compiled last serve. Raises FileNotFoundError where there
    are none; in a checkout whatever keeps them from being compiled: CatalogueError, or ImportError
    without the packages of the group `kb`.
    """
    try:
        entries: Entries | None = Entries(_packaged)
    except (OSError, ValueError):
        entries = None
    root = checkout()
    if root is None or compiled is None:
        if entries is None:
            remedy = "reinstall the package" if root is None else "`unmeta show` compiles it"
            raise FileNotFoundError(f"{PACKAGED} is missing: {remedy}")
        return entries
    maker = os.path.dirname(compiled.__code__.co_filename)  # what compiles makes a difference as well
    now = mark(
        (os.path.join(root, "kb"), os.path.join(root, "snippets"), *{FOLDER, maker}),
        skip=("schema",),
        besides=(PACKAGED,),
    )
    if entries is not None and entries.stamp == now:
        return entries
    try:
        from pathlib import Path

        return build(compiled(Path(root)), now)
    except Exception as error:
        if entries is None:
            raise
        entries.outdated = str(error)  # someone is editing: what was compiled last still serves
        return entries


def _packaged() -> BinaryIO:
    return open(PACKAGED, "rb")


def build(data: Data, stamp: str = "") -> Entries:
    """Save entries; a folder that cannot be written to is no reason to fail."""
    import io
    from pathlib import Path

    raw = to_lines(data, stamp).encode("ascii")
    partial = Path(f"{PACKAGED}.{os.getpid()}.tmp")
    try:
        partial.write_bytes(raw)
        partial.replace(PACKAGED)
    except OSError:
        partial.unlink(missing_ok=True)
    return Entries(lambda: io.BytesIO(raw))
