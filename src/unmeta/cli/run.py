"""`unmeta run`: run a script or a command as it is, and explain it where it fails."""

from __future__ import annotations

import sys

from unmeta.cli.door import UsageError

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import IO, Any

SAYS = "Run a script or a command; explain it where it fails."
KEPT = 4_000_000
"""Bytes of the end of each stream that are kept for the explanation."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    import argparse

    parser.add_argument(
        "words",
        nargs=argparse.REMAINDER,
        metavar="SCRIPT.py … | -- COMMAND …",
        help="a Python script, run in this process so that its model can be looked at; or any command",
    )


def run(arguments: argparse.Namespace) -> int:
    """Exit as what was run. Raises UsageError."""
    words = list(arguments.words)
    command = words[:1] == ["--"]
    words = words[1:] if command else words
    if not words:
        raise UsageError("run what? unmeta run train.py --lr 1e-4, or unmeta run -- torchrun train.py")
    if not command and words[0].endswith(".py"):
        return _script(words)
    return _command(words)


def _script(words: Sequence[str]) -> int:
    """Run a script as `python SCRIPT` would; a meta error gets a note from what its frames hold."""
    from unmeta.live import notes
    from unmeta.live.script import ScriptError, run_script

    notes.install()
    try:
        _, error = run_script(words)
    except ScriptError as wrong:
        raise UsageError(str(wrong)) from wrong
    if error is None:
        return 0
    if isinstance(error, SystemExit):
        if error.code is None or isinstance(error.code, int):
            return error.code or 0
        print(error.code, file=sys.stderr)
        return 1
    sys.excepthook(type(error), error, error.__traceback__)
    return 130 if isinstance(error, KeyboardInterrupt) else 1


def _command(words: Sequence[str]) -> int:
    """Run a command, pass its output through, and explain the end of it where it failed."""
    import subprocess
    import threading

    try:
        child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except OSError as error:
        raise UsageError(f"cannot run {words[0]}: {error.strerror or error}") from error
    kept = [bytearray(), bytearray()]
    pairs = ((child.stdout, sys.stdout.buffer), (child.stderr, sys.stderr.buffer))
    threads = [
        threading.Thread(target=_pass_on, args=(source, sink, keep), daemon=True)
        for (source, sink), keep in zip(pairs, kept, strict=True)
    ]
    for thread in threads:
        thread.start()
    while True:
        try:
            code = child.wait()
            break
        except KeyboardInterrupt:
            continue  # the child has the same signal and ends as it likes
    for thread in threads:
        thread.join(10)
    if code:
        _explain(b"\n".join(kept).decode("utf-8", "replace"))
    return 128 - code if code < 0 else code


def _pass_on(source: IO[bytes] | None, sink: Any, keep: bytearray) -> None:
    while source is not None and (block := source.read1(65536)):  # type: ignore[attr-defined]
        keep += block
        if len(keep) > 2 * KEPT:
            del keep[:-KEPT]
        try:
            sink.write(block)
            sink.flush()
        except OSError:
            sink = open_nothing()


def open_nothing() -> IO[bytes]:
    """A sink for output that nobody reads any more: the child must not stop for it."""
    import os

    return open(os.devnull, "wb")


def _explain(text: str) -> None:
    """Print the answer on standard error where the text shows a meta problem."""
    from unmeta.match import explain
    from unmeta.match.shown import render
    from unmeta.terminal import paper

    try:
        answer = explain(text)
    except (FileNotFoundError, ImportError, ValueError):
        return  # the command's own end is what counts
    if answer["known"]:
        sys.stderr.write("\n" + render(answer, paper(sys.stderr)))
