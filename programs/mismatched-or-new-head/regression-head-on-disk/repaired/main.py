"""Score documents with a value head; the head is placed on disk to spare memory."""

import argparse
import logging
import sys

import torch
from accelerate import dispatch_model
from transformers import AutoConfig, AutoModelForSequenceClassification, GPT2Config, GPT2Model

log = logging.getLogger("scorer")


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--base", default="gpt2-tiny")
    p.add_argument("--offload-dir", default="offload")
    p.add_argument("--docs", type=int, default=3)
    return p.parse_args()


def ensure_base(folder):
    torch.manual_seed(8)
    config = GPT2Config(n_layer=2, n_embd=32, n_head=2, vocab_size=50, n_positions=24)
    GPT2Model(config).save_pretrained(folder)


def load(args):
    config = AutoConfig.from_pretrained(args.base, num_labels=1, pad_token_id=0)
    model = AutoModelForSequenceClassification.from_config(config)
    model.transformer = GPT2Model.from_pretrained(args.base)
    return dispatch_model(model.eval(), {"transformer": "cpu", "score": "disk"}, offload_dir=args.offload_dir)


def score(model, docs):
    g = torch.Generator().manual_seed(1)
    out = []
    for n in range(docs):
        ids = torch.randint(1, 50, (1, 6 + n), generator=g)
        with torch.no_grad():
            out.append(model(input_ids=ids, attention_mask=torch.ones_like(ids)).logits.item())
    return out


def main():
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="[%(levelname)s] %(message)s")
    args = parse()
    ensure_base(args.base)
    model = load(args)
    log.info("model ready: %s", type(model).__name__)
    try:
        scores = score(model, args.docs)
    except Exception:
        log.exception("scoring failed")
        sys.exit(1)
    assert all(abs(s) < 10 for s in scores), scores
    log.info("scores %s", [round(s, 4) for s in scores])


if __name__ == "__main__":
    main()
