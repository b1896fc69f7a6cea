"""What Python remembers of warnings that this process has shown. Standard library only.

A module keeps the text of each warning that was shown once in `__warningregistry__`, so that it is not shown
again; under `-W always` and `-W error` nothing is kept.
"""

from __future__ import annotations

import re
import sys
from types import ModuleType

_NO_OP = re.compile(r"for (\S+): copying from a non-meta parameter")


def copied_in_vain() -> frozenset[str]:
    """Keys of which torch has warned that load_state_dict() copied them into a meta tensor: a no-op."""
    found = set()
    for module in list(sys.modules.values()):
        registry = vars(module).get("__warningregistry__") if isinstance(module, ModuleType) else None
        for entry in list(registry or ()):
            text = str(entry[0]) if isinstance(entry, tuple) and entry else ""
            match = _NO_OP.match(text)
            if match is not None:
                found.add(match.group(1))
    return frozenset(found)
