import torch
from noise_schedules import cosine_betas
from torch import nn
from transformers import PretrainedConfig, PreTrainedModel


class PolicyConfig(PretrainedConfig):
    model_type = "diffusion_policy"

    def __init__(self, observation=6, action=2, width=32, diffusion_steps=10, **kwargs):
        self.observation, self.action, self.width = observation, action, width
        self.diffusion_steps = diffusion_steps
        super().__init__(**kwargs)


class DiffusionPolicy(PreTrainedModel):
    config_class = PolicyConfig
    main_input_name = "observation"

    def __init__(self, config):
        super().__init__(config)
        self.register_buffer("betas", cosine_betas(config.diffusion_steps))
        self.net = nn.Sequential(
            nn.Linear(config.observation + config.action + 1, config.width),
            nn.Mish(),
            nn.Linear(config.width, config.action),
        )
        self.post_init()

    @torch.no_grad()
    def forward(self, observation):
        action = torch.zeros(len(observation), self.config.action)
        for step in reversed(range(self.config.diffusion_steps)):
            t = torch.full((len(observation), 1), float(step))
            noise = self.net(torch.cat([observation, action, t], -1))
            action = (action - self.betas[step] * noise) / (1 - self.betas[step]).sqrt()
        return action
