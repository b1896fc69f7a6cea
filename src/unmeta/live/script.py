"""Run a script in this process as `python SCRIPT` would, and keep what it leaves."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any


class ScriptError(ValueError):
    """A script that cannot be read or compiled."""


def run_script(words: Sequence[str]) -> tuple[dict[str, Any], BaseException | None]:
    """The script's variables, and the exception that ended it, without our own frames; also SystemExit.

    `words` are the script and its arguments. Raises ScriptError.
    """
    import os
    import tokenize
    import types

    path = words[0]
    try:
        with tokenize.open(path) as file:
            source = file.read()
    except (OSError, SyntaxError, UnicodeError) as error:
        raise ScriptError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from error
    main = types.ModuleType("__main__")
    main.__dict__.update(__file__=path, __builtins__=__builtins__)
    sys.modules["__main__"] = main
    sys.argv = list(words)
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    try:
        exec(compile(source, path, "exec", dont_inherit=True), main.__dict__)
    except BaseException as error:
        trace = error.__traceback__  # its first frame is ours
        return main.__dict__, error.with_traceback(trace.tb_next if trace is not None else None)
    return main.__dict__, None
