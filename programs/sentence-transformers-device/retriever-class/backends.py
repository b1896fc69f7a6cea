"""What all retrieval backends share."""

import abc

import torch


class Backend(abc.ABC):
    name = "backend"

    def __init__(self, device=None):
        self.device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        self.model = self.load()
        self.model.to(self.device)
        self.model.eval()

    @abc.abstractmethod
    def load(self): ...

    def search(self, query, texts, k=1):
        vectors = self.model.encode([query, *texts], convert_to_tensor=True)
        scores = torch.nn.functional.cosine_similarity(vectors[:1], vectors[1:])
        return [texts[i] for i in scores.topk(k).indices.tolist()]
