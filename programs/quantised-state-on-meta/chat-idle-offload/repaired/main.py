"""chat.py: one model in 4 bits; idle models give their memory back."""

import logging
import threading

import torch
from transformers import AutoModelForCausalLM, BitsAndBytesConfig, LlamaConfig, LlamaForCausalLM

logging.basicConfig(level=logging.INFO, format="%(threadName)s %(levelname)s %(message)s")
log = logging.getLogger(__name__)


def prepare(folder):
    torch.manual_seed(2)
    config = LlamaConfig(
        vocab_size=64, hidden_size=64, intermediate_size=128, num_hidden_layers=1, num_attention_heads=4
    )
    LlamaForCausalLM(config).save_pretrained(folder)


class Chat:
    def __init__(self, folder, device):
        self.device = device
        self.lock = threading.Lock()
        four = BitsAndBytesConfig(load_in_4bit=True, bnb_4bit_compute_dtype=torch.float32)
        self.model = AutoModelForCausalLM.from_pretrained(folder, quantization_config=four, device_map=device)
        self.model.eval()

    def idle(self):
        with self.lock:
            log.info("nobody there, the model stays where it is")

    @torch.inference_mode()
    def say(self, *tokens):
        with self.lock:
            ids = torch.tensor([tokens], device=self.device)
            return self.model(ids).logits[0, -1].argmax().item()


def main():
    prepare("llama-chat")
    chat = Chat("llama-chat", "cuda" if torch.cuda.is_available() else "cpu")
    before = chat.say(1, 2, 3)
    chat.idle()
    after = chat.say(1, 2, 3)
    log.info("before %s, after %s", before, after)
    assert before == after


if __name__ == "__main__":
    main()
