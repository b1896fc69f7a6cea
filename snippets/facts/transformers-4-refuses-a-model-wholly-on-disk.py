"""Load a model wholly on disk with transformers 4, by the map and by too little memory."""

from transformers import LlamaConfig, LlamaForCausalLM

sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
LlamaForCausalLM(LlamaConfig(vocab_size=128, **sizes)).save_pretrained("model")

told = []
for places in ({"device_map": {"": "disk"}}, {"device_map": "auto", "max_memory": {"cpu": 0}}):
    try:
        LlamaForCausalLM.from_pretrained("model", offload_folder="offload", **places)
    except Exception as error:
        told.append(str(error))
refusals = (
    "device disk is invalid",
    "You are trying to offload the whole model to the disk. Please use the `disk_offload` function instead.",
)
assert len(told) == 2
assert all(text in refusals for text in told)
