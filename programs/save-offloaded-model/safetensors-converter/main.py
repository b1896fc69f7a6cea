"""Convert a checkpoint to a single file: convert.py SOURCE TARGET [--keep LAYERS]"""

import argparse

import torch
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM, CohereConfig, CohereForCausalLM


def example(path):
    torch.manual_seed(30)
    sizes = {"hidden_size": 32, "intermediate_size": 64, "num_attention_heads": 4, "num_key_value_heads": 4}
    config = CohereConfig(
        vocab_size=66, num_hidden_layers=2, pad_token_id=0, bos_token_id=1, eos_token_id=2, **sizes
    )
    model = CohereForCausalLM(config)
    model.save_pretrained(path)
    return model.state_dict()


def open_source(path, keep):
    device_map = dict.fromkeys(("model.embed_tokens", "model.norm", "model.rotary_emb", "lm_head"), "cpu")
    for i in range(2):
        device_map[f"model.layers.{i}"] = "cpu" if i < keep else "disk"
    return AutoModelForCausalLM.from_pretrained(path, device_map=device_map, offload_folder=path + ".tmp")


def convert(source, target, keep):
    model = open_source(source, keep)
    state = model.state_dict()
    seen, tensors = set(), {}
    for name, tensor in state.items():
        key = (tensor.data_ptr(), tensor.shape)
        if tensor.data_ptr() and key in seen:
            continue  # a tied tensor is written once
        seen.add(key)
        tensors[name] = tensor.contiguous()
    save_file(tensors, target, metadata={"format": "pt", "source": source})
    return len(tensors)


if __name__ == "__main__":
    cli = argparse.ArgumentParser(description=__doc__)
    cli.add_argument("source", nargs="?", default="cohere")
    cli.add_argument("target", nargs="?", default="cohere.safetensors")
    cli.add_argument("--keep", type=int, default=1)
    options = cli.parse_args()
    truth = example(options.source)
    print(convert(options.source, options.target, options.keep), "tensors written")
    for name, tensor in load_file(options.target).items():
        assert torch.equal(tensor, truth[name]), name
