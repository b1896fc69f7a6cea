"""Where the parts of the model go."""

from transformers import AutoModelForCausalLM

PLACES = {
    "model.embed_tokens": "cpu",
    "model.rotary_emb": "cpu",
    "model.layers": "disk",
    "model.norm": "cpu",
    "lm_head": "cpu",
}


def load_spread(weights, spill):
    return AutoModelForCausalLM.from_pretrained(weights, device_map=PLACES, offload_folder=spill).eval()
