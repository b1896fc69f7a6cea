"""unmeta: the executable field guide to PyTorch meta tensor errors.

`explain(text_or_exception)` ranks the causes of a meta-tensor problem; the command `unmeta` does the same.
Importing this package loads the standard library only.
"""

from __future__ import annotations

TYPE_CHECKING = False  # keeps typing out of the start of every program that imports this package
if TYPE_CHECKING:
    from typing import Any

    from unmeta.match import explain

__all__ = ["__version__", "explain"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name == "explain":
        from unmeta.match import explain

        return explain
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
