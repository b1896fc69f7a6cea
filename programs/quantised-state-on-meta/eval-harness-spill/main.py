"""harness.py: runs tasks over a model; between tasks the model lies on disk."""

import argparse
import shutil

import torch
from spilling import spill
from transformers import AutoModelForCausalLM, BitsAndBytesConfig, LlamaConfig, LlamaForCausalLM

TASKS = {"copy": [[5, 5, 5]], "count": [[1, 2, 3, 4]]}


def load(folder, bits, device):
    quantised = BitsAndBytesConfig(load_in_4bit=bits == 4, bnb_4bit_compute_dtype=torch.float32)
    return AutoModelForCausalLM.from_pretrained(
        folder, quantization_config=quantised, device_map=device
    ).eval()


def evaluate(model, device):
    results = {}
    for task, rows in TASKS.items():
        with torch.no_grad():
            logits = model(torch.tensor(rows, device=device)).logits
        results[task] = round(float(logits[0, -1].max()), 4)
    return results


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bits", type=int, default=4)
    args = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(19)
    config = LlamaConfig(
        vocab_size=48, hidden_size=64, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2
    )
    LlamaForCausalLM(config).save_pretrained("candidate")
    model = load("candidate", args.bits, device)
    resident = evaluate(model, device)
    spill(model, "spilled", device)
    spilled = evaluate(model, device)
    shutil.rmtree("spilled", ignore_errors=True)
    print(resident, spilled)
    assert resident == spilled


if __name__ == "__main__":
    main()
