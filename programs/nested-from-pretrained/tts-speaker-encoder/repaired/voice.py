import torch
from torch import nn
from transformers import PretrainedConfig, PreTrainedModel


class SpeakerEncoder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.conv = nn.Conv1d(1, dim, 8, 4)
        self.proj = nn.Linear(dim, dim)

    def forward(self, audio):
        return self.proj(self.conv(audio).relu().mean(-1))


def load_speaker_encoder(path, dim):
    encoder = SpeakerEncoder(dim)
    blob = torch.load(path, map_location="cpu", weights_only=True)
    encoder.load_state_dict(blob["model_state"])
    return encoder.cpu()


class VoiceConfig(PretrainedConfig):
    model_type = "mini_voice"

    def __init__(self, dim=16, phones=20, speaker_file="speaker.pt", **kw):
        self.dim, self.phones, self.speaker_file = dim, phones, speaker_file
        super().__init__(**kw)


class Voice(PreTrainedModel):
    config_class = VoiceConfig

    def __init__(self, config):
        super().__init__(config)
        self.speaker = SpeakerEncoder(config.dim)
        self.phones = nn.Embedding(config.phones, config.dim)
        self.mel = nn.Linear(2 * config.dim, 8)
        self.post_init()

    def speaker_vector(self, audio):
        return self.speaker(audio)

    def speak(self, phones, vector):
        x = self.phones(phones)
        return self.mel(torch.cat([x, vector[:, None].expand_as(x)], -1))


def publish(folder):
    torch.manual_seed(24)
    torch.save({"model_state": SpeakerEncoder(16).state_dict(), "step": 10}, "speaker.pt")
    model = Voice(VoiceConfig()).eval()
    model.save_pretrained(folder)
    return model
