"""Where the parts of the model go."""

from accelerate import init_empty_weights, load_checkpoint_and_dispatch
from transformers import AutoConfig, AutoModelForCausalLM

PLACES = {
    "model.embed_tokens": "cpu",
    "model.rotary_emb": "cpu",
    "model.layers": "disk",
    "model.norm": "cpu",
    "lm_head": "cpu",
}


def load_spread(weights, spill):
    config = AutoConfig.from_pretrained(weights)
    with init_empty_weights():
        net = AutoModelForCausalLM.from_config(config)
    net.tie_weights()
    return load_checkpoint_and_dispatch(net, str(weights), device_map=PLACES, offload_folder=spill).eval()
