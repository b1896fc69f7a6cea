"""Extract one feature vector per clip and write them as JSON lines."""

import argparse
import json
import logging
import pathlib

import torch
from modeling_clip_encoder import ClipEncoder, ClipEncoderConfig

logger = logging.getLogger("extract")


def load_model(name, tries=2):
    for attempt in range(1, tries + 1):
        try:
            return ClipEncoder.from_pretrained(name).eval()
        except OSError:
            logger.warning("attempt %d: %s is not readable yet", attempt, name)
    raise FileNotFoundError(name)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="clip-encoder")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("features.jsonl"))
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO)
    torch.manual_seed(6)
    original = ClipEncoder(ClipEncoderConfig()).eval()
    original.save_pretrained(args.model)
    model = load_model(args.model)
    with args.out.open("w") as out, torch.inference_mode():
        for number in range(3):
            clip = torch.randn(1, 4, 12)
            feature = model(clip)[0]
            torch.testing.assert_close(feature, original(clip)[0])
            out.write(json.dumps({"clip": number, "feature": feature.tolist()}) + "\n")
    logger.info("wrote %s", args.out)


if __name__ == "__main__":
    main()
