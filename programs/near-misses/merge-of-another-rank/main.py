"""Continue an adapter from its saved weights."""

import torch
from peft import LoraConfig, get_peft_model, set_peft_model_state_dict
from safetensors.torch import load_file
from transformers import GPT2Config, GPT2LMHeadModel


def base():
    torch.manual_seed(3)
    return GPT2LMHeadModel(GPT2Config(vocab_size=30, n_embd=16, n_layer=1, n_head=2, n_positions=16))


def adapted(rank):
    lora = LoraConfig(r=rank, target_modules=["c_attn"], fan_in_fan_out=True)
    return get_peft_model(base(), lora, low_cpu_mem_usage=False)


def main():
    adapted(8).save_pretrained("adapter")
    model = adapted(4)
    weights = load_file("adapter/adapter_model.safetensors")
    print(f"{len(weights)} tensors in the adapter")
    set_peft_model_state_dict(model, weights)
    print(model(input_ids=torch.arange(5)[None]).logits.shape)


if __name__ == "__main__":
    main()
