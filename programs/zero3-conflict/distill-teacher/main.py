"""Soft labels of a teacher for a student: main.py --ds ds.json [--dry]"""

import argparse
import json
import pathlib

import torch
from torch.nn import functional as F
from transformers import AutoModelForMaskedLM, BertConfig, BertForMaskedLM
from transformers.integrations import HfDeepSpeedConfig

SIZES = {"vocab_size": 80, "hidden_size": 32, "intermediate_size": 48, "num_attention_heads": 4}


def prepare():
    torch.manual_seed(12)
    BertForMaskedLM(BertConfig(num_hidden_layers=3, **SIZES)).save_pretrained("teacher")
    pathlib.Path("ds.json").write_text(
        json.dumps(
            {"train_batch_size": 1, "zero_optimization": {"stage": 3, "offload_param": {"device": "cpu"}}}
        )
    )


def load_teacher(name):
    teacher = AutoModelForMaskedLM.from_pretrained(name, low_cpu_mem_usage=True, device_map={"": "cpu"})
    return teacher.eval().requires_grad_(False)


def soft_labels(teacher, ids, temperature=2.0):
    with torch.no_grad():
        return F.softmax(teacher(input_ids=ids).logits / temperature, dim=-1)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ds", default="ds.json")
    parser.add_argument("--dry", action="store_true")
    args = parser.parse_args()
    prepare()
    holder = HfDeepSpeedConfig(args.ds)
    teacher = load_teacher("teacher")
    labels = soft_labels(teacher, torch.arange(5, 21).view(2, 8))
    print("labels", tuple(labels.shape), "zero3:", holder.is_zero3())
    assert torch.allclose(labels.sum(-1), torch.ones(2, 8), atol=1e-4)


if __name__ == "__main__":
    main()
