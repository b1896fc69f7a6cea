"""The reader's own versions, as installed, without importing what is installed."""

from __future__ import annotations

import os
import re
import sys

TOLD = ("torch", "transformers", "accelerate")
_INFO = re.compile(rf"({'|'.join(TOLD)})-([^-]+)\.(?:dist|egg)-info", re.IGNORECASE)


def installed() -> dict[str, str]:
    """Versions by package, the first on the path of each.

    What `importlib.metadata` would say, by the names of its folders: importing that takes longer than most
    pastes take to explain.
    """
    found: dict[str, str] = {}
    for folder in sys.path:
        try:
            names = os.listdir(folder or ".")
        except OSError:
            continue
        for name in names:
            if told := _INFO.fullmatch(name):
                found.setdefault(told[1].lower(), told[2])
    return found
