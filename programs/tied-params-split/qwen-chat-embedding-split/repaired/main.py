"""Chat with a small tied model; the map comes from a JSON file."""

import argparse
import json
from pathlib import Path

import torch
from accelerate import dispatch_model
from transformers import AutoModelForCausalLM, Qwen2Config, Qwen2ForCausalLM

PLACES = Path("places.json")


def setup(path):
    torch.manual_seed(51)
    config = Qwen2Config(
        vocab_size=72,
        hidden_size=24,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        tie_word_embeddings=True,
    )
    Qwen2ForCausalLM(config).save_pretrained(path)
    PLACES.write_text(json.dumps({"model": "cpu", "lm_head": "disk"}), encoding="utf-8")


def load(path):
    places = json.loads(PLACES.read_text(encoding="utf-8"))
    model = AutoModelForCausalLM.from_pretrained(path)
    return dispatch_model(model, places, offload_dir="spill")


def chat(model, turns):
    history = torch.tensor([[1]])
    for turn in turns:
        history = torch.cat([history, torch.tensor([turn])], dim=1)
        with torch.inference_mode():
            word = model(input_ids=history).logits[0, -1].argmax()
        history = torch.cat([history, word.view(1, 1)], dim=1)
        yield int(word)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="qwen-tied")
    args = parser.parse_args()
    setup(args.model)
    model = load(args.model)
    print(list(chat(model.eval(), [[4, 9], [30], [8, 8, 2]])))


if __name__ == "__main__":
    main()
