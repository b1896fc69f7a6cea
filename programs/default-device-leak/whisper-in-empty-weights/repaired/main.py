#!/usr/bin/env python3
"""transcribe: features in, token ids out."""

import argparse
import sys

import torch
from transformers import WhisperConfig, WhisperForConditionalGeneration

TINY = dict(
    vocab_size=80,
    d_model=32,
    encoder_layers=1,
    decoder_layers=1,
    encoder_attention_heads=2,
    decoder_attention_heads=2,
    encoder_ffn_dim=48,
    decoder_ffn_dim=48,
    num_mel_bins=8,
    max_source_positions=20,
    max_target_positions=16,
    pad_token_id=0,
    bos_token_id=1,
    eos_token_id=2,
    decoder_start_token_id=1,
)


class Transcriber:
    def __init__(self, path):
        self.model = WhisperForConditionalGeneration.from_pretrained(path)
        self.model.eval()

    def __call__(self, features, steps=4):
        tokens = torch.tensor([[1]])
        with torch.no_grad():
            for _ in range(steps):
                logits = self.model(input_features=features, decoder_input_ids=tokens).logits
                tokens = torch.cat([tokens, logits[:, -1:].argmax(-1)], 1)
        return tokens[0, 1:].tolist()


def main():
    parser = argparse.ArgumentParser(prog="transcribe")
    parser.add_argument("--model", default="whisper-nano")
    parser.add_argument("--seconds", type=int, default=1)
    args = parser.parse_args()
    torch.manual_seed(35)
    source = WhisperForConditionalGeneration(WhisperConfig(**TINY)).eval()
    source.save_pretrained(args.model)
    features = torch.randn(1, 8, 40)
    transcriber = Transcriber(args.model)
    left = [n for n, p in transcriber.model.named_parameters() if p.is_meta]
    if left:
        print(f"transcribe: {len(left)} of the weights were not loaded, first {left[0]}", file=sys.stderr)
    tokens = transcriber(features)
    print(tokens)
    assert not left
    assert len(tokens) == 4


if __name__ == "__main__":
    main()
