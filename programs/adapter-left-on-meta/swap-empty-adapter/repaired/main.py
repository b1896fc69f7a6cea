"""Put a LoRA file into an image encoder and compare embeddings before and after."""

import argparse
import logging
import sys

import torch
from peft import LoraConfig, get_peft_model_state_dict, inject_adapter_in_model, set_peft_model_state_dict
from safetensors.torch import load_file, save_file
from transformers import ViTConfig, ViTModel

logger = logging.getLogger("lora-swap")
LORA = LoraConfig(r=2, lora_alpha=4, target_modules=r".*(query|value|q_proj|v_proj)")


def encoder():
    torch.manual_seed(8)
    config = ViTConfig(
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=48,
        image_size=16,
        patch_size=8,
    )
    return ViTModel(config, add_pooling_layer=False).eval()


def train_adapter(path, pixels):
    """Pretends to be last week's training run."""
    model = inject_adapter_in_model(LORA, encoder())
    for name, param in model.named_parameters():
        if "lora_B" in name:
            torch.nn.init.normal_(param, std=0.2)
    save_file(get_peft_model_state_dict(model), path)
    with torch.no_grad():
        return model(pixels).last_hidden_state


def load_with_adapter(path, device):
    model = encoder()
    inject_adapter_in_model(LORA, model, low_cpu_mem_usage=True)
    result = set_peft_model_state_dict(model, load_file(path), low_cpu_mem_usage=True)
    logger.info("adapter loaded, unexpected keys: %s", result.unexpected_keys)
    return model.to(device)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--adapter", default="adapter.safetensors")
    parser.add_argument("--device", default="cpu")
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, stream=sys.stdout)
    pixels = torch.randn(2, 3, 16, 16, generator=torch.Generator().manual_seed(4))
    expected = train_adapter(args.adapter, pixels)
    model = load_with_adapter(args.adapter, args.device)
    with torch.no_grad():
        got = model(pixels.to(args.device)).last_hidden_state
    drift = (got - expected).abs().max().item()
    logger.info("drift %.2e", drift)
    return int(drift > 1e-5)


if __name__ == "__main__":
    sys.exit(main())
