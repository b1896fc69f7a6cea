"""write.py: continues a text with the vendored model."""

import sys
from pathlib import Path

import torch
from vendored import PortConfig, PortedGPT

ALPHABET = "abcdefghijklmnop"


def published(folder):
    torch.manual_seed(33)
    model = PortedGPT(PortConfig(vocab_size=len(ALPHABET), width=8))
    for name, parameter in model.named_parameters():
        if not name.endswith("bias"):
            torch.nn.init.orthogonal_(parameter)
    model.save_pretrained(folder)
    return model.eval()


def load(folder):
    model = PortedGPT.from_pretrained(folder)
    model.eval()
    return model


@torch.inference_mode()
def write(model, text, length):
    for _ in range(length):
        ids = torch.tensor([ALPHABET.index(letter) for letter in text])
        text += ALPHABET[int(model(ids)[-1].argmax())]
    return text


def main():
    folder = Path("port")
    original = published(folder)
    length = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    text = write(load(folder), "fade", length)
    print(text)
    assert text == write(original, "fade", length)


if __name__ == "__main__":
    main()
