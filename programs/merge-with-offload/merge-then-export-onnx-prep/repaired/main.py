"""Trace a LoRA-tuned classifier for the mobile runtime."""

import logging
import sys

import torch
from peft import LoraConfig, TaskType, get_peft_model
from transformers import DistilBertConfig, DistilBertForSequenceClassification

logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(name)-8s %(message)s")
log = logging.getLogger("mobile")


class Wrapper(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, ids, mask):
        return self.model(input_ids=ids, attention_mask=mask, return_dict=False)[0]


def tuned():
    torch.manual_seed(64)
    config = DistilBertConfig(
        vocab_size=44,
        dim=24,
        hidden_dim=32,
        n_layers=2,
        n_heads=2,
        max_position_embeddings=20,
        num_labels=3,
    )
    config._attn_implementation = "eager"
    lora = LoraConfig(
        task_type=TaskType.SEQ_CLS, r=2, target_modules=["q_lin", "v_lin"], init_lora_weights=False
    )
    return get_peft_model(DistilBertForSequenceClassification(config), lora).eval()


def merge(model):
    log.info("merging in memory")
    return model.merge_and_unload()


def trace(model, example):
    model = model.to(torch.device("cpu"), torch.float32)
    with torch.no_grad():
        return torch.jit.trace(Wrapper(model), example, check_trace=False)


def main():
    model = tuned()
    ids = torch.tensor([[1, 7, 8, 2]])
    example = (ids, torch.ones_like(ids))
    with torch.no_grad():
        want = Wrapper(model)(*example)
    traced = trace(merge(model), example)
    with torch.no_grad():
        assert torch.allclose(traced(*example), want, atol=1e-4)
    traced.save("classifier.pt")
    log.info("saved classifier.pt")


if __name__ == "__main__":
    main()
