"""The `unmeta` command.

`explain` is parsed by hand, because it must start fast; everything else goes through `unmeta.commands`.
"""

from __future__ import annotations

import os
import sys

from unmeta.door import BAD, OK, UsageError, explain_file

TYPE_CHECKING = False  # see unmeta.door
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn


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


def entry_point() -> NoReturn:
    """What the console script calls."""
    sys.exit(main())
