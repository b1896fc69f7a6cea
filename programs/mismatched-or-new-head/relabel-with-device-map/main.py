"""Retarget a topic classifier to the labels of a new customer."""

import argparse
import json
import logging

import torch
from transformers import AutoModelForSequenceClassification, BertConfig, BertForSequenceClassification

log = logging.getLogger("retarget")


def vendor_model(path):
    torch.manual_seed(21)
    config = BertConfig(
        vocab_size=50,
        hidden_size=24,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=16,
        num_labels=7,
    )
    BertForSequenceClassification(config).save_pretrained(path)


def load(path, labels):
    return AutoModelForSequenceClassification.from_pretrained(
        path,
        num_labels=len(labels),
        ignore_mismatched_sizes=True,
        device_map={"": "cpu"},
    )


def finetune(model, steps=4):
    ids = torch.randint(1, 50, (6, 8), generator=torch.Generator().manual_seed(0))
    target = torch.arange(6) % model.num_labels
    opt = torch.optim.AdamW(model.parameters(), lr=5e-3)
    model.train()
    for _ in range(steps):
        loss = model(input_ids=ids, labels=target).loss
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--vendor", default="vendor-topics")
    ap.add_argument("--labels", nargs="+", default=["billing", "delivery", "praise"])
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    vendor_model(args.vendor)
    torch.manual_seed(1)
    model = load(args.vendor, args.labels)
    loss = finetune(model)
    log.info("loss after tuning %.4f", loss)
    with torch.no_grad():
        probs = model.eval()(input_ids=torch.tensor([[1, 2, 3]])).logits.softmax(-1)[0]
    assert len(probs) == len(args.labels)
    print(json.dumps(dict(zip(args.labels, [round(p, 3) for p in probs.tolist()]))))


if __name__ == "__main__":
    main()
