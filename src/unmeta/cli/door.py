"""What commands share: exit codes, errors for the caller, reading a paste, printing JSON.

Imports light modules of the standard library only: `unmeta explain` must start fast.
"""

from __future__ import annotations

import re
import sys

from unmeta.terminal import STEERING

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Any, BinaryIO

OK, NO, BAD = 0, 1, 2
HEAD, TAIL = 2_000_000, 6_000_000
"""Bytes of a long log that are read: its start, where versions stand, and its end, where it broke."""
PROBE = 64_000  # bytes that tell text from what is none
_CONTROL = [bytes([code]) for code in (*range(7), *range(14, 23), 28, 29, 30, 31, 127)]
_UNSAFE = re.compile(f"(?!\n)(?:{STEERING.pattern}|[\ud800-\udfff])")


class UsageError(Exception):
    """Something the caller can mend; printed without a traceback, exit code 2."""


def simple(words: Sequence[str], flags: Collection[str], most: int = 1) -> tuple[set[str], list[str]] | None:
    """Flags and values of a plain call, told apart; None where argparse has to look at it."""
    given = {word for word in words if word.startswith("--")}
    values = [word for word in words if word == "-" or not word.startswith("-")]
    plain = given <= set(flags) and len(values) <= most and len(given) + len(values) == len(words)
    return (given, values) if plain else None


def print_json(data: Any) -> None:
    """Print JSON as people and machines read it: legible, and harmless in any terminal and encoding."""
    import json

    ascii_only = (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
    text = json.dumps(data, indent=2, ensure_ascii=ascii_only)
    print(_UNSAFE.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text))


def read_paste(name: str) -> str:
    """Text of a file or of standard input (`-`); of a long one its start and its end.

    Raises UsageError where it cannot be read, is empty, or is no text.
    """
    try:
        if name == "-":
            if sys.stdin is None:
                raise UsageError("standard input is closed: give a file, or pipe the traceback in")
            if sys.stdin.isatty():
                print("Paste the traceback or log, press Enter, then Ctrl-D:", file=sys.stderr)
            raw = _bounded(sys.stdin.buffer)
        else:
            with open(name, "rb") as file:
                raw = _bounded(file)
    except OSError as error:
        raise UsageError(f"cannot read {name}: {error.strerror or error}") from error
    text = decoded(raw)
    if text is None:
        raise UsageError(f"{name} is binary, not text: paste the traceback or log as text")
    if not text.strip("\ufeff \t\r\n"):
        piped = name == "-" and not sys.stdin.isatty()
        hint = "; Python prints tracebacks to standard error: python train.py 2>&1 | unmeta explain"
        raise UsageError(f"nothing was pasted: give a file, or pipe the traceback in{hint if piped else ''}")
    return text


def decoded(raw: bytes) -> str | None:
    """Bytes as the text they most likely are; None where they are none.

    UTF-8, UTF-16 with or without its mark, else the encoding of the locale or that of Windows; a file that
    is mostly UTF-8 keeps what is.
    """
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return raw.decode("utf-16", errors="replace")
    start = raw[:4096]
    for at, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        if len(start) > 7 and start[at::2].count(0) * 3 > len(start) and 0 not in start[1 - at :: 2]:
            return raw.decode(encoding, errors="replace")
    if sum(raw.count(sign) for sign in _CONTROL) > len(raw) // 50:
        return None
    text = raw.decode("utf-8-sig", errors="replace")
    lost = text.count("\ufffd")
    if lost <= len(text) // 500:
        return text
    import locale

    for encoding in (locale.getpreferredencoding(False), "cp1252"):
        try:
            return raw.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    return text


def _bounded(stream: BinaryIO) -> bytes:
    head = stream.read(HEAD)
    if len(head) < HEAD or decoded(head[:PROBE]) is None:
        return head  # whoever reads on asks a terminal for a second Ctrl-D, or a device for ever
    tail: list[bytes] = []
    size, dropped = 0, _skipped(stream)
    while block := stream.read(1 << 20):
        tail.append(block)
        size += len(block)
        while size - len(tail[0]) >= TAIL:
            size -= len(tail[0])
            dropped += len(tail.pop(0))
    cut = f"\n… {dropped:,} bytes left out …\n".encode() if dropped else b""
    return head + cut + b"".join(tail)


def _skipped(stream: BinaryIO) -> int:
    """Go on to the end of a long file where that can be done; the number of bytes left out."""
    if not stream.seekable():
        return 0
    here = stream.tell()
    end = stream.seek(0, 2)
    return stream.seek(max(here, end - TAIL)) - here
