"""Tag photos: main.py [--topk K]. The encoder's second half stays on disk."""

import argparse
import json

import torch
from accelerate import disk_offload
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import ViTConfig, ViTForImageClassification

LABELS = {0: "beach", 1: "street", 2: "forest"}


def export(base, adapter):
    torch.manual_seed(29)
    config = ViTConfig(
        image_size=16,
        patch_size=8,
        hidden_size=24,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        id2label=LABELS,
    )
    ViTForImageClassification(config).save_pretrained(base)
    model = ViTForImageClassification.from_pretrained(base)
    lora = LoraConfig(r=2, target_modules=["q_proj", "v_proj"], init_lora_weights=False)
    get_peft_model(model, lora).save_pretrained(adapter)


def open_tagger(base, adapter):
    model = PeftModel.from_pretrained(ViTForImageClassification.from_pretrained(base), adapter).eval()
    return disk_offload(model, "spill", execution_device=torch.device("cpu"))


def tag(tagger, pixels, topk):
    with torch.inference_mode():
        scores = tagger(pixel_values=pixels).logits.softmax(-1)
    return [[LABELS[i] for i in row] for row in scores.topk(topk).indices.tolist()]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--topk", type=int, default=1)
    args = parser.parse_args()
    export("vit-mini", "photos")
    tagger = open_tagger("vit-mini", "photos")
    pixels = torch.rand(2, 3, 16, 16, generator=torch.Generator().manual_seed(1))
    print(json.dumps(tag(tagger, pixels, args.topk)))


if __name__ == "__main__":
    main()
