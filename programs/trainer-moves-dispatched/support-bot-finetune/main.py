"""Fine-tune the support bot on last week's tickets."""

import argparse
import sys

import torch
from torch.utils.data import Dataset
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM, Trainer, TrainingArguments

SIZES = {"hidden_size": 32, "intermediate_size": 64, "num_attention_heads": 4, "num_key_value_heads": 2}


class Tickets(Dataset):
    def __init__(self, count=8):
        self.rows = torch.randint(3, 90, (count, 12), generator=torch.Generator().manual_seed(0))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return {"input_ids": self.rows[index], "labels": self.rows[index]}


def base_model(path):
    torch.manual_seed(5)
    LlamaForCausalLM(LlamaConfig(vocab_size=90, num_hidden_layers=3, **SIZES)).save_pretrained(path)


def load(path, on_disk):
    names = ("model.embed_tokens", "model.norm", "model.rotary_emb", "lm_head")
    device_map = dict.fromkeys(names, "cpu")
    device_map |= {f"model.layers.{i}": "disk" if i in on_disk else "cpu" for i in range(3)}
    return AutoModelForCausalLM.from_pretrained(path, device_map=device_map, offload_folder="offload")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--on-disk", type=int, nargs="*", default=[1, 2])
    args = parser.parse_args()
    base_model("bot")
    model = load("bot", args.on_disk)
    settings = TrainingArguments(
        output_dir="runs",
        num_train_epochs=args.epochs,
        per_device_train_batch_size=4,
        learning_rate=1e-2,
        logging_steps=1,
        save_strategy="no",
        use_cpu=True,
        report_to="none",
    )
    Trainer(model=model, args=settings, train_dataset=Tickets()).train()
    before = LlamaForCausalLM.from_pretrained("bot").state_dict()
    after = model.state_dict()
    same = [name for name in before if after[name].is_meta or torch.equal(after[name], before[name])]
    print("unchanged:", same or "nothing")
    return len(same)


if __name__ == "__main__":
    sys.exit(main())
