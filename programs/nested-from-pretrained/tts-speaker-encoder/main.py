"""Clone a voice: speaker vector from reference audio, then a spectrogram."""

import argparse
import logging
import sys

import torch
from voice import Voice, publish

log = logging.getLogger("voice")


class Studio:
    def __init__(self, release):
        log.info("opening %s", release)
        self.model = Voice.from_pretrained(release).eval()

    @torch.inference_mode()
    def clone(self, reference, phones):
        vector = self.model.speaker_vector(reference)
        return self.model.speak(phones, vector)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--release", default="voice-release")
    args = ap.parse_args()
    logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(levelname)s|%(name)s|%(message)s")
    original = publish(args.release)
    try:
        studio = Studio(args.release)
    except NotImplementedError:
        log.critical("the release cannot be opened", exc_info=True)
        return 70
    audio = torch.randn(1, 1, 64, generator=torch.Generator().manual_seed(0))
    phones = torch.tensor([[1, 2, 3]])
    mel = studio.clone(audio, phones)
    with torch.inference_mode():
        want = original.speak(phones, original.speaker_vector(audio))
    assert torch.allclose(mel, want, atol=1e-5)
    log.info("mel %s", tuple(mel.shape))
    return 0


if __name__ == "__main__":
    sys.exit(main())
