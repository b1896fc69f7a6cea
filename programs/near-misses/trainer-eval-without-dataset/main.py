"""Fine-tune with an evaluation each epoch."""

import torch
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments


def rows(count=8):
    source = torch.Generator().manual_seed(1)
    for _ in range(count):
        ids = torch.randint(4, 40, (6,), generator=source)
        yield {"input_ids": ids, "labels": int(ids[0] > 20)}


def model(path):
    torch.manual_seed(2)
    shape = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    BertForSequenceClassification(BertConfig(vocab_size=40, **shape)).save_pretrained(path)
    return BertForSequenceClassification.from_pretrained(path, device_map="cpu")


def main():
    arguments = TrainingArguments(
        "out",
        num_train_epochs=1,
        eval_strategy="epoch",
        save_strategy="no",
        report_to="none",
        disable_tqdm=True,
        use_cpu=True,
    )
    Trainer(model=model("bert-start"), args=arguments, train_dataset=list(rows())).train()


if __name__ == "__main__":
    main()
