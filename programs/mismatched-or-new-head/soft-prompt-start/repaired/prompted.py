import torch
from torch import nn
from transformers import GPT2Config, GPT2Model, GPT2PreTrainedModel


class PromptConfig(GPT2Config):
    def __init__(self, prompt_length=4, **kw):
        super().__init__(**kw)
        self.prompt_length = prompt_length


class PromptedGPT2(GPT2PreTrainedModel):
    config_class = PromptConfig

    def __init__(self, config):
        super().__init__(config)
        self.transformer = GPT2Model(config)
        self.prompt = nn.Parameter(torch.full((config.prompt_length, config.n_embd), 0.02))
        self.post_init()

    def _init_weights(self, module):
        super()._init_weights(module)
        if isinstance(module, PromptedGPT2):
            nn.init.constant_(module.prompt, 0.02)

    def loss(self, ids):
        table = self.transformer.wte.weight
        x = torch.cat([self.prompt.expand(len(ids), -1, -1), table[ids]], 1)
        hidden = self.transformer(inputs_embeds=x).last_hidden_state[:, -ids.shape[1] : -1]
        return nn.functional.cross_entropy((hidden @ table.T).flatten(0, 1), ids[:, 1:].flatten())


def base(folder):
    torch.manual_seed(38)
    config = GPT2Config(n_layer=1, n_embd=24, n_head=2, vocab_size=40, n_positions=24)
    GPT2Model(config).save_pretrained(folder)
