"""Files that people contribute, read as no more than they may be: regular, in their place, small, text.

A link could publish any file of the machine that builds the site, a pipe would be waited for without end,
and characters that steer a terminal would reach whoever runs the tools.
"""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from unmeta.kb.findings import Finding
from unmeta.terminal import STEERING

KINDS = (
    (stat.S_ISLNK, "a link"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


class UnreadableError(Exception):
    """A file that is not read; `finding` says why."""

    def __init__(self, finding: Finding) -> None:
        self.finding = finding
        super().__init__(str(finding))


def walk(root: Path, folder: str, findings: list[Finding]) -> list[Path]:
    """Every regular file below `root/folder`, sorted; whatever is neither file nor folder is a finding."""
    found: list[Path] = []
    for path, mode in _below(root / folder):
        if stat.S_ISREG(mode):
            found.append(path)
            continue
        what = next((name for holds, name in KINDS if holds(mode)), "no file")
        remedy = "put the file itself there" if stat.S_ISLNK(mode) else "delete it"
        findings.append(Finding(shown(path, root), 1, "not-a-file", f"this is {what}", remedy))
    return sorted(found)


def _below(folder: Path) -> Iterator[tuple[Path, int]]:
    try:
        mode = os.lstat(folder).st_mode
    except OSError:
        return
    if not stat.S_ISDIR(mode):
        yield folder, mode
        return
    left = [folder]
    while left:
        with os.scandir(left.pop()) as entries:
            for entry in entries:
                mode = entry.stat(follow_symlinks=False).st_mode
                if not stat.S_ISDIR(mode):
                    yield Path(entry.path), mode
                elif entry.name != "__pycache__":
                    left.append(Path(entry.path))


def shown(path: Path, root: Path) -> str:
    """A path as findings name it."""
    return path.relative_to(root).as_posix()


def read(path: Path, name: str, most: int) -> str:
    """The text of a regular file of at most `most` bytes; `name` is how findings call it.

    Raises UnreadableError for everything else.
    """

    def refused(rule: str, message: str, remedy: str, line: int = 1) -> UnreadableError:
        return UnreadableError(Finding(name, line, rule, message, remedy))

    try:
        handle = os.open(path, _FLAGS)
        with open(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise refused("not-a-file", "this is no regular file", "delete it")
            raw = file.read(most + 1)
    except OSError as error:
        raise refused("unreadable", error.strerror or str(error), "make it readable") from None
    if len(raw) > most:
        raise refused("too-large", f"over {most:,} bytes", "split it, or keep less of it")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise refused("unreadable", str(error), "save it as UTF-8 text", line) from None
    return io.StringIO(text, newline=None).read()


def steering(text: str, name: str) -> Iterator[Finding]:
    """The first character of a text that would steer a terminal or turn its reading direction."""
    found = STEERING.search(text)
    if found:
        line = text.count("\n", 0, found.start()) + 1
        yield control_character(name, line, found[0])


def control_character(name: str, line: int, sign: str) -> Finding:
    """The finding for such a character."""
    message = f"U+{ord(sign):04X} does not show itself, and steers what does"
    return Finding(name, line, "control-character", message, "delete it")
