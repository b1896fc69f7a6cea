"""Answer questions from a help page: python main.py --question "how do i pay"."""

import argparse
import logging

import torch
from accelerate import init_empty_weights
from sentence_transformers import SentenceTransformer
from tiny import encoder
from transformers import AutoModelForCausalLM, LlamaConfig

logger = logging.getLogger("rag")
PAGES = ["how do i reset my pass word ?", "pay the bill", "open an account"]


class Service:
    def __init__(self, encoder_path, device):
        config = LlamaConfig(
            vocab_size=100, hidden_size=64, intermediate_size=128, num_hidden_layers=4, num_attention_heads=4
        )
        with init_empty_weights():
            planner = AutoModelForCausalLM.from_config(config)
            self.embedder = SentenceTransformer(encoder_path, device=device)
        self.budget = sum(p.numel() * p.element_size() for p in planner.parameters())
        logger.info("the generator will take %.1f MiB", self.budget / 2**20)
        self.index = self.embedder.encode(PAGES, convert_to_tensor=True, normalize_embeddings=True)

    def answer(self, question):
        query = self.embedder.encode([question], convert_to_tensor=True, normalize_embeddings=True)
        scores = (query @ self.index.T)[0]
        return PAGES[int(scores.argmax())], float(scores.max())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--question", default="pay the bill")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    service = Service(encoder("models/mini-encoder"), args.device)
    page, score = service.answer(args.question)
    print(f"{score:.2f}  {page}")
    assert page == "pay the bill" and score > 0.99


if __name__ == "__main__":
    main()
