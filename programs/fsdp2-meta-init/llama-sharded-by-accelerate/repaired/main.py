"""Sharded perplexity of a Llama checkpoint."""

import argparse
import os

import torch
import torch.distributed as dist
from accelerate import init_empty_weights
from safetensors.torch import load_file
from torch.distributed.checkpoint.state_dict import StateDictOptions, set_model_state_dict
from torch.distributed.fsdp import fully_shard
from transformers import AutoConfig, LlamaConfig, LlamaForCausalLM


def write(path):
    torch.manual_seed(63)
    config = LlamaConfig(
        vocab_size=64,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=4,
    )
    model = LlamaForCausalLM(config).eval()
    model.save_pretrained(path)
    return model


def load_sharded(path):
    config = AutoConfig.from_pretrained(path)
    with init_empty_weights(include_buffers=False):
        model = LlamaForCausalLM(config)
    for layer in model.model.layers:
        fully_shard(layer)
    fully_shard(model)
    buffers = {name: buffer.clone() for name, buffer in model.named_buffers()}
    model.to_empty(device="cpu")
    for name, buffer in model.named_buffers():
        buffer.copy_(buffers[name])
    weights = load_file(f"{path}/model.safetensors")
    set_model_state_dict(model, weights, options=StateDictOptions(full_state_dict=True))
    return model


def perplexity(model, ids):
    with torch.no_grad():
        logits = model(input_ids=ids).logits[:, :-1]
    return torch.nn.functional.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten()).exp().item()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default=f"llama-{os.environ['RANK']}")
    args = parser.parse_args()
    plain = write(args.model)
    dist.init_process_group("gloo")
    ids = torch.randint(0, 64, (2, 16), generator=torch.Generator().manual_seed(1))
    model = load_sharded(args.model)
    value, expected = perplexity(model, ids), perplexity(plain, ids)
    print(f"rank {dist.get_rank()}: perplexity {value:.4f}, unsharded {expected:.4f}", flush=True)
    dist.barrier()
    dist.destroy_process_group()
    assert abs(value - expected) < 1e-2
