from torch import nn


class LengthRegulator(nn.Module):
    def forward(self, hidden, durations, total):
        """hidden: (phonemes, dim), durations: (phonemes,), total: frames of this utterance"""
        return hidden.repeat_interleave(durations, dim=0, output_size=total)


class Acoustic(nn.Module):
    def __init__(self, phonemes=40, dim=32, mels=20):
        super().__init__()
        self.embed = nn.Embedding(phonemes, dim)
        self.regulate = LengthRegulator()
        self.post = nn.Conv1d(dim, mels, 3, padding=1)

    def forward(self, ids, durations, total):
        frames = self.regulate(self.embed(ids), durations, total)
        return self.post(frames.T[None])
