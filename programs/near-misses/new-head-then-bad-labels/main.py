"""Fine-tune a classifier from a masked-language checkpoint."""

import logging

import torch
from transformers import AutoModelForSequenceClassification, BertConfig, BertForMaskedLM

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
log = logging.getLogger("train")
STARS = 5


def pretrained(path):
    config = BertConfig(
        vocab_size=60, hidden_size=24, num_hidden_layers=2, num_attention_heads=2, intermediate_size=48
    )
    BertForMaskedLM(config).save_pretrained(path)


def reviews(n):
    g = torch.Generator().manual_seed(3)
    ids = torch.randint(0, 60, (n, 12), generator=g)
    stars = torch.randint(1, STARS + 1, (n,), generator=g)
    return ids, stars


def main():
    torch.manual_seed(0)
    pretrained("bert-mlm")
    model = AutoModelForSequenceClassification.from_pretrained("bert-mlm", num_labels=STARS)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    ids, stars = reviews(64)
    for epoch in range(2):
        for start in range(0, len(ids), 16):
            batch = slice(start, start + 16)
            loss = model(input_ids=ids[batch], labels=stars[batch]).loss
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
        log.info("epoch %d loss %.3f", epoch, loss.item())


if __name__ == "__main__":
    main()
