"""Team A: tags tickets with its adapter, with the last layers on disk."""

import os

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import BertForSequenceClassification

MAP = {"bert.embeddings": "cpu", "bert.encoder.layer.0": "cpu", "bert.encoder.layer.1": "disk"}
MAP |= {"bert.pooler": "cpu", "dropout": "cpu", "classifier": "cpu"}


def train(base, adapter):
    if not os.path.isdir(adapter):
        lora = LoraConfig(r=2, target_modules=["query"], init_lora_weights=False)
        get_peft_model(BertForSequenceClassification.from_pretrained(base), lora).save_pretrained(adapter)


def load(base, adapter):
    return BertForSequenceClassification.from_pretrained(base, device_map=MAP, offload_folder="a-spill")


def tag(base, adapter, ids):
    train(base, adapter)
    model = load(base, adapter)
    places = {f"base_model.model.{name}": place for name, place in MAP.items()}
    model = PeftModel.from_pretrained(model, adapter, device_map=places, low_cpu_mem_usage=True).eval()
    with torch.no_grad():
        return model(input_ids=ids).logits.argmax(-1).tolist()
