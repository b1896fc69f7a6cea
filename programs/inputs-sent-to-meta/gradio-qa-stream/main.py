import sys

import torch
from transformers import AutoModelForCausalLM, FalconConfig, FalconForCausalLM
from ui import Stream

MODEL = None
BOS, QUESTION, ANSWER = 1, 2, 3


def build(path):
    torch.manual_seed(95)
    config = FalconConfig(
        vocab_size=64,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        tie_word_embeddings=False,
    )
    FalconForCausalLM(config).save_pretrained(path)
    layout = {"transformer.word_embeddings": "disk", "transformer.ln_f": "cpu", "lm_head": "disk"}
    layout |= {"transformer.h.0": "disk", "transformer.h.1": "cpu", "transformer.rotary_emb": "cpu"}
    return AutoModelForCausalLM.from_pretrained(path, device_map=layout, offload_folder=path + "-off").eval()


def stream(question, tokens):
    device = MODEL.device
    prompt = torch.tensor([[BOS, QUESTION, *question, ANSWER]], device=device)
    with torch.inference_mode():
        for _ in range(tokens):
            token = MODEL(prompt).logits[:, -1:].argmax(-1)
            prompt = torch.cat([prompt, token], 1)
            yield f"<{token.item()}>"


def main():
    global MODEL
    MODEL = build("falcon")
    answer = "".join(Stream(stream)([10, 11, 12], 4))
    print("answer:", answer)
    return 0 if answer.count("<") == 4 else 1


if __name__ == "__main__":
    sys.exit(main())
