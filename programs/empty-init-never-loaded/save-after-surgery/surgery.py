"""Cut layers out of a decoder."""

from torch import nn


def keep_layers(model, indices):
    model.model.layers = nn.ModuleList(model.model.layers[i] for i in indices)
    for position, layer in enumerate(model.model.layers):
        layer.self_attn.layer_idx = position
    model.config.num_hidden_layers = len(indices)
    if getattr(model.config, "layer_types", None):
        model.config.layer_types = [model.config.layer_types[i] for i in indices]
    return model
