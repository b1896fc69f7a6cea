"""unmeta: the executable field guide to PyTorch meta tensor errors.

`explain(text_or_exception)` ranks the causes of a meta-tensor problem; the command `unmeta` does the same.
In your own process: `doctor(model)` names every tensor on meta and why, `strict()` makes silent failures
loud, `fits(model)` tells before loading what would be offloaded, `install()` adds a note to meta errors.
Importing this package loads the standard library only.
"""

from __future__ import annotations

TYPE_CHECKING = False  # keeps typing out of the start of every program that imports this package
if TYPE_CHECKING:
    from typing import Any

    from unmeta.live.doctor import doctor
    from unmeta.live.explaining import explain
    from unmeta.live.fits import fits
    from unmeta.live.notes import install, uninstall
    from unmeta.live.patched import unpatch
    from unmeta.live.strict import StrictError, filled, strict, uninitialised
    from unmeta.live.training import before_saving, trainer_callback

__all__ = [
    "StrictError",
    "__version__",
    "before_saving",
    "doctor",
    "explain",
    "filled",
    "fits",
    "install",
    "strict",
    "trainer_callback",
    "uninitialised",
    "uninstall",
    "unpatch",
]
__version__ = "0.1.0"

_HOMES = {
    "StrictError": "strict",
    "before_saving": "training",
    "doctor": "doctor",
    "explain": "explaining",
    "filled": "strict",
    "fits": "fits",
    "install": "notes",
    "load_ipython_extension": "notes",
    "strict": "strict",
    "trainer_callback": "training",
    "uninitialised": "strict",
    "uninstall": "notes",
    "unload_ipython_extension": "notes",
    "unpatch": "patched",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(f"unmeta.live.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
