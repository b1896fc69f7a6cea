"""What commands share: exit codes, errors for the caller, reading a paste, printing JSON.

Imports light modules of the standard library only: `unmeta explain` must start fast.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Any, BinaryIO

OK, NO, BAD = 0, 1, 2
HEAD, TAIL = 2_000_000, 6_000_000
"""Bytes of a long log that are read: its start, where versions stand, and its end, where it broke."""
_UNPRINTABLE = "\ufffd\0\1\2\3\4\5\6\x0e\x0f\x10\x11\x12\x13\x14\x15\x16"


class UsageError(Exception):
    """Something the caller can mend; printed without a traceback, exit code 2."""


def simple(words: Sequence[str], flags: Collection[str], most: int = 1) -> tuple[set[str], list[str]] | None:
    """Flags and values of a plain call, told apart; None where argparse has to look at it."""
    given = {word for word in words if word.startswith("--")}
    values = [word for word in words if word == "-" or not word.startswith("-")]
    plain = given <= set(flags) and len(values) <= most and len(given) + len(values) == len(words)
    return (given, values) if plain else None


def print_json(data: Any) -> None:
    """Print JSON as people and machines read it."""
    import json

    print(json.dumps(data, indent=2, ensure_ascii=False))


def read_paste(name: str) -> str:
    """Text of a file or of standard input (`-`); of a long one its start and its end.

    Raises UsageError where it cannot be read, is empty, or is no text.
    """
    try:
        if name == "-":
            if sys.stdin.isatty():
                print("Paste, then end with Ctrl-D:", file=sys.stderr)
            raw = _bounded(sys.stdin.buffer)
        else:
            with open(name, "rb") as file:
                raw = _bounded(file)
    except OSError as error:
        raise UsageError(f"cannot read {name}: {error.strerror or error}") from error
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = raw.decode("utf-16", errors="replace")
    else:
        text = raw.decode("utf-8-sig", errors="replace")
        if sum(text.count(sign) for sign in _UNPRINTABLE) > len(text) // 20:
            raise UsageError(f"{name} is binary, not text: paste the traceback or log as text")
    if not text.strip():
        raise UsageError("nothing was pasted: give a file, or pipe the traceback in")
    return text


def _bounded(stream: BinaryIO) -> bytes:
    head = stream.read(HEAD)
    tail: list[bytes] = []
    size = dropped = 0
    while block := stream.read(1 << 20):
        tail.append(block)
        size += len(block)
        while size - len(tail[0]) >= TAIL:
            size -= len(tail[0])
            dropped += len(tail.pop(0))
    cut = f"\n… {dropped:,} bytes left out …\n".encode() if dropped else b""
    return head + cut + b"".join(tail)
