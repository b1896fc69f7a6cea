"""Check that a model was loaded completely, then move it to the GPU."""

import argparse
import sys

import torch
from transformers import AutoModel, BertConfig, BertModel


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="bert")
    parser.add_argument("--device", default="cuda")
    return parser.parse_args()


def check(model):
    on_meta = [n for n, p in model.named_parameters() if p.device.type == "meta"]
    print(f"{len(on_meta)} parameters on meta, {model.num_parameters()} in all")
    if on_meta:
        sys.exit("model is incomplete")


def main():
    args = parse()
    torch.manual_seed(1)
    config = BertConfig(
        vocab_size=50, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32
    )
    BertModel(config).save_pretrained(args.model)
    model = AutoModel.from_pretrained(args.model)
    check(model)
    model.to(args.device)
    ids = torch.tensor([[1, 2, 3]], device=args.device)
    print(model(ids).last_hidden_state.shape)


if __name__ == "__main__":
    main()
