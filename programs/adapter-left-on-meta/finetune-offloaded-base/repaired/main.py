"""train_lora.py: rank-4 adapters on a base that does not fit into memory."""

import argparse
import logging

import torch
from peft import LoraConfig, get_peft_model
from peft.tuners.lora import LoraLayer
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

logger = logging.getLogger("train_lora")


def ensure_base(path):
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=60,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=3,
        num_attention_heads=4,
        num_key_value_heads=4,
    )
    LlamaForCausalLM(config).save_pretrained(path)


def open_base(path):
    device_map = {f"model.layers.{i}": "cpu" if i < 2 else "disk" for i in range(3)}
    rest = ["model.embed_tokens", "model.norm", "model.rotary_emb", "lm_head"]
    device_map.update(dict.fromkeys(rest, "cpu"))
    return AutoModelForCausalLM.from_pretrained(path, device_map=device_map, offload_folder=f"{path}-off")


def batches(n):
    g = torch.Generator().manual_seed(7)
    pattern = torch.randint(0, 60, (1, 6), generator=g)
    for _ in range(n):
        yield pattern.repeat(4, 3)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--base", default="llama-base")
    p.add_argument("--lr", type=float, default=2e-2)
    p.add_argument("--steps", type=int, default=8)
    args = p.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    ensure_base(args.base)
    torch.manual_seed(1)
    model = get_peft_model(open_base(args.base), LoraConfig(r=4, target_modules=["q_proj", "v_proj"]))
    for layer in (m for m in model.modules() if isinstance(m, LoraLayer)):
        if layer.lora_A["default"].weight.is_meta:
            hook = layer.get_base_layer()._hf_hook
            layer.lora_A.to_empty(device=hook.execution_device)
            layer.lora_B.to_empty(device=hook.execution_device)
            layer.reset_lora_parameters("default", True)
    model.print_trainable_parameters()
    optimizer = torch.optim.AdamW([q for q in model.parameters() if q.requires_grad], lr=args.lr)
    history = []
    for step, ids in enumerate(batches(args.steps)):
        loss = model(input_ids=ids, labels=ids).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        history.append(loss.item())
        logger.info("step %d loss %.4f", step, history[-1])
    assert history[-1] < history[0]


if __name__ == "__main__":
    main()
