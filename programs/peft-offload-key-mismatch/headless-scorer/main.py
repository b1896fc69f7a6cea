"""Batch job: one vector per document, with the domain's adapter. Exit codes: 0 fine, 4 failed."""

import os
import sys
import traceback

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import BertConfig, BertForMaskedLM, BertModel

DOMAIN = os.environ.get("DOMAIN", "law")
PARTS = {"embeddings": "cpu", "encoder.layer.0": "cpu", "encoder.layer.1": "disk"}


def materials():
    torch.manual_seed(44)
    shape = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 24}
    config = BertConfig(vocab_size=50, max_position_embeddings=20, **shape)
    BertForMaskedLM(config).save_pretrained("bert-mlm")
    body = BertModel.from_pretrained("bert-mlm", add_pooling_layer=False)
    lora = LoraConfig(r=2, target_modules=["key", "value"], init_lora_weights=False)
    get_peft_model(body, lora).save_pretrained(DOMAIN)


def encoder():
    body = BertModel.from_pretrained(
        "bert-mlm", add_pooling_layer=False, device_map=PARTS, offload_folder="spill"
    )
    return PeftModel.from_pretrained(body, DOMAIN, low_cpu_mem_usage=True).eval()


def vectors(model, documents):
    with torch.no_grad():
        return torch.stack([model(input_ids=ids).last_hidden_state[0, 0] for ids in documents])


def main():
    materials()
    documents = [torch.arange(i, i + 6)[None] for i in (4, 12, 30)]
    try:
        found = vectors(encoder(), documents)
    except Exception as error:
        print(f"job {DOMAIN}: {type(error).__name__}", file=sys.stderr)
        traceback.print_exc()
        return 4
    print(f"job {DOMAIN}: {len(found)} vectors, spread {found.std():.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
