"""bench.py: median latency of a forward pass, `python bench.py --path ckpt --device cpu`."""

import argparse
import statistics
import time

import torch
from transformers import AutoModelForCausalLM, Qwen2Config, Qwen2ForCausalLM


def write_demo(path):
    cfg = Qwen2Config(
        vocab_size=64,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=64,
    )
    Qwen2ForCausalLM(cfg).save_pretrained(path)


def load(path, device):
    model = AutoModelForCausalLM.from_pretrained(path)
    model.to(device)
    return model.eval()


def bench(model, device, warmup, runs):
    ids = torch.randint(0, 64, (1, 32), device=device)
    times = []
    with torch.inference_mode():
        for i in range(warmup + runs):
            start = time.perf_counter()
            logits = model(ids).logits
            if i >= warmup:
                times.append(time.perf_counter() - start)
    assert torch.isfinite(logits).all()
    return statistics.median(times)


def cli():
    p = argparse.ArgumentParser()
    p.add_argument("--path", default="ckpt")
    p.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    p.add_argument("--warmup", type=int, default=1)
    p.add_argument("--runs", type=int, default=3)
    args = p.parse_args()
    torch.manual_seed(0)
    write_demo(args.path)
    print(f"loading {args.path} on {args.device} ...")
    model = load(args.path, args.device)
    print(f"{bench(model, args.device, args.warmup, args.runs) * 1e3:.2f} ms")


if __name__ == "__main__":
    cli()
