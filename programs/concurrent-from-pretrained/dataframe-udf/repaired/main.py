import threading

import torch
from engine import map_partitions
from transformers import OPTConfig, OPTForCausalLM

PATH = "opt-udf"
LOADING = threading.Lock()


class Surprise:
    """Mean surprise of each row."""

    def __init__(self):
        with LOADING:
            self.model = OPTForCausalLM.from_pretrained(PATH).to("cpu").eval()

    @torch.no_grad()
    def __call__(self, rows):
        return [round(self.model(torch.tensor([r]), labels=torch.tensor([r])).loss.item(), 3) for r in rows]


def main():
    torch.manual_seed(48)
    config = OPTConfig(
        vocab_size=200,
        hidden_size=48,
        ffn_dim=96,
        num_hidden_layers=5,
        num_attention_heads=4,
        max_position_embeddings=40,
        word_embed_proj_dim=48,
    )
    OPTForCausalLM(config).save_pretrained(PATH)
    partitions = torch.randint(4, 200, (24, 2, 12)).tolist()
    first = map_partitions(Surprise, partitions[:8], workers=6)
    print("preview", first[0])
    for _ in range(2):
        values = map_partitions(Surprise, partitions, workers=6)
    print(len(values), "partitions, mean", sum(map(sum, values)) / 48)
    assert all(3 < v < 8 for part in values for v in part)


if __name__ == "__main__":
    main()
