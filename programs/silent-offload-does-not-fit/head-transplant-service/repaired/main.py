import logging
import sys

import torch
from torch import nn
from transformers import AutoModel, BertConfig, BertModel

logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
log = logging.getLogger("reranker")
CONFIG = BertConfig(
    vocab_size=120,
    hidden_size=32,
    intermediate_size=64,
    num_hidden_layers=3,
    num_attention_heads=4,
    max_position_embeddings=32,
)


class Reranker(nn.Module):
    """Scores pairs with the encoder's pooler, frozen, and a head of its own."""

    def __init__(self, width):
        super().__init__()
        self.pooler = nn.Linear(width, width)
        self.score = nn.Linear(width, 1)

    def adopt(self, encoder):
        with torch.no_grad():
            self.pooler.weight.copy_(encoder.pooler.dense.weight)
            self.pooler.bias.copy_(encoder.pooler.dense.bias)
        log.info("adopted the pooler of %s", type(encoder).__name__)

    def forward(self, hidden):
        return self.score(torch.tanh(self.pooler(hidden[:, 0])))


class Service:
    def __init__(self, folder, device):
        self.encoder = AutoModel.from_pretrained(folder, device_map={"": device}).eval()
        log.info("encoder is up on %s", getattr(self.encoder, "hf_device_map", "one device"))
        torch.manual_seed(1)
        self.head = Reranker(CONFIG.hidden_size).eval()
        self.head.adopt(self.encoder)

    @torch.inference_mode()
    def rank(self, pairs):
        output = self.encoder(pairs)
        gap = (torch.tanh(self.head.pooler(output[0][:, 0])) - output[1]).abs().max().item()
        return self.head(output[0]).squeeze(-1).argsort(descending=True).tolist(), gap


if __name__ == "__main__":
    torch.manual_seed(0)
    BertModel(CONFIG).save_pretrained("encoder")
    order, gap = Service("encoder", "cpu").rank(torch.arange(2, 26).view(3, 8))
    log.info("order %s", order)
    assert sorted(order) == [0, 1, 2] and gap < 1e-5
