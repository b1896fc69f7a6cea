"""Entries by the names that people have for them: ids, former ids, addresses, files."""

from __future__ import annotations

import re
import sys

from unmeta.cli.door import UsageError

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    from typing import Any

    from unmeta.kb.entries import Entries

ADDRESS = re.compile(r"(?:.*/)?(?:e|causes|symptoms|facts|snippets|notebooks|files)/([\w-]+)\b.*", re.DOTALL)


ANSWER = re.compile(r"#answer=([\w-]+)")
"""A link to an answer names its causes, the likeliest first."""


def entries() -> Entries:
    """All entries as they are compiled. Raises UsageError where they cannot be read."""
    from unmeta.match.entries import load

    try:
        found = load()
    except (OSError, ImportError, ValueError) as error:
        raise UsageError(f"the entries cannot be read: {error}") from error
    if found.outdated:
        print(f"unmeta: shown as it was before the last change: {found.outdated}", file=sys.stderr)
    return found


def plain(name: str) -> str:
    """The id in whatever names an entry: capitals, an address of the site, a file of the checkout."""
    name = name.strip()
    found = ANSWER.search(name) or ADDRESS.fullmatch(name)
    name = found[1] if found else name.removesuffix(".yaml")
    return name.lower().replace("_", "-").replace(" ", "-")


def entry(name: str) -> dict[str, Any]:
    """The entry of that name. Raises UsageError with the nearest names where there is none."""
    known = entries()
    wanted = plain(name)
    if wanted in known:
        return known[wanted]
    near = nearest(wanted, known)
    hint = f"did you mean {near}?" if near else f'`unmeta explain "{name}"` looks for its words'
    raise UsageError(f"nothing is called {name!r}; {hint}")


def nearest(word: str, known: Any) -> str:
    """The known names that a mistyped one may stand for, as words of a sentence; empty where none is near."""
    import difflib

    names = list(known)
    near = difflib.get_close_matches(word, names, 3, 0.6)
    parts = {part for part in word.split("-") if len(part) > 3}
    near += [name for name in names if parts and parts <= set(name.split("-")) and name not in near][:3]
    return ", ".join(near[:3])
