"""What scripts find already imported, and what libraries do once a process.

The fork server prepares once, so that a fresh process costs a fork instead of five seconds. A
library that is absent or broken here is left for the script to meet by itself. Nothing may draw
random numbers, start threads or print: children inherit all of it.

`benchmarks/proof/imports.py` tells which imports are still repeated in each child.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

MANY = 20
_COMPILE_CONFIG = "torch._inductor.config"
_COMPILE_THREADS = "TORCHINDUCTOR_COMPILE_THREADS"


@dataclass(frozen=True)
class Ahead:
    """Modules, and the lazily loaded names of them, that scripts import where their text has one of `words`.

    Where many scripts are run, an `often` group pays in any case: libraries import it behind the scenes.
    """

    words: str
    modules: Mapping[str, tuple[str, ...]]
    often: bool = False


GROUPS: Mapping[str, Ahead] = {
    "torch": Ahead(
        "torch|numpy|transformers|accelerate|peft|diffusers",
        {
            "numpy": (),
            "torch": (),
            "torch.nn.functional": (),
            "torch.utils.data": (),
            "torch.distributed": (),
            "torch.utils.serialization.config": (),
            "torch._subclasses": (),
            "torch._subclasses.schema_check_mode": (),
            "safetensors.torch": (),
        },
    ),
    "transformers": Ahead(
        "transformers|accelerate|peft|diffusers",
        {
            "accelerate": (),
            "accelerate.big_modeling": (),
            "accelerate.hooks": (),
            "accelerate.utils": (),
            "transformers": (
                "AutoConfig",
                "AutoModel",
                "AutoModelForCausalLM",
                "AutoTokenizer",
                "AutoImageProcessor",
                "LlamaConfig",
                "LlamaForCausalLM",
                "PreTrainedModel",
                "BertModel",
                "GPT2LMHeadModel",
                "T5ForConditionalGeneration",
            ),
            "transformers.modeling_utils": (),
        },
        often=True,
    ),
    "deepspeed": Ahead("deepspeed|extract_model_from_parallel", {"deepspeed": ()}, often=True),
    "peft": Ahead(
        "peft",
        {
            "peft": ("LoraConfig", "PeftModel"),
            "peft.utils.transformers_weight_conversion": (),
            "transformers": ("BloomForCausalLM",),
        },
    ),
    "diffusers": Ahead(
        "diffusers",
        {
            "diffusers": (
                "DiffusionPipeline",
                "StableDiffusionPipeline",
                "UNet2DConditionModel",
                "AutoencoderKL",
                "DDIMScheduler",
                "EulerDiscreteScheduler",
            ),
            "diffusers.loaders.single_file": (),
        },
    ),
    "training": Ahead(
        r"\bTrainer\b|TrainingArguments", {"transformers": ("Trainer", "TrainingArguments"), "datasets": ()}
    ),
    "pipelines": Ahead(r"\bpipeline\(", {"transformers": ("pipeline",), "transformers.pipelines": ()}),
    "compile": Ahead(
        r"torch\.compile|_dynamo|torch\.export|make_fx|functionalize|FakeTensor",
        {
            _COMPILE_CONFIG: (),
            "torch._dynamo": (),
            "torch._inductor.compile_fx": (),
            "torch.export": (),
            "torch.export._trace": (),
            "torch.fx.experimental.proxy_tensor": (),
            "torch.fx.experimental.validator": (),
            "torch._export.db.logging": (),
            "torch._inductor.compiler_bisector": (),
            "torch._dynamo.backends.inductor": (),
            "torch._dynamo.repro.after_dynamo": (),
        },
    ),
    "sentences": Ahead("sentence_transformers", {"sentence_transformers": ()}),
    "fsdp": Ahead(
        "fsdp|FullyShardedDataParallel|fully_shard|dtensor|distribute_tensor",
        {"torch.distributed.fsdp": (), "torch.distributed.tensor": (), "torch.distributed.checkpoint": ()},
    ),
}
_done: set[str] = set()


def wanted(texts: Iterable[str]) -> tuple[str, ...]:
    """The groups that pay for scripts of these texts."""
    texts = list(texts)
    return tuple(
        name
        for name, group in GROUPS.items()
        if (group.often and len(texts) >= MANY) or any(re.search(group.words, text) for text in texts)
    )


def prepare(groups: Iterable[str]) -> None:
    """Set warnings as a plain `python script.py` has them, and import groups; each once."""
    _once("filters", _filters)
    for name in groups:
        _once(name, lambda name=name: _import(GROUPS[name]))  # type: ignore[misc]
        if name in _FIRST:
            _once(f"first of {name}", _FIRST[name])


def _once(name: str, do: Callable[[], None]) -> None:
    if name not in _done:
        _done.add(name)
        do()


def _filters() -> None:
    """Show what a plain `python script.py` shows, every time instead of once.

    Set before the imports: a library's own filters then come on top, as they do for a reader.
    """
    warnings.resetwarnings()
    warnings.simplefilter("always")
    for hidden in (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning):
        warnings.simplefilter("ignore", hidden)
    warnings.filterwarnings("always", category=DeprecationWarning, module="__main__")


@contextlib.contextmanager
def _no_compile_workers() -> Iterator[None]:
    """Inductor of torch 2.0 and 2.1 starts worker processes on import; a fork would fail at its exit.

    2.1 reads the environment, 2.0 only its configuration, which is imported first.
    """
    before = os.environ.get(_COMPILE_THREADS)
    config: Any = sys.modules.get(_COMPILE_CONFIG)
    threads = getattr(config, "compile_threads", None)
    os.environ[_COMPILE_THREADS] = "1"
    if isinstance(threads, int):
        config.compile_threads = 1
    try:
        yield
    finally:
        if isinstance(threads, int):
            config.compile_threads = threads
        if before is None:
            del os.environ[_COMPILE_THREADS]
        else:
            os.environ[_COMPILE_THREADS] = before


def _import(group: Ahead) -> None:
    for module, names in group.modules.items():
        with contextlib.suppress(Exception), _no_compile_workers():
            loaded: Any = importlib.import_module(module)
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


def _first_load() -> None:
    """The first model that is loaded or saved makes transformers compile the patterns of all model types.

    From 5.0 on; it keeps them for the process, and hands out copies.
    """
    with contextlib.suppress(Exception):
        importlib.import_module("transformers.conversion_mapping").get_checkpoint_conversion_mapping("llama")


_FIRST: Mapping[str, Callable[[], None]] = {"torch": _first_mix, "transformers": _first_load}
"""What a library does once a process, behind the first call of its kind, by the group that imports it."""
