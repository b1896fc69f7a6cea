"""Train the head of a spilled encoder and keep the last good checkpoint."""

import json
import sys
from pathlib import Path

import torch
from transformers import BertConfig, BertForSequenceClassification

PLACES = {"bert.embeddings": "cpu", "bert.encoder": "disk", "bert.pooler": "cpu", "classifier": "cpu"}


def say(**what):
    print(json.dumps(what), flush=True)


def base(path):
    torch.manual_seed(25)
    shape = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 24}
    BertForSequenceClassification(
        BertConfig(vocab_size=40, max_position_embeddings=16, num_labels=2, **shape)
    ).save_pretrained(path)


class Keeper:
    def __init__(self, folder, every):
        self.folder, self.every = Path(folder), every
        self.folder.mkdir(exist_ok=True)

    def maybe(self, step, model):
        if step % self.every == 0:
            torch.save(model.state_dict(), self.folder / "last.pt")
            say(event="checkpoint", step=step)


def train(model, keeper, steps=6):
    model.bert.requires_grad_(False)
    optimizer = torch.optim.AdamW(model.classifier.parameters(), lr=0.01)
    source = torch.Generator().manual_seed(0)
    for step in range(1, steps + 1):
        ids = torch.randint(3, 40, (4, 8), generator=source)
        loss = model(input_ids=ids, labels=(ids[:, 0] > 20).long()).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        keeper.maybe(step, model)
    return loss.item()


def resume(path):
    fresh = BertForSequenceClassification.from_pretrained("encoder")
    state = torch.load(path, map_location="cpu", weights_only=True)
    empty = sum(value.is_meta for value in state.values())
    if empty:
        say(event="error", message=f"{empty} of {len(state)} tensors in {path} hold nothing")
        return None
    fresh.load_state_dict(state)
    return fresh


def main():
    base("encoder")
    model = BertForSequenceClassification.from_pretrained(
        "encoder", device_map={**PLACES, "dropout": "cpu"}, offload_folder="spill"
    )
    say(event="trained", loss=round(train(model, Keeper("ckpt", 3)), 3))
    return 0 if resume("ckpt/last.pt") is not None else 1


if __name__ == "__main__":
    sys.exit(main())
