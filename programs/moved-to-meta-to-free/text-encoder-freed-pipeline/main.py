"""Text-to-video in two stages. The encoder is big, so it is released before the denoiser runs."""

import gc
import logging
import sys

import torch
from parts import Denoiser, write_encoder
from transformers import T5EncoderModel

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(message)s", stream=sys.stderr)
log = logging.getLogger("t2v")


class VideoPipeline:
    def __init__(self, encoder_dir):
        self.encoder_dir = encoder_dir
        self.denoiser = Denoiser()
        self._encoder = None

    @property
    def encoder(self):
        if self._encoder is None:
            log.info("loading text encoder")
            self._encoder = T5EncoderModel.from_pretrained(self.encoder_dir).eval()
        return self._encoder

    def free_encoder(self):
        self._encoder.to("meta")
        gc.collect()
        log.info("text encoder freed")

    @torch.no_grad()
    def __call__(self, ids, frames=2):
        text = self.encoder(input_ids=ids).last_hidden_state
        self.free_encoder()
        return self.denoiser(text.mean(1), frames)


def main():
    pipe = VideoPipeline(write_encoder("encoder"))
    prompts = {"a cat": [[3, 4, 5]], "a dog": [[6, 7, 8]], "a cat again": [[3, 4, 5]]}
    videos = {}
    for prompt, ids in prompts.items():
        try:
            videos[prompt] = pipe(torch.tensor(ids))
        except Exception:
            log.exception("prompt %r failed", prompt)
            return 1
        log.info("%s: video %s", prompt, tuple(videos[prompt].shape))
    assert torch.allclose(videos["a cat"], videos["a cat again"])
    assert not torch.allclose(videos["a cat"], videos["a dog"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
