"""The `unmeta` command: its door, and `explain`, which must start fast.

`explain` is parsed by hand and imports the standard library's light modules and the compiled index only;
everything else goes through `unmeta.commands`.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # typing takes longer to import than most pastes take to explain
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, BinaryIO, NoReturn

    from unmeta.show import Style

OK, NO, BAD = 0, 1, 2
HEAD, TAIL = 2_000_000, 6_000_000
"""Bytes of a long log that are read: its start, where versions stand, and its end, where it broke."""
_UNPRINTABLE = "\ufffd\0\1\2\3\4\5\6\x0e\x0f\x10\x11\x12\x13\x14\x15\x16"


class UsageError(Exception):
    """Something the caller can mend; printed without a traceback, exit code 2."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Returns 0, 1 (the answer is no: unknown, findings) or 2 (could not be done)."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        if arguments[:1] == ["explain"]:
            flags = {word for word in arguments[1:] if word.startswith("--")}
            files = [word for word in arguments[1:] if word == "-" or not word.startswith("-")]
            if (
                flags <= {"--json", "--ask"}
                and len(files) <= 1
                and len(flags) + len(files) == len(arguments) - 1
            ):
                return explain_file(files[0] if files else "-", "--json" in flags, "--ask" in flags)
        from unmeta.commands import run

        return run(arguments)
    except UsageError as error:
        print(f"unmeta: {error}", file=sys.stderr)
        return BAD
    except BrokenPipeError:
        # The reader of a pipe has gone; leave quietly and keep Python from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except KeyboardInterrupt:
        return 130


def print_json(data: Any) -> None:
    """Print JSON as people and machines read it."""
    import json

    print(json.dumps(data, indent=2, ensure_ascii=False))


def style() -> Style:
    """Colours where a person reads, plain text elsewhere or with NO_COLOR set."""
    from unmeta.show import colour, plain

    return colour if sys.stdout.isatty() and "NO_COLOR" not in os.environ else plain


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


def explain_file(name: str, as_json: bool, ask: bool) -> int:
    """Explain a file, or standard input (`-`), and print the answer. Raises UsageError."""
    from unmeta.match import explain

    text = read_paste(name)
    try:
        answer = explain(text)
    except (FileNotFoundError, ImportError, ValueError) as error:
        raise UsageError(f"the index cannot be read: {error}") from error
    if ask:
        from unmeta.terminal import ask_back

        answer = ask_back(text, answer)
    if as_json:
        print_json(answer.to_dict())
    else:
        from unmeta.terminal import render

        print(render(answer, style()))
    return OK if answer["known"] else NO


def entry_point() -> NoReturn:
    """What the console script calls."""
    sys.exit(main())
