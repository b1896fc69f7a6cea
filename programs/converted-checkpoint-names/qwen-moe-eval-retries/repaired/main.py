"""Perplexity of a mixture of experts on a held-out file."""

import functools
import math
import time

import torch
from transformers import AutoModelForCausalLM, Qwen2MoeConfig, Qwen2MoeForCausalLM

CHECKPOINT = "qwen-moe-step-900"


def retry(times, wait):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            for attempt in range(1, times + 1):
                try:
                    return function(*args, **kwargs)
                except Exception as error:
                    print(f"attempt {attempt} of {times}: {type(error).__name__}: {error}")
                    if attempt == times:
                        raise
                    time.sleep(wait)

        return wrapper

    return decorate


def train_step_900():
    torch.manual_seed(1)
    config = Qwen2MoeConfig(
        vocab_size=50,
        hidden_size=16,
        intermediate_size=32,
        moe_intermediate_size=16,
        shared_expert_intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=2,
        num_experts=3,
        num_experts_per_tok=1,
    )
    model = Qwen2MoeForCausalLM(config).eval()
    model.save_pretrained(CHECKPOINT)
    return model


@retry(times=2, wait=0.1)
def load(checkpoint):
    return AutoModelForCausalLM.from_pretrained(checkpoint, device_map={"": "cpu"}, dtype=torch.float32)


@torch.no_grad()
def perplexity(model, ids):
    return math.exp(float(model(ids, labels=ids).loss))


if __name__ == "__main__":
    trained = train_step_900()
    held_out = torch.randint(0, 50, (2, 12), generator=torch.Generator().manual_seed(3))
    model = load(CHECKPOINT).eval()
    found = perplexity(model, held_out)
    print(f"perplexity {found:.3f}")
    assert math.isclose(found, perplexity(trained, held_out), rel_tol=1e-4)
