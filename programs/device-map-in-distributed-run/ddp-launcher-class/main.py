import os

import torch
from runner import Experiment, Settings
from transformers import BertConfig, BertForSequenceClassification


class Accuracy(Experiment):
    def run(self):
        torch.manual_seed(self.rank)
        ids = torch.randint(0, 50, (6, 10))
        with torch.no_grad():
            predicted = self.model(input_ids=ids).logits.argmax(-1)
        votes = self.accelerator.gather(predicted)
        return votes.tolist()


def checkpoint():
    torch.manual_seed(12)
    path = f"clf-{os.environ['RANK']}"
    config = BertConfig(
        vocab_size=50,
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        num_labels=4,
    )
    BertForSequenceClassification(config).save_pretrained(path)
    return path


if __name__ == "__main__":
    votes = Accuracy(Settings(checkpoint())).launch()
    print("votes", votes)
    assert len(votes) == 12
