"""A whitespace tokenizer with a growing vocabulary, enough for a demo checkpoint."""

import torch


class Vocabulary:
    def __init__(self, size):
        self.words, self.size = ["<s>", "<pad>", "</s>"], size

    def encode(self, text):
        ids = [0]
        for word in text.lower().split():
            if word not in self.words and len(self.words) < self.size:
                self.words.append(word)
            ids.append(self.words.index(word))
        return torch.tensor([[*ids, 2]])

    def decode(self, ids):
        return " ".join(self.words[i] if i < len(self.words) else f"w{i}" for i in ids if i > 2)
