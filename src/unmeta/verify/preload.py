"""What every snippet finds already imported.

The fork server prepares once, so that a fresh process costs a fork instead of five seconds. A
library that is absent or broken here is left for the snippet to meet by itself. Nothing may draw
random numbers, start threads or print: children inherit all of it.

With UNMETA_BARE set nothing is imported ahead: right for snippets that use no library, as in tests.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import warnings

# Modules and the lazily loaded names that most snippets touch first.
_WANTED: dict[str, tuple[str, ...]] = {
    "numpy": (),
    "torch": (),
    "torch.nn.functional": (),
    "torch.utils.data": (),
    "torch.distributed": (),
    "torch._subclasses": (),
    "safetensors.torch": (),
    "accelerate": (),
    "accelerate.big_modeling": (),
    "accelerate.hooks": (),
    "transformers": (
        "AutoConfig",
        "AutoModel",
        "AutoModelForCausalLM",
        "LlamaConfig",
        "LlamaForCausalLM",
        "PreTrainedModel",
    ),
    "transformers.modeling_utils": (),
}


def _filters() -> None:
    """Show what a plain `python script.py` shows, every time instead of once.

    Set before the imports: a library's own filters then come on top, as they do for a reader.
    """
    warnings.resetwarnings()
    warnings.simplefilter("always")
    for hidden in (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning):
        warnings.simplefilter("ignore", hidden)
    warnings.filterwarnings("always", category=DeprecationWarning, module="__main__")


def _import_all() -> None:
    for module, names in _WANTED.items():
        with contextlib.suppress(Exception):
            loaded = importlib.import_module(module)
            if module == "torch":
                # Threads do not survive a fork; one thread means that none is started.
                loaded.set_num_threads(1)
            for name in names:
                with contextlib.suppress(Exception):
                    getattr(loaded, name)


def _first_mix() -> None:
    """The first operation on a meta tensor makes torch load its meta registrations: about a second."""
    with contextlib.suppress(Exception):
        torch = importlib.import_module("torch")
        with contextlib.suppress(Exception):
            torch.ones(1) + torch.ones(1, device="meta")
        with contextlib.suppress(Exception):
            torch.nn.Linear(1, 1, device="meta")(torch.ones(1, 1, device="meta"))


_done: set[str] = set()


def prepare(wanted: bool = True) -> None:
    """Set warnings as a plain `python script.py` has them and, where `wanted`, import; each once."""
    if "filters" not in _done:
        _filters()
    if wanted and "imports" not in _done and not os.environ.get("UNMETA_BARE"):
        _import_all()
        _first_mix()
        _done.add("imports")
    _done.add("filters")
