# ruff: noqa: E501
"""Tiny models of every model type of transformers, built from its default config by one rule of shrinking."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

MOST = 70_000_000
"""Parameters above which a type is left out."""
SIZES: tuple[tuple[str, int], ...] = (
    (r"(^|_)(num|n)_.*(experts_per_tok|topk|top_k)", 2),
    (r"(^|_)(num|n)_.*experts", 4),
    (r"(^|_)(num_|n_)?(\w+_)?(layers?|blocks?|stages)$", 2),
    (r"(key_value|kv)_heads$", 4),
    (r"(^|_)(num|n)?_?(\w+_)?heads?$", 4),
    (r"vocab_size(_\w+)?$", 128),
    (r"(max_position_embeddings|n_positions|max_sequence_length|n_ctx|max_source_positions|max_target_positions)$", 128),
    (r"(intermediate|ffn|feed_forward|ff|inner|mlp)_?(size|dim|hidden_size|proj_dim)$|^d_ff$|^n_inner$", 64),
    (r"(head_dim|d_kv|qk_nope_head_dim|qk_rope_head_dim|v_head_dim|d_head|kv_channels)$", 8),
    (r"(lora_rank)$", 8),
    (r"^(\w+_)?(hidden_size|d_model|n_embd|embed_dim|hidden_dim|embedding_size|embedding_dim|d_embed|dim|width|projection_dim|model_dim|encoder_dim|decoder_dim|entity_embed_dim)$", 32),
    (r"^(image_size|img_size)$", 32),
    (r"^patch_size$", 8),
)  # fmt: skip
LEVELS = (
    lambda name: bool(name),
    lambda name: not re.search(r"head_dim|d_kv|patch_size|image_size|img_size|projection_dim|^dim$|width", name),
    lambda name: bool(re.search(r"layer|vocab|token|intermediate|ffn|experts|position", name)),
    lambda name: bool(re.search(r"layer|vocab|token", name)),
)  # fmt: skip
CLASSES = (
    "MODEL_FOR_CAUSAL_LM_MAPPING_NAMES",
    "MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES",
    "MODEL_FOR_MASKED_LM_MAPPING_NAMES",
    "MODEL_FOR_IMAGE_CLASSIFICATION_MAPPING_NAMES",
    "MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES",
    "MODEL_FOR_SPEECH_SEQ_2_SEQ_MAPPING_NAMES",
    "MODEL_FOR_CTC_MAPPING_NAMES",
    "MODEL_MAPPING_NAMES",
)


def types() -> list[str]:
    """Every model type, sorted."""
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING_NAMES

    return sorted(CONFIG_MAPPING_NAMES)


def class_of(kind: str) -> Any:
    """A class of the type, one with a head where there is one; None without a model."""
    import transformers
    from transformers.models.auto import modeling_auto

    for name in CLASSES:
        found = getattr(modeling_auto, name, {}).get(kind)
        found = found[0] if isinstance(found, tuple) else found
        if found is not None and hasattr(transformers, found):
            return getattr(transformers, found)
    return _own_class(kind)


def _own_class(kind: str) -> Any:
    """A model class beside the config that takes it: parts of larger models stand in no mapping."""
    import importlib

    from transformers import PreTrainedModel
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING

    config_class = CONFIG_MAPPING[kind]
    name = config_class.__module__.replace(".configuration_", ".modeling_")
    try:
        module = importlib.import_module(name)
    except Exception:
        return None
    fitting = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, PreTrainedModel)
        and getattr(value, "config_class", None) is config_class
        and "forward" in vars(value)
    ]
    return fitting[-1] if fitting else None


def shrunk(config: Any, level: int) -> Any:
    """The config made small in place, also in the configs inside; a higher level changes less."""
    from transformers import PretrainedConfig

    before = getattr(config, "num_hidden_layers", None)
    for name, value in list(vars(config).items()):
        if isinstance(value, PretrainedConfig):
            shrunk(value, level)
            continue
        if isinstance(value, bool) or "feat_extract" in name or not LEVELS[level](name):
            continue
        if isinstance(value, int):
            size = next((size for pattern, size in SIZES if re.search(pattern, name)), None)
            if size is not None and value > size:
                _set(config, name, size)
            elif name.endswith(("_token_id", "_token_index", "token_id")) and value > 100:
                _set(config, name, value % 100)
        elif isinstance(value, list) and value and all(type(item) is int for item in value):
            if re.search(r"depths|num_.*layers|num_blocks|layers$", name):
                _set(config, name, [1] * len(value))
            elif re.search(r"hidden_sizes|embed_dims|dims|channels|widths", name) and value[0] > 16:
                _set(config, name, [max(8, item * 16 // value[0]) for item in value])
    layers = getattr(config, "num_hidden_layers", None)
    for name, value in list(vars(config).items()):
        # One item a layer, such as layer_types: keep the first and the last kind.
        if isinstance(value, list) and value and len(value) == before and isinstance(layers, int):
            _set(config, name, [*value[: layers - 1], value[-1]])
    return config


def _set(config: Any, name: str, value: Any) -> None:
    try:
        setattr(config, name, value)
    except Exception:
        return


def built(kind: str) -> Any:
    """A tiny model of a type on the CPU; None where no level of shrinking builds one."""
    import torch
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING

    model_class = class_of(kind)
    if model_class is None:
        return None
    for level in range(len(LEVELS)):
        try:
            config = shrunk(CONFIG_MAPPING[kind](), level)
            if hasattr(config, "validate"):
                config.validate()
            with torch.device("meta"):
                parameters = sum(parameter.numel() for parameter in model_class(config).parameters())
            if parameters > MOST:
                continue
        except Exception as error:
            # Some read values while they are built: then the size is not known before.
            if level > 1 or "meta" not in str(error):
                continue
        try:
            torch.manual_seed(0)
            config = shrunk(CONFIG_MAPPING[kind](), level)
            model = model_class(config)
        except Exception:
            continue
        if sum(parameter.numel() for parameter in model.parameters()) <= MOST:
            return model.eval()
    return None


def inputs(model: Any) -> Iterator[dict[str, Any]]:
    """Inputs to try, in turn, by the names that the model's forward takes."""
    import torch

    names = set(inspect.signature(model.forward).parameters)
    generator = torch.Generator().manual_seed(0)
    ids = torch.randint(3, 90, (2, 12), generator=generator)
    config = model.config
    text: dict[str, Any] = {"input_ids": ids} if "input_ids" in names else {}
    if "decoder_input_ids" in names and getattr(config, "is_encoder_decoder", False):
        text |= {"decoder_input_ids": ids[:, :6]}
    labelled = text | ({"labels": text.get("decoder_input_ids", ids)} if text and "labels" in names else {})
    if text:
        yield labelled
        yield text
    size = _size(config)
    if "pixel_values" in names:
        for edge in dict.fromkeys((size, 32, 64, 224)):
            for more in ({}, text) if text else ({},):
                pixels = torch.rand(2, 3, edge, edge, generator=generator)
                yield {"pixel_values": pixels, **more}
    for name, shape in (
        ("input_values", (2, 1600)),
        ("input_values", (2, 1, 1600)),
        ("input_features", (2, 80, 100)),
        ("input_features", (2, 100, 80)),
        ("past_values", (2, 64, 1)),
    ):
        if name in names:
            extra = {"decoder_input_ids": ids[:, :6]} if "decoder_input_ids" in names else {}
            yield {name: torch.rand(*shape, generator=generator), **extra}


def _size(config: Any) -> int:
    for holder in (config, getattr(config, "vision_config", None)):
        size = getattr(holder, "image_size", None)
        size = size[0] if isinstance(size, (list, tuple)) and size else size
        if isinstance(size, int):
            return min(size, 224)
    return 32
