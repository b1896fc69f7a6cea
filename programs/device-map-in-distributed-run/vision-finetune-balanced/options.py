"""Loading options that all our scripts share."""

import os

INFERENCE = {
    "device_map": {"classifier": "cpu"},
    "offload_folder": f"offload-{os.environ.get('RANK', 0)}",
}


def loading(model_class, training=False):
    options = {**INFERENCE, "device_map": dict(INFERENCE["device_map"])}
    for name in ("embeddings", "encoder", "layers", "layernorm"):
        options["device_map"][f"vit.{name}"] = "disk" if name == "embeddings" else "cpu"
    return options
