"""eval.py - loss of a checkpoint on a token file."""

import argparse
import json
import logging
from pathlib import Path

import torch
from accelerate import init_empty_weights, load_checkpoint_and_dispatch
from accelerate.utils import calculate_maximum_sizes
from transformers import AutoConfig, AutoModelForCausalLM, OPTConfig, OPTForCausalLM

log = logging.getLogger("eval")


def demo(path):
    torch.manual_seed(37)
    config = OPTConfig(
        vocab_size=72,
        hidden_size=24,
        ffn_dim=48,
        num_hidden_layers=2,
        num_attention_heads=2,
        max_position_embeddings=48,
        word_embed_proj_dim=24,
        tie_word_embeddings=False,
    )
    OPTForCausalLM(config).save_pretrained(path)
    Path("tokens.json").write_text(json.dumps(torch.randint(3, 72, (4, 20)).tolist()))


def build(path):
    config = AutoConfig.from_pretrained(path)
    with init_empty_weights():
        model = AutoModelForCausalLM.from_config(config)
    total, (largest, names) = calculate_maximum_sizes(model)
    log.info("model takes %d bytes, largest layer %s with %d", total, names, largest)
    return load_checkpoint_and_dispatch(model, path, device_map={"": "cpu"})


@torch.no_grad()
def evaluate(model, rows):
    model.eval()
    losses = [model(input_ids=torch.tensor([row]), labels=torch.tensor([row])).loss for row in rows]
    return sum(loss.item() for loss in losses) / len(losses)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="opt-nano")
    parser.add_argument("--tokens", default="tokens.json")
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s | %(message)s")
    demo(args.model)
    model = build(args.model)
    loss = evaluate(model, json.loads(Path(args.tokens).read_text()))
    log.info("loss %.4f", loss)
    plain = AutoModelForCausalLM.from_pretrained(args.model)
    assert abs(loss - evaluate(plain, json.loads(Path(args.tokens).read_text()))) < 1e-4


if __name__ == "__main__":
    main()
