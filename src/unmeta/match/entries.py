"""The compiled entries in the one order of causes; light, for what readers start."""

from __future__ import annotations

from unmeta.kb import entries

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any


def load() -> entries.Entries:
    """Entries by name, in a checkout compiled anew after a change. Raises as `unmeta.kb.entries.load`."""
    return entries.load(_compiled)


def _compiled(root: Path) -> dict[str, Any]:
    from unmeta.match.likely import entries_of

    return entries_of(root)
