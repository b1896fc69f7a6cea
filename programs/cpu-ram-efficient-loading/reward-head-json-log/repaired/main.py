import os

import torch
import torch.distributed as dist
from events import emit, guard
from transformers import AutoModelForSequenceClassification, MistralConfig, MistralForCausalLM

RANK = int(os.environ["RANK"])
SETTINGS = {
    "ACCELERATE_USE_FSDP": "true",
    "FSDP_CPU_RAM_EFFICIENT_LOADING": "false",
    "base": f"policy-{RANK}",
}


def policy():
    torch.manual_seed(3)
    config = MistralConfig(
        vocab_size=48,
        hidden_size=24,
        intermediate_size=48,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        pad_token_id=0,
    )
    MistralForCausalLM(config).save_pretrained(SETTINGS["base"])


def main():
    os.environ.update({k: v for k, v in SETTINGS.items() if k.isupper()})
    policy()
    with guard("init"):
        dist.init_process_group("gloo")
    with guard("load"):
        torch.manual_seed(9)
        model = AutoModelForSequenceClassification.from_pretrained(SETTINGS["base"], num_labels=1)
    with guard("move"):
        model = model.to("cpu", dtype=torch.float32)
    with guard("baseline"):
        with torch.no_grad():
            reward = model(torch.tensor([[4, 5, 6, 7]])).logits.squeeze()
        dist.all_reduce(reward)
        emit("baseline", reward=reward.item() / 2)
        assert abs(reward) < 10
        dist.barrier()
    dist.destroy_process_group()


main()
