"""Load a language model for tensor parallel generation without holding it twice."""

import argparse
import os
import sys

import torch
import torch.distributed as dist
from safetensors.torch import load_file, save_file
from torch.distributed.checkpoint.state_dict import StateDictOptions, set_model_state_dict
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module
from transformers import LlamaConfig, LlamaForCausalLM

PLAN = {
    "mlp.gate_proj": ColwiseParallel(),
    "mlp.up_proj": ColwiseParallel(),
    "mlp.down_proj": RowwiseParallel(),
}


def config():
    return LlamaConfig(
        vocab_size=64, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4
    )


def reference(path):
    torch.manual_seed(17)
    model = LlamaForCausalLM(config()).eval()
    save_file({name: value.clone() for name, value in model.state_dict().items()}, path)
    return model


def load_parallel(path, device):
    mesh = init_device_mesh(device, (dist.get_world_size(),))
    with torch.device("meta"):
        model = LlamaForCausalLM(config())
    for layer in model.model.layers:
        parallelize_module(layer, mesh, PLAN)
    rotary = type(model.model.rotary_emb)(config())  # its buffer is computed, not stored
    model.to_empty(device=device)
    model.model.rotary_emb = rotary
    set_model_state_dict(model, load_file(path), options=StateDictOptions(full_state_dict=True))
    return model.eval()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", default="llama.safetensors")
    parser.add_argument("--device", default="cpu")
    args = parser.parse_args()
    dist.init_process_group("gloo")
    expected = reference(args.weights)
    model = load_parallel(args.weights, args.device)
    ids = torch.arange(10)[None]
    with torch.no_grad():
        same = torch.allclose(model(ids).logits, expected(ids).logits, atol=1e-5)
    print(f"rank {os.environ['RANK']}: same logits: {same}")
    dist.destroy_process_group()
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
