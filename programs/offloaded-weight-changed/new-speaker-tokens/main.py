"""Add speaker tokens to a GPT-2 based speech model and continue a sentence."""

import dataclasses
import logging
import sys
import tempfile

import torch
from accelerate import dispatch_model
from transformers import GPT2Config, GPT2LMHeadModel

log = logging.getLogger("speakers")


@dataclasses.dataclass
class Options:
    speakers: int = 4
    base_vocab: int = 60
    seed: int = 13
    where: tuple = (
        ("transformer.wte", "disk"),
        ("transformer.wpe", "cpu"),
        ("transformer.drop", "cpu"),
        ("transformer.h", "cpu"),
        ("transformer.ln_f", "cpu"),
        ("lm_head", "cpu"),
    )


def base(options):
    torch.manual_seed(options.seed)
    config = GPT2Config(
        n_layer=2,
        n_embd=32,
        n_head=2,
        vocab_size=options.base_vocab,
        n_positions=32,
        tie_word_embeddings=False,
    )
    return GPT2LMHeadModel(config).eval()


def place(model, options):
    folder = tempfile.mkdtemp(prefix="speakers-", dir=".")
    return dispatch_model(model, dict(options.where), main_device="cpu", offload_dir=folder)


def add_speakers(model, options):
    model.resize_token_embeddings(options.base_vocab + options.speakers, mean_resizing=False)
    log.info("vocabulary is now %d", model.config.vocab_size)
    return model


def build(options):
    model = base(options)
    model = place(model, options)
    return add_speakers(model, options)


def main():
    logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    options = Options()
    try:
        model = build(options)
        ids = torch.tensor([[options.base_vocab, 4, 5, 6]])
        with torch.no_grad():
            logits = model(ids).logits
    except ValueError as e:
        log.error("speaker tokens unusable: %s", e)
        return 2
    assert logits.shape[-1] == options.base_vocab + options.speakers
    assert logits.isfinite().all()
    log.info("ok")
    return 0


if __name__ == "__main__":
    sys.exit(main())
