"""Serve a fine-tuned sentiment model."""

import argparse
import logging

import torch
from transformers import BertConfig, BertForSequenceClassification

log = logging.getLogger("serve")


def config():
    return BertConfig(
        vocab_size=40,
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=24,
        max_position_embeddings=16,
    )


def training_output(path):
    torch.manual_seed(0)
    model = BertForSequenceClassification(config())
    torch.save({f"model.{k}": v for k, v in model.state_dict().items()}, path)


def load(path, device):
    model = BertForSequenceClassification(config())
    model.load_state_dict(torch.load(path, map_location="cpu", weights_only=True))
    return model.to(device).eval()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--weights", default="sentiment.pt")
    ap.add_argument("--device", default="cpu")
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO)
    training_output(args.weights)
    model = load(args.weights, args.device)
    log.info("logits %s", model(torch.tensor([[1, 2, 3]])).logits.tolist())


if __name__ == "__main__":
    main()
