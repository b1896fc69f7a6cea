import torch
from torch import nn
from transformers import AutoConfig, AutoModel, PretrainedConfig, PreTrainedModel, Qwen2Config, Qwen2Model


class PolicyConfig(PretrainedConfig):
    model_type = "mini_policy"

    def __init__(self, language="qwen-small", states=3, actions=2, **kw):
        self.language, self.states, self.actions = language, states, actions
        super().__init__(**kw)


class Policy(PreTrainedModel):
    config_class = PolicyConfig

    def __init__(self, config):
        super().__init__(config)
        inner = AutoConfig.from_pretrained(config.language)
        self.language = AutoModel.from_config(inner, attn_implementation="eager")
        width = self.language.config.hidden_size
        self.state = nn.Linear(config.states, width)
        self.action = nn.Linear(width, config.actions)
        self.post_init()

    def forward(self, instruction, state):
        words = self.language(input_ids=instruction).last_hidden_state[:, -1]
        return torch.tanh(self.action(words + self.state(state)))


def train_and_save(folder):
    torch.manual_seed(88)
    config = Qwen2Config(
        vocab_size=30,
        hidden_size=16,
        intermediate_size=24,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=2,
    )
    Qwen2Model(config).save_pretrained("qwen-small")
    model = Policy(PolicyConfig()).eval()
    nn.init.normal_(model.action.weight)
    model.save_pretrained(folder)
    return model
