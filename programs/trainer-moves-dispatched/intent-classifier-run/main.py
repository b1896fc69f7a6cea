"""Train intents; the report says which parts of the model changed."""

import json
import sys

import torch
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments

SPILL = {"bert.embeddings": "cpu", "bert.encoder": "disk", "bert.pooler": "cpu"}
SPILL |= {"dropout": "cpu", "classifier": "cpu"}


def rows(count=12):
    source = torch.Generator().manual_seed(5)
    for _ in range(count):
        ids = torch.randint(4, 50, (6,), generator=source)
        yield {"input_ids": ids, "labels": int(ids[0] > 25)}


def create(path):
    torch.manual_seed(26)
    shape = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 24}
    BertForSequenceClassification(
        BertConfig(vocab_size=50, max_position_embeddings=12, num_labels=2, **shape)
    ).save_pretrained(path)


def fit(model):
    arguments = TrainingArguments(
        "intents",
        num_train_epochs=2,
        learning_rate=0.02,
        per_device_train_batch_size=4,
        save_strategy="no",
        report_to="none",
        disable_tqdm=True,
        dataloader_pin_memory=False,
        use_cpu=not torch.cuda.is_available(),
    )
    Trainer(model=model, args=arguments, train_dataset=list(rows())).train()


def report(before, model):
    parts = {}
    for name, value in model.named_parameters():
        part = ".".join(name.split(".")[:2])
        moved = not value.is_meta and not torch.equal(before[name], value.detach().cpu())
        parts[part] = parts.get(part, False) or moved
    return parts


def main():
    create("intent-base")
    before = dict(BertForSequenceClassification.from_pretrained("intent-base").named_parameters())
    model = BertForSequenceClassification.from_pretrained(
        "intent-base", device_map=SPILL, offload_folder="spill"
    )
    fit(model)
    changed = report(before, model)
    print(json.dumps(changed, indent=1))
    return 0 if all(changed.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
