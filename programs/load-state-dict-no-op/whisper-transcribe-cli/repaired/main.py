"""transcribe.py: greedy decoding with a tiny Whisper."""

import argparse
import logging
import time
from contextlib import contextmanager

import torch
from accelerate import init_empty_weights
from transformers import WhisperConfig, WhisperForConditionalGeneration

logger = logging.getLogger("transcribe")
CONFIG = WhisperConfig(
    vocab_size=60,
    num_mel_bins=8,
    d_model=16,
    encoder_layers=1,
    decoder_layers=1,
    encoder_attention_heads=2,
    decoder_attention_heads=2,
    encoder_ffn_dim=32,
    decoder_ffn_dim=32,
    max_source_positions=20,
    max_target_positions=16,
    pad_token_id=0,
    bos_token_id=1,
    eos_token_id=2,
    decoder_start_token_id=3,
)


@contextmanager
def timed(what):
    t = time.perf_counter()
    yield
    logger.info("%s took %.2fs", what, time.perf_counter() - t)


def download(path):
    torch.manual_seed(23)
    torch.save(WhisperForConditionalGeneration(CONFIG).state_dict(), path)


def load(path):
    with timed("building"), init_empty_weights():
        model = WhisperForConditionalGeneration(CONFIG)
    with timed("loading"):
        state = torch.load(path, weights_only=True)
        model.load_state_dict(state, assign=True)
        model.tie_weights()
    return model.eval()


@torch.no_grad()
def transcribe(model, mel, length):
    tokens = [3]
    encoded = model.model.encoder(mel).last_hidden_state
    for _ in range(length):
        ids = torch.tensor([tokens])
        out = model.model.decoder(input_ids=ids, encoder_hidden_states=encoded).last_hidden_state
        tokens.append(int(model.proj_out(out[0, -1]).argmax()))
    return tokens


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--weights", default="whisper.pt")
    ap.add_argument("--length", type=int, default=5)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    download(args.weights)
    model = load(args.weights)
    mel = torch.randn(1, 8, 40, generator=torch.Generator().manual_seed(1))
    with timed("decoding"):
        tokens = transcribe(model, mel, args.length)
    print(tokens)
    torch.manual_seed(23)
    assert tokens == transcribe(WhisperForConditionalGeneration(CONFIG).eval(), mel, args.length)


if __name__ == "__main__":
    main()
