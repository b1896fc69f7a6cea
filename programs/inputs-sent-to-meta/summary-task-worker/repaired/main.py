import logging
import sys

import tasks
import torch
from transformers import AutoModelForCausalLM, StableLmConfig, StableLmForCausalLM

PATH = "stable-nano"


def write():
    torch.manual_seed(30)
    config = StableLmConfig(
        vocab_size=64,
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=64,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=2,
    )
    StableLmForCausalLM(config).save_pretrained(PATH)


def load():
    device_map = {
        "model.embed_tokens": "cpu",
        "model.layers.0": "cpu",
        "model.layers.1": "disk",
        "model.norm": "cpu",
        "model.rotary_emb": "cpu",
        "lm_head": "cpu",
    }
    return AutoModelForCausalLM.from_pretrained(PATH, device_map=device_map, offload_folder="parts").eval()


@tasks.task(retries=2)
def summarise(model, ids):
    prompt = torch.tensor([ids], device=model.device)
    mask = torch.ones_like(prompt)
    out = model.generate(prompt, attention_mask=mask, max_new_tokens=5, min_new_tokens=5, do_sample=False)
    return out[0, len(ids) :].tolist()


def main():
    logging.basicConfig(level=logging.INFO, format="[%(asctime)s: %(levelname)s/MainProcess] %(message)s")
    write()
    model = load()
    for number, ids in enumerate(([5, 6, 7], [9, 9, 4, 3])):
        summarise(f"job-{number}", model, ids)
    print(tasks.RESULTS)
    return any(state != "SUCCESS" or len(value) != 5 for state, value in tasks.RESULTS.values())


if __name__ == "__main__":
    sys.exit(main())
