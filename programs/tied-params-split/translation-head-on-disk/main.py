"""Translate token ids with T5 on a machine with little memory."""

import logging
import tempfile

import torch
from transformers import AutoModelForSeq2SeqLM, T5Config, T5ForConditionalGeneration

log = logging.getLogger("translate")


def checkpoint(path):
    torch.manual_seed(35)
    config = T5Config(
        vocab_size=90,
        d_model=24,
        d_kv=12,
        d_ff=32,
        num_layers=2,
        num_heads=2,
        decoder_start_token_id=0,
        tie_word_embeddings=True,
    )
    T5ForConditionalGeneration(config).save_pretrained(path)
    return path


def placement():
    return {"shared": "cpu", "encoder": "cpu", "decoder": "cpu", "lm_head": "disk"}


class Translator:
    def __init__(self, path):
        self.spill = tempfile.TemporaryDirectory()
        self.model = AutoModelForSeq2SeqLM.from_pretrained(
            path, device_map=placement(), offload_folder=self.spill.name
        ).eval()

    @torch.no_grad()
    def __call__(self, ids, length=5):
        out = torch.zeros(1, 1, dtype=torch.long)
        for _ in range(length):
            step = self.model(input_ids=ids, decoder_input_ids=out).logits[:, -1:]
            out = torch.cat([out, step.argmax(-1)], dim=1)
        return out[0, 1:].tolist()


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s %(message)s")
    translate = Translator(checkpoint("t5-tied"))
    words = translate(torch.tensor([[5, 17, 42, 1]]))
    log.info("translated to %s", words)
    assert len(words) == 5
