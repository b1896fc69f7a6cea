"""Train a LoRA classifier on a frozen encoder."""

import argparse
import logging
import sys

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModel, DistilBertConfig, DistilBertModel

log = logging.getLogger("train")


class Classifier(torch.nn.Module):
    def __init__(self, encoder, classes):
        super().__init__()
        self.encoder = get_peft_model(encoder, LoraConfig(r=2, target_modules=["q_lin", "v_lin"]))
        self.head = torch.nn.Linear(encoder.config.dim, classes)

    def forward(self, ids):
        return self.head(self.encoder(input_ids=ids).last_hidden_state.mean(1))


def placement(layers, on_disk):
    table = {"embeddings": "cpu"}
    for i in range(layers):
        table[f"transformer.layer.{i}"] = "disk" if i in on_disk else "cpu"
    return table


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--on-disk", type=int, nargs="*", default=[])
    parser.add_argument("--epochs", type=int, default=6)
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.manual_seed(107)
    config = DistilBertConfig(vocab_size=50, dim=24, hidden_dim=48, n_layers=3, n_heads=2)
    DistilBertModel(config).save_pretrained("distil")
    encoder = AutoModel.from_pretrained(
        "distil", device_map=placement(3, args.on_disk), offload_folder="distil-spill"
    )
    model = Classifier(encoder, classes=2)
    trainable = [p for p in model.parameters() if p.requires_grad]
    log.info("%d trainable tensors", len(trainable))
    optimizer = torch.optim.Adam(trainable, lr=1e-2)
    ids = torch.randint(0, 50, (16, 8))
    labels = (ids[:, 0] > 24).long()
    losses = []
    for epoch in range(args.epochs):
        loss = torch.nn.functional.cross_entropy(model(ids), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        log.info("epoch %d loss %.4f", epoch, losses[-1])
    return 0 if losses[-1] < losses[0] else 1


if __name__ == "__main__":
    sys.exit(main())
