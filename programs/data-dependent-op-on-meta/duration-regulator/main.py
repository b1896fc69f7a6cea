"""Peak activation size of the acoustic model for the longest utterance of each speaker."""

import json
from pathlib import Path

import torch
from tts import Acoustic

UTTERANCES = {"anna": [3, 5, 2, 9], "bo": [12, 1, 1, 30, 4]}


class SizeProbe:
    def __init__(self, model):
        self.peak = 0
        for module in model.modules():
            module.register_forward_hook(self)

    def __call__(self, module, args, output):
        self.peak = max(self.peak, output.numel() * output.element_size())


def measure(frames_per_phoneme):
    with torch.device("meta"):
        model = Acoustic()
        ids = torch.zeros(len(frames_per_phoneme), dtype=torch.long)
        durations = torch.tensor(frames_per_phoneme)
    probe = SizeProbe(model)
    mel = model(ids, durations, sum(frames_per_phoneme))
    assert mel.shape[-1] == sum(frames_per_phoneme)
    return probe.peak


if __name__ == "__main__":
    Path("utterances.json").write_text(json.dumps(UTTERANCES))
    for speaker, durations in json.loads(Path("utterances.json").read_text()).items():
        print(f"{speaker}: peak {measure(durations)} bytes")
