"""Adapt a language model to a domain; fails where a layer did not learn."""

import logging
import sys

import torch
from torch.utils.data import Dataset
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM, Trainer, TrainingArguments

log = logging.getLogger("adapt")


class Phrases(Dataset):
    def __init__(self, count=16, length=8):
        source = torch.Generator().manual_seed(4)
        self.rows = torch.randint(1, 40, (count, length), generator=source)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return {"input_ids": self.rows[index], "labels": self.rows[index]}


def base(path):
    torch.manual_seed(22)
    sizes = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    LlamaForCausalLM(LlamaConfig(vocab_size=40, **sizes)).save_pretrained(path)


def load(path):
    places = {"model": "cpu", "lm_head": "disk"}
    return AutoModelForCausalLM.from_pretrained(path, device_map=places, offload_folder="spill")


def main():
    logging.basicConfig(level=logging.INFO, format="%(levelname)s:%(name)s:%(message)s")
    base("general")
    model = load("general")
    args = TrainingArguments(
        output_dir="adapted",
        max_steps=6,
        per_device_train_batch_size=4,
        learning_rate=0.05,
        save_strategy="no",
        report_to=[],
        use_cpu=not torch.cuda.is_available(),
        dataloader_pin_memory=False,
        disable_tqdm=True,
    )
    trainer = Trainer(model=model, args=args, train_dataset=Phrases())
    trainer.train()
    trained = {name for group in trainer.optimizer.param_groups for name in map(id, group["params"])}
    idle = [
        name
        for name, parameter in model.named_parameters()
        if id(parameter) not in trained or parameter.is_meta
    ]
    if idle:
        log.error("not trained: %s", ", ".join(idle))
        return 1
    log.info("all parameters trained")
    return 0


if __name__ == "__main__":
    sys.exit(main())
