"""The functions that a pasted traceback passes through."""

from __future__ import annotations

from unmeta.match import matcher


def library_functions(text: str) -> list[str]:
    """Functions of libraries as `package.module:function`, innermost last, each once."""
    found = [
        f"{frame.module.replace('/', '.')}:{frame.function}"
        for frame in matcher().reader.read(text).frames
        if frame.module and not frame.user
    ]
    return list(dict.fromkeys(found))
